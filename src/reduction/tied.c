/* Elimination of spiders and addition of averages. */
#include "reduction/tied.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What a degree of freedom is made of: motions of a point with factors. */
typedef struct share {
    int count;
    int motion[3]; /* of all boundary motions */
    double factor[3];
} share;

/* The motion in direction d, at a node at r from the point, of a rigid motion of the point. */
static share share_of(const lmb_tied *t, int point, int node, int d)
{
    const lmb_fe_model *m = t->model;
    vec3 r = v3_sub(m->x[node], t->points[point].position);
    int first = point * t->motions;
    share s = {1, {first + (m->dimension == 2 && d == LMB_RZ ? 2 : d)}, {1}};
    if (d >= LMB_RX)
        return s;
    /* theta x r */
    double arm[3] = {r.x, r.y, r.z};
    int next = (d + 1) % 3, last = (d + 2) % 3; /* u_d = theta_next r_last - theta_last r_next */
    if (m->dimension == 2) {
        s.motion[1] = first + 2;
        s.factor[1] = d == LMB_UX ? -r.y : r.x;
        s.count = 2;
        return s;
    }
    s.count = 3;
    s.motion[1] = first + 3 + next;
    s.factor[1] = arm[last];
    s.motion[2] = first + 3 + last;
    s.factor[2] = -arm[next];
    return s;
}

/* The same of a degree of freedom on the spider of a point. */
static share share_of_dof(const lmb_tied *t, int dof)
{
    return share_of(t, -1 - t->place[dof], t->model->node[dof], t->model->direction[dof]);
}

/* --- unknowns --------------------------------------------------------------------------------- */

static bool number_unknowns(lmb_tied *t)
{
    const lmb_fe_model *m = t->model;
    t->place = lmb_arena_integers(t->arena, (size_t)m->n);
    for (int p = 0; p < t->point_count && t->place; p++)
        for (int i = 0; i < t->points[p].count && t->points[p].tie != LMB_TIE_AVERAGE; i++)
            for (int d = 0; d < LMB_DIRECTIONS; d++) {
                int dof = m->dof[t->points[p].nodes[i]][d];
                if (dof >= 0)
                    t->place[dof] = -1 - p;
            }
    for (int k = 0; k < m->n && t->place; k++)
        if (t->place[k] >= 0)
            t->place[k] = t->freedoms++;
    t->inner = t->freedoms;
    for (int p = 0; p < t->point_count; p++)
        t->inner += t->points[p].tie == LMB_TIE_AVERAGE ? t->motions : 0;
    t->group = lmb_arena_integers(t->arena, (size_t)t->inner);
    if (!lmb_arena_fine(t->arena))
        return false;
    for (int k = 0; k < m->n; k++)
        if (t->place[k] >= 0)
            t->group[t->place[k]] = m->node[k];
    for (int k = t->freedoms; k < t->inner; k++)
        t->group[k] = m->node_count + (k - t->freedoms) / t->motions;
    return true;
}

/* --- averages --------------------------------------------------------------------------------- */

/* The rotation inverse of a set of nodes: theta = J^-1 sum r x u, J = sum (r.r 1 - r r^T); nodes on
 * one line do not get here. */
static mat3 turn_of_nodes(const lmb_fe_model *m, const lmb_interface *p, vec3 centre)
{
    mat3 J = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < p->count; i++) {
        vec3 r = v3_sub(m->x[p->nodes[i]], centre);
        double rr = v3_dot(r, r);
        J.c[0] = v3_add(J.c[0], v3_sub(v3(rr, 0, 0), v3_scale(r.x, r)));
        J.c[1] = v3_add(J.c[1], v3_sub(v3(0, rr, 0), v3_scale(r.y, r)));
        J.c[2] = v3_add(J.c[2], v3_sub(v3(0, 0, rr), v3_scale(r.z, r)));
    }
    if (m->dimension == 2)
        J.c[0] = v3(1, 0, 0), J.c[1] = v3(0, 1, 0), J.c[2] = v3(0, 0, J.c[2].z);
    vec3 a = J.c[0], b = J.c[1], c = J.c[2];
    double det = v3_dot(a, v3_cross(b, c));
    mat3 inverse_rows = {{v3_scale(1 / det, v3_cross(b, c)), v3_scale(1 / det, v3_cross(c, a)),
                          v3_scale(1 / det, v3_cross(a, b))}};
    return inverse_rows; /* symmetric: rows are columns */
}

