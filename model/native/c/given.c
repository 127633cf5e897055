/* A model of which Init has no form in C: who searches gives its states. */

/* Before anything is explored. 0: no memory. */
int rmq_give(const W *states, U count) {
    W *kept = malloc((count ? count : 1) * STATE_WORDS * sizeof(W));
    if (!kept) return 0;
    if (count) memcpy(kept, states, count * STATE_WORDS * sizeof(W));
    free(given_);
    given_ = kept;
    given_count_ = count;
    return 1;
}
