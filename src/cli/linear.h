/* What `limber modes` and `limber response` linearise about, as typed. */
#ifndef LMB_CLI_LINEAR_H
#define LMB_CLI_LINEAR_H

#include "analysis/modes.h"
#include "analysis/steadiness.h"
#include "base/json.h"
#include "cli/typed.h"
#include "run/operating_point.h"

#define LMB_LINEAR_OPTIONS                                                                         \
    {"--as-placed", "Linearise about the motion that begins at the assembled position with the "   \
                    "velocities of the model, instead of about static equilibrium."},              \
        {"--analysis NAME",                                                                        \
         "Linearise with what acts in this analysis: about the motion in which it begins, about "  \
         "the end of a path of equilibria, or about static equilibrium where it is not over "      \
         "time."},                                                                                 \
        {"--steady", "Linearise about the steady motion near that motion, in which nothing moves " \
                     "as the coordinates see it: a blade that has settled on a turning hub."},     \
        {"--at X", "The time of the analysis, or the load factor of its path, to linearise at."},  \
    {                                                                                              \
        "--observer BODY", "The body that bodies without joint coordinates are seen from "         \
                           "(default: ground)."                                                    \
    }
#define LMB_LINEAR_USAGE "[--as-placed] [--analysis NAME [--at X]] [--steady] [--observer BODY]"

/* The number of the analysis of --analysis, -1 without it; LMB_BAD_INPUT where there is none. */
lmb_status lmb_typed_analysis(const lmb_arguments *arguments, const lmb_model *model, int *out);

typedef struct lmb_linear_point {
    lmb_operating_point at;
    lmb_small_motion *motion;  /* with full matrices, */
    lmb_sparse_motion *sparse; /* or with sparse ones, in large models; or neither: see below */
    lmb_steadiness steadiness; /* lmb_linear_point_judge */
    double period;
} lmb_linear_point;

/* What a linearisation is for. */
typedef enum lmb_linear_use {
    LMB_LINEAR_MODES, /* symmetric equations of large models are left to lmb_linear_point_modes */
    LMB_LINEAR_RESPONSE,
    LMB_LINEAR_MATRICES /* full matrices in any case */
} lmb_linear_use;

/* Goes there and linearises. Free it also after a failure. */
lmb_status lmb_linear_point_find(const lmb_arguments *arguments, const lmb_model *model,
                                 lmb_linear_use use, lmb_linear_point *out);
void lmb_linear_point_free(lmb_linear_point *point);

/* The lowest `count` modes there; 0: all, or as many as usual in large models. */
lmb_status lmb_linear_point_modes(const lmb_linear_point *point, int count, lmb_mode_list *out);

/* Says what kind of motion it is about, unless that is an equilibrium: that the matrix is frozen,
 * as a warning. */
lmb_status lmb_linear_point_judge(const lmb_arguments *arguments, lmb_linear_point *point);

/* The same for JSON: "about", "time", "load" on a path, "period" of a periodic motion, and the
 * names of the states. */
void lmb_linear_point_json(const lmb_linear_point *point, lmb_json *json);

#endif
