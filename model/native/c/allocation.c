/* Memory that grows, and so moves: nothing keeps a pointer into it across a growth.
 *
 * With -DALWAYS_MOVE, for tests, growth happens all the time, every growth moves, and what was there before is
 * overwritten: whoever kept a pointer reads rubbish, or is caught by AddressSanitizer.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef ALWAYS_MOVE
#include <malloc.h>

static void *moved_(void *old, size_t bytes) {
    char *fresh = malloc(bytes ? bytes : 1);
    if (!fresh || !old) return fresh;
    size_t had = malloc_usable_size(old);
    memcpy(fresh, old, had < bytes ? had : bytes);
    memset(old, 0xA5, had);
    free(old);
    return fresh;
}
#define realloc moved_
enum { ALWAYS_MOVES = 1 };
#else
enum { ALWAYS_MOVES = 0 };
#endif

/* Whether what holds `count` of `room` things is to grow before one more is put there. */
static inline __attribute__((unused)) int full_(size_t count, size_t room) {
    return count == room || (ALWAYS_MOVES && count % (1 + count / 64) == 0);
}

/* Whether `room` is enough, so that nothing is to grow. */
static inline __attribute__((unused)) int enough_(size_t need, size_t room) { return need <= room && !ALWAYS_MOVES; }

/* The room to grow to: what is wished for, or in tests no more than is needed. */
static inline __attribute__((unused)) size_t grown_(size_t room, size_t need, size_t wish) {
    return !ALWAYS_MOVES ? wish : need > room ? need : room;
}
