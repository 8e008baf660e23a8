/* limber response: amplitude and phase over frequency from a force to a channel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/state_space.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/linear.h"
#include "cli/load.h"

static lmb_status read_sweep(const lmb_arguments *a, lmb_sweep *s)
{
    double points = 200;
    *s = (lmb_sweep){-1, -1, 0, lmb_option_value(a, "--linear")};
    lmb_refuse(a, !lmb_option_value(a, "--input") || !lmb_option_value(a, "--output"),
               "give an --input and an --output");
    lmb_refuse(a, s->linear && lmb_option_value(a, "--log"), "give --log or --linear, not both");
    lmb_typed_number(a, "--from", 0, &s->from);
    lmb_typed_number(a, "--to", 0, &s->to);
    lmb_typed_number(a, "--points", LMB_ANY_NUMBER, &points);
    lmb_refuse(a, points != floor(points) || points < 1 || points > 1e6,
               "--points needs a whole number from 1 to 1000000");
    s->points = *a->status ? 0 : (int)points;
    return *a->status;
}

/* Frequencies, amplitudes (output over input) and phases as text, as comma-separated values, or as
 * JSON. */
static void put_table(FILE *out, int count, double *const v[3], bool csv)
{
    fprintf(out, csv ? "%s,%s,%s\n" : "%24s %24s %24s\n", csv ? "frequency" : "frequency (Hz)",
            "amplitude", csv ? "phase" : "phase (deg)");
    for (int i = 0; i < count; i++)
        fprintf(out, csv ? "%.17g,%.17g,%.17g\n" : "%24.17g %24.17g %24.17g\n", v[0][i], v[1][i],
                v[2][i]);
}

static void print_json(const lmb_linear_point *p, const lmb_state_space *space, int count,
                       double *const v[3])
{
    static const char *const keys[] = {"frequency", "amplitude", "phase"};
    lmb_json json = lmb_json_start_object(stdout);
    lmb_linear_point_json(p, &json);
    lmb_json_put(&json, "input %s, output %s", space->input_names[0], space->output_names[0]);
    for (int k = 0; k < 3; k++)
        lmb_json_numbers(&json, keys[k], (size_t)count, v[k]);
    lmb_json_close(&json);
}

/* One input and one output, each one number. */
static lmb_status find_space(const lmb_arguments *a, lmb_solver *solver,
                             const lmb_small_motion *motion, lmb_state_space *out)
{
    const char *input = lmb_option_value(a, "--input"), *output = lmb_option_value(a, "--output");
    char *inputs[] = {lmb_text_copy(a->arena, input, strlen(input)), NULL};
    char *outputs[] = {lmb_text_copy(a->arena, output, strlen(output)), NULL};
    lmb_status status = inputs[0] && outputs[0]
                            ? lmb_state_space_of(motion, solver, inputs, outputs, out)
                            : lmb_fail_memory(a->context);
    bool many = !status && out->inputs != 1;
    if (!status && (many || out->outputs != 1)) {
        status = lmb_fail(a->context, LMB_USAGE, "'%s' has %d numbers: name one of them",
                          many ? input : output, many ? out->inputs : out->outputs);
        lmb_hint(a->context, "for example '%s'", many ? out->input_names[0] : out->output_names[0]);
    }
    return status;
}

static lmb_status respond(const lmb_arguments *a, const lmb_linear_point *p, lmb_sweep *s)
{
    const char *path = lmb_option_value(a, "--csv");
    lmb_state_space space = {0};
    double *v[3];
    for (int k = 0; k < 3; k++)
        v[k] = lmb_arena_numbers(a->arena, (size_t)s->points);
    lmb_status status = lmb_check_memory(a->context, a->arena);
    if (!status && !(status = lmb_sweep_complete(s, p->motion, a->context)) &&
        !(status = find_space(a, p->at.solver, p->motion, &space)))
        status = lmb_sweep_run(s, &space, a->context, v[0], v[1], v[2]);
    FILE *out = !status && path ? lmb_file_create(a->context, path) : stdout;
    if (!status && out && (path || !a->json))
        put_table(out, s->points, v, path);
    if (!status && path)
        status = out ? lmb_file_close(a->context, out, path) : LMB_IO;
    if (!status && a->json)
        print_json(p, &space, s->points, v);
    lmb_state_space_free(&space);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_sweep s;
    lmb_model *m;
    lmb_linear_point p = {0};
    lmb_status status = read_sweep(a, &s);
    if (!status && !(status = lmb_load_mechanism(a, &m)) &&
        !(status = lmb_linear_point_find(a, m, LMB_LINEAR_MATRICES, &p)) &&
        !(status = lmb_linear_point_judge(a, &p)))
        status = respond(a, &p, &s);
    lmb_linear_point_free(&p);
    return status;
}

static const lmb_option options[] = {
    {"--input FORCE", "The force that oscillates, such as motor, or load.x of a vector."},
    {"--output CHANNEL",
     "The output channel: any of a dynamic analysis, such as tip.position.x or pin.force.y."},
    {"--from F", "The first frequency, Hz (default: a tenth of the lowest natural one)."},
    {"--to F", "The last frequency, Hz (default: three times the highest natural one)."},
    {"--points N", "How many frequencies (default: 200)."},
    {"--log", "Frequencies in equal ratios (the default)."},
    {"--linear", "Frequencies in equal steps."},
    {"--csv FILE", "Write the table to a CSV file instead."},
    LMB_LINEAR_OPTIONS,
    {LMB_SET_OPTION},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_response = {
    .name = "response",
    .usage = "MODEL --input FORCE --output CHANNEL [--from F] [--to F] [--points N] [--log | "
             "--linear] [--csv FILE] " LMB_LINEAR_USAGE " [--set NAME=VALUE]... [--json]",
    .summary = "Prints the frequency response: amplitude and phase.",
    .doc = "Finds the static equilibrium, or the motion of --as-placed or --analysis, and "
           "linearises there, as `limber modes` does. For an "
           "input sin(2 pi f t) the steady-state output is amplitude sin(2 pi f t + phase): C (i w "
           "- A)^-1 B + D of the state space. The phase is from -180 to 180 degrees.",
    .examples = "limber response particles.yaml --input s1 --output p4.position.x\n"
                "limber response particles.yaml --input s1 --output p4.acceleration.x --from 1 "
                "--to 10 --csv p4.csv\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
