/* limber response: amplitude and phase over frequency from a force to a channel. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "base/json.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/print.h"

/* What is to be computed. */
typedef struct sweep {
    double from, to; /* Hz; from < 0: from the modes */
    int points;
    bool linear;
} sweep;

/* One line of the table. */
typedef struct line {
    double frequency, amplitude, phase; /* Hz, output over input, degrees */
} line;

/* --- what was typed ------------------------------------------------------------------------------
 */

static lmb_status typed_frequency(const lmb_arguments *a, const char *option, double *value)
{
    const char *word = lmb_option_value(a, option);
    lmb_status status = word ? lmb_typed_number(a->context, option, word, value) : LMB_OK;
    if (!status && word && *value < 0)
        status =
            lmb_fail(a->context, LMB_USAGE, "%s needs a frequency in Hz, not %s", option, word);
    return status;
}

static lmb_status read_sweep(const lmb_arguments *a, sweep *s)
{
    double points = 200;
    const char *word = lmb_option_value(a, "--points");
    *s = (sweep){-1, -1, 0, lmb_option_value(a, "--linear")};
    if (!lmb_option_value(a, "--input") || !lmb_option_value(a, "--output"))
        return lmb_fail(a->context, LMB_USAGE, "give an --input and an --output");
    if (s->linear && lmb_option_value(a, "--log"))
        return lmb_fail(a->context, LMB_USAGE, "give --log or --linear, not both");
    lmb_status status = typed_frequency(a, "--from", &s->from);
    if (!status)
        status = typed_frequency(a, "--to", &s->to);
    if (!status && word)
        status = lmb_typed_number(a->context, "--points", word, &points);
    if (!status && (points != floor(points) || points < 1 || points > 1e6))
        status = lmb_fail(a->context, LMB_USAGE, "--points needs a whole number from 1 to 1000000");
    s->points = (int)points;
    return status;
}

/* Limits that were not given: from a tenth of the lowest natural frequency to three times the
 * highest one. */
static lmb_status complete_sweep(const lmb_arguments *a, lmb_solver *solver, sweep *s)
{
    lmb_mode_list list;
    double lowest = INFINITY, highest = 0;
    lmb_status status = lmb_find_modes(solver, &list);
    if (status)
        return status;
    for (int i = 0; i < list.count; i++)
        if (!list.modes[i].rigid) {
            lowest = fmin(lowest, list.modes[i].frequency);
            highest = fmax(highest, list.modes[i].frequency);
        }
    lmb_mode_list_free(&list);
    if (s->from < 0)
        s->from = isfinite(lowest) ? lowest / 10 : 0.01;
    if (s->to < 0)
        s->to = highest > 0 ? 3 * highest : 100;
    if (s->to < s->from || (s->to == s->from && s->points > 1))
        return lmb_fail(a->context, LMB_USAGE, "the frequencies go from %g to %g Hz", s->from,
                        s->to);
    if (!s->linear && s->from == 0)
        return lmb_fail(a->context, LMB_USAGE,
                        "logarithmic steps cannot begin at 0 Hz: give --linear or another --from");
    return LMB_OK;
}

static double frequency(const sweep *s, int i)
{
    double part = s->points > 1 ? (double)i / (s->points - 1) : 0;
    if (i == s->points - 1 && i > 0)
        return s->to;
    return s->linear ? s->from + part * (s->to - s->from) : s->from * pow(s->to / s->from, part);
}

/* --- the table -----------------------------------------------------------------------------------
 */

static lmb_status compute(const lmb_arguments *a, const lmb_state_space *space, const sweep *s,
                          line *lines)
{
    lmb_status status = LMB_OK;
    for (int i = 0; !status && i < s->points; i++) {
        double real, imaginary, f = frequency(s, i);
        status = lmb_response(space, a->context, 0, 0, 2 * LMB_PI * f, &real, &imaginary);
        double phase = atan2(imaginary, real) * 180 / LMB_PI;
        /* in antiphase, rounding must not decide the sign */
        lines[i] = (line){f, hypot(real, imaginary), phase > 180 - 1e-9 ? -180 : phase};
    }
    return status;
}

static void print_text(const sweep *s, const line *lines)
{
    printf("%24s %24s %24s\n", "frequency (Hz)", "amplitude", "phase (deg)");
    for (int i = 0; i < s->points; i++)
        printf("%24.17g %24.17g %24.17g\n", lines[i].frequency, lines[i].amplitude, lines[i].phase);
}

static void print_json(const lmb_state_space *space, const sweep *s, const line *lines)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_put(&json, "input %s, output %s", space->input_names[0], space->output_names[0]);
    static const char *const keys[] = {"frequency", "amplitude", "phase"};
    for (int k = 0; k < 3; k++) {
        lmb_json_open_flat(&json, keys[k], '[');
        for (int i = 0; i < s->points; i++)
            lmb_json_number(&json, NULL,
                            k == 0   ? lines[i].frequency
                            : k == 1 ? lines[i].amplitude
                                     : lines[i].phase);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
}

static lmb_status write_csv(lmb_context *context, const char *path, const sweep *s,
                            const line *lines)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(errno));
    fputs("frequency,amplitude,phase\n", out);
    for (int i = 0; i < s->points; i++) {
        lmb_print_number(out, lines[i].frequency);
        putc(',', out);
        lmb_print_number(out, lines[i].amplitude);
        putc(',', out);
        lmb_print_number(out, lines[i].phase);
        putc('\n', out);
    }
    bool failed = ferror(out);
    int error = errno;
    if (fclose(out) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    return failed ? lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error))
                  : LMB_OK;
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

static lmb_status respond(const lmb_arguments *a, lmb_solver *solver, sweep *s)
{
    const char *path = lmb_option_value(a, "--csv");
    lmb_state_space space = {0};
    line *lines = calloc((size_t)s->points + 1, sizeof *lines);
    lmb_status status = lines ? complete_sweep(a, solver, s) : lmb_fail_memory(a->context);
    if (!status && !(status = find_space(a, solver, &space)))
        status = compute(a, &space, s, lines);
    if (!status && path)
        status = write_csv(a->context, path, s, lines);
    else if (!status && !a->json)
        print_text(s, lines);
    if (!status && a->json)
        print_json(&space, s, lines);
    lmb_state_space_free(&space);
    free(lines);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    sweep s;
    lmb_model *m = NULL;
    lmb_solver *solver = NULL;
    lmb_status status = read_sweep(a, &s);
    if (!status && !(status = lmb_load_mechanism(a, &m)) &&
        !(status = lmb_solver_new(&solver, a->context, m)) &&
        !(status = lmb_find_position(a, solver)))
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
