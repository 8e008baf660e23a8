/* Statics of mechanisms that turn about two axes at once. Rows of the directions of axes act on
 * rotations alone, and after a step that turns about two axes they are open by the product of both
 * angles. Closing them must converge as fast as closing any other row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* Iterations that the log has told of, and the most that closed the joints after one step of
 * statics, whose own iterations are logged without a step. */
static int iterations, longest;

static void count_iterations(void *unused, const char *line)
{
    (void)unused;
    const char *at = strstr(line, " iteration "), *step = strstr(line, " step ");
    int number = at ? atoi(at + strlen(" iteration ")) : 0;
    iterations += at != NULL;
    if (step && atof(step + strlen(" step ")) > 0 && number > longest)
        longest = number;
}

/* The equilibrium of a model; `longest` is the largest number of iterations of a closing. */
static lmb_solver *rest_and_count(const lmb_model *m)
{
    longest = 0;
    lmb_context_on_log(context, count_iterations, NULL);
    lmb_solver *s = at_rest(m);
    lmb_context_on_log(context, NULL, NULL);
    return s;
}

/* --- an arm on a beam ------------------------------------------------------------------------- */

/* The beam bends about y and z, the hinge is about y. Right numbers are given to 1e-7 m. */
static void an_arm_on_an_exact_beam_needs_few_iterations(void **unused)
{
    (void)unused;
    static const char *const kinds[] = {"deformation: large, ", ""};
    for (int i = 0; i < 2; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\nbodies:\n"
                 "  ex:\n    beam: {from: [0, 0, 0], to: [0.4, 0, 0], elements: 3, %ssection: "
                 "{circle: {diameter: 0.02}}, material: {E: 2e9, nu: 0.3, density: 1000}}\n"
                 "    interfaces: {A: start, B: end}\n"
                 "  arm: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.6, 0, 0], points: {A: "
                 "[-0.2, 0, 0], B: [0.2, 0, 0]}}\n"
                 "joints:\n  wall: {type: fixed, between: [ground, ex.A]}\n"
                 "  pin: {type: revolute, between: [ex.B, arm.A], axis: [0, 1, 0]}\n"
                 "forces:\n  spring: {type: torsion-spring, joint: pin, stiffness: 20}\n"
                 "  load: {type: force, at: arm.B, force: [0, 2, 1]}\n",
                 kinds[i]);
        lmb_model *m = model_of_text(text);
        iterations = 0;
        lmb_context_on_log(context, count_iterations, NULL);
        lmb_solver *s = at_rest(m);
        lmb_context_on_log(context, NULL, NULL);
        vec3 end = point(s, "arm.B");
        if (getenv("LIMBER_SHOW"))
            printf("%d iterations, end (%.7f %.7f %.7f)\n", iterations, end.x, end.y, end.z);
        assert_true(iterations <= 50);
        if (i == 0)
            assert_true(v3_norm(v3_sub(end, v3(0.7994737, 0.0190007, 0.0174830))) < 1e-7);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* --- a body on a universal joint -------------------------------------------------------------- */

static struct {
    int count;
    double load;
    vec3 end;
} path;

static lmb_status take(void *solver, const lmb_state *s, double at, const double *more)
{
    (void)s, (void)at;
    path.count++;
    path.load = more[0];
    path.end = point(solver, "b.B");
    return LMB_OK;
}

/* Follows the load of a body that hangs on a joint at the origin, two bushings and a spring. */
static void follow(const char *joint, const char *method)
{
    char text[900];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  b: {mass: 0.5, inertia: [0.002, 0.01, 0.012], position: [0.2, 0, 0], points: {A: "
             "[-0.2, 0, 0], B: [0.2, 0, 0]}}\n"
             "joints: {hub: {between: [ground, b.A], %s}}\nforces:\n"
             "  hold: {type: bushing, between: [ground, b.A], stiffness: [0, 0, 0, 20, 20, 20]}\n"
             "  pull: {type: spring, between: [[0.5, 0.5, 0.5], b.B], stiffness: 100}\n"
             "analyses: {rest: {type: statics, %s}}\n",
             joint, method);
    lmb_model *m = model_of_text(text);
    lmb_solver *s;
    lmb_rank rank;
    path.count = iterations = 0;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    lmb_context_on_log(context, count_iterations, NULL);
    assert_ok(m->analyses[0].kind->solve(s, &m->analyses[0]));
    assert_ok(m->analyses[0].kind->rows(s, &m->analyses[0], take, s));
    lmb_context_on_log(context, NULL, NULL);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The load factor reaches 1, in about as many points and iterations as with a spherical joint. All
 * ways lead to the same end, to 1e-11 of the forces (5 N) over the stiffness (20 N m over 0.2 m).
 */
static void a_body_on_a_universal_joint_follows_its_load(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"follow: arc", "follow: load, steps: 3"};
    vec3 ends[2];
    for (int i = 0; i < 2; i++) {
        follow("type: spherical", methods[i]);
        int points = path.count, needed = iterations;
        follow("type: universal, axis: [0, 1, 0], axis_b: [0, 0, 1]", methods[i]);
        if (getenv("LIMBER_SHOW"))
            printf("%s: %d points, %d iterations; spherical %d, %d\n", methods[i], path.count,
                   iterations, points, needed);
        assert_close(path.load, 1, 1e-12);
        assert_true(path.count <= 2 * points && iterations <= 3 * needed);
        ends[i] = path.end;
    }
    assert_true(v3_norm(v3_sub(ends[0], ends[1])) < 1e-10);
}

/* --- all joints on all bodies ----------------------------------------------------------------- */

/* Bodies that bend or turn about y and z, from the ground at A to B at x = 0.4. */
#define BEAM                                                                                       \
    "beam: {from: [0, 0, 0], to: [0.4, 0, 0], elements: 3, section: {circle: {diameter: 0.02}}, "  \
    "material: {E: 2e9, nu: 0.3, density: 1000}"
#define RIGID                                                                                      \
    "mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2, 0, 0], "                                \
    "points: {A: [-0.2, 0, 0], B: [0.2, 0, 0]}"
static const char *const bases[] = {RIGID, RIGID ", coordinates: natural",
                                    BEAM "}, interfaces: {A: start, B: end}",
                                    BEAM "}, interfaces: {A: start, B: end}, coordinates: natural",
                                    BEAM ", deformation: large}, interfaces: {A: start, B: end}"};

/* The fields that a joint needs. */
static void put_fields(FILE *f, const lmb_joint_type *type)
{
    for (const lmb_field *field = type->fields; field->name; field++)
        if (strcmp(field->name, "axis") == 0)
            fprintf(f, ", axis: [0, 1, 0]");
        else if (strcmp(field->name, "lead") == 0)
            fprintf(f, ", lead: 0.05");
        else if (strcmp(field->name, "axis_b") == 0 && strcmp(type->name, "universal") == 0)
            fprintf(f, ", axis_b: [0, 0, 1]");
}

static char *text_of(const lmb_joint_type *type, const char *base)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool apart = strcmp(type->name, "distance") == 0;
    fprintf(f,
            "limber: 1\ndimension: 3\nbodies:\n  base: {%s}\n  arm: {mass: 1, inertia: [0.01, "
            "0.01, 0.01], position: [0.6, %g, 0], points: {A: [-0.2, 0, 0], B: [0.2, 0, 0]}}\n"
            "joints:\n  wall: {type: %s, between: [ground, base.A]%s}\n"
            "  tested: {type: %s, between: [base.B, arm.A]",
            base, apart ? 0.05 : 0.0, base[0] == 'm' ? "universal" : "fixed",
            base[0] == 'm' ? ", axis: [0, 1, 0], axis_b: [0, 0, 1]" : "", type->name);
    put_fields(f, type);
    fprintf(f, "}\nforces:\n"
               "  a: {type: bushing, between: [ground, base.A], stiffness: [0, 0, 0, 9, 9, 9]}\n"
               "  b: {type: bushing, between: [base.B, arm.A], stiffness: [200, 200, 200, 9, 9, "
               "9]}\n  load: {type: force, at: arm.B, force: [0, 2, 1]}\n");
    fclose(f);
    return text;
}

/* After a step joints are open by a part x < 0.4^2 of the length, and Newton's method squares it:
 * 0.16, 3e-2, 7e-4, 4e-7, 2e-13. */
static void every_joint_on_every_body_closes_in_few_iterations(void **unused)
{
    (void)unused;
    int tested = 0;
    for (int i = 0; lmb_joint_types[i]; i++)
        for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
            const lmb_joint_type *type = lmb_joint_types[i];
            if (type->coupling || type->dimension == 2 || strcmp(type->name, "rolling") == 0)
                continue;
            char *text = text_of(type, bases[k]);
            lmb_model *m = model_of_text(text);
            lmb_solver *s = rest_and_count(m);
            if (longest > 5)
                fail_msg("joints close in %d iterations in\n%s", longest, text);
            tested++;
            lmb_solver_free(s);
            lmb_model_free(m);
            free(text);
        }
    assert_true(tested >= 50);
}

