/* Objectives of all channels of an analysis. */
#include "channel_objectives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels/channels.h"
#include "generated_models.h"
#include "models.h"
#include "read/reader.h"
#include "support.h"

/* An objective of a channel X, with the largest value S of its unit in the model, its mean value M,
 * and the beginning B and the duration D of the analysis. Its size is that of the unit to a power,
 * times the duration to a power. */
typedef enum analyses_of { MOTIONS, ALL_BUT_MODES, MODES } analyses_of;
typedef struct functional {
    const char *text;
    int power, times;
    analyses_of of;
} functional;

static const functional functionals[] = {
    {"final: 'X'", 1, 0, ALL_BUT_MODES},
    {"at: 'X', mode: 1", 1, 0, MODES},
    {"integral: 'X'", 1, 1, MOTIONS},
    {"rms: 'X'", 1, 0, MOTIONS},
    {"max: 'X', smooth: ks, sharpness: 3/S", 1, 0, MOTIONS},
    {"max: '(X/S)^2', smooth: p-norm, sharpness: 4", 0, 0, MOTIONS},
    {"at: 'X', time: B + 0.615*D", 1, 0, MOTIONS},
    {"integral: 'if(t > B + 0.47*D and t < B + 0.56*D, X, 0)'", 1, 1, MOTIONS},
    {"integral: 'max(0, X - (M) + 0.03*S)^2'", 2, 1, MOTIONS},
};
enum { FUNCTIONALS = sizeof functionals / sizeof *functionals };

/* Return the largest value of each unit of the channels of a result, over all analyses. */
static double scale_of_unit(lmb_result *result, const char *unit)
{
    double largest = 0;
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
            const lmb_channel *c = lmb_result_channel(result, a, i);
            char name[200];
            lmb_series s;
            if (strcmp(c->unit, unit) != 0)
                continue;
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, a), c->name);
            assert_ok(lmb_result_read(result, context, name, &s));
            for (int k = 0; k < s.count * s.size; k++)
                largest = fmax(largest, fabs(s.values[k])); /* NaN does not count */
            lmb_series_free(&s);
        }
    return largest;
}

static bool is_motion(const char *unit)
{
    return strstr(unit, "s^2") == NULL && (unit[0] == 'm' || strncmp(unit, "rad", 3) == 0);
}

/* The least scale of a unit: generated models measure some 0.1 m and turn by 0.1 rad, masses of
 * some kg are accelerated by gravity. Smaller values are rounding. */
static double least_scale(const char *unit)
{
    return is_motion(unit) ? 0.01 : 1;
}

static double mean_of(lmb_result *result, const char *analysis, const char *channel, bool *finite)
{
    char name[200];
    double sum = 0;
    lmb_series s;
    snprintf(name, sizeof name, "%s/%s", analysis, channel);
    assert_ok(lmb_result_read(result, context, name, &s));
    for (int k = 0; k < s.count * s.size; k++)
        sum += s.values[k] / (s.count * s.size);
    lmb_series_free(&s);
    *finite = isfinite(sum);
    return sum;
}

/* Writes an objective; see `functional`. */
static void write_objective(FILE *f, objective_task *t, const functional *of, const char *channel,
                            const char *unit, double scale, double mean)
{
    channel_objective *o = &t->objectives[t->count];
    assert_true(t->count < MOST_OBJECTIVES);
    snprintf(o->name, sizeof o->name, "c%d", t->count);
    snprintf(o->channel, sizeof o->channel, "%s", channel);
    o->motion = is_motion(unit);
    o->norm = strncmp(of->text, "rms", 3) == 0 || strncmp(channel, "constraints.", 12) == 0;
    o->scale = pow(scale, of->power) * pow(generated_duration, of->times);
    fprintf(f, "  c%d: {of: %s, ", t->count++, t->analysis->name);
    for (const char *c = of->text; *c; c++)
        if (*c == 'X')
            fputs(channel, f);
        else if (strchr("SMBD", *c))
            fprintf(f, "%.17g",
                    *c == 'S'   ? scale
                    : *c == 'M' ? mean
                    : *c == 'B' ? t->analysis->start
                                : t->analysis->duration);
        else
            fputc(*c, f);
    fprintf(f, "}\n");
}

