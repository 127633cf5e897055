/* The search: level-synchronous breadth first, over packed states, in the order of discovery.
 *
 * States are numbered in the order in which one worker finds them. A level is cut into rounds. In a round each worker
 * expands a chunk of states and files what is not known by owner (a part of the fingerprints); then each owner takes in
 * its part in the order of the parents; then the new states are numbered in that order. No result depends on the number
 * of workers, on the limit of memory, or on where a search was interrupted and resumed.
 */

static void barrier(Engine *e, int *sense) {
    *sense = !*sense;
    if (__atomic_add_fetch(&e->waiting, 1, __ATOMIC_ACQ_REL) == e->count) {
        e->waiting = 0;
        __atomic_store_n(&e->sense, *sense, __ATOMIC_RELEASE);
    } else {
        for (int i = 0; __atomic_load_n(&e->sense, __ATOMIC_ACQUIRE) != *sense; i++) {
            if (__atomic_load_n(&e->stopping, __ATOMIC_ACQUIRE)) return;
            if (i > 2000) sched_yield();
        }
    }
}

static int fresh_reserve(Worker *w, size_t more) {
    size_t need = w->fresh_count + more;
    int disk = w->runs.count > 0 && !w->sought;
    if (enough_(need, w->fresh_room) && !disk) return 1;
    size_t room = need <= w->fresh_room ? w->fresh_room : grown_(0, need, need + need / 2);
    Candidate **fresh = realloc(w->fresh, room * sizeof *fresh);
    if (!fresh) return 0;
    w->fresh = fresh;
    if (w->runs.count) {
        free(w->sought);
        free(w->known);
        w->sought = malloc(2 * room * sizeof(Sought));
        w->known = malloc(room);
        if (!w->sought || !w->known) return 0;
    }
    w->fresh_room = room;
    return 1;
}

/* Strike out what is in the files. */
static int strike_known(Worker *w) {
    size_t n = w->fresh_count;
    for (size_t i = 0; i < n; i++) w->sought[i] = (Sought){rank_(w->fresh[i]->fingerprint), (uint32_t)i};
    memset(w->known, 0, n);
    sort_sought(w->sought, w->sought + w->fresh_room, n);
    if (!runs_find(&w->runs, w->sought, n, w->known)) return 0;
    size_t kept = 0;
    for (int t = 0; t < w->engine->count; t++) {
        size_t from = w->fresh_of[t], to = w->fresh_of[t + 1];
        w->fresh_of[t] = kept;
        for (size_t i = from; i < to; i++)
            if (!w->known[i]) w->fresh[kept++] = w->fresh[i];
    }
    w->fresh_of[w->engine->count] = w->fresh_count = kept;
    return 1;
}

/* Take in, as an owner, what all workers found, in the order of the parents. */
static void take_in(Worker *w) {
    Engine *e = w->engine;
    w->fresh_count = 0;
    for (int t = 0; t < e->count; t++) {
        Buffer *b = &e->workers[t].outgoing[w->number];
        w->fresh_of[t] = w->fresh_count;
        if (!fresh_reserve(w, b->count)) { event_end(w, NO_MEMORY); return; }
        for (size_t i = 0; i < b->count; i++) {
            Candidate *x = &b->items[i];
            if (i + 12 < b->count) table_prefetch(&w->table, b->items[i + 12].fingerprint);
            int added = table_add(&w->table, x->fingerprint);
            if (added < 0) { event_end(w, NO_MEMORY); return; }
            if (added) w->fresh[w->fresh_count++] = x;
        }
    }
    w->fresh_of[e->count] = w->fresh_count;
    if (w->runs.count && !strike_known(w)) { event_end(w, NO_DISK); return; }
    for (size_t i = 0; i < w->fresh_count; i++) check(w, w->fresh[i]->key, w->fresh[i]->state);
}

/* Whether a new state was taken in before the search stopped. */
static inline int counts(const Event *stop, U key) {
    return key < stop->key || (key == stop->key && stop->order != UNJUDGED);
}

