/* The kernel by itself: successors of given states as columns, without a search around it.
 *
 * One kernel serves one thread. The columns belong to it and last until its next call.
 */

enum { HOLDS, BROKEN_INVARIANT, BROKEN_INITIAL_PROPERTY, BROKEN_STEP_PROPERTY, NOT_EVALUATED, TOO_SMALL, NO_SUCCESSOR };

typedef struct Kernel {
    Ctx context;   /* its `out` and `actions` are the columns of states and actions */
    I failure;     /* of the constants; 0: none */
    U idle, idle_steps; /* properties whose antecedents were true of no state, or of no step, that was judged */
    I narrow;      /* the last failure for want of room: the variable, or -1 */
    size_t room, rows;
    U *fingerprints;
    uint32_t *parents, *ordinals;
    uint8_t *inside, *verdicts, *outcomes;
    int16_t *properties;
} Kernel;

Kernel *rmq_kernel_new(void) {
    Kernel *k = calloc(1, sizeof(Kernel));
    if (!k) return 0;
    k->idle = STATE_ANTECEDENTS;
    k->idle_steps = STEP_ANTECEDENTS;
    Ctx *c = &k->context;
    if (setjmp(c->out_of_here)) k->failure = c->failure;
    else constants_(c);
    return k;
}

void rmq_kernel_free(Kernel *k) {
    void *columns[] = {k->context.out, k->context.actions, k->context.arguments, k->fingerprints, k->parents, k->ordinals,
                       k->inside, k->verdicts, k->outcomes, k->properties};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) free(columns[i]);
    free(k);
}

static int kernel_column(void *column, size_t count, size_t size) {
    void **at = column;
    void *larger = realloc(*at, count * size);
    if (larger) *at = larger;
    return larger != 0;
}

static int kernel_reserve(Kernel *k, size_t count) {
    if (enough_(count, k->room)) return 1;
    size_t room = grown_(k->room, count, count + count / 2 + 64);
    if (!kernel_column(&k->fingerprints, room, sizeof(U)) || !kernel_column(&k->parents, room, sizeof(uint32_t)) ||
        !kernel_column(&k->ordinals, room, sizeof(uint32_t)) || !kernel_column(&k->inside, room, 1) ||
        !kernel_column(&k->verdicts, room, 1) || !kernel_column(&k->properties, room, sizeof(int16_t)))
        return 0;
    k->room = room;
    return 1;
}

static int kernel_rows(Kernel *k, size_t count) {
    if (enough_(count, k->rows)) return 1;
    if (!kernel_column(&k->outcomes, count, 1)) return 0;
    k->rows = count;
    return 1;
}

static uint8_t kernel_failed(Kernel *k, I failure) {
    if ((failure >> 48) != WIDEN) return NOT_EVALUATED;
    k->narrow = (failure & 0xFFFFFFFFFFFFLL) - 1;
    return TOO_SMALL;
}

static int kernel_fingerprint(Kernel *k, const W *state, U *fingerprint) {
#if HAS_KEY
    Ctx *c = &k->context;
    if (setjmp(c->out_of_here)) return 0;
    W key[KEY_WORDS];
    S s;
    unpack_(state, &s);
    key_(c, &s, state, key);
    *fingerprint = short_fingerprint_(key);
#else
    (void)k;
    *fingerprint = short_fingerprint_(state);
#endif
    return 1;
}

/* The invariants of one state, and with `initial` what holds of initial states only. */
static uint8_t kernel_check(Kernel *k, const W *state, int initial, int16_t *property) {
    Ctx *c = &k->context;
    *property = -1;
    c->soft = 0;
    c->depth = 0;
    if (setjmp(c->out_of_here)) return kernel_failed(k, c->failure);
    S s;
    unpack_(state, &s);
    int broken = invariants_(c, &s, 0);
    if (broken >= 0) {
        *property = (int16_t)broken;
        return BROKEN_INVARIANT;
    }
    if (initial && (broken = initial_properties_(c, &s, 0)) >= 0) {
        *property = (int16_t)broken;
        return BROKEN_INITIAL_PROPERTY;
    }
    if (k->idle) note(c, &k->idle, &s, 0);
    return HOLDS;
}

