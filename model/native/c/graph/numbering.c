/* States numbered by their fingerprints as they come, and the steps of a graph from blocks of successors. */

typedef struct Numbering {
    U *fingerprints;  /* by number */
    uint32_t *slots;  /* number and 1, open addressing */
    uint32_t *seen;   /* by number: the last state, and 1, with a step to it */
    size_t count, room;
    U mask;
} Numbering;

Numbering *rmq_numbering_new(void) {
    Numbering *n = calloc(1, sizeof *n);
    if (!n) return 0;
    n->mask = (1 << 12) - 1;
    n->slots = calloc(n->mask + 1, sizeof *n->slots);
    if (n->slots) return n;
    free(n);
    return 0;
}

void rmq_numbering_free(Numbering *n) {
    free(n->fingerprints);
    free(n->slots);
    free(n->seen);
    free(n);
}

static inline U home_(const Numbering *n, U fingerprint) { return (fingerprint ^ fingerprint >> 32) & n->mask; }

static U slot_of_(const Numbering *n, U fingerprint) {
    U at = home_(n, fingerprint);
    while (n->slots[at] && n->fingerprints[n->slots[at] - 1] != fingerprint) at = (at + 1) & n->mask;
    return at;
}

static int numbering_reserve(Numbering *n, size_t more) {
    if (!enough_(n->count + more, n->room)) {
        size_t room = grown_(n->room, n->count + more, n->count + more + n->count / 2);
        U *fingerprints = realloc(n->fingerprints, room * sizeof(U));
        if (fingerprints) n->fingerprints = fingerprints;
        uint32_t *seen = realloc(n->seen, room * sizeof *seen);
        if (seen) n->seen = seen;
        if (!fingerprints || !seen) return 0;
        memset(n->seen + n->room, 0, (room - n->room) * sizeof *seen);
        n->room = room;
    }
    if (3 * (n->count + more) <= 2 * n->mask) return 1;
    U mask = n->mask;
    while (3 * (n->count + more) > 2 * mask) mask = 2 * mask + 1;
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    if (!slots) return 0;
    free(n->slots);
    n->slots = slots;
    n->mask = mask;
    for (size_t i = 0; i < n->count; i++) n->slots[slot_of_(n, n->fingerprints[i])] = (uint32_t)i + 1;
    return 1;
}

/* One block of `count` successors of the states from number `base` on. With `rows`, of each of them the steps are
 * written to `heads`, its own number at last, each once, and where they end to `ends`, counted from `before`; without,
 * only the numbers. New states (`words` each) go to `added`. Returns how many there are; `found[0]`: heads written. */
int64_t rmq_numbering_take(Numbering *n, U count, U rows, U base, U before, int words, const U *fingerprints,
                           const uint8_t *inside, const uint32_t *parents, const U *states, U *added, uint32_t *heads,
                           U *ends, U *found) {
    if (!numbering_reserve(n, count)) return NO_MEMORY;
    if (n->count + count >= UINT32_MAX) return TOO_MANY;
    enum { AHEAD = 16 };
    size_t known = n->count, written = 0;
    U place = 0;
    for (U row = 0; row < (rows ? rows : 1); row++) {
        uint32_t own = (uint32_t)(base + row);
        for (; place < count && (!rows || parents[place] == row); place++) {
            /* what the successors after this one will be looked up in is on its way from memory meanwhile */
            if (place + 2 * AHEAD < count) __builtin_prefetch(&n->slots[home_(n, fingerprints[place + 2 * AHEAD])]);
            uint32_t ahead = place + AHEAD < count ? n->slots[home_(n, fingerprints[place + AHEAD])] : 0;
            if (ahead) __builtin_prefetch(&n->fingerprints[ahead - 1]);
            if (ahead) __builtin_prefetch(&n->seen[ahead - 1], 1);
            if (!inside[place]) continue;
            U slot = slot_of_(n, fingerprints[place]);
            if (!n->slots[slot]) {
                n->fingerprints[n->count] = fingerprints[place];
                memcpy(added + (n->count - known) * (size_t)words, states + place * (size_t)words, sizeof(U) * (size_t)words);
                n->slots[slot] = (uint32_t)++n->count;
            }
            uint32_t head = n->slots[slot] - 1;
            if (rows && n->seen[head] == own + 1) continue;
            if (rows) n->seen[head] = own + 1;
            heads[written++] = head;
        }
        if (!rows) break;
        if (n->seen[own] != own + 1) heads[written++] = own;
        ends[row] = before + written;
    }
    *found = written;
    return (int64_t)(n->count - known);
}