/* Number the new states of this worker's chunk, up to the key at which the search stops. */
static void number_chunk(Worker *w) {
    Engine *e = w->engine;
    size_t at[MOST_WORKERS], place = w->place;
    for (int o = 0; o < e->count; o++) at[o] = e->workers[o].fresh_of[w->number];
    for (;;) {
        int best = -1;
        U key = NO_KEY;
        for (int o = 0; o < e->count; o++) {
            Worker *owner = &e->workers[o];
            if (at[o] < owner->fresh_of[w->number + 1] && owner->fresh[at[o]]->key < key) {
                best = o;
                key = owner->fresh[at[o]]->key;
            }
        }
        if (best < 0 || !counts(&e->event, key)) break;
        Candidate *x = e->workers[best].fresh[at[best]++];
        w->distinct[x->action]++;
        store(e, place++, x->state, (uint32_t)(x->key >> 24));
    }
}

static void *serve(void *argument) {
    Worker *w = argument;
    Engine *e = w->engine;
    int sense = 0;
    for (;;) {
        barrier(e, &sense);
        if (e->stopping) return 0;
        expand_chunk(w);
        barrier(e, &sense);
        take_in(w);
        barrier(e, &sense);
        barrier(e, &sense);
        number_chunk(w);
        barrier(e, &sense);
    }
}

static void gather(Engine *e) {
    for (int i = 0; i < e->count; i++) {
        Event *x = &e->workers[i].event;
        if (!x->status) continue;
        int ends = x->status == NO_MEMORY || x->status == NO_DISK;
        int before = x->key < e->event.key || (x->key == e->event.key && x->order < e->event.order);
        if (!e->event.status || before || ends) e->event = *x;
    }
}

/* Give each worker a part of the states from..to, or the first one all of them. */
static void divide(Engine *e, size_t from, size_t to, int together) {
    size_t each = together ? (to - from + e->count - 1) / e->count : to - from;
    for (int i = 0; i < e->count; i++) {
        size_t start = from + (size_t)i * each, end = start + each;
        e->workers[i].from = start < to ? start : to;
        e->workers[i].to = end < to ? end : to;
    }
}

