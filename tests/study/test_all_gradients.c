/* Gradients over the registries: generated models, whose numbers of each kind are parameters. Every
 * number of every channel is made an objective by each functional, with windows and penalties.
 *
 *   motions with linearised steps   direct = adjoint = differences of whole runs
 *   all other analyses              the method that is chosen = differences of runs of other models
 *
 * A difference counts only if two distances of its neighbours agree; the other pairs are counted.
 * What cannot be differentiated must be refused by a message of the table below.
 *
 * Environment: LIMBER_GRADIENTS is the number of models with linearised steps, LIMBER_SEED the
 * first seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "channel_objectives.h"
#include "generated_models.h"
#include "model/fields.h"
#include "gradients.h"
#include "study/gradient_internal.h"
#include "studies.h"
#include "support.h"
#include "varied_models.h"

enum {
    MODELS = 10,
    OTHERS = 3,
    MOST_KINDS = 16,
    SIZE = 3,
    PARAMETERS = MOST_TASK_PARAMETERS,
    MOST_FAILURES = 20
};

/* --- tables ----------------------------------------------------------------------------------- */

/* What may be refused: a piece of the message, and how often it was. The objective or else the
 * parameter that the message names is left out then. */
typedef struct refusal {
    const char *piece;
    bool whole; /* of a method for an analysis */
    long count;
    bool rare; /* occurs in long runs only */
} refusal;

static refusal refusals[] = {
    {"uses modal coordinates of", false, 0, false},
    {"changes the undeformed shape of an exact beam", false, 0, false},
    {"has no adjoint", true, 0, false},
    {"fails at a neighbouring value of", false, 0, true},
    {"there is no derivative by", false, 0, false}, /* a neighbour does not compile */
};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

/* Kinds of parameters that must be compared: sections and keys of the numbers. */
typedef struct required {
    const char *name, *kinds; /* one of these */
    long count;
} required;

static required required_kinds[] = {
    {"mass", "bodies.mass", 0},
    {"length of a rigid body", "bodies.points", 0},
    {"position of a joint", "joints.between", 0},
    {"stiffness", "forces.stiffness", 0},
    {"damping", "forces.damping", 0},
    {"amplitude of a law", "forces.force forces.torque forces.effort", 0},
    {"frequency of a law", "forces.rate", 0},
    {"size of a section", "bodies.height bodies.width bodies.diameter bodies.wall", 0},
    {"modulus", "bodies.E", 0},
    {"density", "bodies.density", 0},
    {"gravity", "gravity.gravity", 0},
    {"initial velocity", "initial.velocity", 0},
};
enum { REQUIRED = sizeof required_kinds / sizeof *required_kinds };

/* Models that a short run begins with: initial velocities, the shape of an exact beam. */
static const long rare_seeds[] = {66, 92};
enum { RARE = sizeof rare_seeds / sizeof *rare_seeds };

/* --- counts ----------------------------------------------------------------------------------- */

static struct counts {
    long models, skipped, motions, others, pairs, compared, rough, kinks, failures;
} counts;

/* --- gradients -------------------------------------------------------------------------------- */

/* Leaves out what a message names: an objective with all others of its channel, or a parameter. If
 * it names both, odd models lose the parameter. Returns false if it names neither. */
static bool leave_out(objective_task *t, const char *message)
{
    int objective = -1, parameter = -1;
    for (const char *c = strchr(message, '\''); c; c = strchr(c + 1, '\'')) {
        bool number = lmb_is_digit(c[1] ? c[2] : 0);
        if (c[1] == 'c' && number && atoi(c + 2) < t->count)
            objective = atoi(c + 2);
        if (c[1] == 'q' && number && atoi(c + 2) < t->number_count)
            parameter = atoi(c + 2);
    }
    if (parameter >= 0 && (objective < 0 || t->seed % 2))
        t->number_out[parameter] = true;
    for (int k = 0; k < t->count && objective >= 0 && !(parameter >= 0 && t->seed % 2); k++)
        t->objectives[k].out |=
            strcmp(t->objectives[k].channel, t->objectives[objective].channel) == 0;
    return objective >= 0 || parameter >= 0;
}

/* Return whether the table allows the newest error, and whether the request can be made again. */
static bool is_refused(objective_task *t, const char *method, bool *again)
{
    const char *message = "";
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (lmb_message_at(context, i)->severity == LMB_ERROR)
            message = lmb_message_at(context, i)->text;
    for (int i = 0; i < REFUSALS; i++)
        if (strstr(message, refusals[i].piece)) {
            refusals[i].count++;
            *again = !refusals[i].whole && leave_out(t, message);
            return refusals[i].whole || *again;
        }
    print_message("seed %d, %s, %s: %s\n", (int)t->seed, t->analysis->name, method, message);
    counts.failures++;
    return false;
}

