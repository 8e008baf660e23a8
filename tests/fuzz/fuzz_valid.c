/* Valid models: an input is a seed of eight bytes, then choices of the generator, a byte each. The
 * model is checked and run, and its modes and the gradients of some channels are computed. A stop
 * after some reports of progress bounds the steps.
 *
 * It fails if a number is not finite that no message names, or after 20 s of CPU. */
#include "fuzz.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "limber/limber.h"
#include "model/fields.h"
#include "read/reader.h"
#include "support/generated_models.h"

/* An analysis reports progress at each instant of its output, and every 64 steps. */
enum { SIZE = 4, REPORTS = 50, GRADIENT_REPORTS = 100, SECONDS = 20, OBJECTIVES = 4 };

static void stop_slow_input(int number)
{
    static const char text[] = "fuzz: the input takes too much CPU time\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number, (void)written;
    abort();
}

/* Limit the CPU time from now on; 0 s: no limit. */
static void limit_time(int seconds)
{
    signal(SIGPROF, stop_slow_input);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* A model in text, and the numbers that choose its objectives. */
typedef struct input {
    char *text;
    uint64_t state;
} input;

/* Return a number below `count` (splitmix64). */
static int choose(input *in, int count)
{
    uint64_t z = in->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int)(((z ^ (z >> 31)) >> 33) % (uint64_t)count);
}

/* Fail unless numbers are finite, or a message names the quantity. */
static void check_numbers(const lmb_context *context, const char *name, size_t count,
                          const double *numbers)
{
    char quoted[300];
    size_t i = 0;
    while (i < count && isfinite(numbers[i]))
        i++;
    if (i == count)
        return;
    snprintf(quoted, sizeof quoted, "'%s'", name);
    for (size_t k = 0; k < lmb_message_count(context); k++)
        if (strstr(lmb_message_at(context, k)->text, quoted) &&
            strstr(lmb_message_at(context, k)->text, "not a finite number"))
            return;
    fprintf(stderr, "fuzz: number %zu of '%s' is %g, and no message says so\n", i, name,
            numbers[i]);
    abort();
}

static lmb_status parse(lmb_spec **out, lmb_context *context, const char *text)
{
    lmb_status status = lmb_spec_parse(out, context, "tests/support/generated.yaml", text);
    if (!status)
        (*out)->no_cache = true;
    return status;
}

/* --- analyses --------------------------------------------------------------------------------- */

static void check_channels(lmb_context *context, lmb_result *result)
{
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
            const lmb_channel *channel = lmb_result_channel(result, a, i);
            char name[300];
            lmb_series s;
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, a),
                     channel->name);
            if (strstr(channel->doc, "NaN") || lmb_result_read(result, context, name, &s))
                continue;
            check_numbers(context, channel->name, (size_t)s.count * (size_t)s.size, s.values);
            lmb_series_free(&s);
        }
}

/* Put a number of an analysis that an objective can have: of a channel over nodes none. */
static void put_number(FILE *out, input *in, const lmb_result *result, int a)
{
    const lmb_channel *channel;
    size_t letters;
    do {
        channel = lmb_result_channel(result, a, choose(in, lmb_result_channel_count(result, a)));
        letters = strlen(channel->components);
    } while (letters > 0 && (size_t)channel->size != letters);
    fprintf(out, "%s", channel->name);
    if (letters > 0)
        fprintf(out, ".%c", channel->components[choose(in, (int)letters)]);
    else if (channel->size > 1)
        fprintf(out, ".%d", 1 + choose(in, channel->size));
}

/* Put an objective of a kind of the table that the analysis allows. */
static void put_objective(FILE *out, input *in, int number, const lmb_analysis *analysis,
                          const lmb_result *result, int a)
{
    int kinds = 0;
    while (lmb_objective_fields[kinds].type == LMB_FIELD_TREE)
        kinds++;
    bool modes = analysis->kind->known & LMB_KNOWN_MODES;
    const char *drawn = lmb_objective_fields[choose(in, kinds)].name;
    const char *kind = modes ? "at" : analysis->kind->timeless ? "final" : drawn;
    fprintf(out, "  o%d: {%s: \"", number, kind);
    put_number(out, in, result, a);
    fprintf(out, "\", of: %s", analysis->name);
    if (modes)
        fprintf(out, ", mode: %d", 1 + choose(in, 2));
    else if (strcmp(kind, "at") == 0)
        fprintf(out, ", time: %g", analysis->start + analysis->duration * choose(in, 100) / 100);
    else if ((strcmp(kind, "min") == 0 || strcmp(kind, "max") == 0) && choose(in, 2))
        fprintf(out, ", smooth: ks, sharpness: 50");
    fprintf(out, "}\n");
}

