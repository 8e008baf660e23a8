/* Steps of the generalized-alpha method.
 *
 * Newton's method on (psi, lambda), with the dynamic equations times beta h^2 and multipliers in
 * the same units, so that the matrix stays well conditioned as h goes to zero:
 *
 *   [ (1-am)/(1-af) M + gamma h C + beta h^2 K T   Phi_q^T ] [ dpsi             ]   [ -beta h^2 r ]
 *   [ Phi_q T                                      -eps    ] [ beta h^2 dlambda ] = [ -Phi        ]
 *
 * T is the tangent operator of (+) at psi; where friction depends on lambda, the upper right block
 * is Phi_q^T - dQ/dlambda. The matrix (system/saddle.h) may be an older or simpler one: the
 * equations solved are the exact ones.
 *
 * A velocity-level row (rolling) holds at the end of the step: it reads c (B v + b) = 0 with
 * c = beta h / gamma, so that c B dv = B dpsi, and B + c (B v + b)_q T stands for Phi_q T.
 *
 * The small eps keeps the matrix regular where rows repeat others; a proximal iteration removes its
 * effect. There, the part of lambda that does nothing (Phi_q^T lambda = 0) would grow by rounding,
 * and is taken out before every step.
 *
 * First-order states z of bodies are treated as velocities are: with their rates f for a and zeta
 * for the algorithmic accelerations,
 *
 *   z = z_0 + h ((1 - gamma) zeta_0 + gamma zeta),  (1 - am) zeta + am zeta_0 = (1 - af) f + af f_0
 *
 * is r (z - c) = f, so that z follows from psi (system/first_order.h). */
#include "integrate/alpha.h"

#include <float.h>
#include <string.h>

#include "math/small.h"
#include "system/first_order.h"
#include "system/solver.h"

/* What is renewed of the matrix: nothing; mass and Jacobian, which change most; all. */
enum renewal { KEEP, ROWS, ALL };

enum { PAST = 5 }; /* steps that a guess of the next is made from */

struct lmb_alpha {
    const lmb_model *model;
    lmb_arena *arena;
    double am, af, beta, gamma;
    double weights[PAST + 1][PAST + 1]; /* of a guess from 0 to PAST steps before */
    double accuracy;                    /* of the iteration, relative to the accelerations */

    lmb_saddle *saddle;
    double *tangent; /* couple_values: gamma h C + beta h^2 K T as last computed */
    double renewal;  /* what the next step renews of the matrix: see enum renewal */
    double in_vain;  /* steps in a row for which the rows alone were renewed in vain, */
    bool coupled;    /* counted where bodies have several clusters */
    double step;     /* the step that the matrix is for */
    double rate[2];  /* what an iteration leaves of the error: with a kept, with a renewed matrix */

    double *alpha;       /* nv: algorithmic accelerations, */
    double *zeta, *zdot; /* nz: algorithmic and true rates of the first-order states */
    double *alpha0;      /* all of these before the step */
    double *zeta0, *zdot0;
    bool redundant;       /* multipliers are not unique */
    double past;          /* how many steps before that are known, PAST at most */
    double *past_alpha;   /* PAST x nv, newest first */
    double *past_lambda;  /* PAST x nrows */
    double *q0, *v0, *a0; /* the state's numbers at the beginning of the step, from q on */
    double *lambda0;
    double *psi;     /* nv */
    double *side;    /* nv + nrows */
    double *phi;     /* nrows */
    double *inertia; /* nv: M a */
    double *mass;    /* mass_count */
    double *c, r;    /* nz and a number: r (z - c) = f */
    bool settled;    /* z was found */
    double *T;       /* node_count x LMB_TURN_NUMBERS: tangent operators of (+) */
    double *rates;   /* value_count: (B v + b)_q of velocity-level rows; NULL: there are none */

    double *per_unit; /* nv: makes a force of a generalised one */
    double defect;    /* the largest of beta h^2 times those that the equations are off by, */
    double gap;       /* and of what joints are open by */
    double stiffness; /* the largest of gamma h C + beta h^2 K T: rounding becomes forces by it */
};

