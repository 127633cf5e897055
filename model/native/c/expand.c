/* Expanding: the successors of a chunk of states, judged, hashed and looked up; what is not known goes to its owner.
 *
 * While chunks are expanded no table changes, so that each worker reads all of them without a lock. Nine of ten
 * successors are known and end here.
 */

static W *slot_(Ctx *c) {
    if (c->count == c->room) {
        size_t room = c->room ? c->room * 2 : 1024;
        W *out = realloc(c->out, room * STATE_WORDS * sizeof(W));
        if (out) c->out = out;
        uint16_t *actions = realloc(c->actions, room * sizeof(uint16_t));
        if (actions) c->actions = actions;
        if (!out || !actions) { c->soft = 0; fail_(c, MEMORY, 0); }
#if ARGUMENT_WORDS
        W *arguments = realloc(c->arguments, room * ARGUMENT_WORDS * sizeof(W));
        if (!arguments) { c->soft = 0; fail_(c, MEMORY, 0); }
        c->arguments = arguments;
#endif
        c->room = room;
    }
#if ARGUMENT_WORDS
    memset(c->arguments + c->count * ARGUMENT_WORDS, 0, ARGUMENT_WORDS * sizeof(W));
#endif
    return c->out + c->count * STATE_WORDS;
}

/* Successors of `parent`, which is unpacked into `state`; a failure or a deadlock becomes an event. */
static void expand(Worker *w, size_t parent, S *state) {
    Ctx *c = &w->context;
    volatile size_t first = c->count;
    c->soft = 0;
    c->kept = 0;
    c->depth = 0;
    c->base = source_of(w->engine, parent);
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, (U)parent << 24 | (c->count - first), UNJUDGED, c->failure, 0);
        return;
    }
    unpack_(c->base, state);
    successors_(c, state);
    if (CHECK_DEADLOCK && c->count == first)
        event_set(&w->event, (U)parent << 24 | LAST_ORDINAL, UNJUDGED, VIOLATION, DEADLOCKED, 0, 0);
}

/* The invariants of a state that is new or outside the constraints. */
static void check(Worker *w, U key, const W *packed) {
    Ctx *c = &w->context;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, key, OF_STATE, c->failure, packed);
        return;
    }
    S state;
    unpack_(packed, &state);
    for (int i = 0; (i = invariants_(c, &state, i)) >= 0 && violated(w, key, OF_STATE, INVARIANT, i, packed); i++);
}

static void check_step(Worker *w, U key, const W *packed, const S *before) {
    Ctx *c = &w->context;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, key, OF_STEP, c->failure, packed);
        return;
    }
    S after;
    unpack_(packed, &after);
    for (int i = 0; (i = steps_(c, before, &after, i)) >= 0 && violated(w, key, OF_STEP, STEP_PROPERTY, i, packed); i++);
}

/* The fingerprint of a successor, 0 when it is outside the constraints; an event when that cannot be told. */
static inline U judge(Worker *w, U key, const W *packed, const S *before) {
#if HAS_CONSTRAINTS || HAS_KEY
    Ctx *c = &w->context;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, key, UNJUDGED, c->failure, packed);
        return 1;
    }
    S after;
    unpack_(packed, &after);
    if (HAS_CONSTRAINTS && !(within_(c, &after) && (!before || allowed_(c, before, &after)))) return 0;
#if HAS_KEY
    W image[KEY_WORDS];
    key_(c, &after, packed, image);
    return fingerprint_(image);
#endif
#endif
    (void)w; (void)key; (void)before;
    return fingerprint_(packed);
}

static Candidate *buffer_next(Buffer *b) {
    if (b->count == b->room) {
        size_t room = b->room ? b->room + b->room / 2 : 1024;
        Candidate *items = realloc(b->items, room * sizeof(Candidate));
        if (!items) return 0;
        b->items = items;
        b->room = room;
    }
    return &b->items[b->count++];
}

