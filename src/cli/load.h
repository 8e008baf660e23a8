/* Reading the model that a verb was given, with its --set options. */
#ifndef LMB_CLI_LOAD_H
#define LMB_CLI_LOAD_H

#include "cli/verb.h"
#include "limber/model.h"

/* The options that these verbs share. */
#define LMB_SET_OPTION                                                                             \
    {                                                                                              \
        "--set", NULL, "NAME=VALUE", true,                                                         \
            "Change a parameter of the model; VALUE is a number or an expression."                 \
    }

#define LMB_AS_PLACED_OPTION                                                                       \
    {                                                                                              \
        "--as-placed", NULL, NULL, false,                                                          \
            "Linearise about the assembled position and the velocities of the model instead of "   \
            "about static equilibrium."                                                            \
    }

#define LMB_CACHE_OPTION                                                                           \
    {                                                                                              \
        "--no-cache", NULL, NULL, false,                                                           \
            "Reduce anew, and neither read nor write the folder .limber-cache beside the model."   \
    }

/* Loads the model named by the first word, with its --set options. */
lmb_status lmb_load_spec(const lmb_arguments *arguments, lmb_spec **out);

/* Loads and compiles the model named by the first word. */
lmb_status lmb_load_model(const lmb_arguments *arguments, lmb_model **out);

/* The same of a model that must have bodies, not a rotor alone. */
lmb_status lmb_load_mechanism(const lmb_arguments *arguments, lmb_model **out);

#endif
