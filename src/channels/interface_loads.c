/* Sums of forces on interface points.
 *
 * A row exerts -lambda dPhi/dx on a frame x, a force its own twelve numbers. On a marker at point p
 * both are a force F on its origin and a moment sum e_i x g_i about it. */
#include "channels/interface_loads.h"

/* Adds what acts on a marker to the load of its point. */
static void add(const lmb_state *s, int marker, const lmb_frame *on, lmb_interface_load *loads)
{
    const lmb_model *m = s->model;
    const lmb_marker *at = &m->parts.markers[marker];
    const lmb_body *b = &m->bodies[at->body];
    if (at->point < 0)
        return;
    int point = b->point + at->point;
    const lmb_frame *x = &s->frames[marker], *p = &s->frames[m->points[point].marker];
    mat3 R = frame_rotation(&s->bodies[at->body].pose);
    vec3 moment = v3_add(frame_moment(x, on), v3_cross(v3_sub(x->p, p->p), on->p));
    loads[point].force = v3_add(loads[point].force, m3_tmul(&R, on->p));
    loads[point].torque = v3_add(loads[point].torque, m3_tmul(&R, moment));
}

static void add_pair(const lmb_state *s, int pair, const lmb_frame *on_A, const lmb_frame *on_B,
                     lmb_interface_load *loads)
{
    add(s, s->model->parts.pairs[pair].a, on_A, loads);
    add(s, s->model->parts.pairs[pair].b, on_B, loads);
}

static void add_row(const lmb_state *s, int row, lmb_interface_load *loads)
{
    const lmb_rows *parts = &s->model->parts;
    const lmb_row *r = &parts->rows[row];
    for (int t = r->term; t < r->term + r->term_count; t++) {
        const lmb_term *term = &parts->terms[t];
        const lmb_pair *pair = &parts->pairs[term->pair];
        lmb_frame on_A = frame_zero(), on_B = frame_zero();
        lmb_product_gradient(&term->product, &s->frames[pair->a], &s->frames[pair->b],
                             -s->lambda[row] * lmb_coefficient(s, term).f, &on_A, &on_B);
        add_pair(s, term->pair, &on_A, &on_B, loads);
    }
}

void lmb_interface_loads(const lmb_state *s, lmb_interface_load *loads)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->point_count; i++)
        loads[i] = (lmb_interface_load){v3(0, 0, 0), v3(0, 0, 0)};
    for (int r = 0; r < m->nrows; r++)
        if (!s->row_off[r])
            add_row(s, r, loads);
    for (int i = 0; i < m->force_count; i++) {
        const lmb_force *f = &m->forces[i];
        if (s->force_off[i])
            continue;
        lmb_force_at at = lmb_force_input(s, f);
        lmb_frame on_A = frame_zero(), on_B = frame_zero();
        f->type->evaluate(f, &at, &on_A, &on_B);
        add_pair(s, f->pair, &on_A, &on_B, loads);
    }
}
