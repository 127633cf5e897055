/* The search as Python sees it. */

Engine *rmq_new(int workers, U most, U limit) {
    Engine *e = calloc(1, sizeof(Engine));
    if (!e) return 0;
    if (workers < 1) workers = 1;
    if (workers > MOST_WORKERS) workers = MOST_WORKERS;
    e->count = workers;
    e->most = most;
    e->limit = limit;
    e->each = 1;
    e->round = ROUND;
    e->event.key = NO_KEY;
    e->states_file = e->parents_file = -1;
    for (int i = 0; i < workers; i++) {
        Worker *w = &e->workers[i];
        w->engine = e;
        w->number = i;
        w->event.key = NO_KEY;
        w->runs.file = -1;
        if (!table_new(&w->table)) event_end(w, NO_MEMORY);
    }
    Ctx *c = &e->workers[0].context;
    if (setjmp(c->out_of_here)) event_failure(&e->workers[0].event, 0, UNJUDGED, c->failure, 0);
    else constants_(c);
    return e;
}

/* Where states, parents and the fingerprints of each worker go: open files, which the engine closes. */
int rmq_files(Engine *e, int states, int parents, const int *fingerprints) {
    e->states_file = states;
    e->parents_file = parents;
    for (int i = 0; i < e->count; i++) {
        e->workers[i].runs.file = fingerprints[i];
        if (!(e->workers[i].runs.page = malloc(PAGE * sizeof(U)))) return 0;
    }
    return 1;
}

void rmq_free(Engine *e) {
    for (int i = 0; i < e->count; i++) {
        Worker *w = &e->workers[i];
        free(w->context.out);
        free(w->context.actions);
        free(w->context.arguments);
        free(w->hashes);
        free(w->firsts);
        free(w->fresh);
        free(w->sought);
        free(w->known);
        table_free(&w->table);
        runs_free(&w->runs);
        for (int o = 0; o < MOST_WORKERS; o++) free(w->outgoing[o].items);
    }
    if (e->states_file >= 0) close(e->states_file);
    if (e->parents_file >= 0) close(e->parents_file);
    free(e->states);
    free(e->parents);
    free(e->window);
    free(e);
}

/* Write to the files all that is not there yet, and see that it is on the disk. 0: see the problem in the numbers. */
int rmq_save(Engine *e) {
    if (store_save(e) && !fsync(e->states_file) && !fsync(e->parents_file)) return 1;
    e->problem = errno;
    return 0;
}

/* Numbers: distinct, total, depth, initial, cut, expanded, level, level_end, kind, index, key, order, has_state, bytes,
 * peak, saved, checksum, spilled states, fingerprints on disk, problem. */
void rmq_numbers(Engine *e, U *out) {
    U total = 0, cut = 0, filed = 0, bytes = bytes_of(e);
    for (int i = 0; i < e->count; i++) {
        total += e->workers[i].counts.total;
        cut += e->workers[i].counts.cut;
        filed += e->workers[i].runs.length;
    }
    if (bytes > e->peak) e->peak = bytes;
    U values[] = {e->distinct, total, e->depth, e->initial, cut, e->expanded, e->level, e->level_end, (U)e->event.kind,
                  (U)e->event.index, e->event.key, (U)e->event.order, (U)e->event.has_state, bytes, e->peak, e->saved,
                  e->checksum, e->base, filed, (U)e->problem};
    memcpy(out, values, sizeof values);
}

/* Per action: states in which it was enabled, successors, new states. */
void rmq_coverage(Engine *e, U *out) {
    for (int a = 0; a < ACTIONS; a++) {
        out[3 * a] = out[3 * a + 1] = out[3 * a + 2] = 0;
        for (int i = 0; i < e->count; i++) {
            out[3 * a] += e->workers[i].counts.enabled[a];
            out[3 * a + 1] += e->workers[i].counts.generated[a];
            out[3 * a + 2] += e->workers[i].distinct[a];
        }
    }
}

/* Take up a saved search: `numbers` and `coverage` as they were given, the files set. Returns a status:
 * RUNNING: it goes on; NO_DISK: the files cannot be read; FAILURE: they are not what was saved. */
