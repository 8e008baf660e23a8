/* What `limber modes` and `limber response` linearise about, as typed. */
#ifndef LMB_CLI_LINEAR_H
#define LMB_CLI_LINEAR_H

#include "analysis/steadiness.h"
#include "base/json.h"
#include "cli/typed.h"
#include "run/operating_point.h"

#define LMB_LINEAR_OPTIONS                                                                         \
    {"--as-placed", "Linearise about the motion that begins at the assembled position with the "   \
                    "velocities of the model, instead of about static equilibrium."},              \
        {"--analysis NAME",                                                                        \
         "Linearise with what acts in this analysis: about the motion in which it begins, or "     \
         "about static equilibrium where it is not over time."},                                   \
    {                                                                                              \
        "--observer BODY", "The body that bodies without joint coordinates are seen from "         \
                           "(default: ground)."                                                    \
    }
#define LMB_LINEAR_USAGE "[--as-placed] [--analysis NAME] [--observer BODY]"

/* The number of the analysis of --analysis, -1 without it; LMB_BAD_INPUT where there is none. */
lmb_status lmb_typed_analysis(const lmb_arguments *arguments, const lmb_model *model, int *out);

typedef struct lmb_linear_point {
    lmb_operating_point at;
    lmb_small_motion *motion;  /* NULL where only the lowest modes are found */
    lmb_steadiness steadiness; /* lmb_linear_point_judge */
    double period;
} lmb_linear_point;

/* Goes there and linearises. Free it also after a failure. */
lmb_status lmb_linear_point_find(const lmb_arguments *arguments, const lmb_model *model,
                                 lmb_linear_point *out);
void lmb_linear_point_free(lmb_linear_point *point);

/* Says what kind of motion it is about, unless that is an equilibrium: that the matrix is frozen,
 * as a warning. */
lmb_status lmb_linear_point_judge(const lmb_arguments *arguments, lmb_linear_point *point);

/* The same for JSON: "about", "time", "period" of a periodic motion, and the names of the states.
 */
void lmb_linear_point_json(const lmb_linear_point *point, lmb_json *json);

#endif
