/* The options that describe a bearing, which several verbs have. */
#ifndef LMB_CLI_BEARING_OPTIONS_H
#define LMB_CLI_BEARING_OPTIONS_H

#include "signal/bearing.h"
#include "cli/verb.h"

#define LMB_BEARING_OPTIONS                                                                        \
    {"--inner", NULL, "D", false,                                                                  \
     "Diameter on which the balls run inside, in the unit of the other diameters."},               \
        {"--outer", NULL, "D", false, "Diameter on which the balls run outside."},                 \
        {"--pitch", NULL, "D", false,                                                              \
         "Diameter of the circle of the balls' centres, instead of --inner and --outer."},         \
        {"--ball", NULL, "D", false, "Diameter of a ball or roller; with --pitch."},               \
        {"--balls", NULL, "N", false, "Number of balls or rollers."},                              \
        {"--angle", NULL, "A", false, "Contact angle in degrees (default: 0)."},                   \
        {"--rotating", NULL, "RACE", false,                                                        \
         "The race that turns, inner (default) or outer; the other is at rest."},                  \
    {                                                                                              \
        "--rpm", NULL, "N", false, "Turns of the shaft (of that race) a minute."                   \
    }

/* Reads the shaft's frequency in Hz from --rpm, 0 when it was not given. */
lmb_status lmb_typed_shaft(const lmb_arguments *arguments, double *shaft);

/* Reads the bearing; *given is false when there is none of its options. */
lmb_status lmb_typed_bearing(const lmb_arguments *arguments, lmb_bearing *bearing, bool *given);

#endif
