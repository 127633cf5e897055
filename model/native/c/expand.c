/* Expanding: the successors of a chunk of states, judged, hashed and looked up; what is not known goes to its owner.
 *
 * While chunks are expanded no table changes, so that each worker reads all of them without a lock. Nine of ten
 * successors are known and end here. Where constraints speak of the state alone, one that is known is within them, and
 * only the others are asked about.
 */

enum {
    JUDGED_LATE = CONSTRAINED_BY_STATE && !HAS_KEY,
    JUDGED_EARLY = HAS_KEY || (HAS_CONSTRAINTS && !JUDGED_LATE),
};

static inline Table *table_of(Worker *w, F f) { return &w->engine->workers[owner_of(w->engine, f)].table; }

/* Where states lie one after the other, that of one some places on is sought in memory meanwhile. */
enum { AHEAD = 12 };
#define fetch_ahead(w, packed, left)                                       \
    if (!HAS_KEY && (left) > AHEAD) {                                      \
        F ahead_ = fingerprint_((packed) + AHEAD * STATE_WORDS);           \
        table_prefetch(table_of(w, ahead_), ahead_);                       \
    }

static __attribute__((noinline, cold)) void slots_grow(Ctx *c) {
    size_t room = grown_(c->room, c->count + 1, c->room ? c->room * 2 : 1024);
    /* Where memory is lent freely, the process would be killed rather than refused: half of it is enough. */
    double most = (double)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
    if (room * (STATE_WORDS + ARGUMENT_WORDS) * sizeof(W) > most) left_(c);
    W *out = realloc(c->out, room * STATE_WORDS * sizeof(W));
    if (out) c->out = out;
    uint16_t *actions = realloc(c->actions, room * sizeof(uint16_t));
    if (actions) c->actions = actions;
    if (!out || !actions) left_(c);
#if ARGUMENT_WORDS
    W *arguments = realloc(c->arguments, room * ARGUMENT_WORDS * sizeof(W));
    if (!arguments) left_(c);
    c->arguments = arguments;
#endif
    c->room = room;
}

/* Where the next successor goes. */
static inline W *slot_(Ctx *c) {
    if (__builtin_expect(full_(c->count, c->room), 0)) slots_grow(c);
#if ARGUMENT_WORDS
    memset(c->arguments + c->count * ARGUMENT_WORDS, 0, ARGUMENT_WORDS * sizeof(W));
#endif
    return c->out + c->count * STATE_WORDS;
}

