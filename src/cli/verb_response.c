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

/* The linearised model from one input to one output: with matrices, or in large models without. */
typedef struct single {
    const lmb_linear_point *point;
    lmb_state_space space;
    lmb_ports *ports;
    const char *input, *output; /* their names */
} single;

static void print_json(const single *o, int count, double *const v[3])
{
    static const char *const keys[] = {"frequency", "amplitude", "phase"};
    lmb_json json = lmb_json_start_object(stdout);
    lmb_linear_point_json(o->point, &json);
    lmb_json_put(&json, "input %s, output %s", o->input, o->output);
    for (int k = 0; k < 3; k++)
        lmb_json_numbers(&json, keys[k], (size_t)count, v[k]);
    lmb_json_close(&json);
}

/* One input and one output, each one number. */
static lmb_status check_one(const lmb_arguments *a, int inputs, int outputs, char *const *input,
                            char *const *output, single *o)
{
    bool many = inputs != 1;
    o->input = input[0];
    o->output = output[0];
    if (!many && outputs == 1)
        return LMB_OK;
    lmb_fail(a->context, LMB_USAGE, "'%s' has %d numbers: name one of them",
             lmb_option_value(a, many ? "--input" : "--output"), many ? inputs : outputs);
    return lmb_hint(a->context, "for example '%s'", many ? o->input : o->output);
}

static lmb_status find_system(const lmb_arguments *a, single *o)
{
    const char *input = lmb_option_value(a, "--input"), *output = lmb_option_value(a, "--output");
    char *inputs[] = {lmb_text_copy(a->arena, input, strlen(input)), NULL};
    char *outputs[] = {lmb_text_copy(a->arena, output, strlen(output)), NULL};
    lmb_solver *s = o->point->at.solver;
    lmb_status status = lmb_check_memory(a->context, a->arena);
    if (status)
        return status;
    if (o->point->motion) {
        const lmb_state_space *x = &o->space;
        status = lmb_state_space_of(o->point->motion, s, inputs, outputs, &o->space);
        return status ? status
                      : check_one(a, x->inputs, x->outputs, x->input_names, x->output_names, o);
    }
    status = lmb_ports_new(&o->ports, s, inputs, outputs);
    return status ? status
                  : check_one(a, o->ports->inputs, o->ports->outputs, o->ports->input_names,
                              o->ports->output_names, o);
}

/* The response at one frequency. */
static lmb_status transfer(void *user, double w, double *real, double *imaginary)
{
    const single *o = user;
    lmb_context *context = o->point->at.solver->context;
    if (o->ports)
        return lmb_sparse_response(o->point->sparse, o->ports, 0, w, real, imaginary);
    return lmb_response(&o->space, context, 0, 0, w, real, imaginary);
}

/* Limits that were not typed, from the modes. */
static lmb_status complete_sweep(const lmb_arguments *a, const lmb_linear_point *p, lmb_sweep *s)
{
    lmb_mode_list modes = {0};
    lmb_status status = LMB_OK;
    if (s->from < 0 || s->to < 0)
        status = lmb_linear_point_modes(p, 0, &modes);
    if (!status)
        status = lmb_sweep_complete(s, &modes, a->context);
    lmb_mode_list_free(&modes);
    return status;
}

static lmb_status respond(const lmb_arguments *a, const lmb_linear_point *p, lmb_sweep *s)
{
    const char *path = lmb_option_value(a, "--csv");
    single o = {.point = p};
    double *v[3];
    for (int k = 0; k < 3; k++)
        v[k] = lmb_arena_numbers(a->arena, (size_t)s->points);
    lmb_status status = lmb_check_memory(a->context, a->arena);
    if (!status && !(status = complete_sweep(a, p, s)) && !(status = find_system(a, &o)))
        status = lmb_sweep_run(s, transfer, &o, v[0], v[1], v[2]);
    FILE *out = !status && path ? lmb_file_create(a->context, path) : stdout;
    if (!status && out && (path || !a->json))
        put_table(out, s->points, v, path);
    if (!status && path)
        status = out ? lmb_file_close(a->context, out, path) : LMB_IO;
    if (!status && a->json)
        print_json(&o, s->points, v);
    lmb_ports_free(o.ports);
    lmb_state_space_free(&o.space);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_sweep s;
    lmb_model *m;
    lmb_linear_point p = {0};
    lmb_status status = read_sweep(a, &s);
    if (!status && !(status = lmb_load_mechanism(a, &m)) &&
        !(status = lmb_linear_point_find(a, m, LMB_LINEAR_RESPONSE, &p)) &&
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
    {"--to F", "The last frequency, Hz (default: three times the highest natural one; of models of "
               "more than 400 coordinates, of the lowest 20)."},
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
