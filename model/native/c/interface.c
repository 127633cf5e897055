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
        w->idle = STATE_ANTECEDENTS;
        w->idle_steps = STEP_ANTECEDENTS;
        w->runs.file = -1;
        if (!table_new(&w->table)) event_end(w, NO_MEMORY);
    }
    return e;
}

/* Where states, parents and the fingerprints of each worker go: open files, which the engine closes. */
int rmq_files(Engine *e, int states, int parents, const int32_t *fingerprints) {
    e->states_file = states;
    e->parents_file = parents;
    for (int i = 0; i < e->count; i++) {
        e->workers[i].runs.file = fingerprints[i];
        if (!(e->workers[i].runs.page = malloc(PAGE * sizeof(F)))) return 0;
    }
    return 1;
}

/* Let go of all that a worker searches with. */
static void worker_free(Worker *w) {
    void **columns[] = {(void **)&w->context.out, (void **)&w->context.actions, (void **)&w->context.arguments,
                        (void **)&w->hashes, (void **)&w->unseen, (void **)&w->firsts, (void **)&w->fresh,
                        (void **)&w->sought, (void **)&w->known};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        free(*columns[i]);
        *columns[i] = 0;
    }
    w->fresh_room = 0;
    table_free(&w->table);
    free(w->awaited.items);
    w->awaited = (Buffer){0};
    for (int o = 0; o < MOST_WORKERS; o++) {
        free(w->outgoing[o].items);
        w->outgoing[o] = (Buffer){0};
    }
}

/* After the search: its states and parents are asked for, and nothing else. */
void rmq_trim(Engine *e) {
    for (int i = 0; i < e->count; i++) worker_free(&e->workers[i]);
}

void rmq_free(Engine *e) {
    rmq_trim(e);
    for (int i = 0; i < e->count; i++) runs_free(&e->workers[i].runs);
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
 * peak, saved, checksum, spilled states, fingerprints on disk, problem, properties whose antecedents were never true. */
void rmq_numbers(Engine *e, U *out) {
    U total = 0, cut = 0, filed = 0, idle = ~(U)0, bytes = bytes_of(e);
    for (int i = 0; i < e->count; i++) {
        total += e->workers[i].counts.total;
        cut += e->workers[i].counts.cut;
        filed += e->workers[i].runs.length;
        idle &= e->workers[i].idle | e->workers[i].idle_steps;
    }
    if (bytes > e->peak) e->peak = bytes;
    U values[] = {e->distinct, total, e->depth, e->initial, cut, e->expanded, e->level, e->level_end, (U)e->event.kind,
                  (U)e->event.index, e->event.key, (U)e->event.order, (U)e->event.has_state, bytes, e->peak, e->saved,
                  e->checksum, e->base, filed, (U)e->problem, idle};
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
    compute_constants(e);
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
            F f = judge(first, 0, states + i * STATE_WORDS, 0);
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
    first->idle &= numbers[20];
    first->idle_steps &= numbers[20];
    for (int a = 0; a < ACTIONS; a++) {
        first->counts.enabled[a] = coverage[3 * a];
        first->counts.generated[a] = coverage[3 * a + 1];
        first->distinct[a] = coverage[3 * a + 2];
    }
    int whole = e->expanded <= e->level_end && e->level_end <= e->distinct;
    return e->checksum == numbers[16] && whole ? RUNNING : FAILURE;
}

int rmq_state_words(void) { return STATE_WORDS; }

/* States `from`..`from + count` and their parents. 0: the files cannot be read. */
int rmq_states(Engine *e, U from, U count, W *states, uint32_t *parents) {
    return store_read(e, from, count, states, parents);
}

void rmq_event_state(Engine *e, W *out) { memcpy(out, e->event.state, sizeof e->event.state); }

/* A segment's fingerprints by rank: what has no free slot between it can be out of order, nothing else. */
typedef struct { const Segment *segment; size_t at, count, next, room; F *ranks; } Ranks;

/* Make ranks[next] the next one. 1: it is, 0: there is none, -1: no memory. */
static int ranks_next(Ranks *r) {
    const Segment *s = r->segment;
    if (++r->next < r->count) return 1;
    while (r->at < s->size + SLACK && !s->slots[r->at]) r->at++;
    for (r->next = r->count = 0; r->at < s->size + SLACK && s->slots[r->at]; r->at++) {
        if (r->count == r->room) {
            F *ranks = realloc(r->ranks, (r->room += r->room + 64) * sizeof(F));
            if (!ranks) return -1;
            r->ranks = ranks;
        }
        F rank = rank_(s->slots[r->at]);
        size_t place = r->count++;
        for (; place && r->ranks[place - 1] > rank; place--) r->ranks[place] = r->ranks[place - 1];
        r->ranks[place] = rank;
    }
    return r->count > 0;
}

/* The smallest distance between two fingerprints in the order of their ranks, which is as random as any: the bits of a
 * double. 0: not known, since they are on disk or there is no memory. */
U rmq_smallest_distance(Engine *e) {
    F best = ~(F)0, last = 0;
    Ranks owners[MOST_WORKERS] = {0};
    for (int k = 0; k < SEGMENTS && !e->flushed; k++) {
        int left[MOST_WORKERS];
        for (int i = 0; i < e->count; i++) {
            Ranks *r = &owners[i];
            *r = (Ranks){&e->workers[i].table.segments[k], .room = r->room, .ranks = r->ranks};
            left[i] = ranks_next(r);
        }
        for (;;) {
            int least = -1;
            for (int i = 0; i < e->count; i++) {
                if (left[i] < 0) best = 0;
                if (left[i] > 0 && (least < 0 || owners[i].ranks[owners[i].next] < owners[least].ranks[owners[least].next]))
                    least = i;
            }
            if (least < 0 || !best) break;
            F rank = owners[least].ranks[owners[least].next];
            if (last && rank - last < best) best = rank - last;
            last = rank;
            left[least] = ranks_next(&owners[least]);
        }
    }
    for (int i = 0; i < e->count; i++) free(owners[i].ranks);
    double found = e->flushed || best == ~(F)0 ? 0 : (double)best;
    U bits;
    memcpy(&bits, &found, sizeof bits);
    return bits;
}

/* known[i]: whether the search has met this state; up to the first that cannot be judged. 0: the files cannot be read. */
int rmq_known(Engine *e, const W *states, U count, uint8_t *known) {
    Worker *first = &e->workers[0];
    Event found = first->event;
    first->event = (Event){.key = NO_KEY};
    int whole = 1;
    memset(known, 0, count);
    for (U i = 0; i < count && whole; i++) {
        fetch_ahead(first, states + i * STATE_WORDS, count - i);
        F f = judge(first, 0, states + i * STATE_WORDS, 0);
        if (first->event.status) break;
        if (!f) continue;
        Worker *owner = &e->workers[owner_of(e, f)];
        Sought sought = {rank_(f), 0};
        known[i] = (uint8_t)table_has(&owner->table, f);
        if (!known[i] && e->flushed) whole = runs_find(&owner->runs, &sought, 1, &known[i]);
    }
    first->event = found;
    return whole;
}
