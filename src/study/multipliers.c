/* Which limits and bounds are active at a design, and their multipliers by least squares:
 *
 *   minimise | df/dx + sum lambda_i dg_i/dx |,   lambda_i >= 0 of inequalities
 *
 * in scaled variables; those that would be negative are left out one after the other. */
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "study/optimise_internal.h"

enum { MOST = LMB_MOST_VARIABLES };

/* A limit or bound that is active: its gradient by the scaled variables, and where its multiplier
 * goes. */
typedef struct column {
    double slopes[MOST];
    bool free; /* of an equality: of any sign */
    bool out;
    double lambda;
    double unit; /* of the scaled variable, for bounds */
    lmb_active *to;
} column;

static bool is_near(double value, double limit, double scale)
{
    return fabs(value - limit) <= 1e-6 * scale;
}

/* The limits, with what they are at; no multipliers yet. */
static int list_limits(lmb_optimising *o, const lmb_trial *t, column *columns)
{
    lmb_optimum *out = o->out;
    int n = o->continuous_count, count = 0;
    for (int i = 0; i < o->inequality_count + o->equality_count; i++) {
        const lmb_bounded *b = &o->constraints[i];
        double value = out->values[b->function];
        lmb_active *a = &out->limits[out->limit_count++];
        *a = (lmb_active){.name = out->objectives[b->function],
                          .value = value,
                          .limit = b->limit,
                          .side = b->equal      ? '='
                                  : b->sign > 0 ? '<'
                                                : '>',
                          .active = b->equal || is_near(value, b->limit, b->scale)};
        if (!a->active || !t || count == MOST)
            continue;
        column *c = &columns[count++];
        *c = (column){.free = b->equal, .unit = 1, .to = a};
        for (int k = 0; k < n; k++) {
            int j = o->continuous[k];
            c->slopes[k] =
                b->sign * t->derivatives[b->function * n + k] * (out->upper[j] - out->lower[j]);
        }
    }
    return count;
}

static int list_bounds(lmb_optimising *o, const lmb_trial *t, column *columns, int count)
{
    lmb_optimum *out = o->out;
    for (int k = 0; k < o->continuous_count; k++) {
        int i = o->continuous[k];
        double width = out->upper[i] - out->lower[i];
        bool low = is_near(out->x[i], out->lower[i], width);
        if (!low && !is_near(out->x[i], out->upper[i], width))
            continue;
        lmb_active *a = &out->bounds[out->bound_count++];
        *a = (lmb_active){.name = out->variables[i],
                          .value = out->x[i],
                          .limit = low ? out->lower[i] : out->upper[i],
                          .side = low ? '>' : '<',
                          .active = true};
        if (!t || count == MOST)
            continue;
        columns[count] = (column){.unit = width, .to = a};
        columns[count++].slopes[k] = low ? -1 : 1;
    }
    return count;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Least squares of those that are in; false: they depend on each other. */
static bool solve(column *columns, int count, int n, const double *slopes)
{
    double a[MOST * MOST], b[MOST];
    int in[MOST], m = 0;
    for (int i = 0; i < count; i++)
        if (!columns[i].out)
            in[m++] = i;
    for (int i = 0; i < m; i++) {
        const double *c = columns[in[i]].slopes;
        b[i] = -dot(c, slopes, n);
        for (int k = 0; k < m; k++)
            a[k * m + i] = dot(c, columns[in[k]].slopes, n);
    }
    if (m > 0 && !lmb_dense_solve(m, a, 1, b))
        return false;
    for (int i = 0; i < m; i++)
        columns[in[i]].lambda = b[i];
    return true;
}

/* Leaves out the one that is most negative; false: there is none. */
static bool drop_negative(column *columns, int count)
{
    int worst = -1;
    for (int i = 0; i < count; i++)
        if (!columns[i].out && !columns[i].free && columns[i].lambda < 0 &&
            (worst < 0 || columns[i].lambda < columns[worst].lambda))
            worst = i;
    if (worst >= 0) {
        columns[worst].out = true;
        columns[worst].lambda = 0;
    }
    return worst >= 0;
}

/* The largest df/dx of all trials, by the scaled variables: what there was to begin with. */
static double largest_slope(const lmb_optimising *o)
{
    const lmb_optimum *out = o->out;
    double largest = 0;
    for (int i = 0; i < lmb_trials_count(o->work.trials); i++) {
        const lmb_trial *t = lmb_trials_at(o->work.trials, i);
        double size = 0;
        for (int k = 0; t->derivatives && k < o->continuous_count; k++) {
            int j = o->continuous[k];
            size = hypot(size, t->derivatives[k] * (out->upper[j] - out->lower[j]));
        }
        largest = isfinite(size) ? fmax(largest, size) : largest;
    }
    return largest;
}

static void find_multipliers(lmb_optimising *o, const lmb_trial *t, column *columns, int count)
{
    lmb_optimum *out = o->out;
    int n = o->continuous_count;
    double sign = out->maximise ? -1 : 1, slopes[MOST], left = 0;
    for (int k = 0; k < n; k++) {
        int i = o->continuous[k];
        slopes[k] = sign * t->derivatives[k] * (out->upper[i] - out->lower[i]);
    }
    bool solved = solve(columns, count, n, slopes);
    while (solved && drop_negative(columns, count))
        solved = solve(columns, count, n, slopes);
    for (int i = 0; i < count; i++)
        columns[i].to->multiplier = solved ? columns[i].lambda / columns[i].unit : NAN;
    for (int k = 0; k < n && solved; k++) {
        double rest = slopes[k];
        for (int i = 0; i < count; i++)
            rest += columns[i].lambda * columns[i].slopes[k];
        left = hypot(left, rest);
    }
    /* a search that begins at its end has no large slopes: a thousandth of f counts as one */
    double size = fmax(count > 0 ? sqrt(dot(slopes, slopes, n)) : 0, largest_slope(o));
    size = fmax(size, 1e-3 * fabs(out->values[0]));
    out->optimality = !solved ? NAN : size > 0 ? left / size : left;
}

lmb_status lmb_optimum_multipliers(lmb_optimising *o)
{
    lmb_optimum *out = o->out;
    size_t most = 2 * (size_t)o->work.study->limit_count + 1;
    out->limits = lmb_arena_alloc(out->arena, most, sizeof *out->limits);
    out->bounds = lmb_arena_alloc(out->arena, (size_t)out->variable_count, sizeof *out->bounds);
    column *columns = lmb_arena_alloc(out->arena, MOST, sizeof *columns);
    if (!lmb_arena_fine(out->arena))
        return lmb_fail_memory(o->work.context);
    const lmb_trial *t = NULL;
    bool curve = out->curve_count > 0;
    if (o->continuous_count > 0 && o->continuous_count <= MOST) {
        t = lmb_trials_run(o->work.trials, out->best, out->x, true);
        if (!t)
            return lmb_trials_status(o->work.trials);
        t = t->failure || !t->derivatives ? NULL : t;
    }
    int count = list_limits(o, t, columns);
    count = list_bounds(o, t, columns, count);
    for (int i = 0; i < out->limit_count; i++)
        out->limits[i].multiplier = out->limits[i].active ? NAN : 0;
    for (int i = 0; i < out->bound_count; i++)
        out->bounds[i].multiplier = NAN;
    if (t && !curve)
        find_multipliers(o, t, columns, count);
    return LMB_OK;
}
