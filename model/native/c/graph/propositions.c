/* Functions on behaviour graphs, for the liveness check: compiled by themselves, the same for every model.
 *
 * States and steps have numbers; the steps of state n are those from first[n] to before first[n + 1], and step e leads
 * to state heads[e]. What is known of a predicate lies in two bits for each state, or step: 0 not evaluated, 1 false,
 * 2 true. What is not evaluated is asked for: `answer` fills the place in.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t U;

enum { NO_MEMORY = -1, ASKED_IN_VAIN = -2, STOPPED = -3, TOO_MANY = -4 };
enum { FALSE_, TRUE_, ATOM, NEGATED, AND, OR }; /* kinds of formulas */
enum { PATIENCE = 1 << 20 }; /* edges between two questions whether to stop */

typedef struct Formula { int32_t kind, atom, first, count; } Formula; /* parts: `children` from `first` on */

typedef struct Atom { int32_t step; uint8_t *places; } Atom;

typedef struct Propositions {
    const Formula *formulas;
    const int32_t *children;
    const Atom *atoms;
    int (*answer)(int32_t atom, U state, U step); /* the place's new content; 0: there is none */
    int (*stop)(void);
    jmp_buf *out;
} Propositions;

static inline int known_(const uint8_t *places, U i) { return places[i >> 2] >> ((i & 3) << 1) & 3; }

static int atom_(const Propositions *p, int32_t atom, U state, U step) {
    const Atom *a = &p->atoms[atom];
    int known = known_(a->places, a->step ? step : state);
    if (!known && !(known = p->answer(atom, state, step))) longjmp(*p->out, ASKED_IN_VAIN);
    return known == 2;
}

static int holds_(const Propositions *p, int32_t formula, U state, U step) {
    const Formula *f = &p->formulas[formula];
    switch (f->kind) {
    case ATOM: return atom_(p, f->atom, state, step);
    case NEGATED: return !atom_(p, f->atom, state, step);
    case AND:
        for (int32_t i = 0; i < f->count; i++)
            if (!holds_(p, p->children[f->first + i], state, step)) return 0;
        return 1;
    case OR:
        for (int32_t i = 0; i < f->count; i++)
            if (holds_(p, p->children[f->first + i], state, step)) return 1;
        return 0;
    }
    return f->kind == TRUE_;
}

static void *column_(const Propositions *p, void *column, size_t count, size_t size) {
    void *larger = realloc(column, (count ? count : 1) * size);
    if (!larger) longjmp(*p->out, NO_MEMORY);
    return larger;
}