static int hashes_reserve(Worker *w, size_t count) {
    if (count <= w->hashes_room) return 1;
    U *hashes = realloc(w->hashes, (count + count / 2) * sizeof(U));
    if (!hashes) return 0;
    w->hashes = hashes;
    w->hashes_room = count + count / 2;
    return 1;
}

/* Count one successor. */
static inline void count_generated(Worker *w, size_t parent, unsigned action) {
    w->counts.generated[action]++;
    if (w->last[action] != parent + 1) {
        w->last[action] = parent + 1;
        w->counts.enabled[action]++;
    }
}

static void expand_chunk(Worker *w) {
    Engine *e = w->engine;
    Ctx *c = &w->context;
    w->before = w->counts;
    for (int o = 0; o < e->count; o++) w->outgoing[o].count = 0;
    for (size_t parent = w->from; parent < w->to && !w->event.status;) {
        size_t end = parent + BLOCK < w->to ? parent + BLOCK : w->to, block = parent, firsts[BLOCK + 1];
        c->count = 0;
        for (; parent < end && !w->event.status; parent++) {
            S state;
            size_t first = firsts[parent - block] = c->count;
            expand(w, parent, &state);
            if (!hashes_reserve(w, c->count)) { event_end(w, NO_MEMORY); return; }
            for (size_t i = first; i < c->count; i++) {
                const W *packed = c->out + i * STATE_WORDS;
                U key = (U)parent << 24 | (i - first);
                U f = judge(w, key, packed, &state);
                U *recent = &w->recent[f >> 20 & (RECENT - 1)];
                w->hashes[i] = f == *recent ? 0 : f;
                if (f && f != *recent) table_prefetch(&e->workers[owner_of(e, f)].table, f), *recent = f;
                else if (!f) w->counts.cut++;
                count_generated(w, parent, c->actions[i]);
                if (!f) check(w, key, packed);
                if (HAS_STEPS) check_step(w, key, packed, &state);
            }
        }
        w->counts.total += c->count;
        for (size_t p = block, i = 0; p < parent; p++) {
            size_t last = p + 1 < parent ? firsts[p + 1 - block] : c->count;
            for (size_t first = i; i < last; i++) {
                U f = w->hashes[i];
                if (!f) continue;
                int owner = owner_of(e, f);
                if (table_has(&e->workers[owner].table, f)) continue;
                Candidate *x = buffer_next(&w->outgoing[owner]);
                if (!x) { event_end(w, NO_MEMORY); return; }
                x->fingerprint = f;
                x->key = (U)p << 24 | (i - first);
                x->action = c->actions[i];
                memcpy(x->state, c->out + i * STATE_WORDS, sizeof x->state);
            }
        }
    }
}

/* Count the round anew, up to the event that ends the search in it. */
static void recount(Engine *e, size_t from) {
    Event *stop = &e->event;
    for (int i = 0; i < e->count; i++) e->workers[i].counts = e->workers[i].before;
    Worker *w = &e->workers[0];
    Ctx *c = &w->context;
    memset(w->last, 0, sizeof w->last);
    size_t end = (size_t)(stop->key >> 24);
    for (size_t parent = from; parent <= end; parent++) {
        S state;
        c->count = 0;
        expand(w, parent, &state);
        Counts before = w->counts;
        for (size_t i = 0; i < c->count; i++) {
            U key = (U)parent << 24 | i;
            if (key > stop->key) break;
            count_generated(w, parent, c->actions[i]);
            w->counts.total++;
            if (HAS_CONSTRAINTS && !(key == stop->key && stop->order == UNJUDGED))
                w->counts.cut += !judge(w, key, c->out + i * STATE_WORDS, &state);
        }
        /* A state whose expansion was cut short does not count as one in which its actions were enabled. */
        if (parent == end && stop->kind != DEADLOCKED) memcpy(w->counts.enabled, before.enabled, sizeof before.enabled);
    }
}