/* Successors of `parent`, which is unpacked into `state`; a failure or a deadlock becomes an event. */
static void expand(Worker *w, size_t parent, S *state) {
    Ctx *c = &w->context;
    c->between = 0;
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

/* Strike out the properties whose antecedents are true of the state, or of the step to `after`. Where that cannot be
 * told, nothing is to be said of them: they are struck out, too. */
static __attribute__((noinline)) void note(Ctx *c, U *idle, const S *state, const S *after) {
    volatile U rest = *idle, one = 0;
    if (setjmp(c->out_of_here)) *idle &= ~one;
    while (rest) {
        one = rest & -rest;
        rest &= rest - 1;
        c->soft = 0;
        c->depth = 0;
        int which = __builtin_ctzll(one);
        if (after ? step_antecedent_(c, state, after, which) : antecedent_(c, state, which)) *idle &= ~one;
    }
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
    if (w->idle) note(c, &w->idle, &state, 0);
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
    if (w->idle_steps) note(c, &w->idle_steps, before, &after);
}

static F judge_anew(Worker *w, U key, const W *packed, const S *before) {
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

/* Where a state is kept, if it is, with what it was judged to be. */
static inline Judged *judged_of(Worker *w, const W *packed) {
    U h = 0;
    for (int i = 0; i < STATE_WORDS; i++) h = mixed_(h ^ packed[i]);
    return &w->judged[h * 0x9E3779B97F4A7C15ull >> (64 - JUDGED_BITS)];
}

static inline int is_judged(const Judged *j, const W *packed) {
    if (j->state[0] != (packed[0] | JUDGED_MARK)) return 0;
    for (int i = 1; i < STATE_WORDS; i++)
        if (j->state[i] != packed[i]) return 0;
    return 1;
}

/* The fingerprint of a successor, 0 when it is outside the constraints; an event when that cannot be told. */
static inline F judge(Worker *w, U key, const W *packed, const S *before) {
    if (!KEY_BY_STATE) return judge_anew(w, key, packed, before);
    Judged *j = judged_of(w, packed);
    if (is_judged(j, packed)) return j->fingerprint;
    F f = judge_anew(w, key, packed, before);
    if (w->event.status) return f;
    memcpy(j->state, packed, sizeof j->state);
    j->state[0] |= JUDGED_MARK;
    j->fingerprint = f;
    return f;
}

/* A successor outside the constraints: its invariants are asked, too. */
static void cut_off(Worker *w, U key, const W *packed) {
    w->counts.cut++;
    check(w, key, packed);
}

static Candidate *buffer_next(Buffer *b) {
    if (full_(b->count, b->room)) {
        size_t room = grown_(b->room, b->count + 1, b->room ? b->room + b->room / 2 : 1024);
        Candidate *items = realloc(b->items, room * sizeof(Candidate));
        if (!items) return 0;
        b->items = items;
        b->room = room;
    }
    return &b->items[b->count++];
}

static int hashes_reserve(Worker *w, size_t count) {
    if (enough_(count, w->hashes_room)) return 1;
    size_t room = grown_(w->hashes_room, count, count + count / 2);
    F *hashes = realloc(w->hashes, room * sizeof(F));
    if (hashes) w->hashes = hashes;
    uint32_t *unseen = realloc(w->unseen, room * sizeof(uint32_t));
    if (unseen) w->unseen = unseen;
    if (!hashes || !unseen) return 0;
    w->hashes_room = room;
    return 1;
}

/* Count the successors of one state. */
static inline void count_generated(Counts *counts, const uint16_t *actions, size_t count) {
    enum { SEEN = (ACTIONS + 63) / 64 + 1 };
    U seen[SEEN] = {0};
    for (size_t i = 0; i < count; i++) {
        counts->generated[actions[i]]++;
        seen[actions[i] / 64] |= (U)1 << actions[i] % 64;
    }
    for (int k = 0; k < SEEN; k++)
        for (U rest = seen[k]; rest; rest &= rest - 1) counts->enabled[64 * k + __builtin_ctzll(rest)]++;
    counts->total += count;
}

/* Expand the states from `parent` to `end`, and judge their successors. Returns where it stopped. */
static size_t expand_block(Worker *w, size_t parent, size_t end, size_t *firsts) {
    Ctx *c = &w->context;
    c->count = 0;
    for (; parent < end && !w->event.status; parent++) {
        S state;
        size_t first = *firsts++ = c->count;
        expand(w, parent, &state);
        if (!hashes_reserve(w, c->count)) { event_end(w, NO_MEMORY); break; }
        count_generated(&w->counts, c->actions + first, c->count - first);
        w->counts.total += c->between;
        for (size_t i = first; (JUDGED_EARLY || HAS_STEPS) && i < c->count; i++) {
            const W *packed = c->out + i * STATE_WORDS;
            U key = (U)parent << 24 | (i - first);
            if (JUDGED_EARLY && !(w->hashes[i] = judge(w, key, packed, &state))) cut_off(w, key, packed);
            if (HAS_STEPS) check_step(w, key, packed, &state);
        }
    }
    *firsts = c->count;
    for (size_t i = 0; !JUDGED_EARLY && i < c->count; i++) w->hashes[i] = fingerprint_(c->out + i * STATE_WORDS);
    return parent;
}

static inline F *recent_of(Worker *w, F f) { return &w->recent[(U)f >> 20 & (RECENT - 1)]; }

/* Let the successors of a block that were not just seen be awaited: where the table would have them is on its way from
 * memory while the next block is expanded. 0: no memory. */
static int block_awaited(Worker *w, size_t block, const size_t *firsts) {
    Ctx *c = &w->context;
    size_t unseen = 0;
    /* Without a branch: three of four were just seen, and which cannot be predicted. */
    for (size_t i = 0; i < c->count; i++) {
        F f = w->hashes[i], *recent = recent_of(w, f);
        w->unseen[unseen] = (uint32_t)i;
        unseen += (f != *recent) & (f != 0);
        if (!JUDGED_LATE) *recent = f;
    }
    for (size_t k = 0, p = 0; k < unseen; k++) {
        size_t i = w->unseen[k];
        F f = w->hashes[i];
        table_prefetch(table_of(w, f), f);
        while (i >= firsts[p + 1]) p++;
        Candidate *x = buffer_next(&w->awaited);
        if (!x) return 0;
        x->fingerprint = f;
        x->key = (U)(block + p) << 24 | (i - firsts[p]);
        x->action = c->actions[i];
        memcpy(x->state, c->out + i * STATE_WORDS, sizeof x->state);
    }
    return 1;
}

/* Of those that are awaited, what the table does not know goes to its owner. 0: no memory. */
static int awaited_settled(Worker *w) {
    for (const Candidate *x = w->awaited.items, *end = x + w->awaited.count; x < end; x++) {
        F f = x->fingerprint;
        if (JUDGED_LATE && f == *recent_of(w, f)) continue;
        int known = table_has(table_of(w, f), f);
        if (JUDGED_LATE) {
            if (!known && !judge(w, x->key, x->state, 0)) { cut_off(w, x->key, x->state); continue; }
            *recent_of(w, f) = f;
        }
        if (known) continue;
        Candidate *sent = buffer_next(&w->outgoing[owner_of(w->engine, f)]);
        if (!sent) return 0;
        *sent = *x;
    }
    w->awaited.count = 0;
    return 1;
}

static void expand_chunk(Worker *w) {
    Engine *e = w->engine;
    w->before = w->counts;
    w->context.level = (I)e->level + 1;
    for (int o = 0; o < e->count; o++) w->outgoing[o].count = 0;
    w->awaited.count = 0;
    int room = 1;
    for (size_t parent = w->from; parent < w->to && !w->event.status && room;) {
        size_t end = parent + BLOCK < w->to ? parent + BLOCK : w->to, block = parent, firsts[BLOCK + 1];
        parent = expand_block(w, block, end, firsts);
        if (w->event.status == NO_MEMORY) return;
        room = awaited_settled(w) && block_awaited(w, block, firsts);
    }
    if (!room || !awaited_settled(w)) event_end(w, NO_MEMORY);
}

/* Count the round anew, up to the event that ends the search in it. */
static void recount(Engine *e, size_t from) {
    Event *stop = &e->event;
    for (int i = 0; i < e->count; i++) e->workers[i].counts = e->workers[i].before;
    Worker *w = &e->workers[0];
    Ctx *c = &w->context;
    size_t end = (size_t)(stop->key >> 24);
    for (size_t parent = from; parent <= end; parent++) {
        S state;
        c->count = 0;
        expand(w, parent, &state);
        Counts before = w->counts;
        size_t count = 0;
        for (; count < c->count; count++) {
            U key = (U)parent << 24 | count;
            if (key > stop->key) break;
            if (HAS_CONSTRAINTS && !(key == stop->key && stop->order == UNJUDGED))
                w->counts.cut += !judge(w, key, c->out + count * STATE_WORDS, &state);
        }
        count_generated(&w->counts, c->actions, count);
        if (parent < end || stop->status == VIOLATION) w->counts.total += c->between;
        /* A state whose expansion was cut short does not count as one in which its actions were enabled. */
        if (parent == end && stop->kind != DEADLOCKED) memcpy(w->counts.enabled, before.enabled, sizeof before.enabled);
    }
}
