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
    vec3 *moment;     /* modes: room for J theta */
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

/* Adds a product of a turned column and another column, on both sides of the diagonal. */
static void add_pair(lmb_reduced *r, int turned, int other, double value)
{
    size_t size = (size_t)lmb_gram_size(r->mode_count);
    r->gram[(size_t)turned * size + (size_t)other] += value;
    r->gram[(size_t)other * size + (size_t)turned] += value;
}

/* What rotations of two modes give in second order: S J + J S, which is symmetric in both, and J
 * (theta_j x theta_k), over some carriers with inertias J. */
static void second_order(const carrier *c, int count, const mat3 *J, int j, int k, double sum[3][3],
                         vec3 *crossed)
{
    *crossed = v3(0, 0, 0);
    for (int a = 0; a < 9; a++)
        sum[a / 3][a % 3] = 0;
    for (int p = 0; p < count; p++) {
        vec3 t = c[p].shape[j].theta, s = c[p].shape[k].theta;
        vec3 Jt = c[p].moment[j], Js = c[p].moment[k];
        const double tj[] = {t.x, t.y, t.z}, tk[] = {s.x, s.y, s.z};
        const double gj[] = {Jt.x, Jt.y, Jt.z}, gk[] = {Js.x, Js.y, Js.z};
        double four = 4 * v3_dot(t, s);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b <= a; b++)
                sum[a][b] += gj[a] * tk[b] + gk[a] * tj[b] + tj[a] * gk[b] + tk[a] * gj[b] -
                             four * v3_get(J[p].c[b], a);
        *crossed = v3_add(*crossed, m3_mul(&J[p], v3_cross(t, s)));
    }
}

/* Adds it for all pairs of modes. In the plane it is zero. */
static void add_second_order(work *w, carrier *c, int count, const mat3 *J)
{
    lmb_reduced *r = w->r;
    int modes = r->mode_count;
    for (int p = 0; p < count; p++)
        for (int k = 0; k < modes; k++)
            c[p].moment[k] = m3_mul(&J[p], c[p].shape[k].theta);
    for (int j = 0; j < modes && r->dimension == 3; j++)
        for (int k = 0; k <= j; k++) {
            double sum[3][3];
            vec3 crossed;
            second_order(c, count, J, j, k, sum, &crossed);
            for (int a = 0; a < 3; a++) {
                int of_j = lmb_gram_turned_mode(modes, j, a),
                    of_k = lmb_gram_turned_mode(modes, k, a);
                add_pair(r, of_j, lmb_gram_mode(k), -v3_get(crossed, a) / 2);
                if (k < j)
                    add_pair(r, of_k, lmb_gram_mode(j), v3_get(crossed, a) / 2);
                for (int b = 0; b < 3; b++) {
                    double value = sum[a > b ? a : b][a > b ? b : a] / 4;
                    size_t size = (size_t)lmb_gram_size(modes);
                    int other = lmb_gram_turned_mode(modes, k, b);
                    r->gram[(size_t)of_j * size + (size_t)other] += value;
                    if (k < j)
                        r->gram[(size_t)other * size + (size_t)of_j] += value;
                }
            }
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
    mat3 J[LMB_BEAM_POINTS];
    for (int p = 0; p < LMB_BEAM_POINTS; p++) {
        w->at[ENDS + p].x = v3_sub(at[p].x, r->origin);
        J[p] = m3_scale(lmb_beam_weight[p] * at[p].length, &at[p].inertia);
    }
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
                double mass = lmb_beam_weight[p] * at[p].length * at[p].mass;
                vec3 f = v3_scale(mass, v3_cross(v3_axis(a), c->shape[j].u));
                add_products(w, c, f, m3_mul(&J[p], v3_cross(v3_axis(a), c->shape[j].theta)));
            }
            add_column(w, j, a);
        }
    add_second_order(w, w->at + ENDS, LMB_BEAM_POINTS, J);
}

/* A point mass: its products through the mass matrix are right but for the second order. */
static void correct_mass(work *w, const lmb_element_data *e, int node)
{
    lmb_reduced *r = w->r;
    if (!r->turn || r->dimension == 2 || w->m->dof[node][LMB_RX] < 0)
        return;
    for (int k = 0; k < r->mode_count; k++)
        w->at[0].shape[k] = lmb_reduced_shape_at(r, k, node);
    add_second_order(w, w->at, 1, &e->mass.inertia);
}

lmb_status lmb_correct_sections(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m)
{
    if (!m->assembled || !r->turn)
        return LMB_OK;
    size_t modes = (size_t)r->mode_count;
    work w = {.r = r, .m = m};
    lmb_arena *room = lmb_arena_new();
    w.column = lmb_arena_numbers(room, (size_t)lmb_gram_size(r->mode_count));
    for (int c = 0; c < CARRIERS; c++) {
        w.at[c].shape = lmb_arena_alloc(room, modes, sizeof(lmb_nodal));
        w.at[c].moment = lmb_arena_alloc(room, modes, sizeof(vec3));
    }
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