static vec3 centre_of(const lmb_fe_model *m, const lmb_interface *p)
{
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < p->count; i++)
        sum = v3_add(sum, m->x[p->nodes[i]]);
    return v3_scale(1.0 / p->count, sum);
}

/* The factor of the displacement of a node in direction d in the k-th motion of its average point:
 * mean displacement of the centre plus the mean rotation times the way to the point. */
static double average_factor(const lmb_fe_model *m, const lmb_interface *p, const mat3 *turn,
                             vec3 centre, int node, int k, int d)
{
    vec3 r = v3_sub(m->x[node], centre), unit = v3_axis(d);
    vec3 theta = m3_mul(turn, v3_cross(r, unit));
    vec3 move = v3_axpy(v3_cross(theta, v3_sub(p->position, centre)), 1.0 / p->count, unit);
    int direction = lmb_interface_direction(m->dimension, k);
    return direction < LMB_RX ? v3_get(move, direction) : v3_get(theta, direction - LMB_RX);
}

/* The row of a multiplier: A in the columns of the nodes. Calls with place and factor. */
static long add_averages(const lmb_tied *t, lmb_triplet *out)
{
    const lmb_fe_model *m = t->model;
    long count = 0;
    int row = t->freedoms;
    for (int p = 0; p < t->point_count; p++) {
        const lmb_interface *point = &t->points[p];
        if (point->tie != LMB_TIE_AVERAGE)
            continue;
        vec3 centre = centre_of(m, point);
        mat3 turn = turn_of_nodes(m, point, centre);
        for (int i = 0; i < point->count; i++)
            for (int d = 0; d < m->dimension; d++) {
                int place = t->place[m->dof[point->nodes[i]][d]];
                for (int k = 0; k < t->motions && place >= 0; k++, count++)
                    if (out)
                        out[count] = (lmb_triplet){
                            row + k, place,
                            average_factor(m, point, &turn, centre, point->nodes[i], k, d)};
            }
        row += t->motions;
    }
    return count;
}

/* --- matrices --------------------------------------------------------------------------------- */

/* Adds the rows of averages, and the diagonal of their multipliers, to a matrix. */
static bool border(lmb_tied *t, lmb_symmetric *matrix, bool with_averages)
{
    long extra = with_averages ? add_averages(t, NULL) : 0;
    long kept = matrix->start[t->freedoms];
    lmb_triplet *all = lmb_malloc(((size_t)(kept + extra) + 1) * sizeof *all);
    if (!all)
        return false;
    long count = 0;
    for (int j = 0; j < t->freedoms; j++)
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; k++)
            all[count++] = (lmb_triplet){matrix->row[k], j, matrix->value[k]};
    if (with_averages)
        count += add_averages(t, all + count);
    bool done = lmb_symmetric_of_triplets(matrix, t->arena, t->inner, all, count);
    free(all);
    return done;
}

lmb_status lmb_tied_start(lmb_tied *t, lmb_context *context, lmb_arena *arena,
                          const lmb_fe_model *model, const lmb_interface *points, int count)
{
    lmb_status status = lmb_interfaces_check(model, points, count, context);
    if (status)
        return status;
    int motions = lmb_interface_motions(model->dimension);
    *t = (lmb_tied){.arena = arena,
                    .model = model,
                    .points = points,
                    .point_count = count,
                    .motions = motions,
                    .boundary = count * motions};
    return number_unknowns(t) ? LMB_OK : lmb_fail_memory(context);
}

lmb_status lmb_tied_find(lmb_tied *t, lmb_context *context, lmb_arena *arena,
                         const lmb_fe_model *model, const lmb_interface *points, int count)
{
    lmb_status status = lmb_tied_start(t, context, arena, model, points, count);
    if (status)
        return status;
    bool done = lmb_symmetric_restrict(&t->K, t->arena, &model->K, t->place, t->inner) &&
                lmb_symmetric_restrict(&t->M, t->arena, &model->M, t->place, t->inner);
    if (done && t->inner > t->freedoms)
        done = border(t, &t->K, true) && border(t, &t->M, false);
    return done ? LMB_OK : lmb_fail_memory(context);
}

