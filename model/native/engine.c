/* The search: level-synchronous breadth first, over packed states, in the order of discovery.
 *
 * Generated code before this text defines STATE_WORDS, KEY_WORDS, ACTIONS, CHECK_DEADLOCK, HAS_CONSTRAINTS,
 * HAS_STEPS, S, unpack_, init_, successors_, invariants_, initial_properties_, within_, allowed_, steps_, key_.
 *
 * States are numbered in the order in which one worker finds them. With several workers a level is cut into rounds: each
 * worker expands a chunk of states and files the successors by owner (a part of the fingerprints); then each owner takes
 * in its successors in the order of their parents; then the new states are numbered in that order. No result depends on
 * the number of workers.
 */

enum { BLOCK = 16, CHUNK = 1024, SEQUENTIAL = 192, MOST_WORKERS = 64 };
enum { RUNNING, FINISHED, PAUSED, VIOLATION, FAILURE, OVERFLOWED, LIMIT, NO_MEMORY };
enum { INVARIANT = 1, INITIAL_PROPERTY, STEP_PROPERTY, DEADLOCKED };

#define NO_PARENT 0xFFFFFFFFu
#define LAST_ORDINAL 0xFFFFFFull
#define NO_KEY (~(U)0)

static inline U fingerprint_(const W *key) {
    U h = 0x243F6A8885A308D3ull;
    for (int i = 0; i < KEY_WORDS; i++) {
        h = (h ^ key[i]) * 0x9FB21C651E98DF25ull;
        h ^= h >> 29;
        h *= 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    }
    h *= 0x9E3779B97F4A7C15ull;
    h ^= h >> 31;
    return h ? h : 1;
}

typedef struct { U *slots; size_t mask, count; } Table;

typedef struct { U fingerprint, key; uint16_t action; uint8_t inside, enables; int16_t step; W state[STATE_WORDS]; } Candidate;
/* `key`: parent << 24 | ordinal among its successors. `enables`: the first of its action from its parent.
 * `step`: the step property violated, or -1. */

typedef struct { Candidate *items; size_t count, room; } Buffer;

typedef struct { U key; int kind; I index; int status; W state[STATE_WORDS]; int has_state; } Event;
/* What ends a search. `index`: the property, or the failure. */

typedef struct Worker {
    struct Engine *engine;
    int number;
    pthread_t thread;
    Ctx context;
    Buffer outgoing[MOST_WORKERS]; /* by owner, in the order of parents */
    size_t from, to;               /* the chunk */
    Table table;                   /* of this owner */
    Candidate **fresh;             /* new states of this owner in this round */
    size_t fresh_count, fresh_room;
    size_t fresh_of[MOST_WORKERS + 1];
    size_t place;                  /* where the new states of this chunk go */
    Event event;
    U total, cut;
    U generated[ACTIONS + 1], distinct[ACTIONS + 1], enabled[ACTIONS + 1], last[ACTIONS + 1];
} Worker;

typedef struct Engine {
    Worker workers[MOST_WORKERS];
    int count;
    W *states;
    uint32_t *parents;
    uint16_t *found_by;
    size_t distinct, room, expanded, level_end, most;
    U level, depth, initial;
    U total, cut;
    int status;
    Event event;
    int stopping; /* workers are to end */
    int alone;    /* no threads are to be had */
    int waiting, sense;
} Engine;

/* --- the table ---------------------------------------------------------------------------------------------- */

static int table_reserve(Table *t, size_t more) {
    size_t need = t->count + more, size = t->slots ? t->mask + 1 : 0;
    if (size && need <= size - size / 5) return 1;
    size_t larger = size ? size : 1 << 12;
    while (need > larger - larger / 5) larger *= 2;
    U *slots = calloc(larger, sizeof(U));
    if (!slots) return 0;
    for (size_t i = 0; i < size; i++) {
        U f = t->slots[i];
        if (!f) continue;
        size_t at = f & (larger - 1);
        while (slots[at]) at = (at + 1) & (larger - 1);
        slots[at] = f;
    }
    free(t->slots);
    t->slots = slots;
    t->mask = larger - 1;
    return 1;
}

static inline int table_add(Table *t, U fingerprint) {
    size_t at = fingerprint & t->mask;
    for (;;) {
        U f = t->slots[at];
        if (f == fingerprint) return 0;
        if (!f) break;
        at = (at + 1) & t->mask;
    }
    t->slots[at] = fingerprint;
    t->count++;
    return 1;
}

