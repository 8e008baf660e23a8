/* Buckling of reduced bodies of beams.
 *
 * A reduced body without stiffening stays straight under any axial load. With the normal forces N
 * of its lines, its first linear buckling load is f N with the smallest f > 0 of
 *
 *   (K + f G) x = 0,   x^T G x = sum over lines of integral N |u'|^2
 *
 * K is the elastic stiffness, x the velocity coordinates of the body, and u' the slope of the axis
 * of a line by its rigid motion and its cubic deflection. Rows of joints and drivers hold the body
 * where the other bodies of the row lead to the ground without it; such bodies count as fixed. A
 * motion without elastic energy is no buckling: to each x such motions are added that make the
 * integral of |N| |u'|^2 least, so a rod turns with its chord. */
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/late.h"
#include "math/small.h"
#include "reduction/body_data.h"
#include "run/run.h"
#include "system/equations.h"

/* A part of the buckling load that is warned of. */
#define LMB_NEAR_BUCKLING 0.5

/* A body in the search for its buckling load: n velocity coordinates, `first` of them rigid before
 * the modes. */
typedef struct column {
    const lmb_state *s;
    const lmb_body *body;
    const lmb_body_data *data;
    lmb_arena *room;
    int index, n, first;
    double *scale;   /* n: units of the coordinates, in which all modes are equally stiff */
    const double *N; /* normal forces of the lines */
    bool *fixed;     /* body_count: bodies that lead to the ground */
} column;

/* --- normal forces ---------------------------------------------------------------------------- */

/* Return the largest compressive force of the lines; N gets the forces of all. */
static double compress(const lmb_body_data *d, const double *eta, double *N)
{
    double most = 0;
    for (int l = 0; l < d->line_count; l++) {
        N[l] = 0;
        for (int k = 0; k < d->reduced->mode_count; k++) {
            const double *ends = d->line_forces + 12 * ((size_t)k * (size_t)d->line_count + l);
            N[l] += eta[k] * (ends[0] + ends[6]) / 2;
        }
        most = fmax(most, -N[l]);
    }
    return most;
}

/* Return a load below which no column as long as all lines together is near to buckling: Euler's
 * load with one end free. */
static double safe_load(const lmb_body_data *d)
{
    double length = 0, EI = INFINITY;
    for (int l = 0; l < d->line_count; l++) {
        const double *section = d->line_section + (size_t)l * LMB_LINE_NUMBERS;
        const vec3 *x = d->reduced->x;
        length += v3_norm(v3_sub(x[d->lines[2 * l + 1]], x[d->lines[2 * l]]));
        EI = fmin(EI, section[LMB_LINE_E] * fmin(section[LMB_LINE_IY], section[LMB_LINE_IZ]));
    }
    return LMB_NEAR_BUCKLING * LMB_PI * LMB_PI * EI / (4 * length * length);
}

/* --- geometric stiffness ---------------------------------------------------------------------- */

/* The rotation of the body frame by each rigid coordinate, in body axes. */
static void find_turns(const column *c, vec3 *turn)
{
    const lmb_model *m = c->s->model;
    int at = m->body_marker[c->body - m->bodies];
    const lmb_marker *marker = &m->parts.markers[at];
    mat3 R = frame_rotation(&c->s->bodies[marker->body].pose);
    lmb_frame *columns = lmb_arena_alloc(c->room, (size_t)marker->nv, sizeof *columns);
    if (!columns)
        return;
    lmb_marker_columns(c->s, at, columns);
    for (int j = 0; j < c->first && j < marker->nv; j++)
        turn[j] = m3_tmul(&R, frame_angular(&c->s->frames[at], &columns[j]));
}

/* The slopes across a line at a place xi of it, 0 to 1, by all coordinates. */
static void find_slopes(const column *c, const vec3 *turn, int line, double xi, vec3 *slope)
{
    const lmb_reduced *r = c->data->reduced;
    int a = c->data->lines[2 * line], b = c->data->lines[2 * line + 1];
    vec3 along = v3_sub(r->x[b], r->x[a]);
    double length = v3_norm(along);
    vec3 e = v3_scale(1 / length, along);
    for (int j = 0; j < c->n; j++) {
        slope[j] = v3_cross(turn[j], e);
        if (j >= c->first) {
            size_t nodes = 3 * (size_t)(j - c->first) * (size_t)r->node_count;
            const double *u = r->shape + nodes, *theta = r->turn ? r->turn + nodes : NULL;
            vec3 chord =
                v3_scale(1 / length, v3_sub(v3_of(u + 3 * (size_t)b), v3_of(u + 3 * (size_t)a)));
            chord = v3_axpy(chord, -v3_dot(chord, e), e);
            vec3 at_a = theta ? v3_cross(v3_of(theta + 3 * (size_t)a), e) : chord;
            vec3 at_b = theta ? v3_cross(v3_of(theta + 3 * (size_t)b), e) : chord;
            slope[j] = v3_axpy(v3_scale(6 * xi * (1 - xi), chord), (1 - xi) * (1 - 3 * xi), at_a);
            slope[j] = v3_axpy(slope[j], xi * (3 * xi - 2), at_b);
        }
        slope[j] = v3_scale(c->scale[j], slope[j]);
    }
}

