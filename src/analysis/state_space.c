/* B, C and D of the linearised mechanism, from the changes that states and inputs make of q, v, a,
 * lambda and z (analysis/small_motion.h), and of channels (analysis/ports.h). */
#include "analysis/state_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "math/dense.h"

/* Room for the work. */
typedef struct work {
    const lmb_small_motion *motion;
    lmb_ports *ports;
    lmb_state_space *space;
    double *none, *dz;   /* n, nz zeros */
    double *dQ;          /* n */
    double *da_u, *dl_u; /* what each input does: n x inputs, rows x inputs */
} work;

/* B, and what inputs do to accelerations and multipliers. */
static void fill_inputs(const work *w)
{
    const lmb_state_space *o = w->space;
    for (int k = 0; k < o->inputs; k++) {
        lmb_ports_force(w->ports, k, w->dQ);
        lmb_small_motion_force(w->motion, w->dQ, o->B + (size_t)k * (size_t)o->states,
                               w->da_u + (size_t)k * (size_t)o->n,
                               w->dl_u + (size_t)k * (size_t)w->motion->rows);
    }
}

/* C and D, column by column. */
static void fill_outputs(const work *w)
{
    const lmb_state_space *o = w->space;
    const lmb_small_motion *x = w->motion;
    const lmb_model *m = w->ports->solver->state->model;
    size_t nv = (size_t)o->n, rows = (size_t)x->rows, size = (size_t)o->states;
    size_t moving = (size_t)(x->positions + x->speeds);
    for (size_t k = 0; k < size; k++) {
        lmb_change c = {k < (size_t)o->free ? x->dq + k * nv : w->none, x->dv + k * nv,
                        x->da + k * nv, x->dl + k * rows, w->dz};
        double h = k < moving ? lmb_ports_step(w->ports, &c) : 1e-4 * m->z_size[k - moving];
        if (k >= moving)
            w->dz[k - moving] = 1;
        lmb_ports_differentiate(w->ports, &c, -1, h, o->C + k * (size_t)o->outputs);
        memset(w->dz, 0, (size_t)m->nz * sizeof *w->dz);
    }
    for (size_t k = 0; k < (size_t)o->inputs; k++) {
        lmb_change c = {w->none, w->none, w->da_u + k * nv, w->dl_u + k * rows, w->dz};
        lmb_ports_differentiate(w->ports, &c, (int)k, 1e-3 * w->ports->typical,
                                o->D + k * (size_t)o->outputs);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

/* Room for the matrices. */
static bool allocate_matrices(work *w)
{
    lmb_state_space *o = w->space;
    size_t states = (size_t)o->states, inputs = (size_t)o->inputs, outputs = (size_t)o->outputs;
    o->A = lmb_arena_numbers(o->arena, states * states);
    o->B = lmb_arena_numbers(o->arena, states * inputs);
    o->C = lmb_arena_numbers(o->arena, outputs * states);
    o->D = lmb_arena_numbers(o->arena, outputs * inputs);
    o->N = lmb_arena_numbers(o->arena, (size_t)o->n * (size_t)o->free);
    w->da_u = lmb_arena_numbers(o->arena, (size_t)o->n * inputs);
    w->dl_u = lmb_arena_numbers(o->arena, (size_t)w->motion->rows * inputs);
    w->none = lmb_arena_numbers(o->arena, (size_t)o->n);
    w->dQ = lmb_arena_numbers(o->arena, (size_t)o->n);
    w->dz = lmb_arena_numbers(o->arena, (size_t)w->motion->nz);
    return lmb_arena_fine(o->arena);
}

/* A copy of a list of names. */
static char **copy_names(lmb_arena *arena, int count, char *const *names)
{
    char **out = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *out);
    for (int i = 0; out && i < count; i++)
        out[i] = lmb_text_copy(arena, names[i], strlen(names[i]));
    return out;
}

static lmb_status fill(work *w, lmb_context *context)
{
    lmb_state_space *o = w->space;
    o->inputs = w->ports->inputs;
    o->outputs = w->ports->outputs;
    o->state_names = copy_names(o->arena, o->states, w->motion->names);
    o->input_names = copy_names(o->arena, o->inputs, w->ports->input_names);
    o->output_names = copy_names(o->arena, o->outputs, w->ports->output_names);
    if (!allocate_matrices(w))
        return lmb_fail_memory(context);
    memcpy(o->N, w->motion->dq, (size_t)o->n * (size_t)o->free * sizeof *o->N);
    memcpy(o->A, w->motion->A, (size_t)o->states * (size_t)o->states * sizeof *o->A);
    fill_inputs(w);
    fill_outputs(w);
    return LMB_OK;
}

lmb_status lmb_state_space_of(const lmb_small_motion *motion, lmb_solver *s,
                              const char *const *inputs, const char *const *outputs,
                              lmb_state_space *out)
{
    *out = (lmb_state_space){.n = s->state->model->nv,
                             .free = motion->positions,
                             .states = motion->states,
                             .arena = lmb_arena_new()};
    work w = {.space = out, .motion = motion};
    lmb_status status = lmb_ports_new(&w.ports, s, inputs, outputs);
    if (!status)
        status = fill(&w, s->context);
    lmb_ports_free(w.ports);
    if (status)
        lmb_state_space_free(out);
    return status;
}

lmb_status lmb_find_state_space(lmb_solver *s, const char *const *inputs,
                                const char *const *outputs, lmb_state_space *out)
{
    lmb_small_motion *motion;
    *out = (lmb_state_space){0};
    lmb_status status = lmb_small_motion_new(&motion, s, 0);
    if (!status)
        status = lmb_state_space_of(motion, s, inputs, outputs, out);
    lmb_small_motion_free(motion);
    return status;
}

void lmb_state_space_free(lmb_state_space *o)
{
    if (!o)
        return;
    lmb_arena_free(o->arena);
    *o = (lmb_state_space){0};
}

lmb_status lmb_state_space_response(const lmb_state_space *o, lmb_context *context,
                                    int input_number, int output, double w, double *real,
                                    double *imaginary)
{
    size_t n = (size_t)o->states, outputs = (size_t)o->outputs, at = (size_t)output;
    double *a = lmb_calloc(2 * n * n + 2 * n + 1, sizeof *a), *x = a + 2 * n * n;
    if (!a)
        return lmb_fail_memory(context);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            a[2 * (j * n + i)] = -o->A[j * n + i];
        a[2 * (j * n + j) + 1] += w;
        x[2 * j] = o->B[(size_t)input_number * n + j];
    }
    bool regular = lmb_dense_solve_complex(o->states, a, 1, x);
    *real = regular ? o->D[(size_t)input_number * outputs + at] : INFINITY;
    *imaginary = 0;
    for (size_t j = 0; regular && j < n; j++) {
        *real += o->C[j * outputs + at] * x[2 * j];
        *imaginary += o->C[j * outputs + at] * x[2 * j + 1];
    }
    free(a);
    return LMB_OK;
}