/* The names of what is not left out, as a request has them. */
typedef struct wanted {
    const char *objectives[MOST_OBJECTIVES + 1], *parameters[PARAMETERS + 1];
    double sizes[PARAMETERS];
} wanted;

static bool list_wanted(const objective_task *t, double wide, wanted *w)
{
    int objectives = 0, parameters = 0;
    for (int i = 0; i < t->count; i++)
        if (!t->objectives[i].out)
            w->objectives[objectives++] = t->objectives[i].name;
    for (int i = 0; i < t->number_count; i++) {
        double value = fabs(t->numbers[i].value);
        if (t->number_out[i])
            continue;
        w->sizes[parameters] = wide * (value > 0 ? value : LENGTH_SCALE);
        w->parameters[parameters++] = t->numbers[i].name;
    }
    w->objectives[objectives] = w->parameters[parameters] = NULL;
    return objectives > 0 && parameters > 0;
}

/* The derivatives of all objectives by all parameters by a method, with neighbours `wide` times as
 * far as usual; NAN where they are left out. NULL if the method is refused. */
static double *find_slopes(objective_task *t, lmb_gradient_method method, double wide)
{
    wanted w;
    lmb_gradient *g = NULL;
    bool again = true;
    while (!g && again && list_wanted(t, wide, &w)) {
        lmb_gradient_request request = {.objectives = w.objectives,
                                        .parameters = w.parameters,
                                        .sizes = w.sizes,
                                        .method = method,
                                        .jobs = 1};
        lmb_messages_clear(context);
        again = false;
        if (lmb_gradient_find(&g, context, t->spec, &request) &&
            !is_refused(t, lmb_gradient_methods[method], &again))
            again = false;
    }
    if (!g)
        return NULL;
    double *slopes = malloc((size_t)t->count * PARAMETERS * sizeof *slopes);
    for (int i = 0; i < t->count * PARAMETERS; i++)
        slopes[i] = NAN;
    for (int i = 0; i < g->objective_count; i++)
        for (int p = 0; p < g->parameter_count; p++)
            slopes[atoi(g->objectives[i] + 1) * PARAMETERS + atoi(g->parameters[p] + 1)] =
                g->derivatives[i * g->parameter_count + p];
    for (int i = 0; i < g->objective_count; i++)
        t->objectives[atoi(g->objectives[i] + 1)].value = g->values[i];
    lmb_gradient_free(g);
    return slopes;
}