static bool allocate_vectors(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    a->alpha = lmb_arena_numbers(a->arena, m->nv + 2 * m->nz);
    a->alpha0 = lmb_arena_numbers(a->arena, m->nv + 2 * m->nz);
    a->past_alpha = lmb_arena_numbers(a->arena, PAST * m->nv);
    a->past_lambda = lmb_arena_numbers(a->arena, PAST * m->nrows);
    a->q0 = lmb_arena_numbers(a->arena, lmb_motion_numbers(m));
    a->psi = lmb_arena_numbers(a->arena, m->nv);
    a->side = lmb_arena_numbers(a->arena, m->nv + m->nrows);
    a->phi = lmb_arena_numbers(a->arena, m->nrows);
    a->tangent = lmb_arena_numbers(a->arena, m->couple_values);
    a->inertia = lmb_arena_numbers(a->arena, m->nv);
    a->mass = lmb_arena_numbers(a->arena, m->mass_count);
    a->T = lmb_arena_numbers(a->arena, LMB_TURN_NUMBERS * (size_t)m->node_count);
    a->c = lmb_arena_numbers(a->arena, m->nz);
    a->per_unit = lmb_arena_numbers(a->arena, m->nv);
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

/* The parameters of a method for a spectral radius. */
static void set_parameters(lmb_alpha *a, lmb_alpha_method method, double rho)
{
    a->accuracy = rho < 0.99 ? 1e-8 : 1e-11; /* what is not damped adds up */
    if (method == LMB_ALPHA_NEWMARK) {
        a->am = a->af = 0;
        a->gamma = (3 - rho) / (2 * rho + 2);
        a->beta = 1 / ((rho + 1) * (rho + 1));
        return;
    }
    a->am = method == LMB_ALPHA_HHT ? 0 : (2 * rho - 1) / (rho + 1);
    a->af = method == LMB_ALPHA_HHT ? (1 - rho) / (1 + rho) : rho / (rho + 1);
    a->gamma = 0.5 + a->af - a->am;
    a->beta = 0.25 * (a->gamma + 0.5) * (a->gamma + 0.5);
}

/* The guess x_n+1 from x_n, x_n-1, ... that is exact where (1 - B)^m (1 + rho B)^2 x = 0, B the
 * step back: for polynomials, and for the oscillation from step to step in which the method leaves
 * errors of accelerations and multipliers to decay with rho. */
static void set_weights(lmb_alpha *a, double rho)
{
    for (int known = 0; known <= PAST; known++) {
        double product[PAST + 2] = {1}; /* coefficients of 1, B, B^2, ... */
        for (int i = 0; i <= known; i++) {
            double root = known == PAST && i < 2 ? -rho : 1;
            for (int k = i + 1; k > 0; k--)
                product[k] -= root * product[k - 1];
        }
        for (int k = 0; k <= known; k++)
            a->weights[known][k] = -product[k + 1];
    }
}

lmb_alpha *lmb_alpha_new(const lmb_model *m, lmb_alpha_method method, double rho)
{
    lmb_arena *arena;
    lmb_alpha *a = lmb_arena_object(&arena, sizeof *a);
    if (!a)
        return NULL;
    a->model = m;
    a->arena = arena;
    set_parameters(a, method, rho);
    set_weights(a, rho);
    a->renewal = ALL;
    for (int i = 0; i < m->body_count; i++)
        a->coupled |= m->bodies[i].cluster_count > 1;
    a->saddle = lmb_saddle_new(m, LMB_SADDLE_STEP);
    if (!a->saddle || !allocate_vectors(a)) {
        lmb_alpha_free(a);
        return NULL;
    }
    return a;
}

void lmb_alpha_free(lmb_alpha *a)
{
    if (!a)
        return;
    lmb_saddle_free(a->saddle);
    lmb_arena_free(a->arena);
}

void lmb_alpha_start(lmb_alpha *a, const lmb_state *s, const double *jerk, double h, bool redundant)
{
    a->redundant = redundant;
    a->past = 0;
    /* alpha belongs to the instant t + (am - af) h */
    for (int i = 0; i < s->model->nv; i++)
        a->alpha[i] = s->a[i] + (a->am - a->af) * h * jerk[i];
    lmb_state_rate(s, a->zdot);
    for (int i = 0; i < s->model->nz; i++)
        a->zeta[i] = a->zdot[i] + (a->am - a->af) * h * jerk[s->model->nv + i];
}

void lmb_alpha_change_step(lmb_alpha *a, const lmb_state *s, double ratio)
{
    a->past = 0;
    for (int i = 0; i < s->model->nv; i++)
        a->alpha[i] = s->a[i] + ratio * (a->alpha[i] - s->a[i]);
    for (int i = 0; i < s->model->nz; i++)
        a->zeta[i] = a->zdot[i] + ratio * (a->zeta[i] - a->zdot[i]);
}

void lmb_alpha_forget(lmb_alpha *a)
{
    a->renewal = ALL;
    a->past = 0;
}

/* The error of psi is this times h^3 da/dt (where velocities add up). */
static double error_constant(const lmb_alpha *a)
{
    return 1.0 / 6 - a->beta - (a->am - a->af) / 2;
}

/* psi of the motion is h v + h^2/2 a + h^3/6 (da/dt + [v, a]/2) + ..., with the bracket [v, a] from
 * T(eps v) = 1 - eps [v, .]/2 + ... */
void lmb_alpha_defect(const lmb_alpha *a, const lmb_state *s, const double *jerk, double h,
                      double *defect)
{
    const lmb_model *m = a->model;
    double eps = h / 10, C = error_constant(a), T[LMB_TURN_NUMBERS], *small = a->side;
    for (int i = 0; i < m->nv; i++) {
        defect[i] = h * h * h * C * jerk[i];
        small[i] = eps * s->v[i];
    }
    for (int i = 0; i < m->node_count; i++) {
        if (!lmb_node_turns(&m->nodes[i]))
            continue;
        int v = m->nodes[i].v + LMB_TURN_FIRST;
        lmb_node_tangent(&m->nodes[i], small + m->nodes[i].v, T);
        for (int j = 0; j < LMB_TURN_COUNT; j++)
            for (int k = 0; k < LMB_TURN_COUNT; k++)
                defect[v + k] +=
                    h * h * h / 12 * 2 / eps * ((j == k) - T[j * LMB_TURN_COUNT + k]) * s->a[v + j];
    }
}

double lmb_alpha_error(const lmb_alpha *a, const lmb_state *s, double h)
{
    double largest = 0, C = fabs(error_constant(a));
    for (int j = 0; j < s->model->nv; j++) {
        double part = s->model->columns[j].size * fabs(s->a[j] - a->a0[j]);
        largest = part <= largest ? largest : part; /* NaN is kept */
    }
    largest *= C * h * h;
    for (int i = 0; i < s->model->nz; i++) { /* on the safe side: of first order */
        double size = fmax(s->model->z_size[i], fabs(s->z[i])) / s->model->length;
        double part = C * h * fabs(a->zdot[i] - a->zdot0[i]) / size;
        largest = part <= largest ? largest : part;
    }
    return largest;
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* The largest of some numbers; NaN if one of them is. */
static double size_of(const double *x, int n)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double size = fabs(x[i]);
        largest = larger(size, largest);
        sum += size;
    }
    return isnan(sum) ? sum : largest;
}

