/* What the verbs of studies share: their options, files and pages. */
#ifndef LMB_CLI_STUDIES_H
#define LMB_CLI_STUDIES_H

#include "cli/load.h"
#include "report/study_sheet.h"

#define LMB_STUDY_OPTIONS                                                                          \
    {"--study NAME", "Which study of the model; needed where there are several of this type."},    \
        {"--jobs N", "Run the model by so many threads at once (default: as many as there are "    \
                     "processors); the numbers do not depend on it."},                             \
        {"--resume",                                                                               \
         "Go on with a study that was interrupted or killed: what it has tried is not "            \
         "run again."},                                                                            \
        {LMB_WAIT_OPTION}, {LMB_SET_OPTION}, {LMB_TRUST_OPTION},                                   \
        {"--quiet", "Show no progress; errors and warnings are still shown."},                     \
    {                                                                                              \
        "--json", "Print JSON."                                                                    \
    }

/* A study as a verb makes it. */
typedef struct lmb_study_verb {
    const lmb_arguments *arguments;
    lmb_spec *spec;
    lmb_study_options options;
    const char *stem; /* of files beside: "half-car-comfort" */
    lmb_sheet sheet;
    void *results;                             /* where the results are handed out */
    void (*fill)(struct lmb_study_verb *verb); /* the sheet */
} lmb_study_verb;

/* Reads the model and the options; `kind` is that of the study. */
lmb_status lmb_study_start(lmb_study_verb *verb, const lmb_arguments *arguments,
                           lmb_study_kind kind);

/* Writes the files of -o that are pages or pictures, and says where all is. */
lmb_status lmb_study_files(lmb_study_verb *verb);

/* Writes values of parameters as a file for --set @FILE, and says so. */
lmb_status lmb_study_set_file(lmb_study_verb *verb, const char *what, int count,
                              const char *const *names, const double *values);

/* A study has ended with a status: fills its sheet and prints it, unless JSON is wanted; or gives a
 * hint after one that was interrupted. */
lmb_status lmb_study_ended(lmb_study_verb *verb, lmb_status status);

#endif
