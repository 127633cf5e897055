/* The product of a graph and an automaton, block by block: nodes have numbers in breadth-first order. */

typedef struct Way { int32_t of_state, of_step, target; U kept; } Way; /* of_step < 0: every step */

typedef struct Exploration {
    U states;              /* of the graph */
    const U *first;
    const uint32_t *heads;
    const Way *ways;
    const int32_t *ways_of; /* by place: its ways are those from here to before the next place's */
    uint32_t **numbers;    /* by place and state: the node and 1 */
    uint32_t *tails, *places; /* of each node: the graph's state, the automaton's */
    size_t count, room, expanded;
    int32_t place_count;
} Exploration;

Exploration *rmq_product_new(U states, const U *first, const uint32_t *heads, const Way *ways, const int32_t *ways_of,
                             int32_t places) {
    Exploration *x = calloc(1, sizeof *x);
    if (!x) return 0;
    *x = (Exploration){.states = states, .first = first, .heads = heads, .ways = ways, .ways_of = ways_of,
                       .place_count = places};
    x->numbers = calloc((size_t)places, sizeof *x->numbers);
    if (x->numbers) return x;
    free(x);
    return 0;
}

void rmq_product_free(Exploration *x) {
    for (int32_t i = 0; i < x->place_count; i++) free(x->numbers[i]);
    free(x->numbers);
    free(x->tails);
    free(x->places);
    free(x);
}

const uint32_t *rmq_product_states(const Exploration *x) { return x->tails; }
U rmq_product_count(const Exploration *x) { return x->count; }

static uint32_t node_(Exploration *x, const Propositions *p, uint32_t state, int32_t place) {
    if (!x->numbers[place]) {
        x->numbers[place] = calloc(x->states, sizeof(uint32_t));
        if (!x->numbers[place]) longjmp(*p->out, NO_MEMORY);
    }
    uint32_t *number = &x->numbers[place][state];
    if (*number) return *number - 1;
    if (full_(x->count, x->room)) {
        size_t room = grown_(x->room, x->count + 1, x->room + x->room / 2 + 1024);
        if (room >= UINT32_MAX) longjmp(*p->out, TOO_MANY);
        x->tails = column_(p, x->tails, room, sizeof *x->tails);
        x->places = column_(p, x->places, room, sizeof *x->places);
        x->room = room;
    }
    x->tails[x->count] = state;
    x->places[x->count] = (uint32_t)place;
    *number = (uint32_t)++x->count;
    return *number - 1;
}

int rmq_product_start(Exploration *x, Propositions *p, const uint32_t *states, U count) {
    jmp_buf out;
    p->out = &out;
    int failure = setjmp(out);
    if (failure) return failure;
    for (U i = 0; i < count; i++) node_(x, p, states[i], 0);
    return 0;
}

/* Whether an earlier way, from `first` on, makes the same edge. */
static int earlier_(const Exploration *x, const Propositions *p, int32_t first, int32_t way, U state, U step) {
    const Way *w = &x->ways[way];
    for (int32_t i = first; i < way; i++) {
        const Way *other = &x->ways[i];
        if (other->target == w->target && other->kept == w->kept && holds_(p, other->of_state, state, 0) &&
            (other->of_step < 0 || holds_(p, other->of_step, state, step)))
            return 1;
    }
    return 0;
}

static void put_(void *column, int width, U at, U value) {
    if (width == 1) ((uint8_t *)column)[at] = (uint8_t)value;
    else if (width == 4) ((uint32_t *)column)[at] = (uint32_t)value;
    else ((U *)column)[at] = value;
}

/* Expand nodes until there are no more or one could have more edges than `room` has left. `heads`, `steps` and `kept`
 * take the edges (the two last in numbers of so many bytes), `ends` where each node's end, counted from `before`. Returns the number of nodes expanded, which is 0
 * when there are none left or when the next one needs more room (`found[1]`); `found[0]`: edges. */
int64_t rmq_product_go(Exploration *x, Propositions *p, U before, U room, U nodes, uint32_t *heads, int step_bytes,
                       void *steps, int kept_bytes, void *kept, U *ends, U *found) {
    jmp_buf out;
    p->out = &out;
    int failure = setjmp(out);
    if (failure) return failure;
    U written = 0, done = 0;
    found[1] = 0;
    for (; done < nodes && x->expanded < x->count; done++) {
        uint32_t state = x->tails[x->expanded];
        int32_t place = (int32_t)x->places[x->expanded], last = x->ways_of[place + 1];
        U most = (U)(last - x->ways_of[place]) * (x->first[state + 1] - x->first[state]);
        if (written + most > room) {
            if (!done) found[1] = most;
            break;
        }
        for (int32_t i = x->ways_of[place]; i < last; i++) {
            const Way *w = &x->ways[i];
            if (!holds_(p, w->of_state, state, 0)) continue;
            for (U step = x->first[state]; step < x->first[state + 1]; step++) {
                if (w->of_step >= 0 && !holds_(p, w->of_step, state, step)) continue;
                if (i > x->ways_of[place] && earlier_(x, p, x->ways_of[place], i, state, step)) continue;
                heads[written] = node_(x, p, x->heads[step], w->target);
                put_(steps, step_bytes, written, step);
                put_(kept, kept_bytes, written++, w->kept);
            }
        }
        ends[done] = before + written;
        x->expanded++;
    }
    found[0] = written;
    return (int64_t)done;
}