static bool has_steps(const lmb_model *m, int i)
{
    return m->analyses[i].kind == &lmb_analysis_dynamics && !lmb_no_tangent(m, &m->analyses[i]);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* The larger of a derivative and a part of the scale of its objective over its parameter. */
static double size_of(const objective_task *t, int i, int p, double slope, double part)
{
    double value = fabs(t->numbers[p].value);
    return fmax(fabs(slope), part * t->objectives[i].scale / (value > 0 ? value : LENGTH_SCALE));
}

/* Return whether the derivatives from both sides differ, and a slope is between them. */
static bool is_between(const objective_task *t, const double *sides, int i, double slope,
                       double size)
{
    double a = sides[i], b = sides[t->count + i], lo = fmin(a, b), hi = fmax(a, b);
    double slack = 1e-3 * (hi - lo);
    return hi - lo > 1e-4 * size && slope >= lo - slack && slope <= hi + slack;
}

static void count_kind(const char *kind)
{
    for (int i = 0; i < REQUIRED; i++) {
        const char *at = strstr(required_kinds[i].kinds, kind);
        size_t n = strlen(kind);
        if (at && (at[n] == 0 || at[n] == ' '))
            required_kinds[i].count++;
    }
}

static void report(const objective_task *t, int i, int p, const char *what, double a, double b,
                   double size)
{
    if (counts.failures++ < MOST_FAILURES)
        print_message("seed %d, %s, %s of %s by %s: %s %.12g and %.12g, %.1e of %.3g\n",
                      (int)t->seed, t->analysis->name, t->objectives[i].name,
                      t->objectives[i].channel, t->numbers[p].kind, what, a, b, fabs(a - b) / size,
                      size);
}

/* The roughness of a channel from objective number i on, as a part of the scales of objectives: how
 * far differences with neighbours at two distances are apart. Returns how many objectives the
 * channel has. */
static int find_roughness(const objective_task *t, int i, int p, const double *near,
                          const double *far, double *out)
{
    int k = i;
    for (*out = 0; k < t->count && strcmp(t->objectives[k].channel, t->objectives[i].channel) == 0;
         k++) {
        int at = k * PARAMETERS + p;
        *out = fmax(*out, fabs(near[at] - far[at]) / t->objectives[k].scale);
    }
    return k - i;
}

/* Return whether an objective is at its kink: its values are rounding. */
static bool is_at_kink(const channel_objective *o)
{
    return o->norm && fabs(o->value) <= 1e-9 * o->scale;
}

/* Compares a derivative with differences. At kinks it must be between the slopes of both sides,
 * which are found for all objectives then.
 *
 * The scale over the parameter is S. Stencils at a fixed state are exact to 1e-12 of the largest
 * terms, stiff and constraint forces of up to 1e3 S; Newton's method leaves 4 eps of positions of
 * 0.5 m, which the stencil of runs divides by 1e-3 of the parameter: 1e-12 S. For accelerations and
 * reactions 1 / (beta h^2) = 4e6 / s^2 multiplies this over a scale of 10 m/s^2. Derivatives below
 * 1e-3 S of positions and velocities, and 0.3 S of other channels, are compared with 1e-5 of these.
 * Analyses that settle do so to 1e-4 at least (study/method.c). */
static void compare_pair(const objective_task *t, int i, int p, double slope, double near,
                         double rough, double **sides)
{
    const channel_objective *o = &t->objectives[i];
    double size = size_of(t, i, p, slope, o->motion && !t->settles ? 1e-3 : 0.3);
    double part = t->settles ? 1e-4 : 1e-5;
    if (is_at_kink(o)) {
        counts.kinks++;
        return;
    }
    if (!(rough * o->scale <= (t->steps ? 0.2 : 0.1) * part * size)) {
        counts.rough++;
        return;
    }
    counts.compared++;
    count_kind(t->numbers[p].kind);
    if (fabs(slope - near) <= part * size)
        return;
    *sides = *sides ? *sides : find_sides(t, p);
    if (*sides && is_between(t, *sides, i, slope, size))
        counts.kinks++;
    else
        report(t, i, p, "method and differences", slope, near, size);
}

static void compare_differences(const objective_task *t, int p, const double *slopes,
                                const double *near, const double *far)
{
    double *sides = NULL, rough = 0;
    for (int i = 0, next = 0; i < t->count; i++) {
        int at = i * PARAMETERS + p;
        if (i == next)
            next += find_roughness(t, i, p, near, far, &rough);
        if (!isnan(slopes[at]) && !isnan(near[at]) && !isnan(far[at]))
            compare_pair(t, i, p, slopes[at], near[at], rough, &sides);
    }
    free(sides);
}

/* Compares direct and adjoint, which add the same terms in two orders: with the terms of above,
 * these differ by 1e-9 of the scale over the parameter, for accelerations and reactions by 1e-7.
 * Stiff models multiply rounding by more; the differences (NULL: there are none) show by how much.
 */
static void compare_methods(const objective_task *t, int p, const double *slopes,
                            const double *other, const double *near, const double *far)
{
    double rough = 0;
    for (int i = 0, next = 0; i < t->count; i++) {
        int at = i * PARAMETERS + p;
        const channel_objective *o = &t->objectives[i];
        double size = size_of(t, i, p, slopes[at], o->motion ? 0.1 : 10);
        if (i == next && near && far)
            next += find_roughness(t, i, p, near, far, &rough);
        if (isnan(slopes[at]) || isnan(other[at]) || is_at_kink(o))
            continue;
        counts.pairs++;
        if (!(fabs(slopes[at] - other[at]) <= fmax(1e-8 * size, rough * o->scale)))
            report(t, i, p, "direct and adjoint", slopes[at], other[at], size);
    }
}

/* Return whether an analysis begins with the state of another one that is integrated with errors,
 * which differences divide by the distance of neighbours; or with the equilibrium of statics, whose
 * search stops at a small part of the forces: runs at nearby values agree with the direct method.
 */
static bool begins_roughly(const lmb_model *m, const lmb_analysis *a)
{
    for (; a->from >= 0; a = &m->analyses[a->from]) {
        const lmb_analysis *from = &m->analyses[a->from];
        if (from->kind == &lmb_analysis_statics ||
            (lmb_analysis_is_integrated(m, from) && !has_steps(m, a->from)))
            return true;
    }
    return false;
}

static void check_analysis(objective_task *t)
{
    double *slopes = find_slopes(t, t->steps ? LMB_GRADIENT_DIRECT : LMB_GRADIENT_AUTO, 1);
    double *other = t->steps && slopes ? find_slopes(t, LMB_GRADIENT_ADJOINT, 1) : NULL;
    bool rough = begins_roughly(t->model, t->analysis);
    double *near = slopes && !rough ? find_slopes(t, LMB_GRADIENT_DIFFERENCES, 4) : NULL;
    /* not by a power of 4: where models need it, neighbours are nearer by such powers */
    double *far = near ? find_slopes(t, LMB_GRADIENT_DIFFERENCES, 10) : NULL;
    for (int p = 0; p < t->number_count; p++) {
        if (slopes && other)
            compare_methods(t, p, slopes, other, near, far);
        if (slopes && near && far)
            compare_differences(t, p, slopes, near, far);
    }
    *(t->steps ? &counts.motions : &counts.others) += slopes != NULL;
    free(slopes);
    free(other);
    free(near);
    free(far);
}

/* --- models ----------------------------------------------------------------------------------- */

/* Return whether gradients of an analysis are compared: not of motions without linearised steps,
 * which have differences of runs with errors, and of one motion with such steps in a short run. */
static bool is_compared(const lmb_model *m, int i, uint64_t seed)
{
    static long others[MOST_KINDS];
    int motions = 0, before = 0;
    for (int k = 0; k < m->analysis_count; k++) {
        before += k < i && has_steps(m, k);
        motions += has_steps(m, k);
    }
    bool all = getenv("LIMBER_GRADIENTS");
    if (m->analyses[i].kind == &lmb_analysis_dynamics)
        return has_steps(m, i) && (all || (int)(seed % (uint64_t)motions) == before);
    int kind = 0;
    while (lmb_analysis_kinds[kind] && lmb_analysis_kinds[kind] != m->analyses[i].kind)
        kind++;
    return all || others[kind]++ < OTHERS;
}

/* A model whose files are beside its text. */
static lmb_spec *parse(const char *text)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "tests/support/varied.yaml", text));
    spec->no_cache = true;
    return spec;
}