/* G, and the same with |N| (n x n). */
static void add_lines(const column *c, double *G, double *size)
{
    static const double place[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    vec3 *turn = lmb_arena_alloc(c->room, (size_t)c->n, sizeof *turn);
    vec3 *slope = lmb_arena_alloc(c->room, (size_t)c->n, sizeof *slope);
    const vec3 *x = c->data->reduced->x;
    if (!lmb_arena_fine(c->room))
        return;
    find_turns(c, turn);
    for (int p = 0; p < 3 * c->data->line_count; p++) {
        const int *ends = c->data->lines + 2 * (p / 3);
        double f = weight[p % 3] * c->N[p / 3] * v3_norm(v3_sub(x[ends[1]], x[ends[0]]));
        find_slopes(c, turn, p / 3, place[p % 3], slope);
        for (int i = 0; i < c->n * c->n; i++) {
            double product = v3_dot(slope[i / c->n], slope[i % c->n]);
            G[i] += f * product;
            size[i] += fabs(f) * product;
        }
    }
}

/* --- how the body is held --------------------------------------------------------------------- */

/* Return the number of bodies of a row that are not fixed; `own`: whether the body is of the row. A
 * row of one body is against the ground, or its own. */
static int count_open(const column *c, int row, bool *own)
{
    const lmb_model *m = c->s->model;
    const lmb_sparse_row *r = &m->sparse_rows[row];
    int open = 0;
    *own = false;
    for (const lmb_block *b = m->blocks + r->block; b < m->blocks + r->block + r->block_count;
         b++) {
        int body = m->clusters[b->cluster].body;
        *own = *own || body == c->index;
        open += body != c->index && !c->fixed[body];
    }
    return open;
}

/* Mark the bodies that lead to the ground by rows without the body itself. */
static void find_fixed(column *c)
{
    const lmb_model *m = c->s->model;
    bool own;
    for (int i = 0; i < m->nrows; i++) {
        const lmb_sparse_row *r = &m->sparse_rows[i];
        int open = count_open(c, i, &own);
        bool grounded = r->block_count == 1 && m->parts.rows[i].body == 0;
        if (own || open == 0 || (open == r->block_count && !grounded) || c->s->row_off[i])
            continue;
        for (int k = r->block; k < r->block + r->block_count; k++)
            c->fixed[m->clusters[m->blocks[k].cluster].body] = true;
        i = -1;
    }
}

/* The gradient of a row by the coordinates of the body, from the Jacobian of the state. */
static void find_gradient(const column *c, int row, double *g)
{
    const lmb_model *m = c->s->model;
    const lmb_sparse_row *r = &m->sparse_rows[row];
    memset(g, 0, (size_t)c->n * sizeof *g);
    for (const lmb_block *b = m->blocks + r->block; b < m->blocks + r->block + r->block_count; b++)
        for (int k = 0; k < b->nv && m->clusters[b->cluster].body == c->index; k++) {
            int j = b->v - c->body->v + k;
            g[j] = c->s->jacobian[b->value + k] * c->scale[j];
        }
}

/* K += factor g g^T / g^2 */
static void stiffen(int n, const double *g, double factor, double *K)
{
    double square = lmb_dot(g, g, (size_t)n);
    for (int i = 0; i < n * n && square > 0; i++)
        K[i] += factor * g[i / n] * g[i % n] / square;
}

/* --- the load --------------------------------------------------------------------------------- */

/* Stiffness against which the modes, of 1, are soft; and the one that motions without any get. */
static const double hard = 1e6, soft = 1e-6;

/* K with the rows that hold the body. */
static void find_stiffness(column *c, double *g, double *K)
{
    const lmb_model *m = c->s->model;
    const lmb_reduced *r = c->data->reduced;
    for (int j = c->first; j < c->n; j++)
        for (int i = c->first; i < c->n; i++)
            K[j * c->n + i] =
                c->scale[i] * c->scale[j] * r->K[(j - c->first) * r->mode_count + i - c->first];
    find_fixed(c);
    bool own;
    for (int i = 0; i < m->nrows; i++) {
        if (c->s->row_off[i] || count_open(c, i, &own) > 0 || !own)
            continue;
        find_gradient(c, i, g);
        stiffen(c->n, g, hard, K);
    }
}

/* Keep motions without elastic energy apart: they must not change the integral of |N| |u'|^2. */
static void hold_rigid(int n, const double *vectors, const double *values, const double *size,
                       double *g, double *K)
{
    double trace = 0;
    for (int i = 0; i < n; i++)
        trace += size[i * (n + 1)];
    for (int k = 0; k < n && values[k] < soft; k++) {
        const double *r = vectors + k * n;
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, size, n, r, 1, 0, g, 1);
        stiffen(n, r, soft, K);
        if (lmb_dot(g, r, (size_t)n) > 1e-9 * trace)
            stiffen(n, g, hard, K);
    }
}

