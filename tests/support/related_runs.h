/* Runs of models that are related to each other, and how much their channels differ. */
#ifndef TESTS_RELATED_RUNS_H
#define TESTS_RELATED_RUNS_H

#include "generated_models.h"
#include "limber/limber.h"
#include "system/model.h"

/* A model that was run; `complete` if it compiled and all analyses ended. */
typedef struct model_run {
    lmb_context *context;
    lmb_model *model;
    lmb_result *result;
    bool complete;
    struct unit_scales *scales; /* the largest values of units, once they were asked for */
} model_run;

/* Compile a text under the name of a file; free the run in any case. */
model_run compile_text(const char *file, const char *text);

/* Run a compiled model in memory. With calls > 0 run to a file, stop at that call of the progress
 * function, and resume. */
void run_model(model_run *run, int calls);

void free_model_run(model_run *run);

/* Return the first error of a run, or "". */
const char *first_error(const model_run *run);

/* Changes of a compiled model before it runs: one of the solvers, two threads, few results. */
void take_solver(lmb_model *model, uint64_t seed);
void take_threads(lmb_model *model, uint64_t seed);
void select_results(lmb_model *model, uint64_t seed);

/* How far channels may differ, and how those of the other run are brought back. */
typedef struct comparison {
    double allowed;      /* relative to the scale of the channel; 0: the same bits */
    double tolerances;   /* with adaptive steps, in tolerances; 0: these are not compared */
    bool adaptive_only;  /* compares analyses with adaptive steps alone */
    double rates;        /* least difference of velocities, accelerations and forces over time */
    bool positions_only; /* compares lengths and angles alone */
    bool signs_free;     /* components may change their signs */
    bool rearranged;     /* coordinates are others, or have another order */
    bool added;          /* the other model has an unrelated body: no sums over all bodies */
    bool cut;            /* bodies are cut in two */
    bool from_event;     /* work counts from another instant */
    bool last_row;       /* compares last rows alone */
    bool may_miss;       /* channels may be missing in the other run */
    const char *renamed; /* the prefix of names in the other run; NULL: the same */
    const generated_form *form; /* what the other model is turned or scaled by; NULL: nothing */
} comparison;

/* The largest difference, as a multiple of the allowed one. */
typedef struct worst_channel {
    double excess, difference, allowed;
    char where[600];
    long compared;
} worst_channel;

/* Compare all channels of an analysis with those of an analysis of the other run, from the last row
 * back if it has fewer rows. */
void compare_analyses(worst_channel *worst, const comparison *how, model_run *base, int a,
                      const model_run *other, int b);

/* Compare all analyses with those of the same numbers. */
void compare_runs(worst_channel *worst, const comparison *how, model_run *base,
                  const model_run *other);

/* Note a difference of a number, relative to its scale. */
void note_difference(worst_channel *worst, double difference, double allowed, const char *where);

/* Return the series of a channel of an analysis; the test fails if it cannot be read. */
lmb_series read_series(const model_run *run, int analysis, const char *channel);

/* Return the largest value of the unit of a channel in a run. */
double scale_of_channel(model_run *run, const lmb_channel *channel);

/* Return the largest tolerance of an analysis and of those that it begins from, or 0 for fixed
 * steps. */
double analysis_tolerance(const lmb_model *model, const lmb_analysis *analysis);

#endif
