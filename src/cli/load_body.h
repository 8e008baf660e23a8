/* Getting the reduced body that a verb was given: a body file, or a flexible body of a model. */
#ifndef LMB_CLI_LOAD_BODY_H
#define LMB_CLI_LOAD_BODY_H

#include "cli/load.h"
#include "store/body_file.h"

#define LMB_BODY_OPTION(doc)                                                                       \
    {                                                                                              \
        "--body", NULL, "NAME", false, doc                                                         \
    }

/* Reads the body file, or reduces (or takes from the cache) the body --body of the model, the only
 * one without that option. Shows progress unless it is `quiet`. */
lmb_status lmb_load_body(const lmb_arguments *arguments, bool quiet, lmb_body_data **out,
                         bool *cached);

/* What `limber modes` and `limber matrices` print of a body. */
lmb_status lmb_print_body_modes(const lmb_arguments *arguments);
lmb_status lmb_print_body_matrices(const lmb_arguments *arguments);

#endif
