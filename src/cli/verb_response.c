/* limber response: amplitude and phase over frequency from a force to a channel. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/linear.h"
#include "cli/load.h"

static lmb_status read_sweep(const lmb_arguments *a, lmb_frequencies *s)
{
    double points = 200;
    *s = (lmb_frequencies){-1, -1, 0, lmb_option_value(a, "--linear"), NULL};
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
static void put_table(FILE *out, const lmb_response *o, bool csv)
{
    fprintf(out, csv ? "%s,%s,%s\n" : "%24s %24s %24s\n", csv ? "frequency" : "frequency (Hz)",
            "amplitude", csv ? "phase" : "phase (deg)");
    for (int i = 0; i < o->count; i++)
        fprintf(out, csv ? "%.17g,%.17g,%.17g\n" : "%24.17g %24.17g %24.17g\n", o->frequency[i],
                o->amplitude[i], o->phase[i]);
}

static void print_json(const lmb_linearised_about *about, const lmb_response *o)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_linearised_json(about, &json);
    lmb_json_put(&json, "input %s, output %s", o->input, o->output);
    lmb_json_numbers(&json, "frequency", (size_t)o->count, o->frequency);
    lmb_json_numbers(&json, "amplitude", (size_t)o->count, o->amplitude);
    lmb_json_numbers(&json, "phase", (size_t)o->count, o->phase);
    lmb_json_close(&json);
}

static lmb_status print(const lmb_arguments *a, const lmb_linearised_about *about,
                        const lmb_response *o)
{
    const char *path = lmb_option_value(a, "--csv");
    lmb_status status = LMB_OK;
    lmb_output out;
    if (path && !lmb_file_create(&out, a->context, path))
        return LMB_IO;
    if (path || !a->json)
        put_table(path ? out.file : stdout, o, path);
    if (path)
        status = lmb_file_close(&out, a->context, LMB_OK);
    if (!status && a->json)
        print_json(about, o);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_frequencies f;
    lmb_model *m;
    lmb_linearised *linear = NULL;
    lmb_linearised_about about;
    lmb_response response = {0};
    lmb_status status = read_sweep(a, &f);
    if (!status && !(status = lmb_load_model(a, &m)) &&
        !(status = lmb_typed_linear(a, m, &linear)) &&
        !(status = lmb_linearised_tell(linear, &about)) &&
        !(status = lmb_linearised_response(linear, lmb_option_value(a, "--input"),
                                           lmb_option_value(a, "--output"), &f, &response)))
        status = print(a, &about, &response);
    lmb_response_free(&response);
    lmb_linearised_free(linear);
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
    {LMB_TRUST_OPTION},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_response = {
    .name = "response",
    .usage = "MODEL --input FORCE --output CHANNEL [--from F] [--to F] [--points N] [--log | "
             "--linear] [--csv FILE] " LMB_LINEAR_USAGE " [--set NAME=VALUE]... [--trust] [--json]",
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