/* The places of the new states of each chunk, by how many came before. Returns how many there are. */
static size_t allot(Engine *e) {
    size_t more = 0;
    for (int t = 0; t < e->count; t++) {
        e->workers[t].place = e->distinct + more;
        for (int o = 0; o < e->count; o++) {
            Worker *owner = &e->workers[o];
            size_t from = owner->fresh_of[t], to = owner->fresh_of[t + 1];
            if (!e->event.status) more += to - from;
            else for (size_t i = from; i < to; i++) more += counts(&e->event, owner->fresh[i]->key);
        }
    }
    return more;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double waited(Engine *e, int *sense) {
    double start = now();
    barrier(e, sense);
    return now() - start;
}

/* Expand the states from..to with all workers (`together`) or with this thread alone. */
static void search_round(Engine *e, size_t from, size_t to, int together, int *sense) {
    double start = together ? now() : 0, wait = 0;
    divide(e, from, to, together);
    if (together) barrier(e, sense);
    expand_chunk(&e->workers[0]);
    if (together) wait += waited(e, sense);
    else for (int i = 1; i < e->count; i++) expand_chunk(&e->workers[i]); /* empty */
    for (int i = 0; i < (together ? 1 : e->count); i++) take_in(&e->workers[i]);
    if (together) wait += waited(e, sense);
    gather(e);
    if (e->keep_going) keep_firsts(e, 0);
    int ends = e->event.status == NO_MEMORY || e->event.status == NO_DISK;
    size_t more = ends ? 0 : allot(e), found = 0;
    for (int i = 0; i < e->count; i++)
        for (int o = 0; o < e->count; o++) found += e->workers[i].outgoing[o].count;
    e->each = 0.75 * e->each + 0.25 * (double)found / (double)(to - from);
    if (!ends && !store_reserve(e, more)) {
        event_end(&e->workers[0], NO_MEMORY);
        gather(e);
        ends = 1;
    }
    if (ends) {
        more = 0;
        for (int o = 0; o < e->count; o++) memset(e->workers[o].fresh_of, 0, sizeof e->workers[o].fresh_of);
    }
    if (together) barrier(e, sense);
    number_chunk(&e->workers[0]);
    if (together) wait += waited(e, sense);
    else for (int i = 1; i < e->count; i++) number_chunk(&e->workers[i]);
    if (together && e->most >= EVERYTHING && wait > 0.2 * (now() - start) && e->round < LONGEST_ROUND) e->round *= 2;
    e->distinct += more;
    if (more) e->depth = e->level + 1;
    e->expanded = e->event.status && !ends ? (size_t)(e->event.key >> 24) + 1 : to;
    if (e->event.status && !ends && e->event.status != OVERFLOWED) recount(e, from);
}

/* How many states to expand at once. Where workers wait for one another, on a busy machine, rounds become longer; not
 * where a limit of states is to stop every search at the same state. With fingerprints on disk each round reads the
 * files: as many as give candidates for a good part of memory. */
static size_t round_size(const Engine *e) {
    if (!e->limit) return e->round;
    double room = (double)e->limit / 8 / (sizeof(Candidate) + sizeof(Candidate *) + 2 * sizeof(Sought));
    double states = room / (e->each + 0.1), most = e->flushed ? 1 << 24 : (double)e->round;
    return states < SEQUENTIAL ? SEQUENTIAL : states > most ? (size_t)most : (size_t)states;
}

/* Bytes that the next round may take besides: its new states, and the tables that they make grow. */
static U bytes_ahead(const Engine *e) {
    U found = (U)((e->each + 0.1) * (double)round_size(e));
    U bytes = found * (STATE_WORDS * sizeof(W) + sizeof(uint32_t));
    for (int i = 0; i < e->count; i++) bytes += table_growth(&e->workers[i].table, found / (U)e->count);
    return bytes;
}

/* Stay within the limit of memory: states go to their files first, then fingerprints to sorted runs. */
static int relieve(Engine *e) {
    U bytes = bytes_of(e);
    if (bytes > e->peak) e->peak = bytes;
    if (!e->limit) return 1;
    bytes += bytes_ahead(e);
    if (bytes <= e->limit) return 1;
    U states = (e->distinct - e->base) * (STATE_WORDS * sizeof(W) + sizeof(uint32_t)), tables = 0;
    if (states > e->limit / 16) {
        if (!store_spill(e)) return 0;
        bytes -= states;
    }
    for (int i = 0; i < e->count; i++) tables += table_bytes(&e->workers[i].table);
    if (bytes <= e->limit - e->limit / 8 || tables < e->limit / 4) return 1;
    if (!e->flushed) e->each = 16; /* all that was known is to be sought in the files now */
    e->flushed = 1;
    for (int i = 0; i < e->count; i++)
        if (!runs_flush(&e->workers[i].runs, &e->workers[i].table)) return 0;
    return 1;
}

/* Take in the initial states. */
static void start(Engine *e) {
    Worker *w = &e->workers[0];
    Ctx *c = &w->context;
    e->level = 1;
    c->level = 1;
    c->base = 0;
    c->count = 0;
    c->soft = 0;
    c->depth = 0;
    volatile int failed = 0;
    if (setjmp(c->out_of_here)) failed = 1;
    else init_(c);
    I failure = c->failure;
    for (size_t i = 0; i < c->count && !w->event.status; i++) {
        const W *packed = c->out + i * STATE_WORDS;
        fetch_ahead(w, packed, c->count - i);
        e->initial++;
        e->depth = 1;
        w->counts.total++;
        F f = judge(w, i, packed, 0);
        if (w->event.status) break;
        Table *t = &e->workers[owner_of(e, f)].table;
        int added = f ? table_add(t, f) : 1;
        if (added < 0 || !store_reserve(e, 1)) { event_end(w, NO_MEMORY); return; }
        if (!f) w->counts.cut++;
        else if (added) store(e, e->distinct++, packed, NO_PARENT);
        if (!added) continue;
        check(w, i, packed);
        if (w->event.status) break;
        if (setjmp(c->out_of_here)) {
            event_failure(&w->event, i, OF_STATE, c->failure, packed);
            break;
        }
        S state;
        unpack_(packed, &state);
        for (int p = 0; (p = initial_properties_(c, &state, p)) >= 0; p++)
            if (!violated(w, i, OF_STATE, INITIAL_PROPERTY, p, packed)) break;
    }
    if (failed && !w->event.status) event_failure(&w->event, 0, UNJUDGED, failure, 0);
    e->level_end = e->distinct;
}

/* Start the other workers' threads. 0: none are to be had. */
static int threads_start(Engine *e) {
    e->waiting = 0;
    e->sense = 0;
    e->stopping = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)64 << 20);
    int started = 1;
    while (started < e->count && !pthread_create(&e->workers[started].thread, &attributes, serve, &e->workers[started]))
        started++;
    pthread_attr_destroy(&attributes);
    if (started == e->count) return 1;
    __atomic_store_n(&e->stopping, 1, __ATOMIC_RELEASE);
    for (int i = 1; i < started; i++) pthread_join(e->workers[i].thread, 0);
    e->alone = 1;
    return 0;
}

