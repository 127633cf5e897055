/* Fair parts of a product: strongly connected parts with a cycle on which a problem's conditions hold.
 *
 * Components are found by Pearce's algorithm (Information Processing Letters 116, 2016), without recursion: `index` of
 * a node is its place on the way, lowered to the least that it reaches, and once its component is complete the
 * component's number, counted down from the greatest. A component in which a choice (`<>[]p \/ []<>q`) has no edge for q
 * is taken apart again without the edges on which p does not hold.
 */

typedef struct Problem {
    U nodes;
    const U *first;        /* of the product, by node */
    const uint32_t *heads;
    const uint32_t *steps32; /* the graph's step of an edge, in 4 or in 8 bytes; both 0: the edge's number */
    const U *steps64;
    const uint8_t *kept8;  /* the promises that an edge keeps, likewise; both 0: none */
    const U *kept64;
    const uint32_t *states; /* the graph's state at a node; 0: the node's number */
    U all_kept;
    int32_t lasting;       /* a formula; < 0: none */
    int32_t recurring_count, choice_count;
    const int32_t *recurring, *choice_lasting, *choice_recurring;
    U most;                /* parts wanted, those with the least first nodes */
} Problem;

typedef struct Part {
    uint32_t least;   /* the least node */
    U count;
    uint32_t *nodes;
    uint8_t *chosen;  /* by choice: its p lasts */
} Part;

typedef struct Work { uint32_t part; U count; uint32_t *nodes; uint8_t *chosen; } Work;

typedef struct Fair {
    const Problem *problem;
    Propositions *p;
    uint32_t *index, *part, *stack;
    uint32_t *path;  /* nodes on the way */
    U *cursor;       /* the next edge of each, twice, and 1 while it may be a component's root */
    U stacked, depth, stack_room, path_room, patience;
    uint32_t clock, number, parts;
    const uint8_t *chosen; /* of the work at hand; 0: none */
    uint32_t here;
    Work *work, current;
    U work_count, work_room;
    Part *found;
    U found_count;
    uint8_t *met, *broken;
} Fair;

static inline U step_(const Problem *b, U edge) {
    return b->steps32 ? b->steps32[edge] : b->steps64 ? b->steps64[edge] : edge;
}

static inline U state_(const Problem *b, uint32_t node) { return b->states ? b->states[node] : node; }

static inline U kept_(const Problem *b, U edge) { return b->kept8 ? b->kept8[edge] : b->kept64 ? b->kept64[edge] : 0; }

static void patience_(Fair *f) {
    if (++f->patience % PATIENCE == 0 && f->p->stop()) longjmp(*f->p->out, STOPPED);
}

static int lasts_(const Fair *f, uint32_t node, U edge) {
    const Problem *b = f->problem;
    if (b->lasting < 0 && !f->chosen) return 1;
    U state = state_(b, node), step = step_(b, edge);
    if (b->lasting >= 0 && !holds_(f->p, b->lasting, state, step)) return 0;
    if (f->chosen)
        for (int32_t i = 0; i < b->choice_count; i++)
            if (f->chosen[i] && !holds_(f->p, b->choice_lasting[i], state, step)) return 0;
    return 1;
}

static void free_found_(Part *part) {
    free(part->nodes);
    free(part->chosen);
}

static uint8_t *chosen_(Fair *f) {
    size_t count = (size_t)f->problem->choice_count;
    uint8_t *chosen = column_(f->p, 0, count, 1);
    if (f->chosen) memcpy(chosen, f->chosen, count);
    else memset(chosen, 0, count);
    return chosen;
}

static uint32_t *copy_(Fair *f, const uint32_t *nodes, U count) {
    uint32_t *copy = column_(f->p, 0, count, sizeof *copy);
    memcpy(copy, nodes, count * sizeof *copy);
    return copy;
}

/* Keep the part when it is among the first ones. */
static void keep_(Fair *f, const uint32_t *nodes, U count) {
    uint32_t least = nodes[0];
    for (U i = 1; i < count; i++)
        if (nodes[i] < least) least = nodes[i];
    U most = f->problem->most, at = f->found_count;
    if (at == most && (!most || f->found[most - 1].least < least)) return;
    if (at == most) free_found_(&f->found[--at]);
    f->found_count = at;
    Part part = {least, count, copy_(f, nodes, count), 0};
    part.chosen = chosen_(f);
    while (at && f->found[at - 1].least > least) {
        f->found[at] = f->found[at - 1];
        at--;
    }
    f->found[at] = part;
    f->found_count++;
}