static inline int owner_of(const Engine *e, U fingerprint) {
    return (int)(((fingerprint >> 32) * (U)e->count) >> 32);
}

static int store_reserve(Engine *e, size_t more) {
    if (e->distinct + more <= e->room) return 1;
    size_t room = e->room ? e->room + e->room / 2 : 1 << 14;
    if (room < e->distinct + more) room = e->distinct + more;
    W *states = realloc(e->states, room * STATE_WORDS * sizeof(W));
    if (states) e->states = states;
    uint32_t *parents = realloc(e->parents, room * sizeof(uint32_t));
    if (parents) e->parents = parents;
    if (!states || !parents) return 0;
    e->room = room;
    return 1;
}

static inline void store(Engine *e, size_t at, const W *state, uint32_t parent) {
    memcpy(e->states + at * STATE_WORDS, state, STATE_WORDS * sizeof(W));
    e->parents[at] = parent;
}

/* --- emitting ------------------------------------------------------------------------------------------------ */

static W *slot_(Ctx *c) {
    if (c->count == c->room) {
        size_t room = c->room ? c->room * 2 : 1024;
        W *out = realloc(c->out, room * STATE_WORDS * sizeof(W));
        if (out) c->out = out;
        uint16_t *actions = realloc(c->actions, room * sizeof(uint16_t));
        if (actions) c->actions = actions;
        if (!out || !actions) { c->soft = 0; fail_(c, MEMORY, 0); }
        c->room = room;
    }
    return c->out + c->count * STATE_WORDS;
}

static void event_set(Event *event, U key, int status, int kind, I index, const W *state) {
    if (key >= event->key) return;
    event->key = key;
    event->status = status;
    event->kind = kind;
    event->index = index;
    event->has_state = state != 0;
    if (state) memcpy(event->state, state, sizeof event->state);
}

static void event_failure(Event *event, U key, I failure, const W *state) {
    int kind = (int)(failure >> 48);
    int status = kind == WIDEN ? OVERFLOWED : kind == MEMORY ? NO_MEMORY : FAILURE;
    event_set(event, key, status, kind, (failure & 0xFFFFFFFFFFFFLL) - 1, state);
}

/* --- expanding ------------------------------------------------------------------------------------------------ */

/* Successors of state `parent` into the context; a failure or a deadlock becomes an event. */
static void expand(Worker *w, size_t parent, size_t *first) {
    Engine *e = w->engine;
    Ctx *c = &w->context;
    *first = c->count;
    c->soft = 0;
    c->kept = 0;
    c->depth = 0;
    c->base = e->states + parent * STATE_WORDS;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, (U)parent << 24 | (c->count - *first), c->failure, 0);
        return;
    }
    S state;
    unpack_(c->base, &state);
    successors_(c, &state);
    if (CHECK_DEADLOCK && c->count == *first)
        event_set(&w->event, (U)parent << 24 | LAST_ORDINAL, VIOLATION, DEADLOCKED, 0, 0);
}

/* What the parent's state decides of a candidate: whether it is inside the constraints, which step property it breaks. */
static void judge(Worker *w, Candidate *x) {
    x->inside = 1;
    x->step = -1;
    if (!HAS_CONSTRAINTS && !HAS_STEPS) return;
    Ctx *c = &w->context;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, x->key, c->failure, x->state);
        return;
    }
    S before, after;
    unpack_(w->engine->states + (x->key >> 24) * STATE_WORDS, &before);
    unpack_(x->state, &after);
    if (HAS_CONSTRAINTS) x->inside = (uint8_t)(within_(c, &after) && allowed_(c, &before, &after));
    if (HAS_STEPS) x->step = (int16_t)steps_(c, &before, &after);
}

/* The invariants of a state that is new or cut. */
static void check(Worker *w, const Candidate *x) {
    Ctx *c = &w->context;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, x->key, c->failure, x->state);
        return;
    }
    S state;
    unpack_(x->state, &state);
    int broken = invariants_(c, &state);
    if (broken >= 0) event_set(&w->event, x->key, VIOLATION, INVARIANT, broken, x->state);
}