static void check_model(uint64_t seed, const char *text, const varied_number *numbers, int count)
{
    lmb_model *m = NULL;
    lmb_spec *spec = parse(text);
    lmb_status status = lmb_model_compile(&m, context, spec);
    lmb_result *result = NULL;
    lmb_mobility mobility;
    bool sound = !status && !lmb_check(context, m, &mobility) && mobility.redundant == 0 &&
                 !lmb_run_to_memory(&result, context, m, NULL);
    long motions = counts.motions;
    for (int a = 0; sound && a < m->analysis_count; a++) {
        objective_task t = {.seed = seed,
                            .steps = has_steps(m, a),
                            .settles = m->analyses[a].kind != &lmb_analysis_dynamics &&
                                       lmb_analysis_is_integrated(m, &m->analyses[a]),
                            .model = m,
                            .analysis = &m->analyses[a],
                            .numbers = numbers,
                            .number_count = count};
        if (!is_compared(m, a, seed))
            continue;
        char *full = with_objectives(&t, text, result);
        t.spec = parse(full);
        check_analysis(&t);
        lmb_spec_free(t.spec);
        free(t.objectives);
        free(full);
    }
    counts.skipped += !sound;
    counts.models += counts.motions > motions;
    lmb_result_close(result);
    lmb_model_free(m);
    lmb_spec_free(spec);
}

/* Lets errors choose fewer steps: rounding of accelerations grows with the square of 1 / h. */
static void loosen_tolerances(char *text)
{
    for (char *c = text; (c = strstr(c, "tolerance: 1e-8")); c++)
        memcpy(c, "tolerance: 1e-4", strlen("tolerance: 1e-4"));
}

