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

/* Couplings act on the frames of two joints. */
static void check_joint(const lmb_joint_type *type, int dimension, const char *between)
{
    if (type->coupling)
        return;
    lmb_model *m = compile_random(random_model_text(type, dimension, between));
    lmb_state *s = random_state(m);
    check_forces(s);
    lmb_state_free(s);
    lmb_model_free(m);
}

static void reported_forces_are_those_that_act(void **unused)
{
    (void)unused;
    for_each_random_joint(check_joint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reported_forces_are_those_that_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
