/* The options for files of measurements, which several verbs have. */
#ifndef LMB_CLI_MEASURING_OPTIONS_H
#define LMB_CLI_MEASURING_OPTIONS_H

#include "cli/verb.h"

#define LMB_MEASURING_OPTIONS                                                                      \
    {"--rate", NULL, "F", false, "The sampling rate in Hz, where the file does not have times."},  \
    {                                                                                              \
        "--decimal-comma", NULL, NULL, false,                                                      \
            "Numbers have decimal commas (found by itself where columns are not separated by "     \
            "commas)."                                                                             \
    }

/* Reads them; the rate is 0 when it was not given. */
lmb_status lmb_typed_measuring(const lmb_arguments *arguments, double *rate, bool *comma);

#endif
