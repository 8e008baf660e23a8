/* Derivatives of the steps of generalized-alpha, hht, newmark and ali3p with each projection, and
 * of changes of their length: forwards they are those of differences of steps made from
 * neighbouring states, backwards their transposes. Loops in space, drivers, rolling, friction,
 * flexible bodies and exact beams.
 *
 * Tolerance: positions of steps are exact to about 3e-14 of the model's length, over the distance
 * 5e-4 of the stencil 6e-11; velocities feel that over beta h / gamma, accelerations and
 * multipliers over beta h^2, about h^2 / 4. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate/ali3p.h"
#include "integrate/alpha_change.h"
#include "integrate/step_tangent.h"
#include "models.h"
#include "motions.h"
#include "random_models.h"
#include "support.h"

static const double offsets[] = {-2, -1, 1, 2}, weights[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};

typedef struct setting {
    const char *file; /* an example */
    const lmb_integrator *integrator;
    double h;
    int steps; /* before the one that is looked at */
    lmb_rate_projection projection;
} setting;

static const setting settings[] = {
    {"spatial-slider-crank", &lmb_integrator_alpha, 2e-3, 20, LMB_PROJECT_NONE},
    {"heavy-top", &lmb_integrator_hht, 2e-3, 20, LMB_PROJECT_NONE},
    {"andrews", &lmb_integrator_newmark, 1e-4, 20, LMB_PROJECT_NONE},
    {"bicycle", &lmb_integrator_alpha, 2e-3, 20, LMB_PROJECT_NONE},
    {"flyball-governor", &lmb_integrator_alpha, 1e-3, 20, LMB_PROJECT_NONE},
    {"slider-crank-flexible", &lmb_integrator_alpha, 1e-3, 20, LMB_PROJECT_NONE},
    {"four-bar-flexible", &lmb_integrator_alpha, 1e-3, 20, LMB_PROJECT_NONE},
    {"right-angle", &lmb_integrator_alpha, 1e-3, 5, LMB_PROJECT_NONE},
    {"spatial-slider-crank", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_NONE},
    {"spatial-slider-crank", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_MASS},
    {"spatial-slider-crank", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_FULL},
    {"heavy-top", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_MASS},
    {"andrews", &lmb_integrator_ali3p, 1e-4, 20, LMB_PROJECT_MASS},
    {"andrews", &lmb_integrator_ali3p, 1e-4, 20, LMB_PROJECT_FULL},
    {"bicycle", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_MASS},
    {"bicycle", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_FULL},
    {"slider-crank-dynamics", &lmb_integrator_ali3p, 1e-3, 20, LMB_PROJECT_MASS},
    {"slider-crank-dynamics", &lmb_integrator_ali3p, 1e-3, 20, LMB_PROJECT_FULL},
    {"flyball-governor", &lmb_integrator_ali3p, 1e-3, 20, LMB_PROJECT_FULL},
    {"slider-crank-flexible", &lmb_integrator_ali3p, 1e-3, 20, LMB_PROJECT_MASS},
    {"four-bar-flexible", &lmb_integrator_ali3p, 1e-3, 20, LMB_PROJECT_FULL},
    {"right-angle", &lmb_integrator_ali3p, 1e-3, 5, LMB_PROJECT_MASS},
};

static lmb_integration options_of(const setting *s)
{
    return (lmb_integration){.integrator = s->integrator,
                             .step = s->h,
                             .spectral_radius = 0.8,
                             .projection = s->projection,
                             .to_rounding = true};
}

/* A motion, as it was before a step, and room for two changes. */
typedef struct bench {
    lmb_spec *spec;
    lmb_model *model;
    lmb_dynamics *dynamics;
    double *saved;      /* of the motion before the step */
    size_t nv, rows, n; /* n: numbers of a change */
    double *x, *y, *lambda, *by_lambda, *load;
} bench;

static lmb_motion *motion_of(const bench *b)
{
    return b->dynamics->motion;
}

static void pack(bench *b, lmb_packing mode)
{
    lmb_pack p = {.mode = mode, .numbers = b->saved};
    lmb_motion_pack(motion_of(b), &p);
}

static double *numbers(size_t count)
{
    return calloc(count + 1, sizeof(double));
}

