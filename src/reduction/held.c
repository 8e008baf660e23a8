/* A finite element model projected on modes that were found at another value of a parameter.
 *
 * The basis is held: what a mode does to the inner degrees of freedom and to the interface points
 * is taken from the other body as it is, node by node in the axes of the body,
 *
 *   K = Psi^T K Psi,   M = Psi^T M Psi,   C = Psi^T C Psi,   invariants of (1, Z, Psi, e x Psi)
 *
 * with the matrices of this model. One pass over them is enough: no eigenvalue problem, and a
 * factorisation only for residual displacements. Nodes of spiders follow their points, and average
 * points follow their nodes, from the positions in this model. So joints hold the body at its
 * current nodes.
 *
 * K and M are full matrices then. A frame of the mass centre is one of the other model's masses:
 * modes have a little momentum here, which the invariants contain. Its origin is the mass centre of
 * this model. */
#include <string.h>

#include "base/text.h"
#include "math/dense.h"
#include "math/late.h"
#include "reduction/gram.h"
#include "reduction/residual.h"

typedef struct work {
    lmb_context *context;
    const lmb_fe_model *model;
    const lmb_interface *points;
    const lmb_reduction *options;
    const lmb_reduced *base;
    lmb_reduced *body;
    lmb_arena *room;
    lmb_tied tied;
    double *x, *b, *u; /* inner unknowns and motions of points of a mode; n x modes: all of them */
} work;

static lmb_status start(work *w, const lmb_reduction *options)
{
    lmb_arena *arena;
    lmb_reduced *b = lmb_arena_object(&arena, sizeof *b);
    if (!b)
        return lmb_fail_memory(w->context);
    *b = *w->base; /* what is told of the basis is that of the other body */
    b->arena = arena;
    b->held = true;
    b->basis_count = b->drawn_count = 0;
    b->drawn = NULL;
    b->basis_shape = b->basis_turn = NULL;
    b->spin_stiffness = b->mode_stiffness = NULL;
    b->load_count = 0;
    b->residual = b->flexibility = NULL;
    b->factor = (lmb_factor_facts){0};
    w->body = b;
    lmb_status status =
        lmb_mass_properties_of(w->model, w->context, &b->mass, &b->centre, &b->inertia);
    b->origin = options->frame == LMB_FRAME_MASS_CENTRE ? b->centre
                                                        : w->points[options->frame_point].position;
    return status;
}

static lmb_status allocate(work *w)
{
    lmb_reduced *b = w->body;
    size_t modes = (size_t)b->mode_count, nodes = (size_t)b->node_count;
    size_t points = (size_t)b->point_count, n = (size_t)w->model->n;
    b->frequency = lmb_arena_numbers(b->arena, modes + 1);
    b->K = lmb_arena_numbers(b->arena, modes * modes);
    b->M = lmb_arena_numbers(b->arena, modes * modes);
    b->C = w->model->C.start ? lmb_arena_numbers(b->arena, modes * modes) : NULL;
    b->x = lmb_arena_alloc(b->arena, nodes, sizeof *b->x);
    b->number = lmb_arena_integers(b->arena, nodes);
    b->shape = lmb_arena_numbers(b->arena, 3 * nodes * modes);
    b->turn = w->base->turn ? lmb_arena_numbers(b->arena, 3 * nodes * modes) : NULL;
    b->point = lmb_arena_alloc(b->arena, points, sizeof *b->point);
    b->point_name = lmb_arena_alloc(b->arena, points, sizeof *b->point_name);
    b->point_shape = lmb_arena_numbers(b->arena, LMB_DIRECTIONS * points * modes);
    w->x = lmb_arena_numbers(w->room, (size_t)w->tied.inner + 1);
    w->b = lmb_arena_numbers(w->room, (size_t)w->tied.boundary + 1);
    w->u = lmb_arena_numbers(w->room, n * modes + 1);
    lmb_status status = lmb_check_memory(w->context, b->arena);
    return status ? status : lmb_check_memory(w->context, w->room);
}

/* Where nodes and points are. */
static void put_places(const work *w)
{
    lmb_reduced *b = w->body;
    for (int k = 0; k < b->node_count; k++) {
        b->x[k] = v3_sub(w->model->x[k], b->origin);
        b->number[k] = w->model->number[k];
    }
    for (int p = 0; p < b->point_count; p++) {
        b->point[p] = v3_sub(w->points[p].position, b->origin);
        b->point_name[p] = lmb_text_copy(b->arena, w->points[p].name, strlen(w->points[p].name));
    }
}

/* The place of the i-th motion of a point in the shapes of points. */
static size_t motion_of(const work *w, int point, int i, int mode)
{
    size_t d = (size_t)lmb_interface_direction(w->model->dimension, i);
    return ((size_t)point * LMB_DIRECTIONS + d) * (size_t)w->body->mode_count + (size_t)mode;
}

