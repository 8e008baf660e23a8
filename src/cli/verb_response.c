/* limber response: amplitude and phase over frequency from a force to a channel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statics.h"
#include "analysis/state_space.h"
#include "base/file_replace.h"
#include "base/json.h"
#include "cli/load.h"
#include "cli/options.h"

/* Frequencies (Hz), amplitudes (output over input) and phases (degrees). */
typedef struct table {
    int count;
    double *frequency, *amplitude, *phase;
} table;

/* --- what was typed ------------------------------------------------------------------------------
 */

static lmb_status typed_frequency(const lmb_arguments *a, const char *option, double *value)
{
    bool given;
    lmb_status status = lmb_typed_option(a, option, value, &given);
    if (!status && given && *value < 0)
        status = lmb_fail(a->context, LMB_USAGE, "%s needs a frequency in Hz, not %s", option,
                          lmb_option_value(a, option));
    return status;
}

static lmb_status read_sweep(const lmb_arguments *a, lmb_sweep *s)
{
    double points = 200;
    *s = (lmb_sweep){-1, -1, 0, lmb_option_value(a, "--linear")};
    if (!lmb_option_value(a, "--input") || !lmb_option_value(a, "--output"))
        return lmb_fail(a->context, LMB_USAGE, "give an --input and an --output");
    if (s->linear && lmb_option_value(a, "--log"))
        return lmb_fail(a->context, LMB_USAGE, "give --log or --linear, not both");
    lmb_status status = typed_frequency(a, "--from", &s->from);
    if (!status)
        status = typed_frequency(a, "--to", &s->to);
    if (!status)
        status = lmb_typed_option(a, "--points", &points, NULL);
    if (!status && (points != floor(points) || points < 1 || points > 1e6))
        status = lmb_fail(a->context, LMB_USAGE, "--points needs a whole number from 1 to 1000000");
    s->points = (int)points;
    return status;
}

/* --- the table -----------------------------------------------------------------------------------
 */

static void print_text(const table *t)
{
    printf("%24s %24s %24s\n", "frequency (Hz)", "amplitude", "phase (deg)");
    for (int i = 0; i < t->count; i++)
        printf("%24.17g %24.17g %24.17g\n", t->frequency[i], t->amplitude[i], t->phase[i]);
}

static void print_json(const lmb_state_space *space, const table *t)
{
    size_t count = (size_t)t->count;
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_put(&json, "input %s, output %s", space->input_names[0], space->output_names[0]);
    lmb_json_numbers(&json, "frequency", count, t->frequency);
    lmb_json_numbers(&json, "amplitude", count, t->amplitude);
    lmb_json_numbers(&json, "phase", count, t->phase);
    lmb_json_close(&json);
}

static lmb_status write_csv(lmb_context *context, const char *path, const table *t)
{
    FILE *out = lmb_file_create(context, path);
    if (!out)
        return LMB_IO;
    fputs("frequency,amplitude,phase\n", out);
    for (int i = 0; i < t->count; i++)
        fprintf(out, "%.17g,%.17g,%.17g\n", t->frequency[i], t->amplitude[i], t->phase[i]);
    return lmb_file_close(context, out, path);
}

/* One input and one output, each one number. */
static lmb_status find_space(const lmb_arguments *a, lmb_solver *solver, lmb_state_space *out)
{
    const char *input = lmb_option_value(a, "--input"), *output = lmb_option_value(a, "--output");
    char *inputs[] = {strdup(input), NULL}, *outputs[] = {strdup(output), NULL};
    lmb_status status = inputs[0] && outputs[0] ? lmb_find_state_space(solver, inputs, outputs, out)
                                                : lmb_fail_memory(a->context);
    free(inputs[0]);
    free(outputs[0]);
    if (!status && (out->inputs != 1 || out->outputs != 1)) {
        bool many = out->inputs != 1;
        status = lmb_fail(a->context, LMB_USAGE, "'%s' has %d numbers: name one of them",
                          many ? input : output, many ? out->inputs : out->outputs);
        lmb_hint(a->context, "for example '%s'", many ? out->input_names[0] : out->output_names[0]);
    }
    return status;
}

static lmb_status respond(const lmb_arguments *a, lmb_solver *solver, lmb_sweep *s)
{
    const char *path = lmb_option_value(a, "--csv");
    size_t count = (size_t)s->points;
    lmb_state_space space = {0};
    double *all = calloc(3 * count, sizeof *all);
    table t = {s->points, all, all + count, all + 2 * count};
    lmb_status status =
        all ? lmb_sweep_complete(s, solver, a->context) : lmb_fail_memory(a->context);
    if (!status && !(status = find_space(a, solver, &space)))
        status = lmb_sweep_run(s, &space, a->context, t.frequency, t.amplitude, t.phase);
    if (!status && path)
        status = write_csv(a->context, path, &t);
    else if (!status && !a->json)
        print_text(&t);
    if (!status && a->json)
        print_json(&space, &t);
    lmb_state_space_free(&space);
    free(all);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_sweep s;
    lmb_model *m = NULL;
    lmb_solver *solver = NULL;
    lmb_status status = read_sweep(a, &s);
    if (!status && !(status = lmb_load_mechanism(a, &m)) &&
        !(status = lmb_solver_new(&solver, a->context, m)) &&
        !(status = lmb_find_position(solver, lmb_option_value(a, "--as-placed"))))
        status = respond(a, solver, &s);
    lmb_solver_free(solver);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    {"--input", NULL, "FORCE", false,
     "The force that oscillates, such as motor, or load.x of a vector."},
    {"--output", NULL, "CHANNEL", false,
     "The channel that answers: any of a dynamic analysis, such as tip.position.x or pin.force.y."},
    {"--from", NULL, "F", false,
     "The first frequency, Hz (default: a tenth of the lowest natural one)."},
    {"--to", NULL, "F", false,
     "The last frequency, Hz (default: three times the highest natural one)."},
    {"--points", NULL, "N", false, "How many frequencies (default: 200)."},
    {"--log", NULL, NULL, false, "Frequencies in equal ratios (the default)."},
    {"--linear", NULL, NULL, false, "Frequencies in equal steps."},
    {"--csv", NULL, "FILE", false, "Write the table to a CSV file instead."},
    LMB_AS_PLACED_OPTION,
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_response = {
    .name = "response",
    .usage = "MODEL --input FORCE --output CHANNEL [--from F] [--to F] [--points N] [--log | "
             "--linear] [--csv FILE] [--as-placed] [--set NAME=VALUE]... [--json]",
    .summary = "Prints amplitude and phase over frequency.",
    .doc = "Finds the position in which the mechanism rests and linearises it there, as `limber "
           "modes` does. When the input oscillates as sin(2 pi f t), the output oscillates as "
           "amplitude sin(2 pi f t + phase) once the beginning has died away: C (i w - A)^-1 B + D "
           "of the state space. The phase is from -180 to 180 degrees.",
    .examples = "limber response particles.yaml --input s1 --output p4.position.x\n"
                "limber response particles.yaml --input s1 --output p4.acceleration.x --from 1 "
                "--to 10 --csv p4.csv\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
