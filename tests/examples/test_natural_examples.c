/* The examples with all their bodies in natural coordinates: a copy of the model file gets
 * `coordinates: natural` in each rigid and flexible body, is run by the program, and all channels
 * must be those of the model as it is.
 *
 * A difference is measured by the largest number of the same unit in the analysis: forces that
 * cancel are small differences of large ones. What is left is
 *
 *   exact     positions, and what follows from them without integration: rounding
 *   rk45      the tolerance of the steps, which both copies have as 1e-10, over the whole motion
 *   steps     the error of the implicit steps of a fixed length, of second order: axes that turn
 * are not integrated as an angle is. With a turn of 0.05 rad in a step, as the clapper has, it is
 * some 1e-3; that it is of second order is seen in test_natural.c. Accelerations of modes that are
 * much faster than the steps are not resolved in any coordinates.
 *
 * Not compared: rotors, exact beams and particles alone, which have no such bodies (bearing-fault,
 * bend-45, cable, cable-break, column, flying-beam, four-bar-beams, jeffcott, lee-frame,
 * nelson-rotor, offset-rotor, overhung, particles, princeton, right-angle, roll-up, spin-up,
 * spring-helix, wind-turbine-blade); the 80 s of afterburner-torque without drivers, where a
 * difference grows. Of redundant joints (bricard) the motion is compared: their reactions are those
 * of minimum norm, which counts the rows of the bodies too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "program.h"
#include "read/reader.h"
#include "support.h"

static lmb_context *context;

/* --- the copy of a model ---------------------------------------------------------------------- */

/* Text to insert before the first key of a map. */
typedef struct insertion {
    int line, column;
    char text[64];
} insertion;

enum { MOST = 60 };

static void insert_in(const lmb_tree *map, const char *text, insertion *list, int *count)
{
    insertion *i = &list[(*count)++];
    assert_true(*count < MOST && map->count > 0);
    *i = (insertion){.line = map->keys[0]->place.line, .column = map->keys[0]->place.column};
    snprintf(i->text, sizeof i->text, "%s", text);
}

/* Whether a body can have natural coordinates. */
static bool fits(const lmb_tree *body)
{
    const lmb_tree *type = lmb_tree_get(body, "type"), *beam = lmb_tree_get(body, "beam");
    return !(type && strcmp(type->text, "particle") == 0) &&
           !(beam && lmb_tree_get(beam, "deformation"));
}

static int find_insertions(const lmb_tree *root, bool natural, const char *analysis,
                           insertion *list)
{
    const lmb_tree *bodies = lmb_tree_get(root, "bodies"),
                   *analyses = lmb_tree_get(root, "analyses");
    int count = 0;
    for (int i = 0; natural && i < bodies->count; i++)
        if (fits(bodies->items[i]))
            insert_in(bodies->items[i], "coordinates: natural", list, &count);
    for (int i = 0; analysis && i < analyses->count; i++)
        if (strcmp(lmb_tree_get(analyses->items[i], "type")->text, "dynamics") == 0 &&
            !lmb_tree_get(analyses->items[i], "tolerance"))
            insert_in(analyses->items[i], analysis, list, &count);
    return count;
}

/* Writes the text with the insertions: in a map in braces before a comma, else on lines of their
 * own. */
static void write_with(const char *path, const char *text, const insertion *list, int count)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    int line = 1, column = 1;
    char last = '\n'; /* before blanks */
    for (const char *c = text; *c; c++) {
        for (int i = 0; i < count; i++)
            if (list[i].line == line && list[i].column == column)
                fprintf(f, last == '{' ? "%s, " : "%s\n%*s", list[i].text, column - 1, "");
        fputc(*c, f);
        last = *c == ' ' ? last : *c;
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    fclose(f);
}

/* Runs a copy of an example in a folder of its own; the path of the result. */
static const char *run_copy(const char *name, bool natural, const char *analysis,
                            const char *options)
{
    char path[200], command[600];
    const char *kind = natural ? "natural" : "usual";
    insertion list[MOST];
    lmb_spec *spec;
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    assert_int_equal(lmb_spec_load(&spec, context, path), LMB_OK);
    int count = find_insertions(spec->root, natural, analysis, list);
    assert_true(count > 0 || !natural);
    snprintf(path, sizeof path, "%s/%s", scratch_path(""), kind); /* meshes may be of others */
    snprintf(command, sizeof command,
             "mkdir -p %s && cp -r examples/%s examples/clapper examples/hub %s", path, name, path);
    lmb_run_result copy = run_shell(command);
    assert_int_equal(copy.code, 0);
    free_run(&copy);
    snprintf(path, sizeof path, "%s/%s/%s/%s.yaml", scratch_path(""), kind, name, name);
    write_with(path, spec->text, list, count);
    lmb_spec_free(spec);
    char result[64];
    snprintf(result, sizeof result, "%.40s-%s.h5", name, kind);
    const char *to = scratch_path(result);
    lmb_run_result run = run_limber("run %s --quiet -o %s %s", path, to, options);
    if (run.code != 0)
        print_error("%s", run.err);
    assert_int_equal(run.code, 0);
    free_run(&run);
    return to;
}

