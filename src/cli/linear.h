/* What `limber modes` and `limber response` linearise about, as typed. */
#ifndef LMB_CLI_LINEAR_H
#define LMB_CLI_LINEAR_H

#include "base/json.h"
#include "cli/typed.h"
#include "limber/linear.h"

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

/* Goes there, or NULL. */
lmb_status lmb_typed_linear(const lmb_arguments *arguments, const lmb_model *model,
                            lmb_linearised **out);

/* Says what kind of motion it is about, unless that is an equilibrium: that the matrix is frozen,
 * as a warning. */
lmb_status lmb_linearised_tell(lmb_linearised *linear, lmb_linearised_about *out);

/* The same for JSON: "about", "time", "load" on a path, "period" of a periodic motion, and the
 * names of the states. */
void lmb_linearised_json(const lmb_linearised_about *about, lmb_json *json);

#endif
