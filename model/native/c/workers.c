/* What a search consists of: the engine, its workers, what ends it, and where states lie.
 *
 * Generated code before this text defines STATE_WORDS, KEY_WORDS, ACTIONS, CHECK_DEADLOCK, HAS_CONSTRAINTS, CONSTRAINED_BY_STATE,
 * HAS_STEPS, S, unpack_, init_, successors_, invariants_, initial_properties_, within_, allowed_, steps_, key_.
 */

enum { BLOCK = 16, ROUND = 2048, LONGEST_ROUND = 1 << 16, SEQUENTIAL = 256, MOST_WORKERS = 64 };
enum { RECENT = 1 << 15 };
enum { KEY_BY_STATE = HAS_KEY && (!HAS_CONSTRAINTS || CONSTRAINED_BY_STATE) };
enum { RUNNING, FINISHED, PAUSED, VIOLATION, FAILURE, OVERFLOWED, LIMIT, NO_MEMORY, NO_DISK };
enum { INVARIANT = 1, INITIAL_PROPERTY, STEP_PROPERTY, DEADLOCKED };
enum { UNJUDGED, OF_STATE, OF_STEP };

#define NO_PARENT 0xFFFFFFFFu
#define LAST_ORDINAL 0xFFFFFFull
#define NO_KEY (~(U)0)
#define EVERYTHING ((U)1 << 62) /* as in run.py: no limit of states */

typedef struct { F fingerprint; U key; uint16_t action; W state[STATE_WORDS]; } Candidate;
/* A successor that the table did not know. `key`: parent << 24 | ordinal among its successors. */

typedef struct { Candidate *items; size_t count, room; } Buffer;

typedef struct { W state[STATE_WORDS]; F fingerprint; } Judged;
/* A state, in its first word a bit that no state has, and the fingerprint of its key; 0: it is outside the constraints. */
#define JUDGED_MARK ((U)1 << 63)
enum {
    JUDGED_BITS = sizeof(Judged) <= 32 ? 14 : sizeof(Judged) <= 64 ? 13 : sizeof(Judged) <= 128 ? 12 : 11,
    JUDGED = KEY_BY_STATE ? 1 << JUDGED_BITS : 1,
};

typedef struct { U key; int order, status, kind; I index; int has_state; W state[STATE_WORDS]; } Event;
/* What ends a search: the first by `key`, then by `order`, which is the order in which a successor is judged: whether it
 * is inside the constraints (UNJUDGED: that, or its expansion, fails), its invariants, the step to it.
 * `index`: the property, or the failure. */

typedef struct { U total, cut, generated[ACTIONS + 1], enabled[ACTIONS + 1]; } Counts;

typedef struct Worker {
    struct Engine *engine;
    int number;
    pthread_t thread;
    Ctx context;
    F *hashes;                     /* of the successors of a block; 0: outside the constraints */
    uint32_t *unseen;              /* the successors that are not in `recent` */
    size_t hashes_room;
    F recent[RECENT];              /* fingerprints that were looked up lately */
    Judged judged[JUDGED];         /* states whose key was asked for lately */
    Buffer awaited;                /* successors that are about to be looked up */
    Buffer outgoing[MOST_WORKERS]; /* by owner, in the order of parents */
    size_t from, to;               /* the chunk */
    Table table;                   /* of this owner */
    Runs runs;
    Candidate **fresh;             /* new states of this owner in this round */
    Sought *sought;
    uint8_t *known;
    size_t fresh_count, fresh_room;
    size_t fresh_of[MOST_WORKERS + 1];
    size_t place;                  /* where the new states of this chunk go */
    Event event;
    Event *firsts;                 /* of the round: the first violation of each property; 0: the first of all ends it */
    Counts counts, before;         /* now, and at the start of the round */
    U distinct[ACTIONS + 1];
    U idle, idle_steps;            /* properties whose antecedents were true of no state, or of no step, of this worker */
} Worker;

typedef struct { Event event; int initial; } Met; /* a violation, in an initial state or later */

typedef struct Engine {
    Worker workers[MOST_WORKERS];
    int count;
    /* States and parents are numbered in the order of discovery. Those from `base` on are in memory, those before
     * `saved` in the files. `states` moves whenever it grows: `source_of` is the only way to a state of a round. */
    W *states;
    uint32_t *parents;
    size_t distinct, base, room, saved;
    int states_file, parents_file;
    U checksum;                    /* of what is saved */
    W *window;                     /* the states that a round expands, where they are in the files, */
    size_t window_first, window_room; /* from this number on */
    int in_window;
    size_t expanded, level_end, most;
    U level, depth, initial;
    U limit, peak;                 /* bytes; limit 0: none */
    size_t round;                  /* states expanded at once */
    double each;                   /* candidates of a parent, lately */
    int flushed;                   /* fingerprints are on disk */
    int status, problem;           /* errno of NO_DISK */
    Event event;
    int keep_going;                /* after a violation */
    Met met[INVARIANTS + INITIAL_PROPERTIES + STEP_PROPERTIES + 1]; /* violations, in order */
    uint8_t is_met[INVARIANTS + INITIAL_PROPERTIES + STEP_PROPERTIES + 1];
    size_t met_count;
    int computed;                  /* the constants are */
    int stopping;                  /* workers are to end */
    int alone;                     /* no threads are to be had */
    int waiting, sense;
} Engine;

static inline int owner_of(const Engine *e, F fingerprint) {
    return (int)((((U)fingerprint >> 32) * (U)e->count) >> 32);
}

