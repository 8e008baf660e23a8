/* Functions of a program in expressions: their values with first and second derivatives.
 *
 * With arguments x(s) = x + s x' + s^2/2 x'', a jet is the function p(s) = f(x(s)) at s = 0:
 *
 *     p' = grad f . x',    p'' = x' . H x' + grad f . x''.
 *
 * What f does not compute itself comes from five points of the curve, with an error of fourth
 * order:
 *
 *     p' = (8 (p1 - p-1) - (p2 - p-2)) / 12 h,
 *     p'' = (16 (p1 + p-1) - (p2 + p-2) - 30 p0) / 12 h^2. */
#include <math.h>

#include "math/expr_internal.h"

enum { MOST = LMB_FUNCTION_ARGUMENTS, RESULTS = 3 };

/* One result of a function with what is known of its derivatives. */
typedef struct sample {
    double value, gradient[MOST], hessian[MOST * MOST];
} sample;

/* The function at arguments with so many derivatives; NaN where it has no value. */
static void call(const lmb_function *f, int result, const double *x, int derivatives, sample *out)
{
    double value[RESULTS] = {NAN, NAN, NAN}, gradient[RESULTS * MOST] = {0},
           hessian[RESULTS * MOST * MOST];
    int n = f->arguments;
    if (derivatives > 1)
        for (int i = 0; i < RESULTS * n * n; i++)
            hessian[i] = 0;
    bool known = f->call(f->user, x, value, derivatives > 0 ? gradient : NULL,
                         derivatives > 1 ? hessian : NULL) == 0;
    out->value = known ? value[result] : NAN;
    for (int i = 0; derivatives > 0 && i < n; i++)
        out->gradient[i] = known ? gradient[result * n + i] : NAN;
    for (int i = 0; derivatives > 1 && i < n * n; i++)
        out->hessian[i] = known ? hessian[result * n * n + i] : NAN;
}

/* p (and p', where the function has a gradient) at a place of the curve. */
static void along(const lmb_function *f, int result, const lmb_jet *in, double s, double *p,
                  double *slope)
{
    double x[MOST] = {0};
    sample at;
    for (int i = 0; i < f->arguments; i++)
        x[i] = in[i].f + s * (in[i].d + s / 2 * in[i].dd);
    call(f, result, x, slope ? 1 : 0, &at);
    *p = at.value;
    if (slope)
        *slope = 0;
    for (int i = 0; slope && i < f->arguments; i++)
        *slope += at.gradient[i] * (in[i].d + s * in[i].dd);
}

/* A distance on the curve over which no argument changes by more than a part of 0.1 (or of a
 * thousandth of itself, if it is large). */
static double distance(const lmb_function *f, const lmb_jet *in, double part)
{
    double most = 0;
    for (int i = 0; i < f->arguments; i++) {
        double width = fmax(0.1, 1e-3 * fabs(in[i].f));
        most = fmax(most, fabs(in[i].d) / width + sqrt(fabs(in[i].dd) / width));
    }
    return part / most;
}

/* Derivatives by differences: of values, or of p' where the function has a gradient. */
static void differ(const lmb_function *f, int result, const lmb_jet *in, bool second, lmb_jet *out)
{
    bool slopes = f->derivatives > 0;
    double h = distance(f, in, second ? 3e-3 : 1e-4), p[5], q[5] = {0};
    p[2] = out->f;
    for (int k = -2; k <= 2; k++)
        if (k)
            along(f, result, in, k * h, &p[k + 2], slopes ? &q[k + 2] : NULL);
    double first = (8 * (p[3] - p[1]) - (p[4] - p[0])) / (12 * h);
    double from_slopes = (8 * (q[3] - q[1]) - (q[4] - q[0])) / (12 * h);
    double from_values = (16 * (p[3] + p[1]) - (p[4] + p[0]) - 30 * p[2]) / (12 * h * h);
    if (!slopes)
        out->d = first;
    if (second)
        out->dd = slopes ? from_slopes : from_values;
}

lmb_jet lmb_function_jet(const lmb_function *f, int result, const lmb_jet *in, bool second)
{
    double x[MOST] = {0};
    sample at;
    bool still = true;
    for (int i = 0; i < f->arguments; i++) {
        x[i] = in[i].f;
        still = still && in[i].d == 0 && in[i].dd == 0;
    }
    int known = still ? 0 : second || f->derivatives < 1 ? f->derivatives : 1;
    call(f, result, x, known, &at);
    lmb_jet out = {at.value, 0, 0};
    for (int i = 0; known > 0 && i < f->arguments; i++) {
        out.d += at.gradient[i] * in[i].d;
        out.dd += at.gradient[i] * in[i].dd;
        for (int j = 0; known > 1 && j < f->arguments; j++)
            out.dd += at.hessian[i * f->arguments + j] * in[i].d * in[j].d;
    }
    if (!still && known < (second ? 2 : 1))
        differ(f, result, in, second, &out);
    return out;
}

bool lmb_function_same(const lmb_function *a, const lmb_function *b)
{
    return a == b ||
           (a && b && a->call == b->call && a->user == b->user && a->arguments == b->arguments &&
            a->results == b->results && a->derivatives == b->derivatives);
}