static void put_objectives(input *in, const lmb_model *model, const lmb_result *result)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int analyses = lmb_result_analysis_count(result);
    fprintf(out, "%sobjectives:\n", in->text);
    for (int i = 0; i < OBJECTIVES; i++) {
        int a = choose(in, analyses);
        put_objective(out, in, i, &model->analyses[a], result, a);
    }
    fclose(out);
    free(in->text);
    in->text = text;
}

/* Check and run a model; the text gets objectives if there is a result. */
static lmb_status run(lmb_context *context, input *in, bool *ran)
{
    lmb_spec *spec;
    lmb_model *model = NULL;
    lmb_result *result = NULL;
    lmb_mobility mobility;
    lmb_status status = parse(&spec, context, in->text);
    if (status)
        return status;
    status = lmb_model_compile(&model, context, spec);
    lmb_spec_free(spec);
    if (!status)
        status = lmb_check(context, model, &mobility);
    if (!status)
        status = lmb_run_to_memory(&result, context, model, NULL);
    if (result) {
        check_channels(context, result);
        *ran = lmb_result_analysis_count(result) > 0;
        if (*ran)
            put_objectives(in, model, result);
    }
    lmb_result_close(result);
    lmb_model_free(model);
    return status;
}

/* --- modes and gradients ---------------------------------------------------------------------- */

static lmb_status find_modes(lmb_context *context, const input *in, bool as_placed)
{
    lmb_spec *spec;
    lmb_model *model = NULL;
    lmb_linearised *linear = NULL;
    lmb_mode_list list = {0};
    const lmb_linearised_options options = {.as_placed = as_placed};
    lmb_status status = parse(&spec, context, in->text);
    if (status)
        return status;
    status = lmb_model_compile(&model, context, spec);
    lmb_spec_free(spec);
    if (!status)
        status = lmb_linearised_new(&linear, context, model, &options);
    if (!status)
        status = lmb_linearised_modes(linear, 0, &list);
    for (int i = 0; i < list.count; i++) {
        const lmb_mode *mode = &list.modes[i];
        check_numbers(context, "mode", 3, (double[]){mode->frequency, mode->real, mode->imaginary});
        check_numbers(context, "shape", (size_t)list.coordinates, mode->shape);
    }
    lmb_mode_list_free(&list);
    lmb_linearised_free(linear);
    lmb_model_free(model);
    return status;
}

static lmb_status find_gradient(lmb_context *context, input *in)
{
    static const lmb_gradient_method methods[] = {LMB_GRADIENT_AUTO, LMB_GRADIENT_DIRECT,
                                                  LMB_GRADIENT_ADJOINT, LMB_GRADIENT_DIFFERENCES};
    lmb_spec *spec;
    lmb_gradient *gradient = NULL;
    char name[16];
    const lmb_gradient_request request = {
        .parameters = (const char *[]){name, NULL}, .method = methods[choose(in, 4)], .jobs = 1};
    snprintf(name, sizeof name, "%sp0", generated_prefix);
    if (!strstr(in->text, name)) /* the model has no parameters */
        return LMB_OK;
    lmb_status status = parse(&spec, context, in->text);
    if (status)
        return status;
    status = lmb_gradient_find(&gradient, context, spec, &request);
    lmb_spec_free(spec);
    if (gradient) {
        size_t count = (size_t)gradient->objective_count;
        check_numbers(context, "value", count, gradient->values);
        check_numbers(context, "derivative", count * (size_t)gradient->parameter_count,
                      gradient->derivatives);
    }
    lmb_gradient_free(gradient);
    return status;
}

FUZZ_TARGET(valid)
{
    static const generated_form plain;
    input in = {0};
    size_t seed = size < sizeof in.state ? size : sizeof in.state;
    for (size_t i = 0; i < seed; i++)
        in.state |= (uint64_t)data[i] << 8 * i;
    in.text = generated_model_of_choices(data ? data + seed : NULL, size - seed, in.state, SIZE,
                                         GENERATED_ALL, &plain);
    limit_time(SECONDS);
    bool ran = false;
    lmb_context *context = fuzz_context(REPORTS);
    fuzz_end(context, run(context, &in, &ran));
    for (int as_placed = 0; as_placed < 2 && ran; as_placed++) {
        context = fuzz_context(REPORTS);
        fuzz_end(context, find_modes(context, &in, as_placed));
    }
    if (ran && choose(&in, 2)) { /* half of the models, as gradients take most of the time */
        context = fuzz_context(GRADIENT_REPORTS);
        fuzz_end(context, find_gradient(context, &in));
    }
    limit_time(0);
    free(in.text);
    return 0;
}