static void event_set(Event *event, U key, int order, int status, int kind, I index, const W *state) {
    if (key > event->key || (key == event->key && order >= event->order)) return;
    event->key = key;
    event->order = order;
    event->status = status;
    event->kind = kind;
    event->index = index;
    event->has_state = state != 0;
    if (state) memcpy(event->state, state, sizeof event->state);
}

static void event_failure(Event *event, U key, int order, I failure, const W *state) {
    int kind = (int)(failure >> 48);
    int status = kind == WIDEN ? OVERFLOWED : kind == MEMORY ? NO_MEMORY : FAILURE;
    event_set(event, key, order, status, kind, (failure & 0xFFFFFFFFFFFFLL) - 1, state);
}

/* What ends the search whatever else happened: no memory, no disk. */
static void event_end(Worker *w, int status) {
    if (status == NO_DISK) w->engine->problem = errno;
    event_set(&w->event, 0, -1, status, 0, 0, 0);
}

/* --- where states lie --------------------------------------------------------------------------------------------- */

static int store_reserve(Engine *e, size_t more) {
    size_t need = e->distinct - e->base + more;
    if (enough_(need, e->room)) return 1;
    size_t room = grown_(e->room, need, e->room ? e->room + e->room / 2 : 1 << 12);
    if (room < need) room = need;
    W *states = realloc(e->states, room * STATE_WORDS * sizeof(W));
    if (states) e->states = states;
    uint32_t *parents = realloc(e->parents, room * sizeof(uint32_t));
    if (parents) e->parents = parents;
    if (!states || !parents) return 0;
    e->room = room;
    return 1;
}

static inline void store(Engine *e, size_t at, const W *state, uint32_t parent) {
    memcpy(e->states + (at - e->base) * STATE_WORDS, state, STATE_WORDS * sizeof(W));
    e->parents[at - e->base] = parent;
}

static U checksum_of(U sum, const W *states, const uint32_t *parents, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sum = mixed_(sum ^ parents[i]);
        for (int k = 0; k < STATE_WORDS; k++) sum = mixed_(sum ^ states[i * STATE_WORDS + k]);
    }
    return sum;
}

/* Write what is not in the files yet. 0: errno says why not. */
static int store_save(Engine *e) {
    size_t count = e->distinct - e->saved;
    const W *states = e->states + (e->saved - e->base) * STATE_WORDS;
    const uint32_t *parents = e->parents + (e->saved - e->base);
    size_t state = STATE_WORDS * sizeof(W);
    if (!count) return 1;
    if (!write_all(e->states_file, states, count * state, (off_t)(e->saved * state)) ||
        !write_all(e->parents_file, parents, count * sizeof(uint32_t), (off_t)(e->saved * sizeof(uint32_t))))
        return 0;
    e->checksum = checksum_of(e->checksum, states, parents, count);
    e->saved = e->distinct;
    return 1;
}

/* Leave the states to the files. */
static int store_spill(Engine *e) {
    if (!store_save(e)) return 0;
    free(e->states);
    free(e->parents);
    e->states = 0;
    e->parents = 0;
    e->room = 0;
    e->base = e->distinct;
    return 1;
}

/* Copy states, and parents where asked. 0: errno says why not. */
static int store_read(Engine *e, size_t from, size_t count, W *states, uint32_t *parents) {
    size_t state = STATE_WORDS * sizeof(W), filed = from < e->base ? e->base - from : 0;
    if (filed > count) filed = count;
    if (filed && !read_all(e->states_file, states, filed * state, (off_t)(from * state))) return 0;
    if (filed && parents && !read_all(e->parents_file, parents, filed * sizeof(uint32_t), (off_t)(from * sizeof(uint32_t))))
        return 0;
    if (filed == count) return 1;
    memcpy(states + filed * STATE_WORDS, e->states + (from + filed - e->base) * STATE_WORDS, (count - filed) * state);
    if (parents) memcpy(parents + filed, e->parents + (from + filed - e->base), (count - filed) * sizeof(uint32_t));
    return 1;
}

/* Make the states from..*to readable by `source_of`; fewer than asked when part of them is in the files. */
static int store_open(Engine *e, size_t from, size_t *to) {
    e->in_window = from < e->base;
    if (!e->in_window) return 1;
    e->window_first = from;
    if (*to > e->base) *to = e->base;
    if (!enough_(*to - from, e->window_room)) {
        W *window = realloc(e->window, (*to - from) * STATE_WORDS * sizeof(W));
        if (!window) return 0;
        e->window = window;
        e->window_room = *to - from;
    }
    return store_read(e, from, *to - from, e->window, 0);
}

/* A state of this round, until the store grows. */
static inline const W *source_of(const Engine *e, size_t number) {
    const W *from = e->in_window ? e->window : e->states;
    return from + (number - (e->in_window ? e->window_first : e->base)) * STATE_WORDS;
}

/* Bytes in use: the part of the states' room that was never touched is not. */
static U bytes_of(Engine *e) {
    U bytes = (e->distinct - e->base) * (STATE_WORDS * sizeof(W) + sizeof(uint32_t));
    bytes += e->window_room * STATE_WORDS * sizeof(W);
    for (int i = 0; i < e->count; i++) {
        Worker *w = &e->workers[i];
        bytes += table_bytes(&w->table) + w->fresh_room * (sizeof *w->fresh + (w->sought ? 2 * sizeof(Sought) + 1 : 0));
        bytes += w->awaited.room * sizeof(Candidate);
        for (int o = 0; o < e->count; o++) bytes += w->outgoing[o].room * sizeof(Candidate);
        for (size_t r = 0; r < w->runs.count; r++) bytes += w->runs.runs[r].count / PAGE * sizeof(F);
    }
    return bytes;
}