/* Return the factor f by which the forces grow up to buckling; INFINITY if they do not lead to it.
 */
static double find_factor(column *c)
{
    const lmb_reduced *r = c->data->reduced;
    int n = c->n;
    size_t all = (size_t)n * (size_t)n;
    double *G = lmb_arena_numbers(c->room, 4 * all + 3 * (size_t)n);
    c->fixed = lmb_arena_alloc(c->room, (size_t)c->s->model->body_count, sizeof *c->fixed);
    if (!lmb_arena_fine(c->room))
        return INFINITY;
    double *size = G + all, *K = size + all, *V = K + all, *values = V + all, *g = values + n;
    c->scale = g + n;
    for (int j = 0; j < n; j++) {
        double own = j < c->first ? 1 : r->K[(j - c->first) * (r->mode_count + 1)];
        c->scale[j] = own > 0 ? 1 / sqrt(own) : 1;
    }
    add_lines(c, G, size);
    find_stiffness(c, g, K);
    memcpy(V, K, all * sizeof *V);
    if (!lmb_dense_symmetric(n, V, values))
        return INFINITY;
    hold_rigid(n, V, values, size, g, K);
    bool found = lmb_dense_symmetric_general(n, G, K, values);
    return found && values[0] < 0 ? -1 / values[0] : INFINITY;
}

/* --- watching --------------------------------------------------------------------------------- */

struct lmb_buckling {
    const lmb_run_record *record;
    double *next; /* bodies of the record: the compressive force from which on the factor matters */
    double *N;    /* the most lines of a body */
};

lmb_buckling *lmb_buckling_new(lmb_arena *arena, const lmb_run_record *record)
{
    lmb_buckling *w = lmb_arena_alloc(arena, 1, sizeof *w);
    int count = record ? record->count : 0;
    double *next = lmb_arena_numbers(arena, (size_t)count + 1);
    int lines = 0;
    for (int i = 0; next && i < count; i++) {
        const lmb_stress_state *s = record->bodies[i].stress;
        bool bends = s && s->data->line_count && !s->data->reduced->mode_stiffness;
        next[i] = bends ? safe_load(s->data) : INFINITY;
        lines = bends && s->data->line_count > lines ? s->data->line_count : lines;
    }
    double *N = lmb_arena_numbers(arena, (size_t)lines + 1);
    if (!lmb_arena_fine(arena))
        return NULL;
    *w = (lmb_buckling){record, next, N};
    return w;
}

static void warn(lmb_context *context, const lmb_body *b, double t, double load, double critical)
{
    lmb_warn_at(context, b->place,
                "body '%s': the axial load of %.4g N at t = %.6g is more than half of the first "
                "linear buckling load of %.4g N",
                b->name, load, t, critical);
    lmb_hint(context, "a reduced body without geometric stiffness does not buckle: give "
                      "'stiffening: true' in 'reduction', or for a beam 'deformation: large'");
}

lmb_status lmb_buckling_take(lmb_buckling *w, lmb_context *context, const lmb_state *s, double t,
                             const double *row)
{
    for (int i = 0; w->record && i < w->record->count; i++) {
        const lmb_body_record *b = &w->record->bodies[i];
        double limit = w->next[i];
        double load = isinf(limit) ? 0 : compress(b->stress->data, row + b->at.modes, w->N);
        if (!(load > limit) || !isfinite(load))
            continue;
        const lmb_body *body = &s->model->bodies[b->body];
        column c = {.s = s,
                    .body = body,
                    .data = b->stress->data,
                    .room = lmb_arena_new(),
                    .index = b->body,
                    .n = body->nv,
                    .first = body->nv - b->modes,
                    .N = w->N};
        double f = find_factor(&c), part = f * LMB_NEAR_BUCKLING;
        bool fine = lmb_arena_fine(c.room);
        lmb_arena_free(c.room);
        if (!fine)
            return lmb_fail_memory(context);
        if (part < 1)
            warn(context, body, t, load, f * load);
        /* a load that grows is looked at again not later than 5 % above the limit */
        w->next[i] = part < 1 ? INFINITY : load * fmin(part, 1.05);
    }
    return LMB_OK;
}
