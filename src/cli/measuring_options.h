/* The options for files of measurements, which several verbs have. */
#ifndef LMB_CLI_MEASURING_OPTIONS_H
#define LMB_CLI_MEASURING_OPTIONS_H

#include "cli/verb.h"
#include "compare/counterpart.h"

#define LMB_MEASURING_OPTIONS                                                                      \
    {"--rate", NULL, "F", false, "The sampling rate in Hz, where the file does not have times."},  \
    {                                                                                              \
        "--decimal-comma", NULL, NULL, false,                                                      \
            "Numbers have decimal commas (found by itself where columns are not separated by "     \
            "commas)."                                                                             \
    }

/* And for what a result is compared with. */
#define LMB_COUNTERPART_OPTIONS                                                                    \
    {"--column", NULL, "COLUMN=CHANNEL", true,                                                     \
     "Says which channel (or component, or time) a column of a table is, by its name or number "   \
     "(from 1)."},                                                                                 \
        {"--shift", NULL, "S", false, "Adds S seconds to the times of FILE."},                     \
        LMB_MEASURING_OPTIONS

/* Reads the first; the rate is 0 when it was not given. */
lmb_status lmb_typed_measuring(const lmb_arguments *arguments, double *rate, bool *comma);

/* Reads all of them, for a file. */
lmb_status lmb_typed_counterpart(const lmb_arguments *arguments, const char *path,
                                 lmb_compare_with *out);

#endif