/* q, v and a of the state for the present psi, and the algorithmic accelerations unless NULL. */
static void set_state(lmb_alpha *a, lmb_state *s, double h, double *alpha_next)
{
    double bh2 = a->beta * h * h;
    for (int i = 0; i < s->model->nv; i++) {
        double next = (a->psi[i] - h * a->v0[i] - h * h * (0.5 - a->beta) * a->alpha[i]) / bh2;
        s->v[i] = a->v0[i] + h * ((1 - a->gamma) * a->alpha[i] + a->gamma * next);
        s->a[i] = ((1 - a->am) * next + a->am * a->alpha[i] - a->af * a->a0[i]) / (1 - a->af);
        if (alpha_next)
            alpha_next[i] = next;
    }
    lmb_retract(s, a->q0, a->psi);
}

/* The right side: -beta h^2 (M a + Phi_q^T lambda - Q) and -Phi or -c (B v + b), scaled. */
static void set_side(lmb_alpha *a, lmb_state *s, double h)
{
    const lmb_model *m = a->model;
    double bh2 = a->beta * h * h, *force = a->side;
    lmb_total_force(s, force);
    lmb_reactions_subtract(s, s->lambda, force);
    lmb_mass_times(s, s->a, a->inertia);
    double defect = 0;
    for (int i = 0; i < m->nv; i++) {
        force[i] = bh2 * (force[i] - a->inertia[i]);
        defect = larger(defect, a->per_unit[i] * fabs(force[i]));
    }
    a->defect = defect;
    lmb_constraints(s, a->phi);
    for (int r = 0; r < m->nrows; r++)
        a->side[m->nv + r] = -m->sparse_rows[r].scale * a->phi[r];
    /* independent rows are met when psi is */
    a->gap = a->redundant ? size_of(a->side + m->nv, m->nrows) : 0;
    for (int r = 0; r < m->nrows && a->rates; r++)
        if (m->parts.rows[r].velocity_level)
            a->side[m->nv + r] = -a->beta * h / a->gamma * lmb_row_rate(s, r);
}

