/* Natural modes by shift and invert (math/eigen.h) on the free degrees of freedom. */
#include "reduction/fe_modes.h"

#include <math.h>
#include <string.h>

#include "math/eigen.h"
#include "reduction/free_motions.h"
#include "reduction/interface.h"

typedef struct work {
    lmb_context *context;
    lmb_arena *room;
    const lmb_fe_model *model;
    bool *held;
    int n, *dof, *place; /* number of free ones; index among all; index among free ones or -1 */
    lmb_symmetric K, M;  /* matrices of the free degrees of freedom */
} work;

/* Number the free degrees of freedom and copy their matrices. */
static lmb_status take_matrices(work *w)
{
    const lmb_fe_model *m = w->model;
    w->dof = lmb_arena_integers(w->room, (size_t)m->n + 1);
    w->place = lmb_arena_integers(w->room, (size_t)m->n + 1);
    if (!w->dof || !w->place)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < m->n; i++) {
        w->place[i] = w->held[i] ? -1 : w->n;
        if (!w->held[i])
            w->dof[w->n++] = i;
    }
    if (w->n == 0)
        return lmb_fail(w->context, LMB_BAD_INPUT, "all degrees of freedom are held");
    bool done = lmb_symmetric_restrict(&w->K, w->room, &m->K, w->place, w->n) &&
                lmb_symmetric_restrict(&w->M, w->room, &m->M, w->place, w->n);
    return done ? LMB_OK : lmb_fail_memory(w->context);
}

static lmb_status give(const work *w, const lmb_eigen *e, int rigid, int elastic, lmb_arena *arena,
                       lmb_fe_modes *out)
{
    out->rigid = rigid < e->count ? rigid : e->count;
    out->count = rigid + elastic < e->count ? rigid + elastic : e->count;
    out->frequency = lmb_arena_numbers(arena, (size_t)out->count + 1);
    for (int k = out->rigid; out->frequency && k < out->count; k++)
        out->frequency[k] = sqrt(fmax(0, e->value[k])) / (2 * LMB_PI);
    return lmb_check_memory(w->context, arena);
}

static lmb_status find(work *w, lmb_fe_modes *out, lmb_arena *arena, int elastic)
{
    const lmb_fe_model *m = w->model;
    lmb_free_motions free = {0};
    lmb_status status = LMB_OK;
    if (m->assembled)
        status = lmb_free_motions_find(&free, w->context, m, w->held);
    if (status || (status = take_matrices(w)))
        return status;
    int *group = lmb_arena_integers(w->room, (size_t)w->n);
    for (int i = 0; group && i < w->n; i++)
        group[i] = m->node[w->dof[i]];
    lmb_eigen e = {0};
    int rigid = m->assembled ? free.inert : lmb_interface_motions(m->dimension);
    lmb_eigen_options options = {
        .count = rigid + elastic, .group = group, .free = free.inert, .complete = true};
    status = lmb_check_memory(w->context, w->room);
    if (!status)
        status = lmb_eigen_solve(&e, w->context, w->room, &w->K, &w->M, &options);
    if (!status && e.count == 0 && elastic > 0)
        status = lmb_fail_hint(w->context, "hold fewer nodes, or give their material a density",
                               "the free nodes have no mass: the model has no modes");
    return status ? status : give(w, &e, m->assembled ? free.inert : e.rigid, elastic, arena, out);
}

lmb_status lmb_fe_modes_find(lmb_fe_modes *out, lmb_context *context, lmb_arena *arena,
                             const lmb_fe_model *model, const bool *held, int elastic)
{
    size_t n = (size_t)model->n;
    work w = {.context = context, .room = lmb_arena_new(), .model = model};
    *out = (lmb_fe_modes){0};
    w.held = lmb_arena_alloc(w.room, n + 1, sizeof *w.held);
    lmb_status status = lmb_check_memory(context, w.room);
    if (!status && held)
        memcpy(w.held, held, n * sizeof *held);
    if (!status)
        status = find(&w, out, arena, elastic);
    lmb_arena_free(w.room);
    return status;
}