/* Constraints and step properties of the successor `i`; the invariants of one outside the constraints, too. */
static void kernel_judge(Kernel *k, const W *parent, size_t i) {
    Ctx *c = &k->context;
    const W *state = c->out + i * STATE_WORDS;
    k->inside[i] = 1;
    k->verdicts[i] = HOLDS;
    k->properties[i] = -1;
    c->soft = 0;
    c->depth = 0;
    if (!kernel_fingerprint(k, state, &k->fingerprints[i])) {
        k->verdicts[i] = kernel_failed(k, c->failure);
        return;
    }
    if (!HAS_CONSTRAINTS && !HAS_STEPS) return;
    if (setjmp(c->out_of_here)) {
        k->verdicts[i] = kernel_failed(k, c->failure);
        return;
    }
    S before, after;
    unpack_(state, &after);
    if (parent) unpack_(parent, &before);
    if (HAS_CONSTRAINTS) k->inside[i] = (uint8_t)(within_(c, &after) && (!parent || allowed_(c, &before, &after)));
    int step = HAS_STEPS && parent ? steps_(c, &before, &after, 0) : -1;
    if (k->idle_steps && parent) note(c, &k->idle_steps, &before, &after);
    if (!k->inside[i]) k->verdicts[i] = kernel_check(k, state, !parent, &k->properties[i]);
    if (step >= 0 && k->verdicts[i] == HOLDS) {
        k->verdicts[i] = BROKEN_STEP_PROPERTY;
        k->properties[i] = (int16_t)step;
    }
}

/* Number the successors of row `parent`, which begin at `first`. */
static int kernel_finish(Kernel *k, const W *state, size_t parent, size_t first) {
    if (!kernel_reserve(k, k->context.count)) return 0;
    for (size_t i = first; i < k->context.count; i++) {
        k->parents[i] = (uint32_t)parent;
        k->ordinals[i] = (uint32_t)(i - first);
        kernel_judge(k, state, i);
    }
    return 1;
}

/* Successors of `count` states. Returns how many; -1: no memory. A row that fails keeps the successors before that. */
int64_t rmq_kernel_expand(Kernel *k, const W *states, U count) {
    Ctx *c = &k->context;
    c->count = 0;
    if (!kernel_rows(k, count)) return -1;
    for (volatile size_t row = 0; row < count; row++) {
        const W *state = states + row * STATE_WORDS;
        volatile size_t first = c->count;
        c->soft = 0;
        c->kept = 0;
        c->depth = 0;
        c->base = state;
        k->outcomes[row] = HOLDS;
        if (setjmp(c->out_of_here)) {
            if ((c->failure >> 48) == MEMORY) return -1;
            k->outcomes[row] = kernel_failed(k, c->failure);
        } else {
            S s;
            unpack_(state, &s);
            successors_(c, &s);
            if (CHECK_DEADLOCK && c->count == first) k->outcomes[row] = NO_SUCCESSOR;
        }
        if (!kernel_finish(k, state, row, first)) return -1;
    }
    return (int64_t)c->count;
}

/* The initial states, as successors of no state. The one row is their outcome. Returns how many; -1: no memory. */
int64_t rmq_kernel_initial(Kernel *k) {
    Ctx *c = &k->context;
    c->count = 0;
    c->base = 0;
    c->soft = 0;
    c->depth = 0;
    if (!kernel_rows(k, 1)) return -1;
    k->outcomes[0] = HOLDS;
    if (k->failure) k->outcomes[0] = kernel_failed(k, k->failure);
    else if (setjmp(c->out_of_here)) k->outcomes[0] = kernel_failed(k, c->failure);
    else init_(c);
    return kernel_finish(k, 0, 0, 0) ? (int64_t)c->count : -1;
}

/* Invariants of `count` states: `verdicts` and `properties` are filled; returns how many do not hold. */
int64_t rmq_kernel_check(Kernel *k, const W *states, U count, int initial, uint8_t *verdicts, int16_t *properties) {
    int64_t broken = 0;
    for (size_t i = 0; i < count; i++) {
        verdicts[i] = kernel_check(k, states + i * STATE_WORDS, initial, &properties[i]);
        broken += verdicts[i] != HOLDS;
    }
    return broken;
}

/* Fingerprints of `count` states. Returns the number of those that could be computed before one could not. */
U rmq_kernel_fingerprints(Kernel *k, const W *states, U count, U *fingerprints) {
    k->context.soft = 0;
    for (size_t i = 0; i < count; i++) {
        k->context.depth = 0;
        if (!kernel_fingerprint(k, states + i * STATE_WORDS, &fingerprints[i])) return i;
    }
    return count;
}

int rmq_argument_words(void) { return ARGUMENT_WORDS; }

/* The columns of the last expansion: states, fingerprints, parents, actions, ordinals, inside, verdicts, properties,
 * arguments, outcomes (by row). */
void rmq_kernel_columns(Kernel *k, void **out) {
    void *columns[] = {k->context.out, k->fingerprints, k->parents, k->context.actions, k->ordinals,
                       k->inside, k->verdicts, k->properties, k->context.arguments, k->outcomes};
    memcpy(out, columns, sizeof columns);
}

/* Properties whose antecedents were true of something that was judged: a bit each. */
U rmq_kernel_spoken(Kernel *k) { return (STATE_ANTECEDENTS | STEP_ANTECEDENTS) & ~(k->idle | k->idle_steps); }

/* The variable for which a layout was too small lately; -1: a value on the way. */
int64_t rmq_kernel_narrow(Kernel *k) { return k->narrow < (I)1 << 32 ? k->narrow : -1; }