/* --- comparisons ------------------------------------------------------------------------------ */

/* Whether the end of a name is a word. */
static bool is_named(const char *name, const char *word)
{
    const char *dot = strrchr(name, '.');
    return strcmp(dot ? dot + 1 : name, word) == 0;
}

/* What is left out in all examples: the node with the largest stress, where several have it; what
 * is left of sums of energies; and what the first two determine. */
static bool is_left_out(const char *name, const char *without)
{
    char words[200], *next;
    snprintf(words, sizeof words, "node balance supplied position_residual %s", without);
    if (strncmp(name, "constraints.", 12) == 0)
        return true;
    for (char *word = strtok_r(words, " ", &next); word; word = strtok_r(NULL, " ", &next))
        if (is_named(name, word) || (word[0] == '*' && strstr(name, word + 1)))
            return true;
    return false;
}

static lmb_series read_channel(lmb_result *r, const char *analysis, const char *channel)
{
    char name[200];
    lmb_series s;
    snprintf(name, sizeof name, "%s/%s", analysis, channel);
    assert_int_equal(lmb_result_read(r, context, name, &s), LMB_OK);
    return s;
}

/* Quaternions q and -q are the same turn. */
static double difference(const lmb_channel *c, const double *x, const double *y, int size)
{
    double plus = 0, minus = 0;
    for (int i = 0; i < size; i++) {
        plus = fmax(plus, fabs(x[i] - y[i]));
        minus = fmax(minus, fabs(x[i] + y[i]));
    }
    return strstr(c->name, "quaternion") ? fmin(plus, minus) : plus;
}

/* A channel of both results: how large it is, and its largest difference. */
typedef struct pair {
    const lmb_channel *channel;
    double size, off;
} pair;

static pair compare_channel(lmb_result *a, lmb_result *b, int analysis, const lmb_channel *c)
{
    const char *name = lmb_result_analysis_name(a, analysis);
    lmb_series x = read_channel(a, name, c->name), y = read_channel(b, name, c->name);
    pair out = {.channel = c};
    assert_int_equal(x.count, y.count);
    assert_int_equal(x.size, y.size);
    for (int i = 0; i < x.count; i++)
        out.off =
            fmax(out.off, difference(c, x.values + i * x.size, y.values + i * y.size, x.size));
    for (int i = 0; i < x.count * x.size; i++)
        out.size = isfinite(x.values[i]) ? fmax(out.size, fabs(x.values[i])) : out.size;
    lmb_series_free(&x);
    lmb_series_free(&y);
    return out;
}

/* Of the same unit; modal coordinates count by themselves. */
static bool are_alike(const lmb_channel *a, const lmb_channel *b)
{
    return strcmp(a->unit, b->unit) == 0 && !strstr(a->name, "modes") == !strstr(b->name, "modes");
}

/* The largest difference in an analysis, of the channels that are compared; how many they are. */
static int compare_analysis(lmb_result *a, lmb_result *b, int i, const char *without, double *most,
                            char worst[200])
{
    int count = lmb_result_channel_count(a, i), compared = 0;
    bool modes = strcmp(lmb_result_over(a, i)->name, "time") != 0;
    pair *pairs = calloc((size_t)count, sizeof *pairs);
    assert_int_equal(count, lmb_result_channel_count(b, i));
    for (int k = 0; k < count; k++)
        pairs[k] = compare_channel(a, b, i, lmb_result_channel(a, i, k));
    for (int k = 0; k < count; k++) {
        const char *name = pairs[k].channel->name;
        double size = 0;
        for (int j = 0; j < count; j++)
            if (are_alike(pairs[k].channel, pairs[j].channel))
                size = fmax(size, pairs[j].size);
        if (is_left_out(name, without) || (modes && !strstr(name, "frequency")))
            continue;
        compared++;
        if (pairs[k].off > *most * size) {
            *most = pairs[k].off / size;
            snprintf(worst, 200, "%s/%s", lmb_result_analysis_name(a, i), name);
        }
    }
    free(pairs);
    return compared;
}

