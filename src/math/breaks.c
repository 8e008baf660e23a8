/* How breaks are found: the program of an expression is evaluated node by node at samples. */
#include "math/breaks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/expr_internal.h"

/* A part with more than MOST_KINKS kinks is a dense table, whose kinks steps need not meet; no more
 * instants than MOST are found at all. */
enum { MOST_KINKS = 1000, MOST = 100000 };

typedef struct scan {
    lmb_breaks *breaks;
    const lmb_expr *expr;
    const lmb_table *const *records;
    lmb_arena *arena;
    bool *timed;                /* by node: it depends on time alone, */
    bool *whole;                /* and is the result, or an input of nodes that do not */
    bool *needed;               /* by the node that is looked at */
    int (*in)[LMB_EXPR_INPUTS]; /* nodes, or constants as ~index */
    lmb_jet *at;                /* at the present instant */
    double *samples;            /* sorted */
    int count;
    lmb_break *found; /* between pieces */
    int found_count;
    double margin;              /* rounding of instants */
    double *values, *variation; /* of one node at the samples, and the sum of its changes */
} scan;

/* --- the nodes -------------------------------------------------------------------------------- */

static bool has_pieces(lmb_op op)
{
    return op == LMB_OP_ABS || op == LMB_OP_SIGN || op == LMB_OP_FLOOR || op == LMB_OP_CEIL ||
           op == LMB_OP_MOD || op == LMB_OP_MIN || op == LMB_OP_MAX || op == LMB_OP_STEP ||
           op == LMB_OP_RAMP || op == LMB_OP_TABLE || (op >= LMB_OP_LESS && op <= LMB_OP_NOT_EQUAL);
}

/* Whether a node neither has pieces nor can make a peak of what it is computed from, as products
 * and sines. */
static bool is_calm(lmb_op op)
{
    return op == LMB_OP_VARIABLE || op == LMB_OP_NEGATE || op == LMB_OP_ADD ||
           op == LMB_OP_SUBTRACT || op == LMB_OP_MULTIPLY || op == LMB_OP_SIN || op == LMB_OP_COS ||
           op == LMB_OP_IF || op >= LMB_OP_AND;
}

/* Finds which nodes depend on time alone, and where their inputs come from. */
static void trace(scan *s)
{
    int owner[LMB_EXPR_REGISTERS] = {0};
    for (int i = 0; i < s->expr->count; i++) {
        const lmb_expr_node *n = &s->expr->nodes[i];
        s->timed[i] =
            n->op == LMB_OP_RECORD ||
            (n->op == LMB_OP_VARIABLE ? n->variable == LMB_VARIABLE_TIME : n->op != LMB_OP_CALL);
        for (int k = 0; k < n->count && n->op != LMB_OP_CALL; k++) {
            int from = s->in[i][k] = n->in[k] < 0 ? n->in[k] : owner[n->in[k]];
            s->timed[i] = s->timed[i] && (from < 0 || s->timed[from]);
        }
        for (int k = 0; k < n->count && !s->timed[i]; k++)
            if (n->in[k] >= 0)
                s->whole[owner[n->in[k]]] = true;
        owner[n->out] = i;
    }
    for (int k = 0; k < s->expr->size; k++)
        if (s->expr->out[k] >= 0)
            s->whole[owner[s->expr->out[k]]] = true;
}

/* Mark the nodes that a node is computed from. */
static void need(scan *s, int node)
{
    memset(s->needed, 0, (size_t)s->expr->count * sizeof *s->needed);
    s->needed[node] = true;
    for (int i = node; i >= 0; i--)
        for (int k = 0; k < s->expr->nodes[i].count && s->needed[i]; k++)
            if (s->in[i][k] >= 0)
                s->needed[s->in[i][k]] = true;
}

static void find_inputs(const scan *s, int i, lmb_jet in[LMB_EXPR_INPUTS])
{
    for (int k = 0; k < LMB_EXPR_INPUTS; k++) {
        int from = s->in[i][k];
        bool there = k < s->expr->nodes[i].count;
        in[k] = there && from >= 0 ? s->at[from]
                                   : (lmb_jet){.f = there ? s->expr->constants[~from] : 0};
    }
}

