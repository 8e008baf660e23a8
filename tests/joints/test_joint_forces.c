/* The forces that joints report are those with which their equations act on the bodies:
 *
 *   -Phi_q^T lambda of the rows of a joint = J_A^T f_A + J_B^T f_B,
 *
 * f_A and f_B being what is reported at its pair of frames. It holds for every registered joint, on
 * every kind of body, in any state and with any multipliers, to rounding. */
#include <stdlib.h>

#include "random_models.h"
#include "support.h"
#include "system/equations.h"

/* The joint of the model that is tested is its last one. */
static void check_forces(lmb_state *s)
{
    const lmb_model *m = s->model;
    const lmb_joint *joint = &m->joints[m->joint_count - 1];
    double *from_rows = calloc((size_t)m->nv + 1, sizeof *from_rows), *reported, size = 0;
    reported = calloc((size_t)m->nv + 1, sizeof *reported);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = r >= joint->row && r < joint->row + joint->row_count ? random_number() : 0;
    lmb_jacobian(s);
    lmb_jacobian_transposed_subtract(s, s->lambda, from_rows);
    for (int second = 0; second < 2; second++) {
        const lmb_pair *pair = &m->parts.pairs[joint->pair];
        int marker = second ? pair->b : pair->a;
        lmb_frame f = lmb_row_force(s, joint->row, joint->row_count, joint->pair, second);
        if (m->parts.markers[marker].nv)
            lmb_add_load(s, marker, &f, reported + m->parts.markers[marker].v);
    }
    for (int i = 0; i < m->nv; i++)
        size = fmax(size, fabs(from_rows[i]));
    assert_true(size > 0);
    for (int i = 0; i < m->nv; i++)
        if (fabs(reported[i] - from_rows[i]) > 1e-12 * size)
            fail_msg("%s in dimension %d: coordinate %d feels %g, reported forces make %g",
                     joint->type->name, m->dimension, i, from_rows[i], reported[i]);
    free(from_rows);
    free(reported);
}

static void reported_forces_are_those_that_act(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"[A.a, B.b]", "[ground, B.b]", "[A.b, P]", "[B.a, ground]"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; lmb_joint_types[i]; i++)
            for (size_t k = 0; k < RANDOM_ALL_KINDS * sizeof ends / sizeof *ends; k++) {
                const lmb_joint_type *type = lmb_joint_types[i];
                random_bodies = (random_kind)(k % RANDOM_ALL_KINDS);
                if (type->coupling || (type->dimension != 0 && type->dimension != dimension))
                    continue;
                lmb_model *m =
                    compile_random(random_model_text(type, dimension, ends[k / RANDOM_ALL_KINDS]));
                lmb_state *s = random_state(m);
                check_forces(s);
                lmb_state_free(s);
                lmb_model_free(m);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reported_forces_are_those_that_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
