/* The table of analyses: what each computes, and how.
 *
 * An analysis over time starts a course, which is moved on from instant to instant. The others go
 * from an assembled position to the one that they look for, and have a row of results for it or for
 * each of their modes. */
#ifndef LMB_ANALYSIS_ANALYSIS_H
#define LMB_ANALYSIS_ANALYSIS_H

#include "analysis/dynamics.h"
#include "analysis/kinematics.h"

/* A motion on its way: prescribed, or integrated. */
typedef struct lmb_course {
    lmb_kinematics *kinematics; /* one of the two, */
    lmb_dynamics *dynamics;     /* NULL before it has started */
    const lmb_state *state;
    const lmb_mobility *counts; /* as it begins: events may release joints */
} lmb_course;

lmb_status lmb_course_advance(lmb_course *course, double t);
bool lmb_course_stopped(const lmb_course *course); /* by an event */
void lmb_course_free(lmb_course *course);

/* Takes a row of results: a state that was solved and where it belongs, an instant, the number of a
 * mode or a load factor; `more` has what is known besides: of a mode its frequency, its damping and
 * the two parts of its eigenvalue, of a point of a path its load factor, the
 * number of unstable directions and what it is (0: any point, 1: limit point, 2: bifurcation); or
 * it is NULL. */
typedef lmb_status lmb_take_row(void *user, const lmb_state *state, double at, const double *more);

typedef struct lmb_analysis_kind {
    const char *name, *doc; /* the doc: what it computes, without its full stop */
    unsigned known;         /* lmb_known */
    const char *timeless;   /* "statics takes": it has no duration; NULL: it goes over time */
    const char *over;       /* what its rows are over; NULL: time */
    const char *over_doc;

    /* Over time: starts from a state. */
    lmb_status (*start)(lmb_course *course, lmb_context *context, const lmb_state *initial,
                        const lmb_analysis *analysis);

    /* Timeless: moves an assembled mechanism to where it is looked for; NULL: it is there. */
    lmb_status (*solve)(lmb_solver *solver, const lmb_analysis *analysis);

    /* Timeless: its rows; NULL: one, the state. */
    lmb_status (*rows)(lmb_solver *solver, const lmb_analysis *analysis, lmb_take_row *take,
                       void *user);
} lmb_analysis_kind;

extern const lmb_analysis_kind lmb_analysis_assembly, lmb_analysis_kinematics,
    lmb_analysis_inverse_dynamics, lmb_analysis_dynamics, lmb_analysis_statics, lmb_analysis_modes;

/* Statics with `follow`: a path of equilibria over the load factor, or over its points. */
extern const lmb_analysis_kind lmb_analysis_load_path, lmb_analysis_arc_path;

/* All of them, ended by NULL. */
extern const lmb_analysis_kind *const lmb_analysis_kinds[];

/* Whether an analysis is integrated: drivers do not determine deformations and first-order states.
 */
bool lmb_analysis_is_integrated(const lmb_model *model, const lmb_analysis *analysis);

/* Starts a course that is integrated. */
lmb_status lmb_course_integrate(lmb_course *course, lmb_context *context, const lmb_state *initial,
                                const lmb_analysis *analysis);

#endif