/* An example moves; false: it has no dynamics that can be begun. */
static bool open_bench(bench *b, const setting *s)
{
    char path[128];
    *b = (bench){0};
    snprintf(path, sizeof path, "examples/%s/%s.yaml", s->file, s->file);
    assert_ok(lmb_spec_load(&b->spec, context, path));
    assert_ok(lmb_model_compile(&b->model, context, b->spec));
    b->dynamics = start_motion(b->model, options_of(s));
    advance(b->dynamics, b->dynamics->solver->state->t + s->steps * s->h);
    b->nv = (size_t)b->model->nv;
    b->rows = (size_t)b->model->nrows;
    b->n = LMB_CHANGE_PARTS * b->nv;
    b->x = numbers(b->n);
    b->y = numbers(b->n);
    b->lambda = numbers(b->rows);
    b->by_lambda = numbers(b->rows);
    b->load = numbers(3 * (b->nv + b->rows));
    lmb_pack count = {.mode = LMB_PACK_COUNT};
    lmb_motion_pack(motion_of(b), &count);
    b->saved = numbers(count.count);
    pack(b, LMB_PACK_SAVE);
    return true;
}

static void close_bench(bench *b)
{
    free(b->x);
    free(b->y);
    free(b->lambda);
    free(b->by_lambda);
    free(b->load);
    free(b->saved);
    lmb_dynamics_free(b->dynamics);
    lmb_model_free(b->model);
    lmb_spec_free(b->spec);
}

/* A random change whose parts are of the sizes that parts of the motion have in a step h. */
static void choose_change(const bench *b, double h, double *x)
{
    for (size_t i = 0; i < b->nv; i++) {
        double unit = b->model->length / b->model->columns[i].size * random_number();
        x[LMB_CHANGE_Q * b->nv + i] = unit * h;
        x[LMB_CHANGE_V * b->nv + i] = unit * random_number();
        x[LMB_CHANGE_A * b->nv + i] = unit * random_number();
        x[LMB_CHANGE_ALPHA * b->nv + i] = unit * random_number();
    }
}

/* The motion before the step, moved along x by s. */
static void move(bench *b, const double *x, double s)
{
    lmb_state *state = motion_of(b)->solver->state;
    double *alpha = lmb_alpha_accelerations(motion_of(b)->method), *d = numbers(b->nv);
    pack(b, LMB_PACK_RESTORE);
    for (size_t i = 0; i < b->nv; i++) {
        d[i] = s * x[LMB_CHANGE_Q * b->nv + i];
        state->v[i] += s * x[LMB_CHANGE_V * b->nv + i];
        state->a[i] += s * x[LMB_CHANGE_A * b->nv + i];
        alpha[i] += s * x[LMB_CHANGE_ALPHA * b->nv + i];
    }
    lmb_retract(state, state->q, d);
    lmb_update(state, state->t);
    lmb_alpha_forget(motion_of(b)->method); /* nothing that an older matrix left */
    free(d);
}

/* What is there now, against a position. */
static void look(const bench *b, const double *q, double *x, double *lambda)
{
    const lmb_state *s = motion_of(b)->solver->state;
    lmb_difference(b->model, q, s->q, x);
    memcpy(x + LMB_CHANGE_V * b->nv, s->v, b->nv * sizeof *x);
    memcpy(x + LMB_CHANGE_A * b->nv, s->a, b->nv * sizeof *x);
    memcpy(x + LMB_CHANGE_ALPHA * b->nv, lmb_alpha_accelerations(motion_of(b)->method),
           b->nv * sizeof *x);
    memcpy(lambda, s->lambda, b->rows * sizeof *lambda);
}

/* A step, or a change of its length. */
typedef void operation(bench *b, double h);

static void make_step(bench *b, double h)
{
    lmb_effort_count count = {0};
    lmb_motion *m = motion_of(b);
    assert_true(m->options.integrator == &lmb_integrator_ali3p
                    ? lmb_ali3p_step(m->method, m->solver->state, h, &count)
                    : lmb_alpha_step(m->method, m->solver->state, h, &count));
}

static void make_change(bench *b, double h)
{
    lmb_alpha_motion_change_step(motion_of(b), h, 1.7 * h);
}

