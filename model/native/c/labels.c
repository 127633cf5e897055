/* Predicates of the liveness check on the states and steps of a graph, in columns of two bits (see c/graph):
 * 0 not evaluated, as where an expression has no value, 1 false, 2 true.
 */

typedef struct Label {
    int32_t which, still; /* the predicate; of a stuttering step: its truth, or 2: it is to be evaluated */
    int32_t needs; /* of a step: the label of the state before that is true wherever this one is, or -1 */
    uint8_t *places;
} Label;

static void put_label_(uint8_t *places, U i, int truth) { places[i >> 2] |= (uint8_t)((truth ? 2 : 1) << ((i & 3) << 1)); }

static int is_false_(const uint8_t *places, U i) { return (places[i >> 2] >> ((i & 3) << 1) & 3) == 1; }

/* `of_state` labels of the states from number `from` to before `to`, `of_step` labels of their steps, which begin at
 * `first` of the state and lead to `heads`. */
void rmq_kernel_label(Kernel *k, const W *states, const U *first, const uint32_t *heads, U from, U to,
                      const Label *of_state, int32_t state_count, const Label *of_step, int32_t step_count) {
    Ctx *c = &k->context;
    S s, t;
    c->soft = 0;
    for (volatile U state = from; state < to; state++) {
        unpack_(states + state * STATE_WORDS, &s);
        volatile int32_t i = 0;
        if (setjmp(c->out_of_here)) i++;
        for (; i < state_count; i++) {
            c->depth = 0;
            put_label_(of_state[i].places, state, state_label_(c, &s, of_state[i].which));
        }
        if (!step_count) continue;
        for (volatile U step = first[state]; step < first[state + 1]; step++) {
            uint32_t head = heads[step];
            unpack_(states + head * (size_t)STATE_WORDS, &t);
            i = 0;
            if (setjmp(c->out_of_here)) i++;
            for (; i < step_count; i++) {
                const Label *label = &of_step[i];
                c->depth = 0;
                int truth;
                if (head == state && label->still != 2) truth = label->still;
                else if (label->needs >= 0 && is_false_(of_state[label->needs].places, state)) truth = 0;
                else truth = step_label_(c, &s, &t, label->which);
                put_label_(label->places, step, truth);
            }
        }
    }
}
