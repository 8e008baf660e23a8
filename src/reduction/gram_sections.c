/* Invariants of beams and point masses: the parts that the mass matrix does not tell.
 *
 * A turned column e x psi is no motion that the shape functions of a beam contain: they would make
 * deflections of rotations, and stretching linear. So the products with turned columns are taken
 * over the sections of the beam, u(x) and theta(x) being the element's own fields, in place of
 * those through its mass matrix.
 *
 * A section turned by theta in a body that turns with omega has in its own axes, to second order,
 *
 *   w = omega + (omega x theta + thetadot) + (theta x (theta x omega) - theta x thetadot) / 2
 *
 * The first and second terms are columns. The last gives the kinetic energy omega^T J w another
 * part of second order, with the section's inertia J:
 *
 *   turned(j, a) . turned(k, b):  1/4 e_a^T (J S + S J) e_b
 *   turned(j, a) . mode(k):       -1/2 e_a^T J (theta_j x theta_k)
 *
 * with S = theta_j~ theta_k~ + theta_k~ theta_j~. */
#include "reduction/gram.h"

/* Where a force and a moment are: a node, or a section. */
typedef struct carrier {
    vec3 x;           /* from the origin */
    lmb_nodal *shape; /* modes: what they do there */
} carrier;

enum { ENDS = 2, CARRIERS = ENDS + LMB_BEAM_POINTS };

typedef struct work {
    lmb_reduced *r;
    const lmb_fe_model *m;
    carrier at[CARRIERS]; /* nodes, then sections */
    double *column;       /* lmb_gram_size */
} work;

/* Adds the products of a force and a moment with all columns. */
static void add_products(work *w, const carrier *c, vec3 f, vec3 g)
{
    int modes = w->r->mode_count;
    vec3 moment = v3_add(v3_cross(c->x, f), g);
    for (int a = 0; a < 3; a++) {
        w->column[lmb_gram_translation(a)] += v3_get(f, a);
        w->column[lmb_gram_rotation(a)] += v3_get(moment, a);
    }
    for (int k = 0; k < modes; k++) {
        const lmb_nodal *s = &c->shape[k];
        vec3 turned = v3_add(v3_cross(s->u, f), v3_cross(s->theta, g));
        double *out = w->column + lmb_gram_turned_mode(modes, k, 0);
        w->column[lmb_gram_mode(k)] += v3_dot(s->u, f) + v3_dot(s->theta, g);
        out[0] += turned.x, out[1] += turned.y, out[2] += turned.z;
    }
}

/* Adds what rotations give in second order for a section with inertia J: of e_a and mode j. */
static void add_second_order(work *w, const carrier *c, const mat3 *J, int j, int a)
{
    int modes = w->r->mode_count;
    vec3 e = v3_axis(a), Je = m3_mul(J, e), tj = c->shape[j].theta;
    for (int k = 0; k < modes; k++) {
        vec3 tk = c->shape[k].theta;
        /* S J e + J S e, S is symmetric */
        vec3 SJe = v3_add(v3_cross(tj, v3_cross(tk, Je)), v3_cross(tk, v3_cross(tj, Je)));
        vec3 Se = v3_add(v3_cross(tj, v3_cross(tk, e)), v3_cross(tk, v3_cross(tj, e)));
        vec3 sum = v3_scale(0.25, v3_add(SJe, m3_mul(J, Se)));
        double *out = w->column + lmb_gram_turned_mode(modes, k, 0);
        out[0] += sum.x, out[1] += sum.y, out[2] += sum.z;
        w->column[lmb_gram_mode(k)] -= v3_dot(Je, v3_cross(tj, tk)) / 2;
    }
}

/* Adds the column of a turned mode to the invariants, on both sides of the diagonal; each pair of
 * turned columns is met twice. */
static void add_column(work *w, int j, int a)
{
    lmb_reduced *r = w->r;
    size_t size = (size_t)lmb_gram_size(r->mode_count);
    size_t own = (size_t)lmb_gram_turned_mode(r->mode_count, j, a);
    size_t turned = (size_t)lmb_gram_turned_mode(r->mode_count, 0, 0);
    for (size_t i = 0; i < size; i++) {
        r->gram[own * size + i] += w->column[i];
        if (i < turned)
            r->gram[i * size + own] += w->column[i];
        w->column[i] = 0;
    }
}

