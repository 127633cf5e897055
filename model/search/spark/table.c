/* A growing set of 64-bit fingerprints: open addressing, linear probing, prefetched in blocks. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t U;
typedef struct { U *slots; U mask, count; int zero; } Table;
enum { AHEAD = 16 };

/* The owner is a remainder of the fingerprint, so the slot comes from a mix of all its bits. */
static inline U place_(U f) {
    f ^= f >> 32;
    f *= 0xD6E8FEB86659FD93ull;
    return f ^ f >> 32;
}

Table *rmq_table_new(void) {
    Table *t = calloc(1, sizeof(Table));
    if (!t) return 0;
    t->mask = (1 << 12) - 1;
    t->slots = calloc(t->mask + 1, sizeof(U));
    if (!t->slots) { free(t); return 0; }
    return t;
}

void rmq_table_free(Table *t) { free(t->slots); free(t); }
U rmq_table_count(const Table *t) { return t->count + (U)t->zero; }
U rmq_table_bytes(const Table *t) { return (t->mask + 1) * sizeof(U); }

static int grow_(Table *t, U more) {
    U size = t->mask + 1, larger = size;
    while (t->count + more > larger - larger / 5) larger *= 2;
    if (larger == size) return 0;
    U *slots = calloc(larger, sizeof(U));
    if (!slots) return -1;
    for (U i = 0; i < size; i++) {
        U f = t->slots[i];
        if (!f) continue;
        U at = place_(f) & (larger - 1);
        while (slots[at]) at = (at + 1) & (larger - 1);
        slots[at] = f;
    }
    free(t->slots);
    t->slots = slots;
    t->mask = larger - 1;
    return 0;
}

int rmq_table_add(Table *t, const U *given, U n, uint8_t *fresh) {
    for (U from = 0; from < n; from += 65536) {
        U to = from + 65536 < n ? from + 65536 : n;
        if (grow_(t, to - from)) return -1;
        for (U i = from; i < to; i++) {
            if (i + AHEAD < to) __builtin_prefetch(&t->slots[place_(given[i + AHEAD]) & t->mask]);
            U f = given[i];
            fresh[i] = 0;
            if (!f) {
                fresh[i] = (uint8_t)!t->zero;
                t->zero = 1;
                continue;
            }
            U at = place_(f) & t->mask;
            while (t->slots[at] && t->slots[at] != f) at = (at + 1) & t->mask;
            if (!t->slots[at]) {
                t->slots[at] = f;
                t->count++;
                fresh[i] = 1;
            }
        }
    }
    return 0;
}

int rmq_table_has(const Table *t, const U *given, U n, uint8_t *found) {
    for (U i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(&t->slots[place_(given[i + AHEAD]) & t->mask]);
        U f = given[i], at = place_(f) & t->mask;
        if (!f) { found[i] = (uint8_t)t->zero; continue; }
        while (t->slots[at] && t->slots[at] != f) at = (at + 1) & t->mask;
        found[i] = t->slots[at] == f;
    }
    return 0;
}