/* gamma h C + beta h^2 K T of one couple. */
static void set_couple(lmb_alpha *a, const lmb_state *s, const lmb_couple *c, double h)
{
    const lmb_model *m = a->model;
    const lmb_cluster *column = &m->clusters[c->column];
    double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
    double bh2 = a->beta * h * h, gh = a->gamma * h, *out = a->tangent + c->value;
    for (int k = column->node; k < column->node + column->node_count; k++)
        for (int i = 0; lmb_node_turns(&m->nodes[k]) && i < c->row_nv; i++)
            lmb_node_times_tangent(a->T + LMB_TURN_NUMBERS * k,
                                   K + (m->nodes[k].v - c->column_v) * c->row_nv + i, c->row_nv);
    for (int k = 0; k < c->row_nv * c->column_nv; k++)
        out[k] = bh2 * K[k] + gh * C[k];
}

/* The tangent operators T of all nodes that turn. */
static void set_operators(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    for (int i = 0; i < m->node_count; i++)
        if (lmb_node_turns(&m->nodes[i]))
            lmb_node_tangent(&m->nodes[i], a->psi + m->nodes[i].v, a->T + LMB_TURN_NUMBERS * i);
}

/* From the diagonal. */
static void find_stiffness(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    double largest = 0;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        const double *tangent = a->tangent + m->couples[c->couple].value;
        for (int j = 0; j < c->nv; j++, tangent += c->nv + 1) {
            double per_unit = a->per_unit[c->v + j];
            largest = larger(largest, fabs(*tangent) * per_unit * per_unit);
        }
    }
    a->stiffness = largest;
}

static bool factor(lmb_alpha *a, lmb_state *s, double h, bool tangent_too)
{
    const lmb_model *m = a->model;
    lmb_mass_blocks(s, a->mass);
    lmb_jacobian(s);
    set_operators(a);
    if (tangent_too) {
        lmb_tangent_blocks(s);
        lmb_first_order_add_tangent(s, a->r);
    }
    for (int c = 0; tangent_too && c < m->couple_count; c++)
        set_couple(a, s, &m->couples[c], h);
    if (tangent_too)
        find_stiffness(a);
    if (a->rates)
        lmb_rate_tangent_blocks(s, a->rates);
    lmb_saddle_matrix matrix = {
        .state = s,
        .mass = a->mass,
        .mass_factor = (1 - a->am) / (1 - a->af),
        .tangent = a->tangent,
        .T = a->T,
        .rates = a->rates,
        .rate_factor = a->beta * h / a->gamma,
        .epsilon = (a->redundant ? 1e-7 : 1e-10) / m->heaviest,
        .rate_epsilon = a->redundant ? 1e-3 / m->heaviest : 0, /* positions come first */
    };
    return lmb_saddle_factor(a->saddle, &matrix);
}

void lmb_alpha_take_back(lmb_alpha *a, lmb_state *s, double t)
{
    const lmb_model *m = a->model;
    memcpy(s->q, a->q0, lmb_motion_numbers(m) * sizeof(double));
    memcpy(a->alpha, a->alpha0, (size_t)(m->nv + 2 * m->nz) * sizeof(double));
    a->past = 0;
    lmb_update(s, t);
}

/* Puts the numbers x into the past, newest first. */
static void remember(double *past, const double *x, size_t count)
{
    memmove(past + count, past, (PAST - 1) * count * sizeof *past);
    memcpy(past, x, count * sizeof *past);
}

/* The numbers to come after x and those of the past; x may be the same as next. */
LMB_WIDE static void continue_numbers(const lmb_alpha *a, const double *x, const double *past,
                                      size_t count, double *next)
{
    const double *weights = a->weights[(int)a->past];
    for (size_t i = 0; i < count; i++)
        next[i] = weights[0] * x[i];
    for (int k = 1; k <= (int)a->past; k++)
        for (size_t i = 0; i < count; i++)
            next[i] += weights[k] * past[(size_t)(k - 1) * count + i];
}

