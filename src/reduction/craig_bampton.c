/* Static and fixed-interface modes with one factorisation. */
#include "reduction/craig_bampton.h"

#include <math.h>

#include "base/format.h"
#include "math/dense.h"
#include "math/eigen.h"
#include "math/late.h"
#include "reduction/reduced.h"

/* Says which part of the model the interface points do not hold. */
static lmb_status fail_free(const lmb_tied *t, lmb_context *context, const lmb_factor_facts *facts)
{
    const lmb_fe_model *m = t->model;
    int unknown = facts->null_count ? facts->null_unknown[0] : 0, node = t->group[unknown];
    if (t->point_count == 0)
        return lmb_fail(context, LMB_BAD_INPUT, "the body has no interface points to hold it by");
    return lmb_fail_hint(
        context,
        "a part of the mesh is not connected to the rest (nodes that should be one "
        "are two), or it is a mechanism",
        "with all interface points fixed the body still has %d zero-energy mode%s, first at node "
        "%d",
        facts->null_count, facts->null_count == 1 ? "" : "s",
        node < m->node_count ? m->number[node] : -1);
}

/* Says that the factorisation begins, which cannot be asked how far it is, and how long it takes.
 */
static lmb_status announce(const lmb_factor *factor, lmb_context *context)
{
    char what[64] = "factorisation";
    double estimate = lmb_factor_estimate(factor);
    if (estimate >= 2)
        lmb_snprintf(what, sizeof what, "factorisation, about %.0f s", estimate);
    return lmb_continue(context, what, NAN);
}

/* Factorises K_ii. Each row of an average makes one negative pivot, and no more may there be. */
static lmb_status factorise(lmb_factor **factor, lmb_context *context, const lmb_tied *t)
{
    lmb_status status = lmb_continue(context, "order of elimination", NAN);
    if (!status)
        status = lmb_factor_new(factor, context, &t->K, t->group);
    if (!status)
        status = announce(*factor, context);
    if (!status)
        status = lmb_factor_compute(*factor, context, t->K.value);
    if (status)
        return status;
    const lmb_factor_facts *facts = lmb_factor_facts_of(*factor);
    if (facts->null_count)
        return fail_free(t, context, facts);
    int negative = facts->negative - (t->inner - t->freedoms);
    if (negative > 0)
        return lmb_fail_hint(
            context, "were its signs changed on the way, or is it from a prestressed state?",
            "the stiffness matrix has %d negative eigenvalue%s: energy would fall with deformation",
            negative, negative == 1 ? "" : "s");
    return LMB_OK;
}

/* Copies rows of a matrix, which has `n` of them. */
static void take_rows(const double *from, size_t n, int columns, const int *row, int count,
                      double *out)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < count; i++)
            out[(size_t)j * (size_t)count + (size_t)i] = from[(size_t)j * n + (size_t)row[i]];
}

/* The stiffness that the points show, K_bb - L^T K_ii^-1 L with loads L = -K_ib. Few unknowns are
 * loaded, those beside spiders and the multipliers; the others are left out. */
static lmb_status solve_static(lmb_craig_bampton *c, lmb_context *context, lmb_arena *room,
                               double *x)
{
    const lmb_tied *t = c->tied;
    size_t inner = (size_t)t->inner;
    int *row = lmb_arena_integers(room, inner + 1);
    int count = row ? lmb_tied_loaded(t, x, row) : 0;
    double *loads = lmb_arena_numbers(room, (size_t)t->boundary * (size_t)count + 1);
    double *moved = lmb_arena_numbers(room, (size_t)t->boundary * (size_t)count + 1);
    lmb_status status = lmb_check_memory(context, room);
    if (status)
        return status;
    take_rows(x, inner, t->boundary, row, count, loads);
    status = lmb_factor_solve_sparse(c->factor, context, t->boundary, x);
    take_rows(x, inner, t->boundary, row, count, moved);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, t->boundary, t->boundary, count, -1, loads,
                count > 0 ? count : 1, moved, count > 0 ? count : 1, 0, c->K, c->size);
    lmb_tied_add_stiffness(t, c->K, c->size);
    return status;
}

/* Columns of U for the motions of the points, and their stiffness. */
static lmb_status add_static(lmb_craig_bampton *c, lmb_context *context, lmb_arena *room)
{
    const lmb_tied *t = c->tied;
    size_t inner = (size_t)t->inner, n = (size_t)t->model->n, nb = (size_t)t->boundary;
    double *x = lmb_arena_numbers(room, inner * nb + 1), *unit = lmb_arena_numbers(room, nb + 1);
    lmb_status status = lmb_check_memory(context, room);
    if (status || (status = lmb_continue(context, "static modes", 0)))
        return status;
    lmb_tied_loads(t, x);
    if (nb)
        status = solve_static(c, context, room, x);
    for (size_t k = 0; k < nb && !status; k++) {
        unit[k] = 1;
        lmb_tied_expand(t, x + k * inner, unit, c->U + k * n);
        unit[k] = 0;
    }
    return status;
}