/* Differences of an operation along x. */
static void differences(bench *b, operation *operate, double h, const double *x, double *out,
                        double *lambda)
{
    const double eps = 5e-4;
    double *q = numbers((size_t)b->model->nq), *now = numbers(b->n), *at = numbers(b->rows);
    move(b, x, 0);
    operate(b, h);
    memcpy(q, motion_of(b)->solver->state->q, (size_t)b->model->nq * sizeof *q);
    memset(out, 0, b->n * sizeof *out);
    memset(lambda, 0, b->rows * sizeof *lambda);
    for (int k = 0; k < 4; k++) {
        move(b, x, offsets[k] * eps);
        operate(b, h);
        look(b, q, now, at);
        for (size_t i = 0; i < b->n; i++)
            out[i] += weights[k] / eps * now[i];
        for (size_t r = 0; r < b->rows; r++)
            lambda[r] += weights[k] / eps * at[r];
    }
    free(q);
    free(now);
    free(at);
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Parts agree to 1e-8 of the largest number in them, or to rounding. */
static void assert_alike(const char *name, const char *part, const double *x, const double *y,
                         size_t n, double rounding)
{
    double size = fmax(largest(x, n), largest(y, n)), most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    if (most > fmax(1e-8 * size, rounding))
        fail_msg("%s, %s: off by %g of %g", name, part, most, size);
}

/* Makes the step from where the motion is, and its tangent. */
static lmb_step_tangent *take_step(bench *b, const setting *s)
{
    lmb_integration o = options_of(s);
    lmb_motion *m = motion_of(b);
    lmb_state *state = m->solver->state;
    double *q0 = numbers((size_t)b->model->nq), *star = numbers(2 * b->nv + b->rows);
    memcpy(q0, state->q, (size_t)b->model->nq * sizeof *q0);
    make_step(b, s->h);
    lmb_update(state, state->t);
    lmb_step_tangent *t = lmb_step_tangent_new(b->model, &o, (lmb_saddle_choice){0});
    assert_non_null(t);
    lmb_step_tangent_keep(t, m, star);
    assert_true(lmb_step_tangent_take(t, state, q0, star, s->h, m->solver->epsilon > 0));
    free(q0);
    free(star);
    return t;
}

static void test_steps(void **unused)
{
    (void)unused;
    static const char *const parts[] = {"q", "v", "a", "alpha"};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        bench b;
        open_bench(&b, s);
        choose_change(&b, s->h, b.x);
        double *lambda = numbers(b.rows), *x = numbers(b.n);
        differences(&b, make_step, s->h, b.x, b.y, lambda);
        move(&b, b.x, 0);
        lmb_step_tangent *t = take_step(&b, s);
        memcpy(x, b.x, b.n * sizeof *x);
        lmb_step_tangent_forward(t, NULL, x, b.lambda);
        double position = 1e-10 * b.model->length, per = 4 / s->h;
        const double rounding[] = {position, position * per, position * per * per,
                                   position * per * per};
        for (int p = 0; p < LMB_CHANGE_PARTS; p++)
            assert_alike(s->file, parts[p], x + p * b.nv, b.y + p * b.nv, b.nv, rounding[p]);
        assert_alike(s->file, "lambda", b.lambda, lambda, b.rows,
                     b.model->heaviest * rounding[LMB_CHANGE_A]);
        free(lambda);
        free(x);
        lmb_step_tangent_free(t);
        close_bench(&b);
    }
}

/* <y, F x> = <F^T y, x>, of changes and of loads, to rounding. */
static void test_steps_backwards(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        lmb_integration o = options_of(s);
        bench b;
        open_bench(&b, s);
        lmb_step_tangent *t = take_step(&b, s);
        if (lmb_step_stays_forward(b.model, &o)) {
            lmb_step_tangent_free(t);
            close_bench(&b);
            continue;
        }
        double *x = numbers(b.n), *y = numbers(b.n), *load = numbers(t->loads);
        choose_change(&b, s->h, b.x);
        choose_change(&b, 1, b.y);
        for (size_t i = 0; i < t->loads; i++) /* rows of positions, then of their rates */
            load[i] = random_number() * (i >= b.nv && i < b.nv + b.rows ? s->h * s->h : 1);
        for (size_t r = 0; r < b.rows; r++)
            b.by_lambda[r] = random_number();
        memcpy(x, b.x, b.n * sizeof *x);
        memcpy(y, b.y, b.n * sizeof *y);
        lmb_step_tangent_forward(t, load, x, b.lambda);
        lmb_step_tangent_backward(t, y, b.by_lambda, b.load);
        double there = dot(b.y, x, b.n) + dot(b.by_lambda, b.lambda, b.rows);
        double back = dot(y, b.x, b.n) + dot(b.load, load, t->loads);
        double size = 0;
        for (size_t i = 0; i < b.n; i++)
            size += fabs(b.y[i] * x[i]);
        if (!(fabs(there - back) <= 1e-9 * size))
            fail_msg("%s: %.17g there, %.17g back", s->file, there, back);
        free(x);
        free(y);
        free(load);
        lmb_step_tangent_free(t);
        close_bench(&b);
    }
}