/* Takes the products through the mass matrix of a beam away. */
static void remove_nodal(work *w, const lmb_element_type *type, const double *M, int j, vec3 e)
{
    int half = type->dofs / ENDS, d = 0;
    int direction[LMB_DIRECTIONS];
    for (int i = 0; i < LMB_DIRECTIONS; i++)
        if (type->directions & LMB_BIT(i))
            direction[d++] = i;
    double u[2 * LMB_DIRECTIONS], f[2][LMB_DIRECTIONS] = {{0}};
    for (int n = 0; n < ENDS; n++) {
        vec3 t = v3_cross(e, w->at[n].shape[j].u), r = v3_cross(e, w->at[n].shape[j].theta);
        for (int i = 0; i < half; i++)
            u[n * half + i] = v3_get(direction[i] < LMB_RX ? t : r, direction[i] % 3);
    }
    for (int n = 0; n < ENDS; n++)
        for (int i = 0; i < half; i++)
            for (int k = 0; k < type->dofs; k++)
                f[n][direction[i]] -= M[k * type->dofs + n * half + i] * u[k];
    for (int n = 0; n < ENDS; n++)
        add_products(w, &w->at[n], v3(f[n][0], f[n][1], f[n][2]), v3(f[n][3], f[n][4], f[n][5]));
}

static void correct_beam(work *w, const lmb_element_data *e, const int *node)
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    double K[4 * LMB_DIRECTIONS * LMB_DIRECTIONS], M[4 * LMB_DIRECTIONS * LMB_DIRECTIONS];
    lmb_beam_section at[LMB_BEAM_POINTS];
    lmb_reduced *r = w->r;
    for (int p = 0; p < LMB_BEAM_POINTS; p++)
        if (!lmb_beam_section_at(e, lmb_beam_point[p], &at[p]))
            return;
    type->matrices(NULL, e, K, M);
    for (int n = 0; n < ENDS; n++)
        w->at[n].x = r->x[node[n]];
    for (int p = 0; p < LMB_BEAM_POINTS; p++)
        w->at[ENDS + p].x = v3_sub(at[p].x, r->origin);
    for (int k = 0; k < r->mode_count; k++) {
        lmb_nodal ends[2] = {lmb_reduced_shape_at(r, k, node[0]),
                             lmb_reduced_shape_at(r, k, node[1])};
        w->at[0].shape[k] = ends[0], w->at[1].shape[k] = ends[1];
        for (int p = 0; p < LMB_BEAM_POINTS; p++) {
            lmb_section_motion now = lmb_beam_motion(&at[p], ends);
            w->at[ENDS + p].shape[k] = (lmb_nodal){now.u, now.theta};
        }
    }
    for (int j = 0; j < r->mode_count; j++)
        for (int a = r->dimension == 2 ? 2 : 0; a < 3; a++) {
            remove_nodal(w, type, M, j, v3_axis(a));
            for (int p = 0; p < LMB_BEAM_POINTS; p++) {
                const carrier *c = &w->at[ENDS + p];
                double weight = lmb_beam_weight[p] * at[p].length;
                mat3 J = m3_scale(weight, &at[p].inertia);
                vec3 f = v3_scale(weight * at[p].mass, v3_cross(v3_axis(a), c->shape[j].u));
                add_products(w, c, f, m3_mul(&J, v3_cross(v3_axis(a), c->shape[j].theta)));
                add_second_order(w, c, &J, j, a);
            }
            add_column(w, j, a);
        }
}

/* A point mass: its products through the mass matrix are right but for the second order. */
static void correct_mass(work *w, const lmb_element_data *e, int node)
{
    lmb_reduced *r = w->r;
    if (!r->turn || r->dimension == 2 || w->m->dof[node][LMB_RX] < 0)
        return;
    for (int k = 0; k < r->mode_count; k++)
        w->at[0].shape[k] = lmb_reduced_shape_at(r, k, node);
    for (int j = 0; j < r->mode_count; j++)
        for (int a = 0; a < 3; a++) {
            add_second_order(w, &w->at[0], &e->mass.inertia, j, a);
            add_column(w, j, a);
        }
}

lmb_status lmb_correct_sections(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m)
{
    if (!m->assembled || !r->turn)
        return LMB_OK;
    size_t modes = (size_t)r->mode_count;
    work w = {.r = r, .m = m};
    lmb_arena *room = lmb_arena_new();
    w.column = lmb_arena_numbers(room, (size_t)lmb_gram_size(r->mode_count));
    for (int c = 0; c < CARRIERS; c++)
        w.at[c].shape = lmb_arena_alloc(room, modes, sizeof(lmb_nodal));
    lmb_status status = lmb_check_memory(context, room);
    for (int i = 0; i < m->mesh->element_count && !status; i++) {
        lmb_element_data e;
        lmb_element_gather(m->mesh, i, &e);
        const int *node = m->mesh->connections + m->mesh->elements[i].first;
        if (lmb_element_type_of(e.kind)->beam)
            correct_beam(&w, &e, node);
        else if (e.kind == LMB_POINT_MASS)
            correct_mass(&w, &e, node[0]);
    }
    lmb_arena_free(room);
    return status;
}