typedef struct sample {
    const char *name;
    const char *analysis; /* inserted in each dynamic analysis of both copies, or NULL */
    const char *options;
    const char *without; /* channels, or with a * parts of their names, that are not compared */
    double tolerance;
} sample;

/* The largest relative difference of all channels; prints it with the channel that has it. */
static double compare(const sample *s)
{
    const char *usual = run_copy(s->name, false, s->analysis, s->options);
    const char *natural = run_copy(s->name, true, s->analysis, s->options);
    lmb_result *a, *b;
    char worst[200] = "";
    double most = 0;
    int compared = 0;
    assert_int_equal(lmb_result_open(&a, context, usual), LMB_OK);
    assert_int_equal(lmb_result_open(&b, context, natural), LMB_OK);
    assert_int_equal(lmb_result_analysis_count(a), lmb_result_analysis_count(b));
    for (int i = 0; i < lmb_result_analysis_count(a); i++)
        compared += compare_analysis(a, b, i, s->without, &most, worst);
    assert_true(compared > 10);
    lmb_result_close(a);
    lmb_result_close(b);
    print_message("%s: %.2g in %s\n", s->name, most, worst);
    return most;
}

static void check(const sample *list, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine = compare(&list[i]) <= list[i].tolerance && fine;
    assert_true(fine);
}

static void driven_mechanisms_move_the_same(void **unused)
{
    (void)unused;
    static const sample list[] = {
        {"four-bar", NULL, "", "", 1e-11},
        {"slider-crank", NULL, "", "", 1e-11},
        {"quick-return", NULL, "", "", 1e-11},
        {"spatial-slider-crank", NULL, "", "", 1e-11},
        {"sliding-rod-inverse", NULL, "", "", 1e-11},
        {"afterburner", NULL, "", "", 1e-11},
        {"afterburner-torque", NULL, "--analysis ride", "", 1e-11},
        {"cantilever", NULL, "", "", 1e-11},
    };
    check(list, sizeof list / sizeof *list);
}

static void free_mechanisms_move_the_same(void **unused)
{
    (void)unused;
    static const sample list[] = {
        {"andrews", "tolerance: 1e-10", "", "", 1e-6},
        {"double-pendulum", "tolerance: 1e-10", "", "", 1e-6},
        {"heavy-top", "tolerance: 1e-10", "", "", 1e-6},
        {"slider-crank-dynamics", "tolerance: 1e-10", "", "", 1e-6},
        {"sliding-rod", "tolerance: 1e-10", "", "", 1e-6},
        {"suspension", "tolerance: 1e-10", "", "", 1e-6},
        {"bicycle", "tolerance: 1e-10", "", "", 1e-6},
        /* where it lies flat forces are not unique; passing there leaves 1e-4 of the velocities, as
         * another tolerance of the steps shows */
        {"n-four-bar", "tolerance: 1e-10", "", "*force *acceleration", 2e-4},
        {"bricard", "tolerance: 1e-10", "", "*force *torque", 1e-6},
    };
    check(list, sizeof list / sizeof *list);
}

static void mechanisms_move_the_same_in_steps(void **unused)
{
    (void)unused;
    static const sample list[] = {
        {"flyball-governor", NULL, "", "*torque", 1e-3}, /* torques are zero */
        {"simeon-slider-crank", NULL, "", "", 1e-4},
        {"four-bar-flexible", NULL, "", "", 1e-3},
        {"slider-crank-flexible", NULL, "", "*acceleration *modes_velocity *stress_coordinates",
         1e-2},
        {"slider-crank-beams", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"flexible-pendulum", NULL, "", "", 1e-2},
        {"spinning-beam", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"crane", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"clapper", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-4},
        {"clapper-beam", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"hub", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"hub-beam", NULL, "", "*acceleration *modes_velocity *stress_coordinates", 1e-2},
        {"afterburner-flexible", NULL, "", "*acceleration *modes_velocity *stress_coordinates",
         1e-2},
    };
    check(list, sizeof list / sizeof *list);
}

static int open_all(void **unused)
{
    (void)unused;
    context = lmb_context_new();
    return context ? 0 : -1;
}

static int close_all(void **unused)
{
    (void)unused;
    lmb_context_free(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_mechanisms_move_the_same),
        cmocka_unit_test(free_mechanisms_move_the_same),
        cmocka_unit_test(mechanisms_move_the_same_in_steps),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
