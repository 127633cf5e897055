/* States of a block that satisfy a formula of states: marked among all states, kept among successors, gathered. */

/* Set the bits from `base` on of those that do. Returns how many. */
int64_t rmq_mark(Propositions *p, int32_t formula, U count, U base, uint8_t *bits) {
    jmp_buf out;
    p->out = &out;
    int failure = setjmp(out);
    if (failure) return failure;
    int64_t found = 0;
    for (U i = 0; i < count; i++) {
        if (!holds_(p, formula, i, 0)) continue;
        bits[(base + i) >> 3] |= (uint8_t)(1 << ((base + i) & 7));
        found++;
    }
    return found;
}

/* Put those that do not outside. */
int64_t rmq_keep(Propositions *p, int32_t formula, U count, uint8_t *inside) {
    jmp_buf out;
    p->out = &out;
    int failure = setjmp(out);
    if (failure) return failure;
    for (U i = 0; i < count; i++)
        if (inside[i] && !holds_(p, formula, i, 0)) inside[i] = 0;
    return 0;
}

/* The marked ones of `count` states (`words` each) from number `base` on: their content and their numbers. Returns how
 * many. */
U rmq_gather(const uint8_t *bits, U base, U count, int words, const U *states, U *content, uint32_t *numbers) {
    U found = 0;
    for (U i = 0; i < count; i++) {
        U number = base + i;
        if (!(number & 7) && i + 8 <= count && !bits[number >> 3]) { i += 7; continue; }
        if (!(bits[number >> 3] >> (number & 7) & 1)) continue;
        memcpy(content + found * (U)words, states + i * (U)words, sizeof(U) * (size_t)words);
        numbers[found++] = (uint32_t)number;
    }
    return found;
}