/* A mode of the other body on the nodes of this one, and what the points do in it. */
static void hold_mode(const work *w, int mode)
{
    const lmb_fe_model *m = w->model;
    lmb_reduced *b = w->body;
    int motions = w->tied.motions;
    size_t at = 3 * (size_t)mode * (size_t)b->node_count;
    double *u = w->u + (size_t)mode * (size_t)m->n;
    lmb_reduced_displacements(w->base, m, mode, u);
    for (int i = 0; i < m->n; i++)
        if (w->tied.place[i] >= 0)
            w->x[w->tied.place[i]] = u[i];
    for (int k = 0; k < w->tied.boundary; k++)
        w->b[k] = w->base->point_shape[motion_of(w, k / motions, k % motions, mode)];
    lmb_tied_expand(&w->tied, w->x, w->b, u);
    lmb_tied_average(&w->tied, u, w->b);
    for (int k = 0; k < w->tied.boundary; k++)
        b->point_shape[motion_of(w, k / motions, k % motions, mode)] = w->b[k];
    for (int i = 0; i < m->n; i++) {
        double *out = m->direction[i] < LMB_RX ? b->shape : b->turn;
        out[at + 3 * (size_t)m->node[i] + (size_t)(m->direction[i] % 3)] = u[i];
    }
}

/* out = Psi^T A Psi; v: room for A Psi */
static void project(const work *w, const lmb_symmetric *A, double *v, double *out)
{
    int modes = w->body->mode_count, n = w->model->n;
    lmb_symmetric_multiply_many(A, modes, w->u, v);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, modes, modes, n, 1, w->u, n, v, n, 0, out,
                modes);
    lmb_dense_symmetrise(modes, out);
}

/* Frequencies of the body in its frame, to be told. */
static lmb_status find_frequencies(const work *w)
{
    lmb_reduced *b = w->body;
    size_t square = (size_t)b->mode_count * (size_t)b->mode_count;
    double *K = lmb_arena_grow(w->room, b->K, square, square, sizeof *K);
    double *M = lmb_arena_grow(w->room, b->M, square, square, sizeof *M);
    if (!K || !M)
        return lmb_fail_memory(w->context);
    if (!lmb_dense_symmetric_general(b->mode_count, K, M, b->frequency))
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "the modes that are held have no mass at a neighbouring value of the "
                        "parameter");
    for (int k = 0; k < b->mode_count; k++)
        b->frequency[k] = copysign(sqrt(fabs(b->frequency[k])), b->frequency[k]) / (2 * LMB_PI);
    return LMB_OK;
}

/* Matrices of the modes; M is a part of the invariants. */
static lmb_status find_matrices(const work *w)
{
    lmb_reduced *b = w->body;
    int modes = b->mode_count, size = lmb_gram_size(modes);
    double *v = lmb_arena_numbers(w->room, (size_t)w->model->n * (size_t)modes + 1);
    if (!v)
        return lmb_fail_memory(w->context);
    for (int j = 0; j < modes; j++)
        for (int i = 0; i < modes; i++)
            b->M[j * modes + i] =
                b->gram[(size_t)lmb_gram_mode(j) * (size_t)size + (size_t)lmb_gram_mode(i)];
    project(w, &w->model->K, v, b->K);
    if (b->C)
        project(w, &w->model->C, v, b->C);
    return find_frequencies(w);
}

static lmb_status fill(work *w, int point_count)
{
    lmb_status status =
        lmb_tied_start(&w->tied, w->context, w->room, w->model, w->points, point_count);
    if (status || (status = allocate(w)))
        return status;
    put_places(w);
    for (int k = 0; k < w->body->mode_count; k++)
        hold_mode(w, k);
    if ((status = lmb_check_memory(w->context, w->body->arena)) ||
        (status = lmb_find_gram(w->body, w->context, w->model)))
        return status;
    return w->body->mode_count ? find_matrices(w) : LMB_OK;
}

/* Compute residual displacements. They need static solutions and so a factorisation of K. */
static lmb_status find_residual(work *w, int point_count)
{
    lmb_craig_bampton basis = {0};
    lmb_status status =
        lmb_tied_find(&w->tied, w->context, w->room, w->model, w->points, point_count);
    if (!status)
        status = lmb_craig_bampton_find(&basis, w->context, w->room, &w->tied,
                                        (lmb_mode_count){.accurate = true}, true);
    if (!status)
        status = lmb_find_residual(w->body, w->context, &basis, w->options);
    lmb_factor_free(basis.factor);
    return status;
}

lmb_status lmb_reduce_held(lmb_reduced **out, lmb_context *context, const lmb_fe_model *model,
                           const lmb_interface *points, int point_count,
                           const lmb_reduction *options)
{
    work w = {.context = context,
              .model = model,
              .points = points,
              .options = options,
              .base = options->held,
              .room = lmb_arena_new()};
    *out = NULL;
    lmb_status status = start(&w, options);
    if (!status)
        status = fill(&w, point_count);
    if (!status && options->residual && w.body->mode_count)
        status = find_residual(&w, point_count);
    lmb_arena_free(w.room);
    if (status)
        lmb_reduced_free(w.body);
    else
        *out = w.body;
    return status;
}