/* --- loops ------------------------------------------------------------------------------------ */

/* Rows of a loop together act on rotations alone. In space five of them repeat others, too. */
static void loops_close_in_few_iterations(void **unused)
{
    (void)unused;
    static const char *const zeros[] = {"", ", 0"}, *const axes[] = {"", ", axis: [0, 0, 1]"};
    for (int space = 0; space < 2; space++) {
        const char *z = zeros[space], *axis = axes[space];
        char text[1200];
        size_t at = (size_t)snprintf(text, sizeof text,
                                     "limber: 1\ndimension: %d\ngravity: [0, -9.81%s]\nbodies:\n",
                                     2 + space, z);
        const double bodies[][4] = {
            {0, 0.5, LMB_PI / 2, 1}, {1, 1, 0, 2}, {2.25, 0.5, LMB_PI - atan(2), sqrt(1.25)}};
        for (int i = 0; i < 3; i++)
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "  b%d: {mass: 1, inertia: %s, position: [%g, %g%s], %s%.17g%s, "
                                   "points: {a: [%.17g, "
                                   "0%s], b: [%.17g, 0%s]}}\n",
                                   i, space ? "[0.1, 0.1, 0.1]" : "0.1", bodies[i][0], bodies[i][1],
                                   z, space ? "rotation: [0, 0, " : "angle: ", bodies[i][2],
                                   space ? "]" : "", -bodies[i][3] / 2, z, bodies[i][3] / 2, z);
        snprintf(text + at, sizeof text - at,
                 "joints:\n  A: {type: revolute, between: [ground, b0.a]%s}\n"
                 "  B: {type: revolute, between: [b0.b, b1.a]%s}\n"
                 "  C: {type: revolute, between: [b1.b, b2.b]%s}\n"
                 "  D: {type: revolute, between: [[2.5, 0%s], b2.a]%s}\n"
                 "forces:\n  s: {type: torsion-spring, joint: A, stiffness: 30, angle: 2.2}\n",
                 axis, axis, axis, z, axis);
        lmb_model *m = model_of_text(text);
        lmb_solver *s = rest_and_count(m);
        assert_in_range(longest, 2, 6);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_on_an_exact_beam_needs_few_iterations),
        cmocka_unit_test(a_body_on_a_universal_joint_follows_its_load),
        cmocka_unit_test(every_joint_on_every_body_closes_in_few_iterations),
        cmocka_unit_test(loops_close_in_few_iterations),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
