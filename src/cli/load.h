/* Reading the model that a verb was given, with its --set options. */
#ifndef LMB_CLI_LOAD_H
#define LMB_CLI_LOAD_H

#include "cli/verb.h"
#include "limber/model.h"

/* The option that these verbs share. */
#define LMB_SET_OPTION                                                                             \
    {                                                                                              \
        "--set", NULL, "NAME=VALUE", true,                                                         \
            "Change a parameter of the model; VALUE is a number or an expression."                 \
    }

/* Loads and compiles the model named by the first word. */
lmb_status lmb_load_model(const lmb_arguments *arguments, lmb_model **out);

#endif
