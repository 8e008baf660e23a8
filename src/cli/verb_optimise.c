/* limber optimise: the best design of a model. */
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/studies.h"

static void fill(lmb_study_verb *v)
{
    lmb_optimum_sheet(&v->sheet, *(lmb_optimum **)v->results);
}

/* The limits of an objective: of two sides the one that is active. */
static void put_constraints(lmb_json *json, const lmb_optimum *o)
{
    lmb_json_open(json, "constraints", '{');
    for (int i = 0; i < o->limit_count; i++) {
        const lmb_active *a = &o->limits[i];
        bool second = false;
        for (int k = 0; k < o->limit_count; k++)
            second |= k != i && o->limits[k].name == a->name &&
                      (o->limits[k].active ? !a->active || k < i : !a->active && k < i);
        if (second)
            continue;
        lmb_json_open(json, a->name, '{');
        lmb_json_put(json, "value %g, limit %g, active %hhd, multiplier %g", a->value, a->limit,
                     a->active, a->multiplier);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_values(lmb_json *json, const char *key, int count, const char *const *names,
                       const double *values)
{
    lmb_json_open(json, key, '{');
    for (int i = 0; i < count; i++)
        lmb_json_number(json, names[i], values[i]);
    lmb_json_close(json);
}

static void print_json(const lmb_optimum *o)
{
    lmb_json json = lmb_json_start_object(stdout);
    put_values(&json, "design", o->variable_count, o->variables, o->x);
    lmb_json_number(&json, "objective", o->values[0]);
    put_values(&json, "values", o->objective_count, o->objectives, o->values);
    put_constraints(&json, o);
    lmb_json_open(&json, "bounds", '{');
    for (int i = 0; i < o->bound_count; i++) {
        lmb_json_open(&json, o->bounds[i].name, '{');
        lmb_json_put(&json, "value %g, multiplier %g", o->bounds[i].value, o->bounds[i].multiplier);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_put(
        &json, "feasible %hhd, optimality %g, method %s, trials %d, gradients %d, failed %d",
        o->feasible, o->optimality, o->method, o->trial_count, o->gradient_count, o->failure_count);
    put_values(&json, "start", o->variable_count, o->variables, o->start);
    put_values(&json, "start_values", o->objective_count, o->objectives, o->start_values);
    lmb_json_open(&json, "curve", '[');
    for (int k = 0; k < o->curve_count; k++) {
        lmb_json_open(&json, NULL, '{');
        put_values(&json, "design", o->variable_count, o->variables, o->curve[k].x);
        lmb_json_numbers(&json, "objectives", 2, o->curve[k].objective);
        lmb_json_bool(&json, "feasible", o->curve[k].feasible);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_end(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_optimum *optimum = NULL;
    lmb_study_verb v = {.results = &optimum, .fill = fill};
    lmb_status status = lmb_study_start(&v, a, LMB_STUDY_OPTIMISE);
    if (status)
        return status;
    status = lmb_study_ended(&v, lmb_optimise(&optimum, a->context, v.spec, &v.options));
    if (!status && a->json)
        print_json(optimum);
    if (!status)
        status = lmb_study_set_file(&v, "The best design", optimum->variable_count,
                                    optimum->variables, optimum->x);
    if (!status)
        status = lmb_study_files(&v);
    lmb_optimum_free(optimum);
    return status;
}

static const lmb_option options[] = {
    {"-o, --output FILE ...",
     "Where the study is kept (.h5; default: MODEL-STUDY.h5 in this folder), and further files: a "
     "page with all of it (.html), its first figure (.svg, .pdf, .png), all trials (.csv)."},
    LMB_STUDY_OPTIONS,
    {0},
};

const lmb_verb lmb_verb_optimise = {
    .name = "optimise",
    .also = "optimize minimise minimize",
    .usage = "MODEL [--study NAME] [-o FILE]... [--set NAME=VALUE]... [--trust] [--jobs N] "
             "[--resume] [--wait] "
             "[--quiet] [--json]",
    .summary = "Looks for the best design of a model within limits.",
    .doc = "Makes a study of type optimise: changes parameters of a model within bounds, or "
           "chooses them from lists, until an objective is least (or largest) and others keep to "
           "their limits. Gradients are exact where the analysis has them (see `limber "
           "gradient`). Where the model cannot be run the search steps back.\n\n"
           "Prints the design, the limits that are active with their multipliers (what the "
           "objective gains by a limit that is wider by 1), and for two objectives the curve "
           "between them. Beside the file of the study, its parameters are written to a file for "
           "`--set @FILE`. Ctrl-C keeps all that was tried; --resume goes on.",
    .examples = "limber optimise vehicle.yaml\n"
                "limber optimise half-car.yaml --study tight -o half-car.html\n"
                "limber optimise half-car.yaml --set cf=2000 --json\n"
                "limber run half-car.yaml --set @half-car-soft.set\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
