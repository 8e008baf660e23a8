/* limber export --loads: load cases for finite element programs. */
#ifndef LMB_CLI_EXPORT_LOADS_H
#define LMB_CLI_EXPORT_LOADS_H

#include "cli/typed.h"
#include "export/load_cases.h"

/* Options of load cases */
typedef struct lmb_typed_loads {
    const char *path;
    bool displacements;
    lmb_load_choice choice;
} lmb_typed_loads;

/* Read the options and refuse invalid combinations. */
lmb_typed_loads lmb_typed_loads_read(const lmb_arguments *arguments);

/* Write the load cases of the body given by --loads and print a summary. */
lmb_status lmb_export_loads(const lmb_arguments *arguments, lmb_result *result, int analysis,
                            const lmb_typed_loads *typed);

#endif