static void make(Worker *w, Candidate *x, U parent, size_t ordinal, size_t at) {
    Ctx *c = &w->context;
    memcpy(x->state, c->out + at * STATE_WORDS, sizeof x->state);
    x->key = parent << 24 | ordinal;
    x->action = c->actions[at];
    x->enables = w->last[x->action] != parent + 1;
    w->last[x->action] = parent + 1;
#if HAS_KEY
    W key[KEY_WORDS];
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) {
        event_failure(&w->event, x->key, c->failure, x->state);
        x->fingerprint = 1;
        return;
    }
    S state;
    unpack_(x->state, &state);
    key_(c, &state, x->state, key);
    x->fingerprint = fingerprint_(key);
#else
    x->fingerprint = fingerprint_(x->state);
#endif
}

static void count_generated(Worker *w, const Candidate *x) {
    w->total++;
    w->generated[x->action]++;
    w->enabled[x->action] += x->enables;
}

/* A state whose expansion was cut short does not count as one in which its actions were enabled. */
static void uncount_enabled(Worker *w, const Buffer *b, const Event *stop) {
    if (!stop->status || stop->kind == DEADLOCKED) return;
    for (size_t i = 0; i < b->count; i++) {
        const Candidate *x = &b->items[i];
        if (x->key > stop->key) break;
        if (x->key >> 24 == stop->key >> 24) w->enabled[x->action] -= x->enables;
    }
}

/* --- one worker ------------------------------------------------------------------------------------------------ */

static Candidate *buffer_next(Buffer *b) {
    if (b->count == b->room) {
        size_t room = b->room ? b->room * 2 : 4096;
        Candidate *items = realloc(b->items, room * sizeof(Candidate));
        if (!items) return 0;
        b->items = items;
        b->room = room;
    }
    return &b->items[b->count];
}

/* Expand the states from..to, and take in what they lead to. */
static void sequential(Engine *e, size_t from, size_t to) {
    Worker *w = &e->workers[0];
    Ctx *c = &w->context;
    Buffer *buffer = &w->outgoing[0];
    while (from < to && !e->workers[0].event.status) {
        size_t end = from + BLOCK < to ? from + BLOCK : to;
        c->count = 0;
        buffer->count = 0;
        for (size_t parent = from; parent < end && !w->event.status; parent++) {
            size_t first;
            expand(w, parent, &first);
            for (size_t i = first; i < c->count; i++) {
                Candidate *x = buffer_next(buffer);
                if (!x) { event_set(&w->event, 0, NO_MEMORY, 0, 0, 0); return; }
                make(w, x, parent, i - first, i);
                judge(w, x);
                Table *t = &e->workers[owner_of(e, x->fingerprint)].table;
                if (t->slots) __builtin_prefetch(&t->slots[x->fingerprint & t->mask]);
                buffer->count++;
            }
        }
        for (int i = 0; i < e->count; i++)
            if (!table_reserve(&e->workers[i].table, buffer->count)) event_set(&w->event, 0, NO_MEMORY, 0, 0, 0);
        if (!store_reserve(e, buffer->count)) event_set(&w->event, 0, NO_MEMORY, 0, 0, 0);
        if (w->event.status == NO_MEMORY) return;
        U stop = w->event.status ? w->event.key : NO_KEY;
        for (size_t i = 0; i < buffer->count; i++) {
            Candidate *x = &buffer->items[i];
            if (x->key > stop || (x->key == stop && !w->event.has_state)) break;
            count_generated(w, x);
            if (x->key == stop) break; /* it could not be judged */
            int fresh = 1;
            if (x->inside) {
                fresh = table_add(&e->workers[owner_of(e, x->fingerprint)].table, x->fingerprint);
                if (fresh) {
                    w->distinct[x->action]++;
                    store(e, e->distinct++, x->state, (uint32_t)(x->key >> 24));
                    e->depth = e->level + 1;
                }
            } else {
                w->cut++;
            }
            if (fresh) check(w, x);
            if (x->step >= 0) event_set(&w->event, x->key, VIOLATION, STEP_PROPERTY, x->step, x->state);
            if (w->event.status && w->event.key <= x->key) break;
        }
        uncount_enabled(w, buffer, &w->event);
        e->expanded = w->event.status ? (size_t)(w->event.key >> 24) + 1 : end;
        from = end;
    }
}

/* --- several workers --------------------------------------------------------------------------------------------- */

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

