/* The user's own configuration: what models of others cannot decide. */
#ifndef LMB_CLI_CONFIG_H
#define LMB_CLI_CONFIG_H

#include "cli/verb.h"

typedef struct lmb_config {
    bool trust;          /* geometry scripts run, as with --trust */
    double meshing_time; /* seconds that gmsh may take for a mesh; 0: the usual time */
} lmb_config;

/* Reads $XDG_CONFIG_HOME/limber/config.yaml, or ~/.config/limber/config.yaml; where there is none,
 * nothing is set. */
lmb_status lmb_config_read(const lmb_arguments *arguments, lmb_config *out);

#endif
