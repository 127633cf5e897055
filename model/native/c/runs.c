/* Fingerprints on disk: each flush of an owner's table is a run, sorted by `rank_`; all runs are in one file.
 *
 * Candidates that the table does not know are sorted the same way and merged with each run. Of a run, the first rank of
 * each page is in memory, so that only pages are read in which a candidate can be.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { PAGE = 8192 }; /* fingerprints */

typedef struct { U offset, count; F *firsts; } Run; /* in fingerprints; `firsts` of each page */
typedef struct { int file; U length; Run *runs; size_t count, room; F *page; } Runs;
typedef struct { F rank; uint32_t index; } Sought;

static int write_all(int file, const void *data, size_t bytes, off_t at) {
    for (const char *from = data; bytes;) {
        ssize_t done = pwrite(file, from, bytes, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        from += done;
        at += done;
        bytes -= (size_t)done;
    }
    return 1;
}

static int read_all(int file, void *data, size_t bytes, off_t at) {
    for (char *to = data; bytes;) {
        ssize_t done = pread(file, to, bytes, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            if (!done) errno = ENODATA;
            return 0;
        }
        to += done;
        at += done;
        bytes -= (size_t)done;
    }
    return 1;
}

/* What a segment holds, in order, at its front. */
static void segment_sort(Segment *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->size + SLACK; i++) {
        F f = s->slots[i];
        if (!f) continue;
        size_t at = n++;
        F r = rank_(f);
        for (; at && s->slots[at - 1] > r; at--) s->slots[at] = s->slots[at - 1];
        s->slots[at] = r;
    }
}

/* Write a table as a new run and empty it. 0: errno says why not. */
static int runs_flush(Runs *runs, Table *t) {
    if (full_(runs->count, runs->room)) {
        size_t room = grown_(runs->room, runs->count + 1, runs->room ? runs->room * 2 : 16);
        Run *larger = realloc(runs->runs, room * sizeof(Run));
        if (!larger) return 0;
        runs->runs = larger;
        runs->room = room;
    }
    Run run = {runs->length, table_count(t), 0};
    size_t pages = (run.count + PAGE - 1) / PAGE, place = 0;
    if (!(run.firsts = malloc((pages + 1) * sizeof(F)))) return 0;
    for (int i = 0; i < SEGMENTS; i++) {
        Segment *s = &t->segments[i];
        segment_sort(s);
        for (size_t k = (PAGE - place % PAGE) % PAGE; k < s->count; k += PAGE) run.firsts[(place + k) / PAGE] = s->slots[k];
        if (!write_all(runs->file, s->slots, s->count * sizeof(F), (off_t)((runs->length + place) * sizeof(F)))) {
            free(run.firsts);
            return 0;
        }
        place += s->count;
    }
    runs->length += run.count;
    runs->runs[runs->count++] = run;
    table_free(t);
    return table_new(t);
}

/* Sort by rank: by the upper 33 bits in three passes, then what is left by insertion. */
static void sort_sought(Sought *items, Sought *other, size_t n) {
    enum { BITS = 11, BUCKETS = 1 << BITS };
    Sought *from = items, *to = other;
    for (int shift = FINGERPRINT_BITS - 3 * BITS; shift < FINGERPRINT_BITS; shift += BITS) {
        size_t counts[BUCKETS] = {0}, at = 0;
        for (size_t i = 0; i < n; i++) counts[(U)(from[i].rank >> shift) & (BUCKETS - 1)]++;
        for (int b = 0; b < BUCKETS; b++) {
            size_t count = counts[b];
            counts[b] = at;
            at += count;
        }
        for (size_t i = 0; i < n; i++) to[counts[(U)(from[i].rank >> shift) & (BUCKETS - 1)]++] = from[i];
        Sought *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n; i++) {
        Sought x = from[i];
        size_t at = i;
        for (; at && items[at - 1].rank > x.rank; at--) items[at] = items[at - 1];
        items[at] = x;
    }
}

/* Set known[index] for what is sought and in a run. `items` is sorted. 0: errno says why not. */
static int runs_find(Runs *runs, const Sought *items, size_t n, uint8_t *known) {
    for (size_t r = 0; r < runs->count; r++) {
        Run *run = &runs->runs[r];
        size_t pages = (run->count + PAGE - 1) / PAGE, at = 0;
        for (size_t p = 0; p < pages && at < n; p++) {
            if (p + 1 < pages && run->firsts[p + 1] <= items[at].rank) continue;
            size_t count = p + 1 < pages ? PAGE : run->count - p * PAGE;
            if (!read_all(runs->file, runs->page, count * sizeof(F), (off_t)((run->offset + p * PAGE) * sizeof(F))))
                return 0;
            F last = runs->page[count - 1];
            for (size_t i = 0; at < n && items[at].rank <= last; at++) {
                while (runs->page[i] < items[at].rank) i++;
                if (runs->page[i] == items[at].rank) known[items[at].index] = 1;
            }
        }
    }
    return 1;
}

static void runs_free(Runs *runs) {
    for (size_t i = 0; i < runs->count; i++) free(runs->runs[i].firsts);
    free(runs->runs);
    free(runs->page);
    if (runs->file >= 0) close(runs->file);
}
