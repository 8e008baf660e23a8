/* What gradients cost: the direct and the adjoint method with 1 and 8 parameters against a plain
 * run of the same steps, one objective each.
 *
 * What does not grow with the number of steps is printed apart: four neighbours are compiled for a
 * parameter, and the motion of each begins, where it may have to find its state of rest.
 *
 * Goals: direct 2.5 runs and 0.2 a parameter, adjoint 4 runs and 0.1 a parameter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "measure.h"
#include "study/gradient_internal.h"

enum { MOST = 8 };

typedef struct setting {
    const char *name;
    const char *file;             /* an example, or NULL: */
    const char *text;             /* a model; of an example: what is added to it */
    const char *parameters[MOST]; /* by which it is differentiated */
    int analysis;
    double step;
} setting;

static const char fivebar[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {g: 9.81, k1: 100, k2: 100, L01: 2.23606797749979, L02: 2.8284271247461903,"
    " m1: 1, m2: 1.5, b: 3}\n"
    "bodies:\n"
    "  r1: {shape: {bar: {length: \"norm([0.5, 1])\"}}, mass: m1, position: [0.25, 0.5],"
    " angle: \"atan2(1, 0.5)\","
    " points: {A: [\"-norm([0.5, 1])/2\", 0], P1: [\"norm([0.5, 1])/2\", 0]}}\n"
    "  r2: {shape: {bar: {length: \"norm([0.5, 1])\"}}, mass: m2, position: [0.75, 1.5],"
    " angle: \"atan2(1, 0.5)\","
    " points: {P1: [\"-norm([0.5, 1])/2\", 0], P2: [\"norm([0.5, 1])/2\", 0]}}\n"
    "  r3: {shape: {bar: {length: \"norm([1.5, 0.5])\"}}, mass: 1.5, position: [1.75, 1.75],"
    " angle: \"atan2(-0.5, 1.5)\","
    " points: {P2: [\"-norm([1.5, 0.5])/2\", 0], P3: [\"norm([1.5, 0.5])/2\", 0]}}\n"
    "  r4: {shape: {bar: {length: \"norm([0.5, 1.5])\"}}, mass: 1, position: [2.75, 0.75],"
    " angle: \"atan2(-1.5, 0.5)\","
    " points: {P3: [\"-norm([0.5, 1.5])/2\", 0], B: [\"norm([0.5, 1.5])/2\", 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, r1.A]}\n"
    "  j1: {type: revolute, between: [r1.P1, r2.P1]}\n"
    "  j2: {type: revolute, between: [r2.P2, r3.P2]}\n"
    "  j3: {type: revolute, between: [r3.P3, r4.P3]}\n"
    "  B: {type: revolute, between: [[b, 0], r4.B]}\n"
    "forces:\n"
    "  s1: {type: spring, between: [ground, r2.P2], stiffness: k1, length: L01}\n"
    "  s2: {type: spring, between: [[b, 0], r2.P2], stiffness: k2, length: L02}\n"
    "analyses:\n"
    "  move: {type: dynamics, duration: 5, output_step: 0.01}\n"
    "objectives:\n"
    "  psi: {integral: \"(r2.P2.position.x - 1)^2 + (r2.P2.position.y - 2)^2\", of: move}\n";

static const setting settings[] = {
    {"andrews",
     "andrews",
     "\nobjectives: {turn: {mean: K3.angle^2, of: squeeze}}\n",
     {"torque", "c0", "l0", "da", "ea", "sa", "ta", "ua"},
     0,
     1e-5},
    {"suspension",
     "suspension",
     "\nobjectives: {ride: {rms: chassis.acceleration.y, of: bump}}\n",
     {"k", "c", "l0", "kt", "r", "h", "M", "mw"},
     1,
     1e-3},
    {"five-bar", NULL, fivebar, {"k1", "k2", "L01", "L02", "g", "m1", "m2", "b"}, 0, 1e-3},
};

/* The text of a case. */
static char *text_of(const setting *c)
{
    char *text = calloc(1, 100000), path[200];
    if (c->file) {
        snprintf(path, sizeof path, "examples/%s/%s.yaml", c->file, c->file);
        FILE *f = fopen(path, "r");
        if (!f || !fread(text, 1, 90000, f)) {
            fprintf(stderr, "bench: cannot read %s: run it from the top folder\n", path);
            exit(1);
        }
        fclose(f);
    }
    return strcat(text, c->text);
}

static lmb_status look(void *user, const lmb_state *state, double at, const double *more)
{
    (void)state, (void)at, (void)more;
    ++*(int *)user;
    return LMB_OK;
}

/* A run as users make it, or one to rounding, point by point. */
static lmb_status run(const lmb_gradient_task *k)
{
    lmb_state *initial;
    lmb_arena *arena;
    int points = 0;
    lmb_point_taker taker = {.user = &points, .take = look};
    lmb_status status = lmb_task_initial(k, k->model, &initial, &arena);
    if (!status)
        status = lmb_points_run(k->context, initial, &k->model->analyses[k->analysis], &taker);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    return status;
}

/* Where it begins: at rest, for example. */
static lmb_status begin(const lmb_gradient_task *k)
{
    lmb_state *initial;
    lmb_arena *arena;
    lmb_status status = lmb_task_initial(k, k->model, &initial, &arena);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    return status;
}

/* The best time of some rounds. */
static double best_time(lmb_status of(const lmb_gradient_task *), const lmb_gradient_task *k)
{
    enum { ROUNDS = 5 };
    double best = INFINITY;
    for (int i = 0; i < (fixed_count() ? 1 : ROUNDS); i++) {
        double start = seconds();
        if (of(k))
            give_up(k->context);
        best = fmin(best, seconds() - start);
    }
    return best;
}

/* The numbers that the adjoint keeps of a step. */
static size_t bytes_of_step(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    lmb_pack size = {.mode = LMB_PACK_COUNT};
    lmb_state_pack(s, &size);
    lmb_state_free(s);
    return (size.count + 1) * sizeof(double); /* and its length */
}

static void report(const char *name, const double time[2], double run)
{
    printf("  %-8s %6.2f runs with 1 parameter, %6.2f with %d: %.2f, and %.3f a parameter\n", name,
           time[0] / run, time[1] / run, MOST, (time[0] - (time[1] - time[0]) / (MOST - 1)) / run,
           (time[1] - time[0]) / (MOST - 1) / run);
}

static void measure(const setting *c)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *m;
    char *text = text_of(c);
    lmb_integration_choice choice = {&lmb_integrator_alpha, c->step};
    if (lmb_spec_parse(&spec, context, "bench", text) || lmb_model_compile(&m, context, spec) ||
        lmb_prepare_analyses(context, m, &choice))
        give_up(context);
    lmb_neighbours parameters[MOST];
    double start = seconds();
    for (int p = 0; p < MOST; p++) {
        double value;
        if (lmb_parameter_find(context, spec, m, c->parameters[p], &value) ||
            lmb_neighbours_compile(&parameters[p], context, spec, m, &choice, LMB_BASIS_MOVING,
                                   c->parameters[p], value, 1e-3 * fabs(value)))
            give_up(context);
    }
    double compiling = (seconds() - start) / MOST, values[1], derivatives[2][MOST];
    const int objectives[] = {0};
    lmb_gradient_task k = {.context = context,
                           .model = m,
                           .analysis = c->analysis,
                           .objectives = objectives,
                           .count = 1,
                           .parameters = parameters,
                           .parameter_count = MOST,
                           .values = values};
    double rest = best_time(begin, &k); /* then all begin as they are drawn */
    m->analyses[c->analysis].from = -1;
    for (int p = 0; p < MOST * LMB_NEIGHBOURS; p++)
        parameters[p / LMB_NEIGHBOURS].models[p % LMB_NEIGHBOURS]->analyses[c->analysis].from = -1;
    bool *to_rounding = &m->analyses[c->analysis].integration.to_rounding;
    double exact = best_time(run, &k), direct[2], adjoint[2];
    *to_rounding = false;
    double plain = best_time(run, &k);
    *to_rounding = true;
    for (int i = 0; i < 2; i++) {
        k.parameter_count = i ? MOST : 1;
        k.derivatives = derivatives[0];
        direct[i] = best_time(lmb_gradient_direct, &k);
        k.derivatives = derivatives[1];
        adjoint[i] = best_time(lmb_gradient_adjoint, &k);
    }
    double differ = 0;
    for (int p = 0; p < MOST; p++)
        differ = fmax(differ, fabs(derivatives[0][p] / derivatives[1][p] - 1));
    printf("%s: a run %.1f ms, to rounding %.2f runs; besides, four times a parameter: compiling "
           "%.2f ms, the beginning %.2f ms\n",
           c->name, 1e3 * plain, exact / plain, 1e3 * compiling / LMB_NEIGHBOURS, 1e3 * rest);
    report("direct", direct, plain);
    report("adjoint", adjoint, plain);
    printf("  they differ by %.1e; the adjoint keeps %zu bytes a step\n", differ, bytes_of_step(m));
    fflush(stdout);
    for (int p = 0; p < MOST; p++)
        lmb_neighbours_free(&parameters[p]);
    lmb_model_free(m);
    lmb_spec_free(spec);
    lmb_context_free(context);
    free(text);
}

int main(int count, char **words)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (wanted(count, words, settings[i].name))
            measure(&settings[i]);
    return 0;
}