static void expand_chunk(Worker *w) {
    Engine *e = w->engine;
    Ctx *c = &w->context;
    for (int o = 0; o < e->count; o++) w->outgoing[o].count = 0;
    for (size_t parent = w->from; parent < w->to && !w->event.status; parent++) {
        size_t first;
        c->count = 0;
        expand(w, parent, &first);
        for (size_t i = 0; i < c->count; i++) {
            Candidate local, *x = &local;
            make(w, x, parent, i, i);
            judge(w, x);
            Buffer *b = &w->outgoing[owner_of(e, x->fingerprint)];
            Candidate *to = buffer_next(b);
            if (!to) { event_set(&w->event, 0, NO_MEMORY, 0, 0, 0); return; }
            *to = local;
            b->count++;
        }
    }
}

/* Take in, as an owner, what all workers found, in the order of the parents. */
static void take_in(Worker *w) {
    Engine *e = w->engine;
    w->fresh_count = 0;
    for (int t = 0; t < e->count; t++) {
        Buffer *b = &e->workers[t].outgoing[w->number];
        w->fresh_of[t] = w->fresh_count;
        if (!table_reserve(&w->table, b->count)) { event_set(&w->event, 0, NO_MEMORY, 0, 0, 0); return; }
        if (w->fresh_count + b->count > w->fresh_room) {
            size_t room = (w->fresh_count + b->count) * 2;
            Candidate **fresh = realloc(w->fresh, room * sizeof *fresh);
            if (!fresh) { event_set(&w->event, 0, NO_MEMORY, 0, 0, 0); return; }
            w->fresh = fresh;
            w->fresh_room = room;
        }
        for (size_t i = 0; i < b->count; i++) {
            Candidate *x = &b->items[i];
            if (i + 12 < b->count) __builtin_prefetch(&w->table.slots[b->items[i + 12].fingerprint & w->table.mask]);
            int fresh = 1;
            if (x->inside) {
                fresh = table_add(&w->table, x->fingerprint);
                if (fresh) w->fresh[w->fresh_count++] = x;
            }
            if (fresh) check(w, x);
            if (x->step >= 0) event_set(&w->event, x->key, VIOLATION, STEP_PROPERTY, x->step, x->state);
        }
    }
    w->fresh_of[e->count] = w->fresh_count;
}

/* Number the new states of this worker's chunk, and count, up to the key at which the search stops. */
static void number_chunk(Worker *w) {
    Engine *e = w->engine;
    U stop = e->event.status ? e->event.key : NO_KEY;
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
        if (best < 0 || key > stop) break;
        Candidate *x = e->workers[best].fresh[at[best]++];
        w->distinct[x->action]++;
        store(e, place++, x->state, (uint32_t)(x->key >> 24));
    }
    w->place = place;
    for (int o = 0; o < e->count; o++) {
        Buffer *b = &w->outgoing[o];
        for (size_t i = 0; i < b->count; i++) {
            Candidate *x = &b->items[i];
            if (x->key > stop) break;
            count_generated(w, x);
            if (!x->inside) w->cut++;
        }
        uncount_enabled(w, b, &e->event);
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
        if (x->status && (x->status == NO_MEMORY || x->status == OVERFLOWED || !e->event.status || x->key < e->event.key))
            if (e->event.status != NO_MEMORY && e->event.status != OVERFLOWED) e->event = *x;
    }
}

