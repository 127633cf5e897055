/* A model with alternatives, of which one is searched: `alternative_`, for which its formulas ask (`is chosen`). */

/* Before anything is explored. */
int rmq_choose(I number) {
    alternative_ = number;
    return 1;
}

static int moves_order(const void *one, const void *other) {
    U a = *(const U *)one, b = *(const U *)other;
    return a < b ? -1 : a > b;
}

/* For each state how many states it leads to, within the constraints and but for itself, and a number that tells which:
 * 0 and 1 where that has no value. Returns how many states were looked at. */
U rmq_moves(Kernel *k, const W *states, U count, U *moves) {
    for (U i = 0; i < count; i++) {
        const W *state = states + i * STATE_WORDS;
        U own, known = 0, many = 0, found = 0;
        int64_t rows = rmq_kernel_expand(k, state, 1);
        if (rows < 0) return i;
        moves[2 * i] = 0;
        moves[2 * i + 1] = 1;
        if (k->outcomes[0] == NOT_EVALUATED || k->outcomes[0] == TOO_SMALL) continue;
        if (!kernel_fingerprint(k, state, &own)) continue;
        for (int64_t j = 0; j < rows; j++)
            if (k->inside[j] && k->fingerprints[j] != own) k->fingerprints[known++] = k->fingerprints[j];
        qsort(k->fingerprints, known, sizeof(U), moves_order);
        for (U j = 0; j < known; j++) {
            U f = k->fingerprints[j];
            if (j && f == k->fingerprints[j - 1]) continue;
            many++;
            f ^= f >> 31;
            f *= 0x9E3779B97F4A7C15ULL;
            found += f ^ f >> 29;
        }
        moves[2 * i] = many;
        moves[2 * i + 1] = found;
    }
    return count;
}