/* r and c of the first-order states, which are left where they are. */
static void predict_states(lmb_alpha *a, const lmb_state *s, double h)
{
    a->r = (1 - a->am) / (h * a->gamma * (1 - a->af));
    for (int i = 0; i < s->model->nz; i++)
        a->c[i] =
            s->z[i] + h * ((1 - a->gamma) * a->zeta[i] +
                           a->gamma * (a->af * a->zdot[i] - a->am * a->zeta[i]) / (1 - a->am));
}

/* The solution of one iteration, in the place of its right side. */
static void solve(lmb_alpha *a)
{
    if (a->redundant)
        lmb_saddle_refined(a->saddle, a->side, 1e-12);
    else
        a->saddle->kind->solve(a->saddle, a->side, 1);
}

/* Takes out of lambda what does nothing: the answer of the last matrix to the forces of lambda,
 * which rows that do nothing have no part in. It is a guess of the next lambda, so that the matrix
 * may be an older one. */
static void remove_idle_part(lmb_alpha *a, lmb_state *s)
{
    const lmb_model *m = a->model;
    double *force = a->side, *y = a->side + m->nv;
    memset(a->side, 0, (size_t)(m->nv + m->nrows) * sizeof *force);
    lmb_jacobian_transposed_subtract(s, s->lambda, force);
    solve(a);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = -m->sparse_rows[r].scale * y[r];
}

/* Where the step begins, and a guess of where it ends. */
static void predict(lmb_alpha *a, lmb_state *s, double h)
{
    size_t nv = (size_t)s->model->nv, rows = (size_t)s->model->nrows;
    if (a->redundant && a->step == h)
        remove_idle_part(a, s);
    memcpy(a->q0, s->q, (size_t)s->model->nq * sizeof(double));
    memcpy(a->v0, s->v, nv * sizeof(double));
    memcpy(a->a0, s->a, (nv + (size_t)s->model->nz) * sizeof(double)); /* and z */
    memcpy(a->lambda0, s->lambda, rows * sizeof(double));
    memcpy(a->alpha0, a->alpha, (nv + 2 * (size_t)s->model->nz) * sizeof(double));
    continue_numbers(a, a->alpha, a->past_alpha, nv, a->psi);
    for (size_t i = 0; i < nv; i++)
        a->psi[i] = h * s->v[i] + h * h * ((0.5 - a->beta) * a->alpha[i] + a->beta * a->psi[i]);
    continue_numbers(a, s->lambda, a->past_lambda, rows, s->lambda);
    predict_states(a, s, h);
    remember(a->past_alpha, a->alpha, nv);
    remember(a->past_lambda, a->lambda0, rows);
    a->past = fmin(PAST, a->past + 1);
}

/* Adds the solution to psi and lambda. */
static void correct(lmb_alpha *a, lmb_state *s, double bh2)
{
    const lmb_model *m = a->model;
    for (int k = 0; k < m->nv; k++)
        a->psi[k] += a->side[k];
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] += m->sparse_rows[r].scale * a->side[m->nv + r] / bh2;
}

/* Everything at the present psi and lambda: the right side of an iteration. */
static void evaluate(lmb_alpha *a, lmb_state *s, double h)
{
    set_state(a, s, h, NULL);
    lmb_update_position(s);
    lmb_update_rates(s);
    a->settled = s->model->nz == 0 || lmb_first_order_settle(s, a->r, a->c);
    set_side(a, s, h);
}

/* What the next step renews, from what this one began with, ended with and took. Where the tangent
 * turns with the bodies (stiff beams), rows alone do not help: after two such steps all is renewed,
 * and the rows alone are tried again now and then. */
static enum renewal next_renewal(lmb_alpha *a, int iterations, enum renewal first,
                                 enum renewal last)
{
    enum { ENOUGH = 2, AGAIN = 100 };
    /* with modes a new matrix costs more than a second iteration */
    bool second = a->model->mode_count > 0 && iterations == 2 && a->rate[0] < 0.01;
    if (iterations == 1 || second)
        return KEEP;
    if (first == ROWS && a->coupled)
        a->in_vain = last == ALL ? a->in_vain + 1 : 0;
    else if (a->in_vain >= ENOUGH && ++a->in_vain >= AGAIN)
        a->in_vain = ENOUGH - 1;
    if (a->in_vain >= ENOUGH)
        return ALL;
    return last == ROWS && a->rate[1] > 0.05 ? ALL /* the tangent has changed too */ : ROWS;
}