static void round_of_all(Engine *e, size_t from, size_t to, int *sense) {
    size_t each = (to - from + e->count - 1) / e->count;
    if (each > CHUNK) each = CHUNK;
    for (int i = 0; i < e->count; i++) {
        e->workers[i].from = from + i * each < to ? from + i * each : to;
        e->workers[i].to = from + (i + 1) * each < to ? from + (i + 1) * each : to;
    }
    size_t end = e->workers[e->count - 1].to;
    barrier(e, sense);
    expand_chunk(&e->workers[0]);
    barrier(e, sense);
    take_in(&e->workers[0]);
    barrier(e, sense);
    gather(e);
    U stop = e->event.status ? e->event.key : NO_KEY;
    size_t more = 0;
    for (int t = 0; t < e->count; t++) {
        e->workers[t].place = e->distinct + more;
        for (int o = 0; o < e->count; o++) {
            Worker *owner = &e->workers[o];
            for (size_t i = owner->fresh_of[t]; i < owner->fresh_of[t + 1]; i++)
                if (owner->fresh[i]->key <= stop) more++;
        }
    }
    int room = e->event.status != NO_MEMORY && store_reserve(e, more);
    if (!room) {
        event_set(&e->event, 0, NO_MEMORY, 0, 0, 0);
        for (int o = 0; o < e->count; o++) {
            memset(e->workers[o].fresh_of, 0, sizeof e->workers[o].fresh_of);
        }
        more = 0;
    }
    barrier(e, sense);
    number_chunk(&e->workers[0]);
    barrier(e, sense);
    e->distinct += more;
    if (more) e->depth = e->level + 1;
    e->expanded = e->event.status ? (size_t)(e->event.key >> 24) + 1 : end;
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

Engine *rmq_new(int workers, U most) {
    Engine *e = calloc(1, sizeof(Engine));
    if (!e) return 0;
    if (workers < 1) workers = 1;
    if (workers > MOST_WORKERS) workers = MOST_WORKERS;
    e->count = workers;
    e->most = most;
    e->event.key = NO_KEY;
    for (int i = 0; i < workers; i++) {
        e->workers[i].engine = e;
        e->workers[i].number = i;
        e->workers[i].event.key = NO_KEY;
        table_reserve(&e->workers[i].table, 1);
    }
    Ctx *c = &e->workers[0].context;
    if (setjmp(c->out_of_here)) event_failure(&e->workers[0].event, 0, c->failure, 0);
    else constants_(c);
    return e;
}

void rmq_free(Engine *e) {
    for (int i = 0; i < e->count; i++) {
        Worker *w = &e->workers[i];
        free(w->context.out);
        free(w->context.actions);
        free(w->table.slots);
        free(w->fresh);
        for (int o = 0; o < MOST_WORKERS; o++) free(w->outgoing[o].items);
    }
    free(e->states);
    free(e->parents);
    free(e);
}

/* Take in the initial states. */
static void start(Engine *e) {
    Worker *w = &e->workers[0];
    Ctx *c = &w->context;
    e->level = 1;
    c->base = 0;
    c->count = 0;
    volatile int failed = 0;
    if (setjmp(c->out_of_here)) failed = 1;
    else init_(c);
    I failure = c->failure;
    size_t count = c->count;
    for (size_t i = 0; i < count && !w->event.status; i++) {
        Candidate local, *x = &local;
        make(w, x, 0, i, i);
        x->action = ACTIONS;
        e->initial++;
        e->depth = 1;
        w->total++;
        int inside = 1;
        if (setjmp(c->out_of_here)) {
            event_failure(&w->event, x->key, c->failure, x->state);
            break;
        }
        c->soft = 0;
        S state;
        unpack_(x->state, &state);
        if (HAS_CONSTRAINTS) inside = within_(c, &state);
        Table *t = &e->workers[owner_of(e, x->fingerprint)].table;
        if (!table_reserve(t, 1) || !store_reserve(e, 1)) { event_set(&w->event, 0, NO_MEMORY, 0, 0, 0); return; }
        int fresh = !inside || table_add(t, x->fingerprint);
        if (inside && fresh) store(e, e->distinct++, x->state, NO_PARENT);
        if (!inside) w->cut++;
        if (!fresh) continue;
        int broken = invariants_(c, &state);
        if (broken >= 0) event_set(&w->event, x->key, VIOLATION, INVARIANT, broken, x->state);
        else if ((broken = initial_properties_(c, &state)) >= 0)
            event_set(&w->event, x->key, VIOLATION, INITIAL_PROPERTY, broken, x->state);
    }
    if (failed && !w->event.status) event_failure(&w->event, 0, failure, 0);
    memset(w->last, 0, sizeof w->last);
    e->level_end = e->distinct;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Search for about `seconds`, or to the end. Returns the status; PAUSED: call again. */
int rmq_run(Engine *e, double seconds) {
    if (e->status && e->status != PAUSED) return e->status;
    if (!e->level) {
        if (!e->workers[0].event.status) start(e);
        e->level = 1;
        gather(e);
        if (e->event.status) return e->status = e->event.status;
    }
    double end = now() + seconds;
    int sense = e->sense, threads = 0;
    e->stopping = 0;
    int status = RUNNING;
    while (status == RUNNING) {
        if (e->expanded == e->distinct) { status = FINISHED; break; }
        if (e->expanded == e->level_end) {
            e->level++;
            e->level_end = e->distinct;
        }
        if (e->distinct >= e->most) { status = LIMIT; break; }
        size_t left = e->level_end - e->expanded;
        if (e->count == 1 || e->alone || left < SEQUENTIAL) {
            size_t to = left < 4096 ? e->level_end : e->expanded + 4096;
            sequential(e, e->expanded, to);
            gather(e);
        } else {
            if (!threads) {
                e->waiting = 0;
                e->sense = 0;
                sense = 0;
                pthread_attr_t attributes;
                pthread_attr_init(&attributes);
                pthread_attr_setstacksize(&attributes, (size_t)64 << 20);
                int started = 1;
                while (started < e->count && !pthread_create(&e->workers[started].thread, &attributes, serve, &e->workers[started]))
                    started++;
                pthread_attr_destroy(&attributes);
                if (started < e->count) {
                    __atomic_store_n(&e->stopping, 1, __ATOMIC_RELEASE);
                    for (int i = 1; i < started; i++) pthread_join(e->workers[i].thread, 0);
                    e->alone = 1;
                    continue;
                }
                threads = 1;
            }
            round_of_all(e, e->expanded, e->level_end, &sense);
        }
        if (e->event.status) status = e->event.status;
        else if (e->distinct >= 0xFFFFFFF0u) status = NO_MEMORY;
        else if (now() > end) status = PAUSED;
    }
    if (threads) {
        __atomic_store_n(&e->stopping, 1, __ATOMIC_RELEASE);
        for (int i = 1; i < e->count; i++) pthread_join(e->workers[i].thread, 0);
    }
    return e->status = status;
}

/* Numbers: distinct, total, depth, initial, cut, expanded, level, kind, index, key, has_state, bytes. */
void rmq_numbers(Engine *e, U *out) {
    U total = 0, cut = 0, bytes = e->room * (STATE_WORDS * sizeof(W) + sizeof(uint32_t));
    for (int i = 0; i < e->count; i++) {
        total += e->workers[i].total;
        cut += e->workers[i].cut;
        bytes += (e->workers[i].table.mask + 1) * sizeof(U);
    }
    U values[] = {e->distinct, total, e->depth, e->initial, cut, e->expanded, e->level, (U)e->event.kind,
                  (U)e->event.index, e->event.key, (U)e->event.has_state, bytes};
    memcpy(out, values, sizeof values);
}

/* Per action: states in which it was enabled, successors, new states. */
void rmq_coverage(Engine *e, U *out) {
    for (int a = 0; a < ACTIONS; a++) {
        out[3 * a] = out[3 * a + 1] = out[3 * a + 2] = 0;
        for (int i = 0; i < e->count; i++) {
            out[3 * a] += e->workers[i].enabled[a];
            out[3 * a + 1] += e->workers[i].generated[a];
            out[3 * a + 2] += e->workers[i].distinct[a];
        }
    }
}

int rmq_state_words(void) { return STATE_WORDS; }

/* States `from`..`from + count` and their parents. */
void rmq_states(Engine *e, U from, U count, W *states, uint32_t *parents) {
    memcpy(states, e->states + from * STATE_WORDS, count * STATE_WORDS * sizeof(W));
    memcpy(parents, e->parents + from, count * sizeof(uint32_t));
}

void rmq_event_state(Engine *e, W *out) { memcpy(out, e->event.state, sizeof e->event.state); }

/* The smallest distance between two fingerprints. */
static int compare_fingerprints(const void *a, const void *b) {
    U x = *(const U *)a, y = *(const U *)b;
    return (x > y) - (x < y);
}

U rmq_smallest_distance(Engine *e) {
    U *all = malloc((e->distinct + 1) * sizeof(U)), best = ~(U)0;
    if (!all) return 0;
    size_t n = 0;
    for (int i = 0; i < e->count; i++)
        for (size_t s = 0; s <= e->workers[i].table.mask && n < e->distinct; s++)
            if (e->workers[i].table.slots[s]) all[n++] = e->workers[i].table.slots[s];
    qsort(all, n, sizeof(U), compare_fingerprints);
    for (size_t i = 1; i < n; i++)
        if (all[i] - all[i - 1] < best) best = all[i] - all[i - 1];
    free(all);
    return best;
}