/* The same for steps that become longer, against differences; from velocities that are far from
 * what joints allow, so that every term is seen. */
static void test_changes(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        if (s->integrator == &lmb_integrator_ali3p)
            continue; /* nothing is adjusted: below */
        bench b;
        open_bench(&b, s);
        lmb_state *state = motion_of(&b)->solver->state;
        for (int i = 0; i < b.model->nv; i++)
            state->v[i] += b.model->length / b.model->columns[i].size * random_number();
        pack(&b, LMB_PACK_SAVE);
        double *x = numbers(b.n), *y = numbers(b.n), *lambda = numbers(b.rows);
        choose_change(&b, 1, b.x);
        differences(&b, make_change, s->h, b.x, x, lambda);
        move(&b, b.x, 0);
        lmb_alpha_change *c = lmb_alpha_change_new(b.model, (lmb_saddle_choice){0});
        assert_non_null(c);
        assert_true(lmb_alpha_change_take(c, state, 1.7, motion_of(&b)->solver->epsilon));
        choose_change(&b, 1, b.y);
        memcpy(y, b.y, b.n * sizeof *y);
        lmb_alpha_change_backward(c, y, b.load);
        double there = dot(b.y, x, b.n), back = dot(y, b.x, b.n), size = 0;
        for (size_t i = 0; i < b.n; i++)
            size += fabs(b.y[i] * x[i]);
        if (!(fabs(there - back) <= 1e-8 * size))
            fail_msg("%s: %.17g there, %.17g back", s->file, there, back);
        /* forwards, and with loads the transpose of backwards */
        double *load = numbers(b.nv + b.rows), *z = numbers(b.n);
        memcpy(z, b.x, b.n * sizeof *z);
        lmb_alpha_change_forward(c, load, z);
        for (int p = 0; p < LMB_CHANGE_PARTS; p++)
            assert_alike(s->file, "changed", z + p * b.nv, x + p * b.nv, b.nv, 1e-7);
        for (size_t i = 0; i < b.nv + b.rows; i++)
            load[i] = random_number();
        memcpy(z, b.x, b.n * sizeof *z);
        lmb_alpha_change_forward(c, load, z);
        there = dot(b.y, z, b.n);
        back += dot(b.load, load, b.nv + b.rows);
        if (!(fabs(there - back) <= 1e-9 * (size + fabs(there))))
            fail_msg("%s with a load: %.17g there, %.17g back", s->file, there, back);
        free(load);
        free(z);
        free(x);
        free(y);
        free(lambda);
        lmb_alpha_change_free(c);
        close_bench(&b);
    }
}

/* Steps of ali3p may get another length without anything being adjusted. */
static void test_no_changes(void **unused)
{
    (void)unused;
    const setting s = {"spatial-slider-crank", &lmb_integrator_ali3p, 2e-3, 20, LMB_PROJECT_MASS};
    bench b;
    open_bench(&b, &s);
    double *before = numbers(b.n), *after = numbers(b.n);
    double *q = numbers((size_t)b.model->nq);
    memcpy(q, motion_of(&b)->solver->state->q, (size_t)b.model->nq * sizeof *q);
    look(&b, q, before, b.lambda);
    make_change(&b, s.h);
    look(&b, q, after, b.lambda);
    assert_memory_equal(before, after, b.n * sizeof *before);
    assert_true(largest(before + LMB_CHANGE_ALPHA * b.nv, b.nv) > 0);
    free(before);
    free(after);
    free(q);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_steps_backwards),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_no_changes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