/* Evaluates the nodes needed, up to a node, at an instant. */
static void evaluate(scan *s, double t, int node)
{
    lmb_jet in[LMB_EXPR_INPUTS];
    double y[3];
    for (int i = 0; i <= node; i++) {
        const lmb_expr_node *n = &s->expr->nodes[i];
        if (!s->needed[i])
            continue;
        find_inputs(s, i, in);
        const lmb_table *record =
            n->op == LMB_OP_RECORD && s->records ? s->records[n->variable] : NULL;
        if (record)
            lmb_table_evaluate(record, t, y);
        s->at[i] = n->op == LMB_OP_VARIABLE ? (lmb_jet){t, 1, 0}
                   : record                 ? (lmb_jet){y[0], y[1], y[2]}
                   : n->op == LMB_OP_RECORD ? (lmb_jet){0}
                                            : lmb_jet_apply(n->op, n->table, in);
    }
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* The number of the piece that a node is on at an instant; *slope: how fast what chooses it grows.
 */
static double find_piece(scan *s, int i, double t, double *slope)
{
    lmb_jet in[LMB_EXPR_INPUTS];
    const lmb_expr_node *n = &s->expr->nodes[i];
    evaluate(s, t, i - 1);
    find_inputs(s, i, in);
    lmb_jet a = in[0], b = in[1];
    *slope = a.d;
    switch (n->op) {
    case LMB_OP_FLOOR:
    case LMB_OP_CEIL:
        return n->op == LMB_OP_CEIL ? ceil(a.f) : floor(a.f);
    case LMB_OP_MOD:
        return floor(a.f / b.f);
    case LMB_OP_RAMP:
        return (a.f > b.f) + (a.f > in[2].f);
    case LMB_OP_STEP:
        return (a.f > b.f) + (a.f > in[3].f);
    case LMB_OP_TABLE:
        return lmb_table_piece(n->table, a.f);
    default: /* by the sign of a - b */
        *slope = a.d - b.d;
        return (a.f > b.f) - (a.f < b.f);
    }
}

/* The argument of a node at an instant. */
static double argument_at(scan *s, int i, double t)
{
    lmb_jet in[LMB_EXPR_INPUTS];
    evaluate(s, t, i - 1);
    find_inputs(s, i, in);
    return in[0].f;
}

/* Bring the ends of an interval near to the point of a table between them, where the argument is
 * nearly linear. */
static void approach_point(scan *s, int i, double *low, double at_low, double *high, double at_high)
{
    const double *x, *y;
    const lmb_expr_node *n = &s->expr->nodes[i];
    double slope, next = fmax(at_low, at_high), off = 4 * s->margin;
    if (n->op != LMB_OP_TABLE || fabs(at_high - at_low) != 1 || *high - *low < 16 * off ||
        !(next >= 0 && next < lmb_table_points(n->table, &x, &y)))
        return;
    double from = argument_at(s, i, *low), to = argument_at(s, i, *high);
    double t = *low + (x[(int)next] - from) / (to - from) * (*high - *low);
    if (!(t - off > *low && t + off < *high))
        return;
    if (find_piece(s, i, t - off, &slope) == at_low)
        *low = t - off;
    if (find_piece(s, i, t + off, &slope) == at_high)
        *high = t + off;
}

/* Adds the instants in [low, high] at which a node changes from piece to piece. */
static bool split(scan *s, int i, double low, double at_low, double high, double at_high)
{
    if (!(at_low < at_high || at_low > at_high) || s->found_count >= MOST)
        return true;
    approach_point(s, i, &low, at_low, &high, at_high);
    double slope, middle = low + (high - low) / 2;
    if (high - low > s->margin) {
        double piece = find_piece(s, i, middle, &slope);
        return split(s, i, low, at_low, middle, piece) && split(s, i, middle, piece, high, at_high);
    }
    double before = fmax(low - s->margin, s->breaks->start);
    double after = fmin(high + s->margin, s->breaks->end);
    lmb_break *found = lmb_arena_append(s->arena, s->found, s->found_count, sizeof *found);
    if (!found)
        return false;
    s->found = found;
    if (before < after)
        found[s->found_count++] = (lmb_break){before, after, false};
    return true;
}

/* The same between two samples, where the node may leave its piece for a moment. */
static bool split_cell(scan *s, int i, double low, double high)
{
    double slope, rising, far = high, at_low = find_piece(s, i, low, &slope);
    double at_high = find_piece(s, i, high, &rising);
    if (at_low != at_high || !(slope * rising < 0))
        return split(s, i, low, at_low, high, at_high);
    double begin = low;
    while (far - begin > s->margin) {
        double middle = begin + (far - begin) / 2;
        find_piece(s, i, middle, &rising);
        *(rising * slope > 0 ? &begin : &far) = middle;
    }
    double piece = find_piece(s, i, far, &rising);
    return split(s, i, low, at_low, far, piece) && split(s, i, far, piece, high, at_high);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Finds where a node changes from piece to piece, and takes these instants as samples. */
static bool find_pieces(scan *s, int i)
{
    int before = s->found_count;
    need(s, i);
    for (int k = 0; k + 1 < s->count; k++)
        if (!split_cell(s, i, s->samples[k], s->samples[k + 1]))
            return false;
    size_t more = 2 * (size_t)(s->found_count - before), count = (size_t)s->count;
    if (more == 0)
        return true;
    s->samples = lmb_arena_grow(s->arena, s->samples, count, count + more, sizeof *s->samples);
    if (!s->samples)
        return false;
    for (int k = before; k < s->found_count; k++) {
        s->samples[s->count++] = s->found[k].before;
        s->samples[s->count++] = s->found[k].after;
    }
    qsort(s->samples, (size_t)s->count, sizeof *s->samples, ascending);
    return true;
}

/* --- breaks ----------------------------------------------------------------------------------- */

static lmb_jet value_at(scan *s, int i, double t)
{
    evaluate(s, t, i);
    return s->at[i];
}

/* A number given at the samples, at an instant between them, which is looked for from a sample on.
 */
static double between(const scan *s, const double *numbers, double t, int from)
{
    int low = from, high = from, last = s->count - 1;
    for (int step = 1; low > 0 && s->samples[low] > t; step *= 2)
        low = low > step ? low - step : 0;
    for (int step = 1; high < last && s->samples[high] <= t; step *= 2)
        high = last - high > step ? high + step : last;
    if (low == high) {
        low -= low > 0;
        high = low + 1;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(s->samples[middle] <= t ? &low : &high) = middle;
    }
    double part = (t - s->samples[low]) / (s->samples[high] - s->samples[low]);
    return numbers[low] + part * (numbers[high] - numbers[low]);
}

static bool add(scan *s, double before, double after, bool jump)
{
    lmb_breaks *b = s->breaks;
    lmb_break *list = lmb_arena_append(b->arena, b->list, b->count, sizeof *list);
    if (!list)
        return false;
    b->list = list;
    list[b->count++] = (lmb_break){before, after, jump};
    return true;
}

/* Note a pulse if the value at t is far from the values `time` before and after. */
static void check_hidden(scan *s, int i, double t, double time, double least)
{
    lmb_breaks *b = s->breaks;
    if (!(time > 0) || !isnan(b->hidden))
        return;
    double f = value_at(s, i, t).f, up = f - value_at(s, i, fmax(t - time, b->start)).f;
    double down = f - value_at(s, i, fmin(t + time, b->end)).f;
    if (up * down > 0 && fmin(fabs(up), fabs(down)) > least)
        b->hidden = t;
}

/* Add the jumps and kinks of a node, whose values span `range`, among the instants found. */
static bool add_jumps(scan *s, int i, double range)
{
    lmb_breaks *b = s->breaks;
    int first = b->count, kinks = 0;
    double slow = 1e-6 * range / (b->end - b->start);
    for (int k = 0; k < s->found_count; k++) {
        double t0 = s->found[k].before, t1 = s->found[k].after;
        lmb_jet x = value_at(s, i, t0), y = value_at(s, i, t1);
        double steep = fmax(fabs(x.d), fabs(y.d)), bent = fmax(fabs(x.dd), fabs(y.dd));
        double size = fabs(y.f - x.f);
        bool jump = size > 1e-9 * range + 2 * (t1 - t0) * steep;
        bool kink = fabs(y.d - x.d) > fmax(slow, 1e-6 * steep) + 2 * (t1 - t0) * bent;
        if (!jump && !kink)
            continue;
        kinks += !jump;
        if (!add(s, t0, t1, jump))
            return false;
        for (int side = 0; side < 2 && jump; side++)
            check_hidden(s, i, side ? t1 : t0, b->step, size / 2);
    }
    int last = b->count;
    b->count = kinks > MOST_KINKS ? first : last;
    for (int k = b->count; k < last; k++)
        if (b->list[k].jump)
            b->list[b->count++] = b->list[k];
    return true;
}

/* Whether a node that turns back at a sample does so by a narrow peak: it comes back to about the
 * same value within a short time, and changes far less per time some way off on both sides. */
static bool is_narrow(const scan *s, int k, double *height)
{
    const int quiet = 8;
    const lmb_breaks *b = s->breaks;
    double t = s->samples[k], most = fmin(t - b->start, b->end - t) / quiet;
    for (double width = 1e-9 * (b->end - b->start); width <= most; width *= 2) {
        double up = s->values[k] - between(s, s->values, t - width, k);
        double down = s->values[k] - between(s, s->values, t + width, k);
        *height = fmin(fabs(up), fabs(down));
        if (!(up * down > 0 && fabs(up - down) < *height))
            continue;
        double change[2] = {0, 0}; /* near, and all */
        for (int far = 0; far < 2; far++)
            change[far] = between(s, s->variation, t + (far ? quiet : 1) * width, k) -
                          between(s, s->variation, t - (far ? quiet : 1) * width, k);
        if (change[1] - change[0] < 0.1 * (quiet - 1) * change[0])
            return true;
    }
    return false;
}

/* Adds the narrow peaks of a node whose values at the samples lie within a range. */
static bool add_peaks(scan *s, int i, double range)
{
    double height = 0, way = 0;
    for (int k = 1; k < s->count; k++)
        s->variation[k] = s->variation[k - 1] + fabs(s->values[k] - s->values[k - 1]);
    for (int k = 1; k + 1 < s->count; k++) {
        double next = s->values[k + 1] - s->values[k];
        way = s->values[k] != s->values[k - 1] ? s->values[k] - s->values[k - 1] : 0;
        if (!(way * next < 0 || (way != 0 && next == 0)) || !is_narrow(s, k, &height) ||
            height < 1e-6 * range)
            continue;
        if (!add(s, s->samples[k], s->samples[k], false))
            return false;
        check_hidden(s, i, s->samples[k], s->breaks->step / 2, 0.75 * height);
    }
    return true;
}

/* Adds the breaks of a node that others use. */
static bool add_breaks(scan *s, int i)
{
    double low = INFINITY, high = -INFINITY;
    size_t count = (size_t)s->count;
    need(s, i);
    s->values = lmb_arena_numbers(s->arena, count);
    s->variation = lmb_arena_numbers(s->arena, count);
    if (!lmb_arena_fine(s->arena))
        return false;
    for (int k = 0; k < s->count; k++) {
        double f = s->values[k] = value_at(s, i, s->samples[k]).f;
        low = fmin(low, f);
        high = fmax(high, f);
    }
    if (!(high > low) || !isfinite(high - low))
        return true;
    return add_jumps(s, i, high - low) && add_peaks(s, i, high - low);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool examine(scan *s)
{
    size_t count = (size_t)s->expr->count;
    s->timed = lmb_arena_alloc(s->arena, 3 * count, sizeof *s->timed);
    s->in = lmb_arena_alloc(s->arena, count, sizeof *s->in);
    s->at = lmb_arena_alloc(s->arena, count, sizeof *s->at);
    if (!lmb_arena_fine(s->arena))
        return false;
    s->whole = s->timed + count;
    s->needed = s->whole + count;
    trace(s);
    bool calm = true;
    for (int i = 0; i < s->expr->count; i++)
        calm = calm && (!s->timed[i] || is_calm(s->expr->nodes[i].op));
    if (calm)
        return true;
    s->count = LMB_BREAK_SAMPLES + 1;
    s->samples = lmb_arena_numbers(s->arena, (size_t)s->count);
    if (!s->samples)
        return false;
    double from = s->breaks->start, to = s->breaks->end + 2 * s->margin;
    for (int k = 0; k < s->count; k++)
        s->samples[k] = from + (to - from) * k / LMB_BREAK_SAMPLES;
    for (int i = 0; i < s->expr->count; i++)
        if (s->timed[i] && has_pieces(s->expr->nodes[i].op) && !find_pieces(s, i))
            return false;
    for (int i = 0; i < s->expr->count; i++)
        if (s->timed[i] && s->whole[i] && !add_breaks(s, i))
            return false;
    return true;
}

bool lmb_breaks_add(lmb_breaks *b, const lmb_expr *expr, const lmb_table *const *records)
{
    bool fine = true;
    for (int i = 0; i < expr->size && expr->part[0]; i++)
        fine = fine && lmb_breaks_add(b, expr->part[i], records);
    if (expr->count == 0 || !(b->end > b->start))
        return fine;
    double margin = 4 * DBL_EPSILON * fmax(fabs(b->start), fabs(b->end));
    scan s = {b, expr, records, lmb_arena_new(), .margin = margin};
    fine = fine && examine(&s);
    lmb_arena_free(s.arena);
    return fine;
}

static int earlier(const void *a, const void *b)
{
    return ascending(&((const lmb_break *)a)->before, &((const lmb_break *)b)->before);
}

void lmb_breaks_sort(lmb_breaks *b)
{
    double near = 64 * DBL_EPSILON * fmax(fabs(b->start), fabs(b->end));
    int count = 0;
    if (b->count)
        qsort(b->list, (size_t)b->count, sizeof *b->list, earlier);
    for (int k = 0; k < b->count; k++) {
        lmb_break *last = &b->list[count - 1];
        if (count == 0 || b->list[k].before > last->after + near) {
            b->list[count++] = b->list[k];
            continue;
        }
        bool points = last->before == last->after && b->list[k].before == b->list[k].after;
        last->after = fmax(last->after, b->list[k].after);
        last->before = points ? last->after : last->before;
        last->jump = last->jump || b->list[k].jump;
    }
    b->count = count;
}
