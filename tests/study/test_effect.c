/* What a parameter changes: the items that are found are all that differ between neighbours, and no
 * more where that is known.
 *
 * At a state with all terms in it the residual of a neighbour differs from that of the model by as
 * much as the residuals of the items alone do, to rounding of the whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/effect.h"
#include "study/variants.h"
#include "support.h"

typedef struct opened {
    lmb_context *context;
    lmb_spec *spec;
    lmb_model *model;
} opened;

static opened open_example(const char *name)
{
    char path[200];
    opened o = {.context = lmb_context_new()};
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    assert_int_equal(lmb_spec_load(&o.spec, o.context, path), LMB_OK);
    assert_int_equal(lmb_model_compile(&o.model, o.context, o.spec), LMB_OK);
    return o;
}

static void close_example(opened *o)
{
    lmb_model_free(o->model);
    lmb_spec_free(o->spec);
    lmb_context_free(o->context);
}

/* The neighbours of a parameter, and what differs in them. */
static lmb_neighbours neighbours_of(opened *o, const char *name, double value, lmb_arena *arena,
                                    lmb_effect *effect)
{
    lmb_neighbours n;
    double d = 1e-3 * (value != 0 ? fabs(value) : 1);
    assert_int_equal(lmb_neighbours_compile(&n, o->context, o->spec, o->model,
                                            &(lmb_integration_choice){0}, LMB_BASIS_MOVING, name,
                                            value, d),
                     LMB_OK);
    lmb_effect_find(effect, arena, o->model, &n);
    assert_true(lmb_arena_fine(arena));
    return n;
}

/* A state of a model that differs in no number from that of another one. */
static lmb_state *state_of(const lmb_model *m, const lmb_state *like)
{
    lmb_state *s = lmb_state_new(m);
    for (size_t i = 0; like && i < lmb_motion_numbers(m); i++)
        s->q[i] = like->q[i];
    for (int i = 0; !like && i < m->nv; i++) {
        s->v[i] += 0.3 * cos(1 + 2 * i);
        s->a[i] = 0.7 * sin(1 + i);
    }
    for (int r = 0; !like && r < m->nrows; r++)
        s->lambda[r] = m->heaviest * cos(2 + r);
    lmb_update(s, 0.1);
    return s;
}

/* The residuals of the model and of a neighbour, of all and of the items. */
static void compare(const char *name, const lmb_model *m, const lmb_model *other,
                    const lmb_effect *e)
{
    size_t n = (size_t)(m->nv + m->nrows);
    double *all = calloc(4 * n + (size_t)m->nv, sizeof *all), size = 0;
    double *a = all, *b = a + n, *x = b + n, *y = x + n, *room = y + n;
    lmb_state *s = state_of(m, NULL), *t = state_of(other, s);
    lmb_residual(s, room, a);
    lmb_residual(t, room, b);
    lmb_items_residual(s, &e->items, room, x);
    lmb_items_residual(t, &e->items, room, y);
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs((b[i] - a[i]) - (y[i] - x[i])) <= 1e-12 * size))
            fail_msg("%s, number %zu: %.17g of all, %.17g of the items", name, i, b[i] - a[i],
                     y[i] - x[i]);
    lmb_state_free(s);
    lmb_state_free(t);
    free(all);
}

static void test_items_are_all(void **unused)
{
    (void)unused;
    static const char *const examples[] = {"andrews",   "suspension",   "flyball-governor",
                                           "heavy-top", "slider-crank", "slider-crank-flexible",
                                           "bicycle",   "four-bar",     "spatial-slider-crank"};
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        opened o = open_example(examples[k]);
        for (int i = 0; i < o.model->constant_count; i++) {
            const lmb_constant *c = &o.model->constants[i];
            lmb_arena *arena = lmb_arena_new();
            lmb_effect e;
            if (lmb_parameter_is_free(o.spec, o.model, c->name) &&
                c->symbol.value[0] != floor(c->symbol.value[0])) {
                lmb_neighbours n = neighbours_of(&o, c->name, c->symbol.value[0], arena, &e);
                for (int j = 0; j < LMB_NEIGHBOURS && !e.whole; j++)
                    compare(c->name, o.model, n.models[j], &e);
                lmb_neighbours_free(&n);
            }
            lmb_arena_free(arena);
        }
        close_example(&o);
    }
}

/* Of parameters whose part is known: so many bodies, frames, rows and forces. */
static void test_items_are_few(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int bodies, markers, rows, forces;
    } known[] = {
        {"torque", 0, 0, 0, 1},                       /* the motor */
        {"c0", 0, 0, 0, 1},                           /* the spring */
        {"l0", 0, 0, 0, 1},     {"beta", 0, 0, 0, 0}, /* where it begins */
        {"ua", 0, 2, 4, 0},                           /* both points of K7, a joint each */
    };
    opened o = open_example("andrews");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        lmb_arena *arena = lmb_arena_new();
        lmb_effect e;
        double value;
        assert_int_equal(lmb_parameter_find(o.context, o.spec, o.model, known[k].name, &value),
                         LMB_OK);
        lmb_neighbours n = neighbours_of(&o, known[k].name, value, arena, &e);
        assert_false(e.whole);
        assert_int_equal(e.items.body_count, known[k].bodies);
        assert_int_equal(e.items.row_count, known[k].rows);
        assert_int_equal(e.items.force_count, known[k].forces);
        assert_true(e.marker_count >= known[k].markers); /* markers of points, and of joints */
        assert_true(known[k].markers > 0 || e.marker_count == 0);
        lmb_neighbours_free(&n);
        lmb_arena_free(arena);
    }
    close_example(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_are_all),
        cmocka_unit_test(test_items_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
