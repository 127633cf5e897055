/* Fingerprints and the set of those that were seen: open addressing in segments that grow one after the other.
 *
 * With -DFINGERPRINT_BITS=128 a fingerprint has two words, and the set takes twice the memory: two states have the same one in
 * 2^128 instead of 2^64 pairs.
 *
 * A fingerprint's low 32 bits give its place in its segment, in order: what a segment holds is nearly sorted by `rank_`,
 * which is the order of the files that fingerprints are written to when memory is short (runs.c). A set grows by two
 * fifths at a time and an eighth of it at once, so that it takes 11 to 15 bytes for each fingerprint
 * of 64 bits.
 */
#include <sys/mman.h>

enum { SEGMENTS = 8, SLACK = 64, FIRST_SIZE = 256 };
enum { PAGE_BYTES = 1 << 16, HUGE_FROM = 1 << 21, SMALLEST_PAGE = 1 << 12 };

#ifndef FINGERPRINT_BITS
#define FINGERPRINT_BITS 64
#endif
#if FINGERPRINT_BITS == 128
typedef unsigned __int128 F;
#else
typedef U F;
#endif

/* Of the words of a key. Two hashes with other multipliers have nothing in common. */
static inline U hash_(const W *key, U h, U first, U second, U last) {
    for (int i = 0; i < KEY_WORDS; i++) {
        h = (h ^ key[i]) * first;
        h ^= h >> 29;
        h *= second;
        h ^= h >> 32;
    }
    h *= last;
    return h ^ h >> 31;
}

static inline U short_fingerprint_(const W *key) {
    U h = hash_(key, 0x243F6A8885A308D3ull, 0x9FB21C651E98DF25ull, 0xD6E8FEB86659FD93ull, 0x9E3779B97F4A7C15ull);
#ifdef FINGERPRINT_MASK /* for tests: many states have the same one */
    h &= FINGERPRINT_MASK;
#endif
    return h ? h : 1;
}

/* 0 is none. The lower word is the fingerprint of 64 bits. */
static inline F fingerprint_(const W *key) {
    F f = short_fingerprint_(key);
#if FINGERPRINT_BITS == 128
    f |= (F)hash_(key, 0x13198A2E03707344ull, 0xA0761D6478BD642Full, 0xE7037ED1A0B428DBull, 0x8EBC6AF09C88C6E3ull) << 64;
#endif
    return f;
}

/* The order of fingerprints on disk: segment, place, the rest. */
static inline F rank_(F f) { return f << (FINGERPRINT_BITS - 35) | f >> 35; }

typedef struct { F *slots; size_t size, count; } Segment; /* slots[size + SLACK], of which the last is never used */
typedef struct { Segment segments[SEGMENTS]; } Table;

static inline Segment *segment_of(const Table *t, F f) { return (Segment *)&t->segments[(U)f >> 32 & (SEGMENTS - 1)]; }
static inline F *home_of(const Segment *s, F f) { return s->slots + (((U)f & 0xFFFFFFFF) * s->size >> 32); }
static size_t segment_bytes(size_t size) { return (size + SLACK) * sizeof(F); }
static size_t segment_next(size_t size) { return size ? size + size * 2 / 5 : FIRST_SIZE; }
/* How many a segment takes before it grows. */
static inline size_t segment_takes(size_t size) { return size - size / 4; }

/* Let each page be there before it is read: one that is read before it is written costs two faults, and the other
 * workers an interrupt. What lies from `from` on is zero before and after. */
static void touch(char *from, size_t bytes) {
    char *end = from + bytes, *page = from + (-(uintptr_t)from & (SMALLEST_PAGE - 1));
#ifdef MADV_POPULATE_WRITE
    size_t whole = page < end ? (size_t)(end - page) & ~(size_t)(SMALLEST_PAGE - 1) : 0;
    if (whole && !madvise(page, whole, MADV_POPULATE_WRITE)) page += whole;
#endif
    for (; page < end; page += SMALLEST_PAGE) *(volatile char *)page = 0;
}

