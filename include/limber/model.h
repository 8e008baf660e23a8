/* Models: a mechanism read from a file, ready to be analysed. */
#ifndef LIMBER_MODEL_H
#define LIMBER_MODEL_H

#include "limber/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a model file says: a tree of names and texts that can be changed before it is compiled. */
typedef struct lmb_spec lmb_spec;

/* A compiled model: constant; several threads may use it at once. */
typedef struct lmb_model lmb_model;

/* Reads a model file (YAML or JSON). */
LMB_API lmb_status lmb_spec_load(lmb_spec **out, lmb_context *context, const char *path);

/* Reads a model from a text; `name` stands for the file in messages. */
LMB_API lmb_status lmb_spec_parse(lmb_spec **out, lmb_context *context, const char *name,
                                  const char *text);
LMB_API void lmb_spec_free(lmb_spec *spec);

/* Changes a parameter: the value is a number or an expression. */
LMB_API lmb_status lmb_spec_set(lmb_spec *spec, lmb_context *context, const char *parameter,
                                const char *value);

/* Compiles a model; all that is wrong with it is said in the context. The model does not need the
 * spec any more. */
LMB_API lmb_status lmb_model_compile(lmb_model **out, lmb_context *context, const lmb_spec *spec);
LMB_API void lmb_model_free(lmb_model *model);

/* The analyses of a model, in order. */
LMB_API int lmb_model_analysis_count(const lmb_model *model);
LMB_API const char *lmb_model_analysis_name(const lmb_model *model, int analysis);

/* Counts of a model at the assembled position. */
typedef struct lmb_mobility {
    int bodies;        /* without the ground */
    int coordinates;   /* velocity coordinates */
    int joint_rows;    /* equations of the joints */
    int driver_rows;   /* equations of the drivers */
    int rank;          /* independent ones among all equations */
    int redundant;     /* the others */
    int free;          /* degrees of freedom with the drivers: coordinates - rank */
    int free_undriven; /* degrees of freedom without the drivers */
} lmb_mobility;

#ifdef __cplusplus
}
#endif
#endif
