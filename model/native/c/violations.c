/* Violations: one ends the search, or, when it is told to go on, the first of each property is kept.
 *
 * Which is first is told by the order of discovery, so that it does not depend on the number of workers.
 */

enum { PROPERTIES = INVARIANTS + INITIAL_PROPERTIES + STEP_PROPERTIES };

static int place_of(int kind, I index) {
    return (int)index + (kind == INVARIANT ? 0 : kind == INITIAL_PROPERTY ? INVARIANTS : INVARIANTS + INITIAL_PROPERTIES);
}

/* Note a broken property of the state `packed`, or of the step to it. Returns whether its other properties are to be
 * looked at. */
static int violated(Worker *w, U key, int order, int kind, I index, const W *packed) {
    Engine *e = w->engine;
    event_set(e->keep_going ? &w->firsts[place_of(kind, index)] : &w->event, key, order, VIOLATION, kind, index, packed);
    return e->keep_going;
}

static int before(const Event *a, const Event *b) {
    if (a->key != b->key) return a->key < b->key;
    if (a->order != b->order) return a->order < b->order;
    return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

/* Keep what the workers noted, up to what ends the search. `initial`: in the initial states. */
static void keep_firsts(Engine *e, int initial) {
    size_t known = e->met_count;
    for (int p = 0; p < PROPERTIES; p++) {
        Event *first = 0;
        for (int i = 0; i < e->count; i++) {
            Event *x = &e->workers[i].firsts[p];
            if (x->status && (!first || before(x, first))) first = x;
        }
        int later = first && e->event.status && !before(first, &e->event);
        if (first && !later && !e->is_met[p]) {
            size_t at = e->met_count++;
            for (; at > known && before(first, &e->met[at - 1].event); at--) e->met[at] = e->met[at - 1];
            e->met[at] = (Met){*first, initial};
            e->is_met[p] = 1;
        }
        for (int i = 0; i < e->count; i++) e->workers[i].firsts[p] = (Event){.key = NO_KEY};
    }
}

/* Go on after a violation. 0: no memory. */
int rmq_keep_going(Engine *e) {
    for (int i = 0; i < e->count; i++) {
        Worker *w = &e->workers[i];
        if (!(w->firsts = calloc(PROPERTIES + 1, sizeof(Event)))) return 0;
        for (int p = 0; p < PROPERTIES; p++) w->firsts[p].key = NO_KEY;
    }
    e->keep_going = 1;
    return 1;
}

enum { MET_NUMBERS = 5 };

/* The violations so far, in order: kind, index, key, order, whether in an initial state, and the state. `out` has room
 * for all, or is 0. Returns how many there are. */
U rmq_violations(Engine *e, U *out) {
    for (size_t i = 0; out && i < e->met_count; i++, out += MET_NUMBERS + STATE_WORDS) {
        const Event *x = &e->met[i].event;
        U numbers[MET_NUMBERS] = {(U)x->kind, (U)x->index, x->key, (U)x->order, (U)e->met[i].initial};
        memcpy(out, numbers, sizeof numbers);
        memcpy(out + MET_NUMBERS, x->state, sizeof x->state);
    }
    return e->met_count;
}

/* Those of a search that is resumed. */
void rmq_set_violations(Engine *e, const U *in, U count) {
    for (U i = 0; i < count && i < PROPERTIES; i++, in += MET_NUMBERS + STATE_WORDS) {
        Event x = {in[2], (int)in[3], VIOLATION, (int)in[0], (I)in[1], 1, {0}};
        memcpy(x.state, in + MET_NUMBERS, sizeof x.state);
        e->met[e->met_count++] = (Met){x, (int)in[4]};
        e->is_met[place_of(x.kind, x.index)] = 1;
    }
}