static void write_objectives_of(FILE *f, objective_task *t, const char *channel, const char *unit,
                                double scale, double mean)
{
    bool modes = t->analysis->kind->known & LMB_KNOWN_MODES;
    for (int i = 0; i < FUNCTIONALS; i++) {
        const functional *of = &functionals[i];
        if (modes ? of->of == MODES : of->of == ALL_BUT_MODES || (of->of == MOTIONS && t->steps))
            write_objective(f, t, of, channel, unit, scale, mean);
    }
}

/* Return whether a channel is the number of a node, which has no derivative. */
static bool is_place(const char *channel)
{
    size_t n = strlen(channel);
    return n > 12 && strcmp(channel + n - 12, ".stress.node") == 0;
}

/* The text of a model with objectives of each number of each channel of an analysis. */
char *with_objectives(objective_task *t, const char *model, lmb_result *result)
{
    char *text;
    size_t size;
    lmb_channels *c;
    assert_ok(lmb_channels_new(&c, context, t->model, t->analysis->kind->known));
    int width = lmb_channels_width(c);
    t->objectives = calloc((size_t)width * FUNCTIONALS + 1, sizeof *t->objectives);
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "%sobjectives:\n", model);
    for (int i = 0, at = 0; i < lmb_channels_count(c); i++) {
        const lmb_channel *channel = &lmb_channels_list(c)[i];
        double scale = scale_of_unit(result, channel->unit);
        if (strncmp(channel->unit, "rad/s", 5) == 0) { /* turns move points 1 m away */
            char moves[24];
            snprintf(moves, sizeof moves, "m%s", channel->unit + 3);
            scale = fmax(scale, scale_of_unit(result, moves));
        }
        for (int k = 0; k < channel->size; k++, at++) {
            char name[100];
            bool finite;
            lmb_channels_number_name(c, at, name, sizeof name);
            double mean = mean_of(result, t->analysis->name, name, &finite);
            if (finite && !is_place(name))
                write_objectives_of(f, t, name, channel->unit,
                                    fmax(scale, least_scale(channel->unit)), mean);
        }
    }
    fclose(f);
    lmb_channels_free(c);
    return text;
}

/* The objectives with a parameter at another value, in rows of t->count; false: there are none. */
static bool find_values(const objective_task *t, int p, double value, double *values)
{
    static const char *const none[] = {NULL};
    lmb_override *before = t->spec->overrides;
    lmb_gradient_request request = {.parameters = none, .jobs = 1, .histories = true};
    lmb_gradient *g = NULL;
    bool found = !lmb_spec_set_number(t->spec, context, t->numbers[p].name, value) &&
                 !lmb_gradient_find(&g, context, t->spec, &request);
    for (int i = 0; i < t->count && found; i++)
        values[i] = g->values[i];
    lmb_gradient_free(g);
    t->spec->overrides = before;
    return found;
}

/* The derivatives from below and from above, of second order: 2 x t->count. NULL: there are none.
 */
double *find_sides(const objective_task *t, int p)
{
    double value = t->numbers[p].value, d = 1e-4 * (value > 0 ? value : LENGTH_SCALE);
    size_t count = (size_t)t->count;
    double *values = malloc(5 * count * sizeof *values), *sides = malloc(2 * count * sizeof *sides);
    bool found = true;
    for (int k = 0; k < 5 && found; k++)
        found = find_values(t, p, value + (k - 2) * d, values + (size_t)k * count);
    for (size_t i = 0; i < count; i++) {
        const double *f = values + i;
        sides[i] = (3 * f[2 * count] - 4 * f[count] + f[0]) / (2 * d);
        sides[count + i] = (-3 * f[2 * count] + 4 * f[3 * count] - f[4 * count]) / (2 * d);
    }
    free(values);
    if (found)
        return sides;
    free(sides);
    return NULL;
}
