/* Minimisation by NLopt. */
#include "math/minimise.h"

#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const lmb_minimise_method lmb_minimise_methods[] = {
    {"slsqp", "Sequential quadratic programming: quick, with exact gradients.", true, false,
     NLOPT_LD_SLSQP, true, true},
    {"mma", "Moving asymptotes: gradients, steps that stay within the limits.", true, false,
     NLOPT_LD_MMA, true, false},
    {"ccsaq", "Conservative convex separable approximations with quadratic terms: as mma.", true,
     false, NLOPT_LD_CCSAQ, true, false},
    {"lbfgs", "Quasi-Newton steps with little memory, for many variables.", true, false,
     NLOPT_LD_LBFGS, false, false},
    {"cobyla", "Linear approximations, without gradients.", false, false, NLOPT_LN_COBYLA, true,
     true},
    {"bobyqa", "Quadratic approximations, without gradients.", false, false, NLOPT_LN_BOBYQA, false,
     false},
    {"nelder-mead",
     "A simplex that walks downhill, without gradients: slow, but hardly stopped by "
     "noise.",
     false, false, NLOPT_LN_NELDERMEAD, false, false},
    {"direct", "Divides the box into smaller and smaller ones: all of it is looked at.", false,
     true, NLOPT_GN_DIRECT_L, false, false},
    {"crs", "Controlled random search over all of the box.", false, true, NLOPT_GN_CRS2_LM, false,
     false},
    {"isres", "An evolution strategy over all of the box.", false, true, NLOPT_GN_ISRES, true,
     true},
    {0},
};

/* What the callbacks of NLopt share: the functions at the last x. */
typedef struct search {
    const lmb_minimise_task *task;
    nlopt_opt opt;
    double *x, *f, *derivatives; /* of the last x */
    bool known, slopes;          /* f is, and so are the derivatives */
    bool stopped;
} search;

/* Makes all functions known at x. */
static void look(search *s, const double *x, bool slopes)
{
    const lmb_minimise_task *t = s->task;
    size_t bytes = (size_t)t->n * sizeof *x;
    bool same = s->known && memcmp(x, s->x, bytes) == 0;
    if (s->stopped || (same && (s->slopes || !slopes)))
        return;
    memcpy(s->x, x, bytes);
    s->known = true;
    s->slopes = slopes;
    if (!t->evaluate(t->user, x, s->f, slopes ? s->derivatives : NULL)) {
        s->stopped = true;
        nlopt_force_stop(s->opt);
    }
}

static double objective(unsigned n, const double *x, double *gradient, void *user)
{
    search *s = user;
    look(s, x, gradient != NULL);
    if (gradient)
        memcpy(gradient, s->derivatives, n * sizeof *gradient);
    return s->f[0];
}

/* The constraints from a number on. */
static void constraints(search *s, unsigned first, unsigned m, double *result, unsigned n,
                        const double *x, double *gradient)
{
    look(s, x, gradient != NULL);
    memcpy(result, s->f + first, m * sizeof *result);
    if (gradient)
        memcpy(gradient, s->derivatives + (size_t)first * n, (size_t)m * n * sizeof *gradient);
}

static void inequalities(unsigned m, double *result, unsigned n, const double *x, double *gradient,
                         void *user)
{
    constraints(user, 1, m, result, n, x, gradient);
}

static void equalities(unsigned m, double *result, unsigned n, const double *x, double *gradient,
                       void *user)
{
    search *s = user;
    constraints(s, 1 + (unsigned)s->task->inequalities, m, result, n, x, gradient);
}

/* A search, or the one inside of the augmented Lagrangian. */
static nlopt_opt create(int algorithm, const lmb_minimise_task *t)
{
    nlopt_opt opt = nlopt_create((nlopt_algorithm)algorithm, (unsigned)t->n);
    if (!opt)
        return NULL;
    nlopt_set_lower_bounds1(opt, 0);
    nlopt_set_upper_bounds1(opt, 1);
    nlopt_set_xtol_abs1(opt, t->tolerance);
    nlopt_set_maxeval(opt, t->most);
    nlopt_set_initial_step1(opt, 0.1); /* of methods without derivatives */
    return opt;
}

static bool set_functions(search *s)
{
    const lmb_minimise_task *t = s->task;
    int most = t->inequalities > t->equalities ? t->inequalities : t->equalities;
    double *slack = lmb_calloc((size_t)most + 1, sizeof *slack);
    for (int i = 0; slack && i < most; i++)
        slack[i] = 1e-12;
    nlopt_result r = slack ? nlopt_set_min_objective(s->opt, objective, s) : NLOPT_OUT_OF_MEMORY;
    if (r > 0 && t->inequalities)
        r = nlopt_add_inequality_mconstraint(s->opt, (unsigned)t->inequalities, inequalities, s,
                                             slack);
    if (r > 0 && t->equalities)
        r = nlopt_add_equality_mconstraint(s->opt, (unsigned)t->equalities, equalities, s, slack);
    free(slack);
    return r > 0;
}

static lmb_minimise_end end_of(const search *s, nlopt_result r)
{
    if (s->stopped)
        return LMB_MINIMISE_STOPPED;
    if (r == NLOPT_MAXEVAL_REACHED)
        return LMB_MINIMISE_LIMIT;
    if (r == NLOPT_ROUNDOFF_LIMITED || r == NLOPT_FAILURE)
        return LMB_MINIMISE_STUCK;
    return r > 0 ? LMB_MINIMISE_CONVERGED : LMB_MINIMISE_FAILED;
}

enum { ROUNDS = 20 }; /* of multipliers that there are to be at least */

lmb_minimise_end lmb_minimise(const lmb_minimise_method *m, const lmb_minimise_task *t, double *x)
{
    size_t n = (size_t)t->n, functions = 1 + (size_t)t->inequalities + (size_t)t->equalities;
    double *room = lmb_calloc(n + functions * (n + 1), sizeof *room), least;
    bool wrapped = (t->inequalities && !m->inequalities) || (t->equalities && !m->equalities);
    int outer = wrapped ? (m->derivatives ? NLOPT_LD_AUGLAG : NLOPT_LN_AUGLAG) : m->algorithm;
    search s = {.task = t, .x = room};
    nlopt_opt inner = NULL;
    nlopt_result result = NLOPT_OUT_OF_MEMORY;
    nlopt_srand(t->seed);
    if (room && (s.opt = create(outer, t))) {
        s.f = room + n;
        s.derivatives = s.f + functions;
        bool fine = set_functions(&s);
        if (fine && wrapped && (fine = (inner = create(m->algorithm, t)))) {
            if (m->algorithm == NLOPT_GN_DIRECT_L) /* which does not end by itself */
                nlopt_set_maxeval(inner, t->most / ROUNDS + 1);
            fine = nlopt_set_local_optimizer(s.opt, inner) > 0;
        }
        if (fine)
            result = nlopt_optimize(s.opt, x, &least);
    }
    lmb_minimise_end end = end_of(&s, result);
    nlopt_destroy(inner);
    nlopt_destroy(s.opt);
    free(room);
    return end;
}
