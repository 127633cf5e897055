/* One random behaviour, as the Python engine takes it: the same random numbers, the same choices.
 *
 * What ends it otherwise than by its length or for want of successors (a violation, a failure) is not judged here:
 * the Python engine repeats the behaviour and says what is wrong.
 */

enum { MT_WORDS = 624, MT_MIDDLE = 397 };

/* The generator of Python's `random` (Mersenne Twister): Matsumoto and Nishimura, 1998. */
static uint32_t random_word(uint32_t *state) {
    uint32_t *index = &state[MT_WORDS];
    if (*index >= MT_WORDS) {
        for (int i = 0; i < MT_WORDS; i++) {
            uint32_t y = (state[i] & 0x80000000u) | (state[(i + 1) % MT_WORDS] & 0x7FFFFFFFu);
            state[i] = state[(i + MT_MIDDLE) % MT_WORDS] ^ (y >> 1) ^ (y & 1 ? 0x9908B0DFu : 0);
        }
        *index = 0;
    }
    uint32_t y = state[(*index)++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9D2C5680u;
    y ^= y << 15 & 0xEFC60000u;
    return y ^ y >> 18;
}

/* `random.choice` among `count`. */
static size_t random_choice(uint32_t *state, size_t count) {
    int bits = 64 - __builtin_clzll(count);
    for (;;) {
        size_t chosen = random_word(state) >> (32 - bits);
        if (chosen < count) return chosen;
    }
}

/* The action to take, by the weights of those that have a successor: `liked` has every action with its weight. */
static U random_action(uint32_t *state, const U *liked, const U *inside) {
    U total = 0;
    for (U i = 0; i < ACTIONS; i++) total += inside[liked[2 * i]] ? liked[2 * i + 1] : 0;
    U drawn = random_choice(state, total);
    for (U i = 0;; i++) {
        U weight = inside[liked[2 * i]] ? liked[2 * i + 1] : 0;
        if (drawn < weight) return liked[2 * i];
        drawn -= weight;
    }
}

/* A behaviour of at most `most` states from one of `starts`. `counters`: states, states outside the constraints, and for
 * each action the states in which it was enabled, successors, steps taken. `liked`: 0, or for a behaviour of a swarm every
 * action with its weight. 1: done, 0: the Python engine is to repeat it. */
int rmq_simulate(Kernel *k, uint32_t *random, const W *starts, U count, U most, const U *liked, U *counters) {
    Ctx *c = &k->context;
    W state[STATE_WORDS];
    memset(counters, 0, (2 + 3 * ACTIONS) * sizeof(U));
    if (k->failure) return 0;
    memcpy(state, starts + random_choice(random, count) * STATE_WORDS, sizeof state);
    for (counters[0] = 1; counters[0] < most; counters[0]++) {
        int64_t successors = rmq_kernel_expand(k, state, 1);
        if (successors < 0 || k->outcomes[0] != HOLDS) return 0;
        U seen[ACTIONS + 1], within[ACTIONS + 1];
        size_t inside = 0;
        memset(seen, 0, sizeof seen);
        memset(within, 0, sizeof within);
        for (int64_t i = 0; i < successors; i++) {
            U *of = counters + 2 + 3 * c->actions[i];
            of[0] += !seen[c->actions[i]];
            seen[c->actions[i]] = 1;
            of[1]++;
            if (k->verdicts[i] == NOT_EVALUATED || k->verdicts[i] == TOO_SMALL) return 0;
            inside += k->inside[i];
            within[c->actions[i]] += k->inside[i];
        }
        counters[1] += (U)successors - inside;
        if (!inside) break;
        U action = liked ? random_action(random, liked, within) : 0;
        size_t chosen = random_choice(random, liked ? within[action] : inside), at = 0;
        for (size_t before = 0;; at++)
            if (k->inside[at] && (!liked || (U)c->actions[at] == action) && before++ == chosen) break;
        counters[2 + 3 * c->actions[at] + 2]++;
        int16_t property;
        memcpy(state, c->out + at * STATE_WORDS, sizeof state);
        if (k->verdicts[at] != HOLDS || kernel_check(k, state, 0, &property) != HOLDS) return 0;
    }
    return 1;
}
