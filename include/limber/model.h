/* Models: a mechanism read from a file, ready to be analysed. */
#ifndef LIMBER_MODEL_H
#define LIMBER_MODEL_H

#include "limber/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Contents of a model file: a tree of names and values that can be changed before compiling. */
typedef struct lmb_spec lmb_spec;

/* A compiled model: constant, may be shared between threads. */
typedef struct lmb_model lmb_model;

/* Reads a model file (YAML or JSON). */
LMB_API lmb_status lmb_spec_load(lmb_spec **out, lmb_context *context, const char *path);

/* Reads a model from a string; `name` is used in place of the file name in messages. */
LMB_API lmb_status lmb_spec_parse(lmb_spec **out, lmb_context *context, const char *name,
                                  const char *text);
LMB_API void lmb_spec_free(lmb_spec *spec);

/* Copies a spec with the parameters that were changed, so that threads can change them each in its
 * own; either may be freed first. */
LMB_API lmb_status lmb_spec_copy(lmb_spec **out, lmb_context *context, const lmb_spec *of);

/* Changes a parameter: the value is a number or an expression. */
LMB_API lmb_status lmb_spec_set(lmb_spec *spec, lmb_context *context, const char *parameter,
                                const char *value);

/* Says whether a model is trusted: only then gmsh runs the geometry scripts (.geo) that it names,
 * which can run any command; of other files a model can have read what it likes, but nothing run.
 * At first it is not. */
LMB_API void lmb_spec_trust(lmb_spec *spec, bool trusted);

/* Sets how many seconds gmsh may take to mesh the geometry of a body; 600 at first. */
LMB_API void lmb_spec_meshing_time(lmb_spec *spec, double seconds);

/* Compiles a model; all errors found are added to the context. The spec may be freed afterwards. */
LMB_API lmb_status lmb_model_compile(lmb_model **out, lmb_context *context, const lmb_spec *spec);
LMB_API void lmb_model_free(lmb_model *model);

/* Compiles a spec, or a copy of it, with other parameters than a model that was made of it; only
 * what depends on these is read and reduced again. Models and specs may be freed in any order, and
 * threads may make variants of one base at the same time, each with a spec and a context of its
 * own. */
LMB_API lmb_status lmb_model_variant(lmb_model **out, lmb_context *context, const lmb_spec *spec,
                                     const lmb_model *base);

/* The analyses of a model, in order. */
LMB_API int lmb_model_analysis_count(const lmb_model *model);
LMB_API const char *lmb_model_analysis_name(const lmb_model *model, int analysis);

/* Mobility of a model in the assembled position. */
typedef struct lmb_mobility {
    int bodies;        /* without the ground */
    int coordinates;   /* velocity coordinates */
    int joint_rows;    /* constraint equations of the joints */
    int driver_rows;   /* constraint equations of the drivers */
    int rank;          /* number of independent equations */
    int redundant;     /* number of redundant equations */
    int free;          /* degrees of freedom with the drivers: coordinates - rank */
    int free_undriven; /* degrees of freedom without the drivers */
} lmb_mobility;

#ifdef __cplusplus
}
#endif
#endif
