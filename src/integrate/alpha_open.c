/* The generalized-alpha method and its relatives: their parameters (integrate/alpha.h), room for
 * their steps, and what they save. */
#include <string.h>

#include "integrate/ali3p.h"
#include "integrate/alpha_internal.h"

static bool allocate_vectors(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    a->alpha = lmb_arena_numbers(a->arena, m->nv + 2 * m->nz);
    a->alpha0 = lmb_arena_numbers(a->arena, m->nv + 2 * m->nz);
    a->past_alpha = lmb_arena_numbers(a->arena, LMB_ALPHA_PAST * m->nv);
    a->past_lambda = lmb_arena_numbers(a->arena, LMB_ALPHA_PAST * m->nrows);
    a->q0 = lmb_arena_numbers(a->arena, lmb_motion_numbers(m));
    a->psi = lmb_arena_numbers(a->arena, m->nv);
    a->star_a = lmb_arena_numbers(a->arena, m->nv);
    a->star_lambda = lmb_arena_numbers(a->arena, m->nrows);
    a->star_v = lmb_arena_numbers(a->arena, m->nv);
    a->side = lmb_arena_numbers(a->arena, m->nv + m->nrows);
    a->phi = lmb_arena_numbers(a->arena, m->nrows);
    a->tangent = lmb_arena_numbers(a->arena, m->couple_values);
    a->inertia = lmb_arena_numbers(a->arena, m->nv);
    a->mass = lmb_arena_numbers(a->arena, m->mass_count);
    a->T = lmb_arena_numbers(a->arena, LMB_TURN_NUMBERS * (size_t)m->node_count);
    a->c = lmb_arena_numbers(a->arena, m->nz);
    a->size_q = lmb_arena_numbers(a->arena, m->nq);
    a->size_v = lmb_arena_numbers(a->arena, m->nv);
    a->per_unit = lmb_arena_numbers(a->arena, m->nv);
    a->defect = lmb_arena_numbers(a->arena, m->range_count);
    a->least = lmb_arena_numbers(a->arena, m->island_count);
    for (int r = 0; r < m->nrows && !a->rates; r++)
        if (m->parts.rows[r].velocity_level)
            a->rates = lmb_arena_numbers(a->arena, m->value_count);
    if (!lmb_arena_fine(a->arena))
        return false;
    a->zeta = a->alpha + m->nv;
    a->zdot = a->zeta + m->nz;
    a->zeta0 = a->alpha0 + m->nv;
    a->zdot0 = a->zeta0 + m->nz;
    a->v0 = a->q0 + m->nq;
    a->a0 = a->v0 + m->nv;
    a->lambda0 = a->a0 + m->nv + m->nz;
    for (int i = 0; i < m->nv; i++)
        a->per_unit[i] = 1 / m->columns[i].size;
    return true;
}

/* What makes lengths of coordinates. Modal coordinates count as they are, unless the iteration goes
 * on to rounding: a mode of small displacements needs not be as exact as a length. */
static void set_sizes(lmb_alpha *a, bool to_rounding)
{
    const lmb_model *m = a->model;
    for (int i = 0; i < m->nv; i++) {
        bool whole = to_rounding || m->columns[i].class != LMB_CLASS_MODE;
        a->size_v[i] = whole ? m->columns[i].size : 1;
    }
    for (int i = 0; i < m->node_count; i++)
        for (int j = 0; j < m->nodes[i].nq; j++) /* a quaternion has one more than its v */
            a->size_q[m->nodes[i].q + j] =
                a->size_v[m->nodes[i].v + (j < m->nodes[i].nv ? j : j - 1)];
}

void lmb_alpha_parameters(lmb_alpha_method method, double rho, double *am, double *af, double *beta,
                          double *gamma)
{
    if (method == LMB_ALPHA_NEWMARK || method == LMB_ALPHA_ALI3P) {
        *am = *af = 0;
        *gamma = (3 - rho) / (2 * rho + 2);
        *beta = 1 / ((rho + 1) * (rho + 1));
        return;
    }
    *am = method == LMB_ALPHA_HHT ? 0 : (2 * rho - 1) / (rho + 1);
    *af = method == LMB_ALPHA_HHT ? (1 - rho) / (1 + rho) : rho / (rho + 1);
    *gamma = 0.5 + *af - *am;
    *beta = 0.25 * (*gamma + 0.5) * (*gamma + 0.5);
}

/* How well the equations of a step are solved. */
static double accuracy_of(lmb_alpha_method method, double rho, bool to_rounding)
{
    if (to_rounding)
        return 1e-14;
    if (method == LMB_ALPHA_ALI3P)
        return 1e-13;                 /* its equations hold but for rounding */
    return rho < 0.99 ? 1e-8 : 1e-11; /* what is not damped adds up */
}

/* The guess x_n+1 from x_n, x_n-1, ... that is exact where (1 - B)^m (1 + rho B)^2 x = 0, B the
 * step back: for polynomials, and for the oscillation from step to step in which the method leaves
 * errors of accelerations and multipliers to decay with rho. */