int rmq_resume(Engine *e, const U *numbers, const U *coverage) {
    enum { STEP = 1 << 12 };
    size_t distinct = numbers[0];
    W *states = malloc(STEP * STATE_WORDS * sizeof(W));
    uint32_t *parents = malloc(STEP * sizeof(uint32_t));
    int status = states && parents ? RUNNING : NO_MEMORY;
    Worker *first = &e->workers[0];
    for (size_t at = 0; at < distinct && status == RUNNING; at += STEP) {
        size_t count = at + STEP < distinct ? STEP : distinct - at;
        e->base = at + count;
        if (!store_read(e, at, count, states, parents)) status = NO_DISK;
        else e->checksum = checksum_of(e->checksum, states, parents, count);
        for (size_t i = 0; i < count && status == RUNNING; i++) {
            U f = judge(first, 0, states + i * STATE_WORDS, 0);
            if (!f || first->event.status) { status = FAILURE; break; }
            if (table_add(&e->workers[owner_of(e, f)].table, f) < 0) status = NO_MEMORY;
        }
        e->distinct = e->saved = e->base;
        if (status == RUNNING && !relieve(e)) status = NO_DISK;
    }
    free(states);
    free(parents);
    if (status == NO_DISK) e->problem = errno;
    if (status != RUNNING) return status;
    first->counts.total = numbers[1];
    e->depth = numbers[2];
    e->initial = numbers[3];
    first->counts.cut = numbers[4];
    e->expanded = numbers[5];
    e->level = numbers[6];
    e->level_end = numbers[7];
    for (int a = 0; a < ACTIONS; a++) {
        first->counts.enabled[a] = coverage[3 * a];
        first->counts.generated[a] = coverage[3 * a + 1];
        first->distinct[a] = coverage[3 * a + 2];
    }
    return e->checksum == numbers[16] && e->expanded <= e->distinct ? RUNNING : FAILURE;
}

int rmq_state_words(void) { return STATE_WORDS; }

/* States `from`..`from + count` and their parents. 0: the files cannot be read. */
int rmq_states(Engine *e, U from, U count, W *states, uint32_t *parents) {
    return store_read(e, from, count, states, parents);
}

void rmq_event_state(Engine *e, W *out) { memcpy(out, e->event.state, sizeof e->event.state); }

static int compare_fingerprints(const void *a, const void *b) {
    U x = *(const U *)a, y = *(const U *)b;
    return (x > y) - (x < y);
}

/* Gather the fingerprints of one part of all, sorted by bucket, then within buckets. Returns how many; -1: no memory. */
static int64_t sorted_part(Engine *e, int part, int parts, U **out) {
    size_t n = 0;
    for (int i = 0; i < e->count; i++) n += table_count(&e->workers[i].table);
    size_t room = n / parts + n / parts / 8 + 4096, buckets = room / 16 + 1;
    U *all = malloc(room * sizeof(U));
    size_t *ends = calloc(buckets + 1, sizeof(size_t));
    int64_t found = all && ends ? 0 : -1;
    for (int pass = 0; pass < 2 && found >= 0; pass++) {
        for (int i = 0; i < e->count; i++)
            for (int k = 0; k < SEGMENTS; k++) {
                Segment *s = &e->workers[i].table.segments[k];
                for (size_t j = 0; j < s->size + SLACK; j++) {
                    unsigned __int128 place = (unsigned __int128)s->slots[j] * parts; /* part, and where in it */
                    if (!s->slots[j] || (int)(place >> 64) != part) continue;
                    size_t bucket = (size_t)((unsigned __int128)(U)place * buckets >> 64);
                    if (pass) all[ends[bucket]++] = s->slots[j];
                    else ends[bucket + 1]++, found++;
                }
            }
        if (pass) break;
        for (size_t b = 0; b < buckets; b++) ends[b + 1] += ends[b];
        if ((size_t)found > room) found = -1; /* no hash is that uneven */
    }
    size_t from = 0;
    for (size_t b = 0; found > 0 && b < buckets; from = ends[b++])
        qsort(all + from, ends[b] - from, sizeof(U), compare_fingerprints);
    free(ends);
    *out = all;
    return found;
}

/* The smallest distance between two fingerprints; 0: not known, since they are on disk or there is no memory. */
U rmq_smallest_distance(Engine *e) {
    if (e->flushed) return 0;
    int parts = e->distinct > 1 << 20 ? 8 : 1; /* in parts, so that it takes a byte for each and not eight */
    U best = ~(U)0, last = 0;
    for (int part = 0; part < parts; part++) {
        U *all;
        int64_t n = sorted_part(e, part, parts, &all);
        for (int64_t i = 0; i < n; i++) {
            if (last && all[i] - last < best) best = all[i] - last;
            last = all[i];
        }
        free(all);
        if (n < 0) return 0;
    }
    return best == ~(U)0 ? 0 : best;
}
