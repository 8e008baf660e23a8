/* Reading the model, or the reduced body, that a verb was given. */
#ifndef LMB_CLI_LOAD_H
#define LMB_CLI_LOAD_H

#include "cli/typed.h"
#include "limber/model.h"
#include "limber/reduction.h"
#include "store/body_file.h"

/* Reads the model named by the first word, with its --set options, --trust, --wait and
 * --no-cache; it lives as long as the arguments. */
lmb_status lmb_load_spec(const lmb_arguments *arguments, lmb_spec **out);

/* Compiles a spec of the arguments into a model that lives as long as they do. */
lmb_status lmb_compile_spec(const lmb_arguments *arguments, const lmb_spec *spec, lmb_model **out);

/* Loads and compiles the model named by the first word, with its --set options. It lives as long as
 * the arguments. */
lmb_status lmb_load_model(const lmb_arguments *arguments, lmb_model **out);

/* The same with a further parameter set, if its name is not NULL. */
lmb_status lmb_load_model_with(const lmb_arguments *arguments, const char *name, const char *value,
                               lmb_model **out);

/* Reads the body file, or reduces (or takes from the cache) the body --body of the model, the only
 * one without that option. With `untied`, also compute frequencies without ties. Shows progress
 * unless `quiet`. */
lmb_status lmb_load_body(const lmb_arguments *arguments, bool quiet, bool untied,
                         lmb_reduced_body **out);

#endif
