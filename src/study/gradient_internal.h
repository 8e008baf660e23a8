/* What the files of `gradient` share: the task of one analysis. */
#ifndef LMB_STUDY_GRADIENT_INTERNAL_H
#define LMB_STUDY_GRADIENT_INTERNAL_H

#include "channels/channels.h"
#include "channels/functional.h"
#include "study/gradient.h"
#include "study/points.h"

/* The objectives of one analysis and the parameters that they are to be differentiated by. */
typedef struct lmb_gradient_task {
    lmb_context *context;
    const lmb_model *model;
    int analysis;
    const int *objectives; /* count: those of the analysis, by their numbers in the model */
    int count;
    const lmb_neighbours *parameters;
    int parameter_count;
    const char *by;      /* the parameter whose neighbour is run; NULL: the model itself is */
    double memory;       /* bytes that the adjoint method may keep of a motion; 0: the usual */
    int jobs;            /* threads for runs of neighbours */
    double *values;      /* count */
    double *derivatives; /* count x parameter_count, by objectives */
    lmb_point_series *history; /* takes values and derivatives at all points; NULL: not wanted */
    bool *not_unique;          /* becomes true where reactions are not, and matter */
    bool settles; /* integrated, but not by choice: steps are shortened until results settle */
    int points;   /* from output to output, if steps are points; 0: all steps */
} lmb_gradient_task;

/* The channels of a model with the objectives of a task. */
lmb_status lmb_task_channels(const lmb_gradient_task *task, const lmb_model *model,
                             lmb_channels **out);

/* The state that its analysis begins from in a model: the model itself, or a neighbour. Free both.
 */
lmb_status lmb_task_initial(const lmb_gradient_task *task, const lmb_model *model,
                            lmb_state **state, lmb_arena **arena);

/* Values of all objectives of a model (the one of the task, or a neighbour) from a series whose
 * points begin with their expressions; weights (count x points; NULL: not wanted) are the
 * derivatives by these. Messages where there is none, or where a gradient is not unique. */
lmb_status lmb_task_functionals(const lmb_gradient_task *task, const lmb_model *model,
                                const lmb_point_series *series, double *values, double *weights);

/* Fails because objective number i of a task is not finite at an instant, or its derivative by a
 * parameter (NULL: its value). */
lmb_status lmb_task_not_finite(const lmb_gradient_task *task, int i, const char *by, double at);

/* Add an error that names the parameter whose neighbour an analysis fails with, unless the last
 * message does or the analysis was interrupted. Returns the status. */
lmb_status lmb_task_fail_neighbour(const lmb_gradient_task *task, lmb_context *context,
                                   lmb_status status, const char *parameter);

/* Adds to the derivatives what parameters do by way of instants and spans ('time', 'from', 'to')
 * and sharpness, with the series as it is. */
lmb_status lmb_task_add_spans(const lmb_gradient_task *task, const lmb_point_series *series);

/* Whether an expression may use work that forces have done, or the balance of energies with it. */
bool lmb_objective_needs_work(const lmb_model *model, const lmb_objective *objective);

/* Refuses objectives and forces that depend on reactions which redundant rows share; epsilon is
 * that of their equations at a state with lambda, updated. */
lmb_status lmb_task_check_reactions(const lmb_gradient_task *task, lmb_channels *channels,
                                    const lmb_state *state, double epsilon);

/* Whether it is looked at after so many points: at the first ones, then less and less often. */
static inline bool lmb_task_checks(int points, double epsilon)
{
    return epsilon > 0 && (points & (points - 1)) == 0;
}

/* Why an analysis has no linearised steps; NULL: it has. */
const char *lmb_no_tangent(const lmb_model *model, const lmb_analysis *analysis);

/* The method for a task, and its run. `base` is the model of the task. */
lmb_status lmb_task_choose(const lmb_gradient_task *task, lmb_gradient_method wanted,
                           lmb_gradient_method *out);
lmb_status lmb_task_run(const lmb_gradient_task *task, lmb_model *base, lmb_gradient_method method);

/* The methods. */
lmb_status lmb_gradient_differences(const lmb_gradient_task *task);
lmb_status lmb_gradient_direct(const lmb_gradient_task *task);
lmb_status lmb_gradient_adjoint(const lmb_gradient_task *task);

#endif