/* Accepts the present psi. */
static void accept(lmb_alpha *a, lmb_state *s, double h)
{
    set_state(a, s, h, a->side);
    memcpy(a->alpha, a->side, (size_t)a->model->nv * sizeof(double));
    for (int i = 0; i < a->model->nz; i++) {
        a->zdot[i] = a->r * (s->z[i] - a->c[i]);
        a->zeta[i] =
            ((1 - a->af) * a->zdot[i] + a->af * a->zdot0[i] - a->am * a->zeta0[i]) / (1 - a->am);
    }
}

bool lmb_alpha_step(lmb_alpha *a, lmb_state *s, double h, lmb_effort_count *count)
{
    enum { MOST_ITERATIONS = 20 };
    const double unknown = 0.1, caution = 1.3;
    const lmb_model *m = a->model;
    double t = s->t, bh2 = a->beta * h * h, before = INFINITY;
    predict(a, s, h);
    /* accelerations and multipliers feel the error of psi over h^2; nothing is better than rounding
     */
    double least = 4 * DBL_EPSILON * (m->length + size_of(a->q0, m->nq));
    double accelerations = size_of(a->alpha, m->nv), moves = bh2 * accelerations;
    double loads = m->heaviest * accelerations;
    for (int r = 0; r < m->nrows; r++)
        loads = larger(loads, fabs(s->lambda[r]) / m->sparse_rows[r].scale);
    enum renewal renew = a->step == h ? (enum renewal)a->renewal : ALL;
    enum renewal first = renew, renewed = KEEP;
    a->step = h;
    lmb_set_time(s, t + h);
    for (int i = 1; i <= MOST_ITERATIONS; i++) {
        evaluate(a, s, h);
        if (renew != KEEP) {
            count->factorisations++;
            if (!factor(a, s, h, renew == ALL))
                break;
            renewed = renew;
            before = INFINITY;
            if (renew == ALL)
                a->rate[0] = a->rate[1] = unknown;
        }
        solve(a);
        double *rate = &a->rate[renewed != KEEP];
        double psi = size_of(a->side, m->nv) / (a->accuracy * moves + least);
        double forces =
            a->defect / (10 * a->accuracy * bh2 * loads + least * (m->heaviest + a->stiffness));
        double size = larger(forces, psi); /* 1 is good enough; NaN is kept */
        correct(a, s, bh2);
        count->iterations++;
        if (!isfinite(size) || !a->settled)
            break;
        bool measured = isfinite(before);
        *rate = measured ? fmax(size / before, 1e-5) : fmin(unknown, caution * *rate);
        bool stalls = renewed == ALL && size > before / 2 && size <= 1e3;
        bool closed = *rate * a->gap <= lmb_closed * m->length;
        if (closed && (*rate * size <= 1 || stalls)) {
            accept(a, s, h);
            a->renewal = next_renewal(a, i, first, renewed);
            return true;
        }
        renew = !measured || size < 0.2 * before ? KEEP : renewed == KEEP ? ROWS : ALL;
        before = size;
    }
    a->renewal = ALL;
    lmb_alpha_take_back(a, s, t);
    return false;
}

int lmb_alpha_worst(const lmb_alpha *a)
{
    int worst = 0;
    for (int i = 1; i < a->model->nv; i++)
        if (!(fabs(a->side[i]) <= fabs(a->side[worst]))) /* NaN is worst */
            worst = i;
    return worst;
}

void lmb_alpha_pack(lmb_alpha *a, lmb_pack *pack)
{
    lmb_pack_flags(pack, &a->redundant, 1);
    lmb_pack_number(pack, &a->renewal);
    lmb_pack_numbers(pack, a->tangent, (size_t)a->model->couple_values);
    lmb_pack_number(pack, &a->in_vain);
    lmb_pack_number(pack, &a->stiffness);
    lmb_pack_number(pack, &a->step);
    lmb_pack_numbers(pack, a->rate, 2);
    lmb_pack_number(pack, &a->past);
    lmb_pack_numbers(pack, a->past_alpha, PAST * (size_t)a->model->nv);
    lmb_pack_numbers(pack, a->past_lambda, PAST * (size_t)a->model->nrows);
    lmb_pack_numbers(pack, a->alpha, (size_t)(a->model->nv + 2 * a->model->nz));
    lmb_saddle_pack(a->saddle, pack);
}
