/* What was typed for the options of a verb: numbers, sizes, lists, and what several verbs share.
 *
 * Reading is sticky: the first mistake is LMB_USAGE, and what comes after it is neither read nor
 * checked. So a verb reads its options, refuses what makes no sense, and looks at
 * *arguments->status once, before it uses any of them. */
#ifndef LMB_CLI_TYPED_H
#define LMB_CLI_TYPED_H

#include <math.h>

#include "base/message.h"
#include "base/span.h"
#include "base/text.h"
#include "cli/verb.h"
#include "compare/counterpart.h"
#include "signal/bearing.h"

/* --- options that several verbs have ---------------------------------------------------------- */

#define LMB_SET_OPTION                                                                             \
    "--set NAME=VALUE ...",                                                                        \
        "Change a parameter of the model; VALUE is a number or an expression. "                    \
        "@FILE changes all that a file lists as 'NAME: VALUE'."

#define LMB_TRUST_OPTION                                                                           \
    "--trust", "Let gmsh run the geometry scripts (.geo) that the model names, which can run any " \
               "command on this computer."

#define LMB_CACHE_OPTION                                                                           \
    "--no-cache", "Reduce anew, and neither read nor write the folder .limber-cache beside the "   \
                  "model."

#define LMB_WAIT_OPTION                                                                            \
    "--wait",                                                                                      \
        "Wait where another process is writing the same result, instead of ending with code 5."

/* A part of a record. */
#define LMB_SPAN_OPTIONS(what)                                                                     \
    {"--from T", what " from the time T (or speed, place) on."},                                   \
    {                                                                                              \
        "--to T", what " up to the time T."                                                        \
    }

/* A bearing and its shaft. */
#define LMB_BEARING_OPTIONS                                                                        \
    {"--inner D", "Diameter on which the balls run inside, in the unit of the other diameters."},  \
        {"--outer D", "Diameter on which the balls run outside."},                                 \
        {"--pitch D",                                                                              \
         "Diameter of the circle of the balls' centres, instead of --inner and --outer."},         \
        {"--ball D", "Diameter of a ball or roller; with --pitch."},                               \
        {"--balls N", "Number of balls or rollers."},                                              \
        {"--angle A", "Contact angle in degrees (default: 0)."},                                   \
        {"--rotating RACE",                                                                        \
         "The race that turns, inner (default) or outer; the other is at rest."},                  \
    {                                                                                              \
        "--rpm N", "Speed of the shaft (of that race), rpm."                                       \
    }

/* Files of measurements, and what a result is compared with. */
#define LMB_MEASURING_OPTIONS                                                                      \
    {"--rate F", "The sampling rate in Hz, where the file does not have times."},                  \
    {                                                                                              \
        "--decimal-comma", "Numbers have decimal commas (found by itself where columns are not "   \
                           "separated by commas)."                                                 \
    }

#define LMB_COUNTERPART_OPTIONS                                                                    \
    {"--column COLUMN=CHANNEL ...",                                                                \
     "Says which channel (or component, or time) a column of a table is, by its name or number "   \
     "(from 1)."},                                                                                 \
        {"--shift S", "Adds S seconds to the times of FILE."}, LMB_MEASURING_OPTIONS

/* --- reading ---------------------------------------------------------------------------------- */

/* Fails with LMB_USAGE if something is wrong; true if it has failed just now, for a hint. */
bool lmb_refuse(const lmb_arguments *arguments, bool wrong, const char *format, ...)
    LMB_PRINTF(3, 4);

/* The number of an option, which must be at least so large; true if it was given. */
#define LMB_ANY_NUMBER (-HUGE_VAL)
#define LMB_ABOVE_ZERO 0x1p-1022
bool lmb_typed_number(const lmb_arguments *arguments, const char *option, double least,
                      double *value);

/* The threads of an option, a whole number; 0 if it was not given. */
int lmb_typed_threads(const lmb_arguments *arguments, const char *option);

/* The width and height of --size, "800x500", up to a limit, unless it was not given. */
void lmb_typed_size(const lmb_arguments *arguments, int most, int *width, int *height);

/* What --from and --to say; all where they are not given. */
lmb_span lmb_typed_span(const lmb_arguments *arguments);

/* The names in the list of an option, separated by commas and ended by NULL; NULL if it was not
 * given. */
char **lmb_typed_names(const lmb_arguments *arguments, const char *option);

/* The bearing, false when there is none of its options; the shaft's frequency in Hz from --rpm, 0
 * when it was not given. */
bool lmb_typed_bearing(const lmb_arguments *arguments, lmb_bearing *bearing);
double lmb_typed_shaft(const lmb_arguments *arguments);

/* The rate and the commas of a measurement, the rate 0 when it was not given; and all options for a
 * file to compare with. */
void lmb_typed_measuring(const lmb_arguments *arguments, double *rate, bool *comma);
lmb_compare_with lmb_typed_counterpart(const lmb_arguments *arguments, const char *path);

/* The name of a file with another ending (".h5"), in the current folder. */
const char *lmb_name_after(const lmb_arguments *arguments, const char *file, const char *ending);

#endif
