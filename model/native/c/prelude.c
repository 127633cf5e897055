/* What generated code uses: the context of a worker, failures, arithmetic, bits. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HASTY
#define LABEL_ __attribute__((noinline, optimize("Og")))
#else
#define LABEL_ __attribute__((noinline))
#endif

typedef int64_t I;
typedef uint64_t U;
typedef uint64_t W; /* a word of a packed state: 63 bits used */

enum { WIDEN = 1, EVALUATE = 2, DEEP = 3, MEMORY = 4, UNCOVERED = 5 }; /* the last: what has no form in C is reached */
enum { DEEPEST = 700 }; /* a frame can be some kilobytes */

typedef struct Ctx {
    jmp_buf out_of_here;
    int soft;   /* failures are kept, not raised */
    I kept;     /* the first failure kept: kind << 48 | site + 1, or 0 */
    I failure;  /* the failure raised, likewise */
    int depth;  /* of recursion */
    I level;    /* of the states that constraints and invariants are asked about, in a search */
    const W *base;
    W *out;     /* successors emitted, STATE_WORDS each */
    uint16_t *actions;
    W *arguments; /* of the actions, ARGUMENT_WORDS each: 16 bits for the signature, then the values */
    size_t count, room;
    U between; /* states that A \cdot B went through: TLC counts them as generated */
} Ctx;

static __attribute__((noinline, cold)) void fail_(Ctx *c, int kind, I site) {
    I failure = (I)kind << 48 | (site + 1);
    if (c->soft && kind != DEEP) {
        if (!c->kept) c->kept = failure;
        return;
    }
    c->failure = failure;
    longjmp(c->out_of_here, 1);
}

static __attribute__((noinline, cold)) void left_(Ctx *c) {
    c->soft = 0;
    fail_(c, MEMORY, 0);
}

static inline void raise_(Ctx *c, I failure) {
    if (failure) fail_(c, (int)(failure >> 48), (failure & 0xFFFFFFFFFFFFLL) - 1);
}

enum { LARGEST_TABLE = 1 << 27 }; /* bytes */

/* The things, of `size` bytes each, with room for one more; too many need another program. */
static __attribute__((unused)) void *more_(Ctx *c, void *things, I count, I *room, size_t size) {
    if ((size_t)count * size > LARGEST_TABLE) {
        c->soft = 0;
        fail_(c, WIDEN, -1);
    }
    if (!full_((size_t)count, (size_t)*room)) return things;
    *room = (I)grown_((size_t)*room, (size_t)count + 1, 2 * (size_t)count + 64);
    things = realloc(things, (size_t)*room * size);
    if (!things) left_(c);
    return things;
}

/* Whether `at` is among the n positions at `a`, which are in order. */
static inline I listed_(const I *a, I n, I at) {
    while (n > 0) {
        I half = n >> 1;
        if (a[half] == at) return 1;
        if (a[half] < at) {
            a += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return 0;
}

/* One to one, so that no single word can change unseen. */
static inline __attribute__((unused)) U mixed_(U x) {
    x *= 0x9FB21C651E98DF25ull;
    return x ^ x >> 32;
}

static inline I div_(I a, I b) {
    I q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

static inline I mod_(I a, I b) {
    I r = a % b;
    return r < 0 ? r + b : r;
}

static inline int power_(I base, I exponent, I *result) {
    *result = 1;
    if (exponent < 0 || (!base && !exponent)) return 0; /* as TLC: 0^0 has no value */
    for (I i = 0; i < exponent; i++) {
        if (__builtin_mul_overflow(*result, base, result)) { *result = 0; return 0; }
        if (*result == 0 || (*result == 1 && base == 1)) break;
    }
    return 1;
}

/* The subsets of n things in TLC's order: by size, then by the first of them, which is the highest bit. 0: no more. */
static inline U next_subset_(Ctx *c, U p, int n) {
    (void)c;
    U mask = ((U)1 << n) - 1, out = ~p & mask;
    if (out) {
        U lowest = out & -out, raised = out + lowest;
        if (raised <= mask) return ~((((raised ^ out) >> 2) / lowest) | raised) & mask;
    }
    int size = __builtin_popcountll(p) + 1;
    return size > n ? 0 : (((U)1 << size) - 1) << (n - size);
}

/* Fields of a packed state: `at` counts bits, 63 to a word. */
static inline void put_(W *w, unsigned at, unsigned width, U value) {
    unsigned i = at / 63, shift = at % 63;
    w[i] |= value << shift & 0x7FFFFFFFFFFFFFFFULL;
    if (shift + width > 63) w[i + 1] |= value >> (63 - shift);
}

static inline U get_(const W *w, unsigned at, unsigned width) {
    unsigned i = at / 63, shift = at % 63;
    U value = w[i] >> shift;
    if (shift + width > 63) value |= w[i + 1] << (63 - shift);
    return width >= 64 ? value : value & (((U)1 << width) - 1);
}

/* In place of what is there; `width` is at most 63. */
static inline void set_bits_(W *w, unsigned shift, unsigned width, U value) {
    U mask = ((U)1 << width) - 1;
    *w = (*w & ~(mask << shift)) | (value << shift & 0x7FFFFFFFFFFFFFFFULL);
}

static inline void set_(W *w, U at, unsigned width, U value) {
    unsigned i = at / 63, shift = at % 63;
    U mask = ((U)1 << width) - 1;
    set_bits_(w + i, shift, width, value);
    if (shift + width > 63) w[i + 1] = (w[i + 1] & ~(mask >> (63 - shift))) | value >> (63 - shift);
}