/* Take the part apart again, with what has to last besides. */
static void again_(Fair *f, const uint32_t *nodes, U count) {
    const Problem *b = f->problem;
    if (!f->part) {
        f->part = calloc(b->nodes ? b->nodes : 1, sizeof *f->part);
        if (!f->part) longjmp(*f->p->out, NO_MEMORY);
    }
    if (full_(f->work_count, f->work_room)) {
        f->work_room = grown_(f->work_room, f->work_count + 1, 2 * f->work_room + 16);
        f->work = column_(f->p, f->work, f->work_room, sizeof *f->work);
    }
    Work w = {++f->parts, count, copy_(f, nodes, count), chosen_(f)};
    for (int32_t i = 0; i < b->choice_count; i++)
        if (!(f->met[i] & 2) && f->broken[i]) w.chosen[i] = 1;
    for (U i = 0; i < count; i++) f->part[nodes[i]] = w.part;
    f->work[f->work_count++] = w;
}

/* A complete component: `met` has 1 for each thing that recurs and 2 for each choice's, `broken` the choices whose p
 * does not hold of all edges. */
static void examine_(Fair *f, const uint32_t *nodes, U count, uint32_t number) {
    const Problem *b = f->problem;
    U kept = 0;
    int edges = 0, things = b->recurring_count > b->choice_count ? b->recurring_count : b->choice_count;
    int32_t open = b->recurring_count + b->choice_count;
    memset(f->met, 0, (size_t)things);
    memset(f->broken, 0, (size_t)things);
    for (U i = 0; i < count; i++) {
        uint32_t node = nodes[i];
        U state = state_(b, node);
        for (U edge = b->first[node]; edge < b->first[node + 1]; edge++) {
            patience_(f);
            if (f->index[b->heads[edge]] != number || !lasts_(f, node, edge)) continue;
            U step = step_(b, edge);
            edges = 1;
            kept |= kept_(b, edge);
            for (int32_t k = 0; k < b->recurring_count && open; k++)
                if (!(f->met[k] & 1) && holds_(f->p, b->recurring[k], state, step)) f->met[k] |= 1, open--;
            for (int32_t k = 0; k < b->choice_count && open; k++) {
                if (f->met[k] & 2) continue;
                if (holds_(f->p, b->choice_recurring[k], state, step)) f->met[k] |= 2, open--;
                else if (!f->broken[k] && !holds_(f->p, b->choice_lasting[k], state, step)) f->broken[k] = 1;
            }
            if (!open && kept == b->all_kept) goto complete;
        }
    }
    if (!edges || kept != b->all_kept) return;
    for (int32_t k = 0; k < b->recurring_count; k++)
        if (!(f->met[k] & 1)) return;
    for (int32_t k = 0; k < b->choice_count; k++)
        if (!(f->met[k] & 2) && f->broken[k]) {
            again_(f, nodes, count);
            return;
        }
complete:
    keep_(f, nodes, count);
}

static void enter_(Fair *f, uint32_t node) {
    if (full_(f->depth, f->path_room)) {
        f->path_room = grown_(f->path_room, f->depth + 1, f->path_room + f->path_room / 2 + 1024);
        f->path = column_(f->p, f->path, f->path_room, sizeof *f->path);
        f->cursor = column_(f->p, f->cursor, f->path_room, sizeof *f->cursor);
    }
    f->index[node] = f->clock++;
    f->path[f->depth] = node;
    f->cursor[f->depth++] = f->problem->first[node] << 1 | 1;
}