static void set_weights(lmb_alpha *a, double rho)
{
    for (int known = 0; known <= LMB_ALPHA_PAST; known++) {
        double product[LMB_ALPHA_PAST + 2] = {1}; /* coefficients of 1, B, B^2, ... */
        for (int i = 0; i <= known; i++) {
            double root = known == LMB_ALPHA_PAST && i < 2 ? -rho : 1;
            for (int k = i + 1; k > 0; k--)
                product[k] -= root * product[k - 1];
        }
        for (int k = 0; k <= known; k++)
            a->weights[known][k] = -product[k + 1];
    }
}

/* Of n coordinates of a cluster a matrix takes some n^3 + 30 n^2 multiplications, a right side with
 * modes 15 n^2. */
static double cost_of_matrix(const lmb_model *m)
{
    double matrix = 0, side = 1;
    for (int i = 0; i < m->cluster_count; i++) {
        double n = m->clusters[i].nv;
        matrix += n * n * (n + 30);
        side += 15 * n * n;
    }
    return matrix / side;
}

/* The options of ALI3-P. The matrix of P = M + h/2 C + h^2/4 K serves the steps, too, so that it
 * must be solved as it is. */
static bool open_projection(lmb_alpha *a, const lmb_integration *options, lmb_saddle_choice choice)
{
    a->projection = options->projection;
    a->penalty = options->penalty > 0 ? options->penalty : lmb_ali3p_penalty;
    bool full = a->projection == LMB_PROJECT_FULL, mass = a->projection == LMB_PROJECT_MASS;
    a->saddle = lmb_saddle_new(a->model, full ? LMB_SADDLE_EXACT : LMB_SADDLE_STEP, choice);
    a->projector = mass ? lmb_saddle_new(a->model, LMB_SADDLE_STEP, choice) : NULL;
    a->no_tangent = lmb_arena_numbers(a->arena, mass ? a->model->couple_values : 0);
    a->change = lmb_arena_numbers(a->arena, a->model->nv);
    a->rows = lmb_arena_numbers(a->arena, a->model->nrows);
    return a->saddle && (a->projector || !mass);
}

lmb_alpha *lmb_alpha_new(const lmb_model *m, lmb_alpha_method method,
                         const lmb_integration *options, lmb_saddle_choice choice)
{
    bool projects = method == LMB_ALPHA_ALI3P;
    double rho = projects ? 1 : options->spectral_radius;
    lmb_arena *arena;
    lmb_alpha *a = lmb_arena_object(&arena, sizeof *a);
    if (!a)
        return NULL;
    a->model = m;
    a->arena = arena;
    lmb_alpha_parameters(method, rho, &a->am, &a->af, &a->beta, &a->gamma);
    a->accuracy = accuracy_of(method, rho, options->to_rounding);
    a->best_rate = method == LMB_ALPHA_ALI3P ? 0.01 : 1e-5;
    set_weights(a, projects && options->projection != LMB_PROJECT_NONE ? 0 : rho);
    a->renewal = LMB_ALPHA_ALL;
    a->cost = cost_of_matrix(m);
    for (int i = 0; i < m->body_count; i++)
        a->coupled |= m->bodies[i].cluster_count > 1;
    if (!projects)
        a->saddle = lmb_saddle_new(m, LMB_SADDLE_STEP, choice);
    bool open = projects ? open_projection(a, options, choice) : a->saddle != NULL;
    if (!open || !allocate_vectors(a)) {
        lmb_alpha_free(a);
        return NULL;
    }
    set_sizes(a, options->to_rounding);
    return a;
}

double *lmb_alpha_accelerations(lmb_alpha *a)
{
    return a->alpha;
}

void lmb_alpha_free(lmb_alpha *a)
{
    if (!a)
        return;
    lmb_saddle_free(a->saddle);
    lmb_saddle_free(a->projector);
    lmb_arena_free(a->arena);
}

void lmb_alpha_pack(lmb_alpha *a, lmb_pack *pack)
{
    long past = (long)a->past;
    lmb_pack_flags(pack, &a->redundant, 1);
    lmb_pack_number(pack, &a->renewal);
    lmb_pack_numbers(pack, a->tangent, (size_t)a->model->couple_values);
    lmb_pack_number(pack, &a->in_vain);
    lmb_pack_number(pack, &a->spent);
    lmb_pack_number(pack, &a->stiffness);
    lmb_pack_number(pack, &a->step);
    lmb_pack_numbers(pack, a->rate, 2);
    lmb_pack_integer(pack, &past, 0, LMB_ALPHA_PAST);
    a->past = (double)past;
    lmb_pack_numbers(pack, a->past_alpha, LMB_ALPHA_PAST * (size_t)a->model->nv);
    lmb_pack_numbers(pack, a->past_lambda, LMB_ALPHA_PAST * (size_t)a->model->nrows);
    lmb_pack_numbers(pack, a->alpha, (size_t)(a->model->nv + 2 * a->model->nz));
    lmb_pack_numbers(pack, a->star_a, (size_t)a->model->nv);
    lmb_pack_numbers(pack, a->star_lambda, (size_t)a->model->nrows);
    lmb_saddle_pack(a->saddle, pack);
    if (a->projector)
        lmb_saddle_pack(a->projector, pack);
}