/* Columns of U for the fixed-interface modes, and their stiffness. */
static void add_modes(lmb_craig_bampton *c, const lmb_eigen *e)
{
    const lmb_tied *t = c->tied;
    size_t n = (size_t)t->model->n;
    for (int k = 0; k < c->modes; k++) {
        /* modes are K-orthogonal, to each other and to the motions of the points */
        c->K[(size_t)(c->boundary + k) * ((size_t)c->size + 1)] = e->value[k];
        c->frequency[k] = sqrt(fmax(0, e->value[k])) / (2 * LMB_PI);
        lmb_tied_expand(t, e->vector + (size_t)k * (size_t)t->inner, NULL,
                        c->U + (size_t)(c->boundary + k) * n);
    }
}

/* M = U^T M U, with M of the model taken to a few columns at a time. */
static lmb_status project_mass(lmb_craig_bampton *c, lmb_context *context, lmb_arena *room)
{
    enum { BLOCK = 8 };
    const lmb_symmetric *M = &c->tied->model->M;
    size_t n = (size_t)M->n, size = (size_t)c->size;
    double *w = lmb_arena_numbers(room, BLOCK * n + 1);
    for (size_t j = 0; w && j < size; j += BLOCK) {
        int count = size - j < BLOCK ? (int)(size - j) : BLOCK;
        lmb_symmetric_multiply_many(M, count, c->U + j * n, w);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)size, count, (int)n, 1, c->U,
                    (int)n, w, (int)n, 0, c->M + j * size, (int)size);
    }
    return lmb_check_memory(context, room);
}

static lmb_status fill(lmb_craig_bampton *c, lmb_context *context, lmb_arena *arena,
                       const lmb_eigen *e, lmb_arena *room)
{
    size_t n = (size_t)c->tied->model->n, size = (size_t)c->size;
    c->U = lmb_arena_numbers(arena, n * size + 1);
    c->K = lmb_arena_numbers(arena, size * size + 1);
    c->M = lmb_arena_numbers(arena, size * size + 1);
    c->frequency = lmb_arena_numbers(arena, (size_t)c->modes + 1);
    lmb_status status = lmb_check_memory(context, arena);
    if (status || (status = add_static(c, context, room)))
        return status;
    add_modes(c, e);
    if ((status = lmb_continue(context, "products of the basis", 0)) ||
        (status = project_mass(c, context, room)))
        return status;
    lmb_dense_symmetrise(c->size, c->K);
    lmb_dense_symmetrise(c->size, c->M);
    return LMB_OK;
}

/* Modes of one frequency, such as bending in two directions, belong together. */
static void warn_of_parted(lmb_context *context, const lmb_eigen *e)
{
    int before = 0, after = 0;
    double last = e->count > 0 ? e->value[e->count - 1] : 0, same = 2 * LMB_SAME_FREQUENCY * last;
    while (after < e->next_count && fabs(e->next[after] - last) < same)
        after++;
    while (before < e->count && fabs(e->value[e->count - 1 - before] - last) < same)
        before++;
    if (!(last > 0) || after == 0)
        return;
    lmb_warn(context,
             "fixed-interface modes %d and %d " LMB_PARTED_MODES ", %.6g Hz, but only the first "
             "of them is taken",
             e->count, e->count + 1, sqrt(last) / (2 * LMB_PI));
    lmb_hint(context, "take %d modes, or %d", e->count + after, e->count - before);
}

lmb_status lmb_craig_bampton_find(lmb_craig_bampton *c, lmb_context *context, lmb_arena *arena,
                                  const lmb_tied *t, lmb_mode_count count, bool keep_factor)
{
    *c = (lmb_craig_bampton){.tied = t, .boundary = t->boundary};
    lmb_status status = factorise(&c->factor, context, t);
    if (status)
        return status;
    c->facts = *lmb_factor_facts_of(c->factor);
    lmb_arena *room = lmb_arena_new();
    lmb_eigen e = {0};
    double limit = 2 * LMB_PI * count.below;
    int wanted = count.number < t->freedoms ? count.number : t->freedoms - 1;
    lmb_eigen_options options = {.count = count.below > 0 ? 0 : wanted,
                                 .below = limit * limit,
                                 .group = t->group,
                                 .multipliers = t->inner - t->freedoms,
                                 /* of frequencies 1e-14 */
                                 .tolerance = count.accurate ? 0 : 1e-7,
                                 .factor = c->factor};
    status = lmb_check_memory(context, room);
    if (!status && (options.count > 0 || options.below > 0))
        status = lmb_eigen_solve(&e, context, room, &t->K, &t->M, &options);
    if (!status) {
        if (options.below == 0)
            warn_of_parted(context, &e);
        c->modes = e.count;
        c->size = c->boundary + c->modes;
        status = fill(c, context, arena, &e, room);
    }
    lmb_arena_free(room);
    if (!keep_factor) {
        lmb_factor_free(c->factor);
        c->factor = NULL;
    }
    return status;
}
