/* What a state becomes under SYMMETRY: one of its images, the same for all of them. It is its key, unless VIEW is.
 *
 * Where PERMUTATIONS are listed it is the least image. Else all permutations of some sets of atoms are meant (ORBITS), and
 * most of them are not tried: each atom has a colour that says how it occurs in the state, and only permutations that
 * put the atoms of a set in the order of their colours are, of those that exchange twins (atoms whose exchange leaves the
 * state as it is) one. An image of the state has the same colours at the images of the atoms, so that the same images are
 * tried for it.
 *
 * Generated code before this text defines image_, before_ (IN_VALUE_ORDER), and for ORBITS ATOMS, MOVED, orbit_starts_,
 * orbit_atoms_, coloured_.
 */
#ifdef PERMUTATIONS
static void canonical_(Ctx *c, const S *s, const W *state, W *w) {
    memcpy(w, state, STATE_WORDS * sizeof(W));
    W image[STATE_WORDS];
#if IN_VALUE_ORDER
    W highest[STATE_WORDS];
    S least, other;
    memset(highest, 0xFF, sizeof highest); /* so that images are made to their end */
    unpack_(state, &least);
    for (int g = 0; g < PERMUTATIONS; g++) {
        image_(c, s, g, state, highest, image);
        unpack_(image, &other);
        if (!before_(&other, &least)) continue;
        least = other;
        memcpy(w, image, sizeof image);
    }
#else
    for (int g = 0; g < PERMUTATIONS; g++)
        if (image_(c, s, g, state, w, image) < 0) memcpy(w, image, sizeof image);
#endif
}
#endif

#ifdef ORBITS
enum { MOST_ROUNDS = 3 };

/* How many colours there are in an orbit, whose atoms are put in their order. */
static int sort_by_colour(int16_t *atoms, int count, const U *colour) {
    int told = 1;
    for (int i = 1; i < count; i++) {
        int16_t x = atoms[i];
        int at = i;
        for (; at && colour[atoms[at - 1]] > colour[x]; at--) atoms[at] = atoms[at - 1];
        atoms[at] = x;
    }
    for (int i = 1; i < count; i++) told += colour[atoms[i - 1]] != colour[atoms[i]];
    return told;
}

/* Give each atom a colour, by what it is in the state, and order the atoms of each orbit by it. */
static void refine_colours(Ctx *c, const S *s, U *colour, int16_t *order) {
    for (int i = 0; i < ATOMS; i++) colour[i] = mixed_((U)i + 1);
    for (int k = 0; k < ORBITS; k++)
        for (int i = orbit_starts_[k]; i < orbit_starts_[k + 1]; i++) colour[orbit_atoms_[i]] = mixed_((U)ATOMS + k + 1);
    for (int round = 0, told = 0, before; round < MOST_ROUNDS; round++) {
        U next[MOVED];
        for (int i = 0; i < MOVED; i++) {
            int16_t atom = orbit_atoms_[i];
            U own = colour[atom];
            colour[atom] = mixed_(own + 1);
            next[i] = mixed_(own ^ coloured_(c, s, colour));
            colour[atom] = own;
        }
        for (int i = 0; i < MOVED; i++) colour[orbit_atoms_[i]] = next[i];
        before = told;
        told = 0;
        for (int k = 0; k < ORBITS; k++)
            told += sort_by_colour(order + orbit_starts_[k], orbit_starts_[k + 1] - orbit_starts_[k], colour);
        if (told == MOVED || told == before) break;
    }
}

/* The atoms of one colour: class[i] is the first place with a twin of the atom at place i. */
static void find_twins(Ctx *c, const S *s, const W *state, const int16_t *order, int from, int to, int16_t *class) {
    int16_t g[ATOMS];
    for (int i = 0; i < ATOMS; i++) g[i] = (int16_t)i;
    for (int i = from; i < to; i++) {
        class[i] = (int16_t)i;
        for (int r = from; r < i && class[i] == i; r++) {
            if (class[r] != r) continue;
            W image[STATE_WORDS];
            g[order[i]] = order[r];
            g[order[r]] = order[i];
            if (!image_(c, s, g, state, state, image)) class[i] = (int16_t)r;
            g[order[i]] = order[i];
            g[order[r]] = order[r];
        }
    }
}

/* The next order of what is at from..to, as words are in a dictionary. 0: it is the first again. */
static int next_order(int16_t *of, int from, int to) {
    int i = to - 1;
    while (i > from && of[i - 1] >= of[i]) i--;
    for (int a = i, b = to - 1; a < b; a++, b--) {
        int16_t swap = of[a];
        of[a] = of[b];
        of[b] = swap;
    }
    if (i <= from) return 0;
    int j = i;
    while (of[j] <= of[i - 1]) j++;
    int16_t swap = of[j];
    of[j] = of[i - 1];
    of[i - 1] = swap;
    return 1;
}

static void canonical_(Ctx *c, const S *s, const W *state, W *w) {
    U colour[ATOMS];
    int16_t order[MOVED], class[MOVED], placed[MOVED], after[MOVED], next[MOVED], starts[MOVED + 1], g[ATOMS];
    int blocks = 0, more = 1;
    memcpy(order, orbit_atoms_, sizeof order);
    refine_colours(c, s, colour, order);
    for (int k = 0; k < ORBITS; k++)
        for (int i = orbit_starts_[k]; i < orbit_starts_[k + 1]; i++)
            if (i == orbit_starts_[k] || colour[order[i]] != colour[order[i - 1]]) starts[blocks++] = (int16_t)i;
    starts[blocks] = MOVED;
    for (int b = 0; b < blocks; b++) {
        find_twins(c, s, state, order, starts[b], starts[b + 1], class);
        for (int i = starts[b]; i < starts[b + 1]; i++) {
            int at = i;
            for (; at > starts[b] && placed[at - 1] > class[i]; at--) placed[at] = placed[at - 1];
            placed[at] = class[i];
            for (after[i] = (int16_t)(i + 1); after[i] < starts[b + 1] && class[after[i]] != class[i];) after[i]++;
        }
    }
    for (int i = 0; i < ATOMS; i++) g[i] = (int16_t)i;
    memset(w, 0xFF, STATE_WORDS * sizeof(W)); /* no image is larger */
    for (int first = 1; more; first = 0) {
        W image[STATE_WORDS];
        for (int i = 0; i < MOVED; i++) next[i] = (int16_t)i;
        for (int i = 0; i < MOVED; i++) {
            int atom = next[placed[i]];
            next[placed[i]] = after[atom];
            g[order[atom]] = orbit_atoms_[i];
        }
        if (image_(c, s, g, state, w, image) < 0 || first) memcpy(w, image, sizeof image);
        more = 0;
        for (int b = 0; b < blocks && !more; b++) more = next_order(placed, starts[b], starts[b + 1]);
    }
}
#endif