static F *slots_new(size_t size) {
    size_t bytes = segment_bytes(size);
    if (bytes < HUGE_FROM) {
        char *slots = calloc(1, bytes);
        if (slots) touch(slots, bytes);
        return (F *)slots;
    }
    bytes = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    char *all = mmap(0, bytes + HUGE_FROM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return 0;
    /* A lookup is a miss of the cache already; let it not be one of the TLB. Huge pages must be aligned. */
    size_t before = -(uintptr_t)all & (HUGE_FROM - 1);
    if (before) munmap(all, before);
    if (before < HUGE_FROM) munmap(all + before + bytes, HUGE_FROM - before);
#ifdef MADV_HUGEPAGE
    madvise(all + before, bytes, MADV_HUGEPAGE);
#endif
    touch(all + before, bytes);
    return (F *)(all + before);
}

static void slots_free(F *slots, size_t size) {
    if (!slots) return;
    if (segment_bytes(size) < HUGE_FROM) free(slots);
    else munmap(slots, (segment_bytes(size) + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1));
}

/* 1: added, 0: there already, -1: no room near its place. */
static inline int segment_add(Segment *s, F f) {
    F *at = home_of(s, f), *end = s->slots + s->size + SLACK - 1;
    for (; *at; at++)
        if (*at == f) return 0;
    if (at == end) return -1;
    *at = f;
    s->count++;
    return 1;
}

static int segment_grow(Segment *s) {
    for (size_t size = segment_next(s->size);; size += size / 2) {
        Segment larger = {slots_new(size), size, 0};
        if (!larger.slots) return 0;
        int fits = 1;
        for (size_t i = 0; s->slots && fits && i < s->size + SLACK; i++)
            if (s->slots[i]) fits = segment_add(&larger, s->slots[i]) > 0;
        if (!fits) {
            slots_free(larger.slots, size);
            continue;
        }
        slots_free(s->slots, s->size);
        *s = larger;
        return 1;
    }
}

static int table_new(Table *t) {
    for (int i = 0; i < SEGMENTS; i++)
        if (!t->segments[i].slots && !segment_grow(&t->segments[i])) return 0;
    return 1;
}

static void table_free(Table *t) {
    for (int i = 0; i < SEGMENTS; i++) slots_free(t->segments[i].slots, t->segments[i].size);
    memset(t, 0, sizeof *t);
}

static size_t table_bytes(const Table *t) {
    size_t bytes = 0;
    for (int i = 0; i < SEGMENTS; i++) bytes += t->segments[i].slots ? segment_bytes(t->segments[i].size) : 0;
    return bytes;
}

/* Bytes that so many more may make it grow by: of each segment that grows, and of one what it was before, too. */
static size_t table_growth(const Table *t, size_t more) {
    size_t bytes = 0, old = 0, each = more / SEGMENTS + more / (4 * SEGMENTS);
    for (int i = 0; i < SEGMENTS; i++) {
        const Segment *s = &t->segments[i];
        size_t before = segment_bytes(s->size), size = s->size;
        while (s->count + each >= segment_takes(size)) size = segment_next(size);
        if (size == s->size) continue;
        bytes += segment_bytes(size) - before;
        if (before > old) old = before;
    }
    return bytes + old;
}

static size_t table_count(const Table *t) {
    size_t count = 0;
    for (int i = 0; i < SEGMENTS; i++) count += t->segments[i].count;
    return count;
}

/* No function: GCC takes one that does nothing else for one that does nothing, and leaves the call out. */
#define table_prefetch(t, f) __builtin_prefetch(home_of(segment_of(t, f), f))

static inline int table_has(const Table *t, F f) {
    for (const F *at = home_of(segment_of(t, f), f); *at; at++)
        if (*at == f) return 1;
    return 0;
}

/* 1: added, 0: there already, -1: no memory. */
static inline int table_add(Table *t, F f) {
    Segment *s = segment_of(t, f);
    for (;;) {
        int added = s->count < segment_takes(s->size) ? segment_add(s, f) : -1;
        if (added >= 0) return added;
        if (table_has(t, f)) return 0;
        if (!segment_grow(s)) return -1;
    }
}