static void threads_stop(Engine *e) {
    __atomic_store_n(&e->stopping, 1, __ATOMIC_RELEASE);
    for (int i = 1; i < e->count; i++) pthread_join(e->workers[i].thread, 0);
}

/* What every state has in common. It may take long: it is part of the search. */
static void compute_constants(Engine *e) {
    Ctx *c = &e->workers[0].context;
    if (e->computed) return;
    if (setjmp(c->out_of_here)) event_failure(&e->workers[0].event, 0, UNJUDGED, c->failure, 0);
    else constants_(c);
    e->computed = 1;
}

/* Search for about so many microseconds, or to the end. Returns the status; PAUSED: call again. */
int rmq_run(Engine *e, U microseconds) {
    if (e->status && e->status != PAUSED) return e->status;
    compute_constants(e);
    if (!e->level) {
        if (!e->workers[0].event.status) start(e);
        e->level = 1;
        gather(e);
        if (e->keep_going) keep_firsts(e, 1);
        if (e->event.status) return e->status = e->event.status;
    }
    double end = now() + 1e-6 * (double)microseconds;
    int sense = 0, threads = 0, status = RUNNING;
    while (status == RUNNING) {
        if (!relieve(e)) {
            event_end(&e->workers[0], NO_DISK);
            gather(e);
            status = NO_DISK;
            break;
        }
        if (e->expanded == e->distinct) { status = FINISHED; break; }
        if (e->expanded == e->level_end) {
            e->level++;
            e->level_end = e->distinct;
        }
        if (e->distinct >= e->most) { status = LIMIT; break; }
        size_t to = e->expanded + round_size(e);
        if (to > e->level_end) to = e->level_end;
        if (!store_open(e, e->expanded, &to)) {
            event_end(&e->workers[0], NO_DISK);
            gather(e);
            status = NO_DISK;
            break;
        }
        int together = e->count > 1 && !e->alone && to - e->expanded >= SEQUENTIAL;
        if (together && !threads) together = threads = threads_start(e);
        search_round(e, e->expanded, to, together, &sense);
        if (e->event.status) status = e->event.status;
        else if (e->distinct >= 0xFFFFFFF0u) status = NO_MEMORY;
        else if (now() > end) status = PAUSED;
    }
    if (threads) threads_stop(e);
    return e->status = status;
}