/* --- loads and displacements ------------------------------------------------------------------ */

void lmb_tied_loads(const lmb_tied *t, double *loads)
{
    const lmb_symmetric *K = &t->model->K;
    size_t n = (size_t)t->inner;
    memset(loads, 0, n * (size_t)t->boundary * sizeof *loads);
    for (int j = 0; j < K->n; j++)
        for (int k = K->start[j]; k < K->start[j + 1]; k++) {
            int i = K->row[k];
            if ((t->place[i] >= 0) == (t->place[j] >= 0))
                continue;
            int inner = t->place[i] >= 0 ? t->place[i] : t->place[j];
            share s = share_of_dof(t, t->place[i] >= 0 ? j : i);
            for (int c = 0; c < s.count; c++)
                loads[(size_t)s.motion[c] * n + (size_t)inner] -= s.factor[c] * K->value[k];
        }
    int row = t->freedoms; /* A u - motion = 0 */
    for (int p = 0; p < t->point_count; p++)
        for (int k = 0; k < t->motions && t->points[p].tie == LMB_TIE_AVERAGE; k++, row++)
            loads[(size_t)(p * t->motions + k) * n + (size_t)row] = 1;
}

int lmb_tied_loaded(const lmb_tied *t, const double *loads, int *list)
{
    int count = 0;
    for (int i = 0; i < t->inner; i++) {
        bool loaded = false;
        for (int k = 0; k < t->boundary && !loaded; k++)
            loaded = loads[(size_t)k * (size_t)t->inner + (size_t)i] != 0;
        list[count] = i;
        count += loaded;
    }
    return count;
}

/* Adds a stiffness between two motions of spiders. */
static void add_between(const share *a, const share *b, double value, double *out, int size)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            out[(size_t)b->motion[k] * (size_t)size + (size_t)a->motion[i]] +=
                a->factor[i] * value * b->factor[k];
}

void lmb_tied_add_stiffness(const lmb_tied *t, double *out, int size)
{
    const lmb_symmetric *K = &t->model->K;
    for (int j = 0; j < K->n; j++) {
        if (t->place[j] >= 0)
            continue;
        share b = share_of_dof(t, j);
        for (int k = K->start[j]; k < K->start[j + 1]; k++) {
            if (t->place[K->row[k]] >= 0)
                continue;
            share a = share_of_dof(t, K->row[k]);
            add_between(&a, &b, K->value[k], out, size);
            if (K->row[k] != j)
                add_between(&b, &a, K->value[k], out, size);
        }
    }
}

void lmb_tied_expand(const lmb_tied *t, const double *x, const double *b, double *u)
{
    for (int i = 0; i < t->model->n; i++) {
        u[i] = t->place[i] >= 0 && x ? x[t->place[i]] : 0;
        if (t->place[i] >= 0 || !b)
            continue;
        share s = share_of_dof(t, i);
        for (int c = 0; c < s.count; c++)
            u[i] += s.factor[c] * b[s.motion[c]];
    }
}

void lmb_tied_average(const lmb_tied *t, const double *u, double *b)
{
    const lmb_fe_model *m = t->model;
    for (int p = 0; p < t->point_count; p++) {
        const lmb_interface *point = &t->points[p];
        double *out = b + p * t->motions;
        if (point->tie != LMB_TIE_AVERAGE)
            continue;
        vec3 centre = centre_of(m, point);
        mat3 turn = turn_of_nodes(m, point, centre);
        memset(out, 0, (size_t)t->motions * sizeof *out);
        for (int i = 0; i < point->count; i++)
            for (int d = 0; d < m->dimension; d++) {
                int node = point->nodes[i], dof = m->dof[node][d];
                for (int k = 0; k < t->motions; k++)
                    out[k] += average_factor(m, point, &turn, centre, node, k, d) * u[dof];
            }
    }
}
