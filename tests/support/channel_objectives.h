/* Objectives of all channels of an analysis: each number of each channel by each functional, with
 * windows and penalties. */
#ifndef TESTS_CHANNEL_OBJECTIVES_H
#define TESTS_CHANNEL_OBJECTIVES_H

#include "varied_models.h"
#include "analysis/analysis.h"
#include "limber/limber.h"

enum { MOST_TASK_PARAMETERS = 8, MOST_OBJECTIVES = 8000 };

/* The size of a position of 0, m. */
#define LENGTH_SCALE 0.1

typedef struct channel_objective {
    char channel[100], name[12];
    double scale, value;
    bool norm;   /* has a kink where its value is 0 */
    bool motion; /* of a position or a velocity */
    bool out;    /* refused */
} channel_objective;

/* An analysis of a model with its objectives c0, c1, ... */
typedef struct objective_task {
    uint64_t seed;
    bool steps;   /* it has linearised steps */
    bool settles; /* it is integrated with shorter and shorter steps (study/method.c) */
    const lmb_model *model;
    const lmb_analysis *analysis;
    lmb_spec *spec;
    const varied_number *numbers; /* by their names q0, q1, ... */
    int number_count;
    bool number_out[MOST_TASK_PARAMETERS];
    channel_objective *objectives;
    int count;
} objective_task;

/* The text of a model with the objectives of an analysis; free it and the objectives. Their scales
 * are those of the result: the largest value of the unit of a channel in the model. */
char *with_objectives(objective_task *task, const char *model, lmb_result *result);

/* The derivatives by parameter p from below and from above, of second order: 2 x count numbers;
 * free them. NULL: the model does not run there. */
double *find_sides(const objective_task *task, int p);

#endif
