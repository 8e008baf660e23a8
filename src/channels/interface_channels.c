/* The channels of the interface points of bodies with modes: deformation and loads.
 *
 * A row exerts -lambda dPhi/dx on a frame x, a force its own twelve numbers. On a marker at point p
 * both are a force F on its origin and a moment sum e_i x g_i about it. */
#include "bodies/modal.h"
#include "channels/channel_list.h"

/* Add a force on a marker to the load of its interface point. Markers on other bodies have none:
 * their `point` is -1, or a node of a beam. */
static void add_load(const lmb_state *s, int marker, const lmb_frame *on, lmb_interface_load *loads)
{
    const lmb_model *m = s->model;
    const lmb_marker *at = &m->parts.markers[marker];
    const lmb_body *b = &m->bodies[at->body];
    if (at->point < 0 || !lmb_body_elasticity(b))
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
    add_load(s, s->model->parts.pairs[pair].a, on_A, loads);
    add_load(s, s->model->parts.pairs[pair].b, on_B, loads);
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

/* The loads on all points of a model; zero at points of other bodies. */
static void find_loads(const lmb_state *s, lmb_interface_load *loads)
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
        for (int k = 0; k < f->pair_count; k++) {
            lmb_frame on_A = frame_zero(), on_B = frame_zero();
            lmb_force_go_to(s, f, k, &at);
            f->type->evaluate(f, &at, &on_A, &on_B);
            add_pair(s, f->pair + k, &on_A, &on_B, loads);
        }
    }
}

const lmb_interface_load *lmb_recovery_loads(lmb_recovery *r, const lmb_state *s)
{
    if (!r->loads_known)
        find_loads(s, r->loads);
    r->loads_known = true;
    return r->loads;
}

enum { MOVED, TURNED };

/* Displacement or rotation of a point by the deformation. */
static void get_deformed(lmb_channels *c, const lmb_state *s, int point, int part, double *out)
{
    const lmb_point *p = &c->model->points[point];
    const lmb_body *b = &c->model->bodies[p->body];
    const lmb_modal *modal = lmb_body_elasticity(b)->modal;
    const lmb_modal_point *at = &modal->points[point - b->point];
    const double *eta = s->q + b->nodes[lmb_body_elasticity(b)->node].q;
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < modal->modes; k++)
        sum = v3_axpy(sum, eta[k], part == TURNED ? at->phi[k] : at->psi[k]);
    (part == TURNED ? lmb_put_turn : lmb_put_vector)(s, sum, out);
}

/* The force or the moment of what joints and forces exert on a point. */
static void get_load(lmb_channels *c, const lmb_state *s, int point, int part, double *out)
{
    const lmb_interface_load *load = &lmb_recovery_loads(c->recovery, s)[point];
    if (part == TURNED)
        lmb_put_turn(s, load->torque, out);
    else
        lmb_put_vector(s, load->force, out);
}

static void reach_point(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    lmb_marks_add_marker(c->model, marks, c->model->points[n->item].marker);
}

static const lmb_chain of_point_motion = {.reach = reach_point};

enum { REACTIONS = LMB_KNOWN_REACTIONS };

static const lmb_listed of_point[] = {
    {"displacement", LMB_VECTOR, "m", "Displacement by the deformation, in body axes.", 0,
     .get = get_deformed, MOVED, .chain = &of_point_motion},
    {"rotation", LMB_TURN, "rad", "Rotation vector of the deformation, in body axes.", 0,
     .get = get_deformed, TURNED, .chain = &of_point_motion},
    {"force", LMB_VECTOR, "N", "Resultant force of joints and forces at the point, in body axes.",
     REACTIONS, .get = get_load, MOVED},
    {"torque", LMB_TURN, "N m", "Their moment about the point, in body axes.", REACTIONS,
     .get = get_load, TURNED},
    {0},
};

void lmb_channels_list_interface(lmb_channels *c, int point)
{
    lmb_channels_add_all(c, of_point, (lmb_item){c->model->points[point].name, .number = point});
}