static long number_from(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static void print_kinds(void)
{
    for (int i = 0; i < REFUSALS; i++)
        print_message("refused %ld times: %s\n", refusals[i].count, refusals[i].piece);
    for (int i = 0; i < REQUIRED; i++)
        print_message("%ld pairs: %s\n", required_kinds[i].count, required_kinds[i].name);
}

static void methods_and_differences_agree(void **unused)
{
    (void)unused;
    long first = number_from("LIMBER_SEED", 0), models = number_from("LIMBER_GRADIENTS", MODELS);
    bool given = getenv("LIMBER_SEED");
    generated_form form = {.substituted = true};
    for (long i = given ? RARE : 0; counts.models < models && i < RARE + 20 * models; i++) {
        long seed = i < RARE ? rare_seeds[i] : first + i - RARE;
        varied_number numbers[MOST_VARIED];
        int count;
        char *plain = generated_model((uint64_t)seed, SIZE, GENERATED_ALL, &form);
        loosen_tolerances(plain);
        char *text = vary_numbers(plain, (uint64_t)seed, PARAMETERS, numbers, &count);
        check_model((uint64_t)seed, text, numbers, count);
        free(text);
        free(plain);
    }
    print_message("%ld models, %ld skipped, %ld motions, %ld other analyses\n", counts.models,
                  counts.skipped, counts.motions, counts.others);
    print_message("%ld pairs direct and adjoint, %ld with differences, %ld not comparable, "
                  "%ld at kinks, %ld failures\n",
                  counts.pairs, counts.compared, counts.rough, counts.kinks, counts.failures);
    print_kinds();
    assert_int_equal(counts.failures, 0);
    assert_true(counts.rough <= (counts.compared + counts.rough) / 4);
    assert_true(counts.kinks <= counts.compared / 20);
    if (given || models < MODELS)
        return;
    assert_true(counts.pairs >= 20000);
    for (int i = 0; i < REFUSALS; i++)
        assert_true(refusals[i].count > 0 || refusals[i].rare);
    for (int i = 0; i < REQUIRED; i++)
        assert_true(required_kinds[i].count > 0);
}

/* --- events ----------------------------------------------------------------------------------- */

/* A drop falls from a height h in the time T = sqrt(2 h / g): dT/dh = T / (2 h), dT/dg = -T / (2
 * g). Steps of 1e-4 s locate a state between them to 1e-8; differences multiply by some 1e2. */
static void times_of_events_have_closed_forms(void **unused)
{
    (void)unused;
    for (int i = 0; lmb_integrators[i]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 2\ngravity: [0, -g]\nparameters: {h: 0.8, g: 9.81}\n"
                 "bodies: {drop: {type: particle, mass: 1, position: [0, h]}}\n"
                 "forces: {push: {type: force, at: drop, force: [1, 0]}}\n"
                 "events: {floor: {when: drop.position.y, release: [push]}}\n"
                 "objectives: {landing: {final: floor.time, of: fall}}\n"
                 "analyses: {fall: {type: dynamics, duration: 0.5, output_step: 0.01, "
                 "integrator: %s, %s}}\n",
                 lmb_integrators[i]->name,
                 lmb_integrators[i]->controlled ? "tolerance: 1e-9" : "step: 1e-4");
        lmb_gradient *g = gradient_of_text(text, NULL, LMB_GRADIENT_AUTO, 0);
        double time = sqrt(2 * 0.8 / 9.81);
        assert_close(value_of(g, "landing") / time, 1, 1e-4 / time); /* Euler: half a step */
        assert_close(slope_of(g, "landing", "h") / (time / 1.6), 1, 1e-6);
        assert_close(slope_of(g, "landing", "g") / (-time / (2 * 9.81)), 1, 1e-6);
        lmb_gradient_free(g);
    }
}

/* A bar of square section bends in two directions with the same frequency. The mode that is kept is
 * another one at each neighbouring value. */
static void bodies_of_parted_modes_are_refused(void **unused)
{
    (void)unused;
    lmb_spec *spec = parse(
        "limber: 1\ndimension: 3\nparameters: {d: 800}\nbodies:\n"
        "  block: {mesh: {file: block.inp, material: {E: 4e7, nu: 0.3, density: d}},\n"
        "    interfaces: {a: {nodes: ROOT}, b: {nodes: TIP}}, reduction: {modes: 1, keep: 3}}\n"
        "joints: {root: {type: revolute, between: [ground, block.a], axis: [0, 1, 0]}}\n"
        "objectives: {o: {final: block.b.position.z, of: swing}}\n"
        "analyses: {swing: {type: dynamics, duration: 0.01, step: 1e-3}}\n");
    lmb_gradient *g = NULL;
    const char *parameters[] = {"d", NULL};
    lmb_gradient_request request = {.parameters = parameters};
    assert_int_equal(lmb_gradient_find(&g, context, spec, &request), LMB_BAD_INPUT);
    assert_true(was_said("keeps only one of several modes of the same frequency"));
    assert_message(context, "there is no derivative by 'd'");
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_and_differences_agree),
                                       cmocka_unit_test(times_of_events_have_closed_forms),
                                       cmocka_unit_test(bodies_of_parted_modes_are_refused)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