static void leave_(Fair *f) {
    uint32_t node = f->path[--f->depth];
    int root = (int)(f->cursor[f->depth] & 1);
    if (full_(f->stacked, f->stack_room)) {
        f->stack_room = grown_(f->stack_room, f->stacked + 1, f->stack_room + f->stack_room / 2 + 1024);
        f->stack = column_(f->p, f->stack, f->stack_room, sizeof *f->stack);
    }
    f->stack[f->stacked++] = node;
    if (root) {
        U from = f->stacked - 1;
        while (from && f->index[f->stack[from - 1]] >= f->index[node]) from--;
        if (f->number <= f->clock) longjmp(*f->p->out, TOO_MANY);
        uint32_t number = f->number--;
        for (U i = from; i < f->stacked; i++) f->index[f->stack[i]] = number;
        f->clock -= (uint32_t)(f->stacked - from);
        examine_(f, f->stack + from, f->stacked - from, number);
        f->stacked = from;
    }
    if (f->depth && f->index[node] < f->index[f->path[f->depth - 1]]) {
        f->index[f->path[f->depth - 1]] = f->index[node];
        f->cursor[f->depth - 1] &= ~(U)1;
    }
}

static void visit_(Fair *f, uint32_t root) {
    const Problem *b = f->problem;
    enter_(f, root);
    while (f->depth) {
        uint32_t node = f->path[f->depth - 1];
        U edge = f->cursor[f->depth - 1] >> 1;
        if (edge == b->first[node + 1]) {
            leave_(f);
            continue;
        }
        patience_(f);
        f->cursor[f->depth - 1] += 2;
        uint32_t head = b->heads[edge];
        if (f->part && f->part[head] != f->here) continue;
        uint32_t index = f->index[head];
        if (index >= f->index[node] || !lasts_(f, node, edge)) continue;
        if (!index) {
            enter_(f, head);
        } else {
            f->index[node] = index;
            f->cursor[f->depth - 1] &= ~(U)1;
        }
    }
}

void rmq_fair_free(Fair *f) {
    void *columns[] = {f->index, f->part, f->stack, f->path, f->cursor, f->met, f->broken};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) free(columns[i]);
    for (U i = 0; i < f->work_count; i++) {
        free(f->work[i].nodes);
        free(f->work[i].chosen);
    }
    for (U i = 0; i < f->found_count; i++) free_found_(&f->found[i]);
    free(f->current.nodes);
    free(f->current.chosen);
    free(f->work);
    free(f->found);
    free(f);
}

Fair *rmq_fair_new(const Problem *problem, Propositions *p) {
    Fair *f = calloc(1, sizeof *f);
    if (!f) return 0;
    f->problem = problem;
    f->p = p;
    size_t things = (size_t)(problem->recurring_count + problem->choice_count + 1);
    f->index = calloc(problem->nodes ? problem->nodes : 1, sizeof *f->index);
    f->found = calloc(problem->most + 1, sizeof *f->found);
    f->met = calloc(things, 1);
    f->broken = calloc(things, 1);
    f->clock = 1;
    f->number = UINT32_MAX;
    if (f->index && f->found && f->met && f->broken) return f;
    rmq_fair_free(f);
    return 0;
}

/* The number of parts kept, or why there are none. */
int64_t rmq_fair_run(Fair *f) {
    jmp_buf out;
    f->p->out = &out;
    int failure = setjmp(out);
    if (failure) return failure;
    for (U node = 0; node < f->problem->nodes; node++)
        if (!f->index[node]) visit_(f, (uint32_t)node);
    while (f->work_count) {
        free(f->current.nodes);
        free(f->current.chosen);
        Work w = f->current = f->work[--f->work_count];
        f->here = w.part;
        f->chosen = w.chosen;
        for (U i = 0; i < w.count; i++) f->index[w.nodes[i]] = 0;
        for (U i = 0; i < w.count; i++)
            if (!f->index[w.nodes[i]]) visit_(f, w.nodes[i]);
    }
    f->chosen = 0;
    return (int64_t)f->found_count;
}

U rmq_fair_count(const Fair *f, U i) { return f->found[i].count; }
const uint32_t *rmq_fair_nodes(const Fair *f, U i) { return f->found[i].nodes; }
const uint8_t *rmq_fair_chosen(const Fair *f, U i) { return f->found[i].chosen; }

/* For each node the one from which it was first reached; nodes are in breadth-first order, `starts` of them initial. */
void rmq_parents(U nodes, U starts, const U *first, const uint32_t *heads, uint32_t *parents) {
    U seen = starts;
    for (U tail = 0; tail < nodes && seen < nodes; tail++)
        for (U edge = first[tail]; edge < first[tail + 1]; edge++)
            if (heads[edge] == seen) parents[seen++] = (uint32_t)tail;
}
