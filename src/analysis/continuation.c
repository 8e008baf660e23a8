/* Statics that follow a path of equilibria (analysis/path.h), with a row of results per point.
 *
 *   follow: load   equal steps of the load factor, divided where one is too long; a limit point,
 *                  beyond which there is no equilibrium near by, is an error
 *   follow: arc    steps of arc length through limit points, longer or shorter by the number of
 *                  iterations, until the load factor has its last value
 *
 * Where the number of unstable directions changes on the way, the critical point between is found,
 * has a row of its own and is reported: the buckling load, with the coordinates that move most. At
 * the first bifurcation steps of arc length may turn to the path that branches off. */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/path.h"
#include "analysis/statics.h"
#include "base/text.h"

typedef struct following {
    lmb_path_walk *walk;
    const lmb_path *path;
    lmb_take_row *take;
    void *user;
    double *mode; /* nv: of a critical point */
    int points;
    enum { ON_FIRST_PATH, AT_BRANCH, ON_BRANCH } where;
} following;

/* What a point is; the numbers are those of the channel path.critical. */
typedef enum point_kind { PLAIN, LIMIT_POINT, BIFURCATION } point_kind;

/* A row for the present point. */
static lmb_status record(following *f, point_kind kind)
{
    const lmb_path_point *p = &f->walk->here;
    double at = f->path->arc ? f->points : p->load;
    f->points++;
    f->walk->total = 0;
    return f->take(f->user, f->walk->solver->state, at, (double[]){p->load, p->unstable, kind});
}

/* --- critical points -------------------------------------------------------------------------- */

/* The coordinates that move most in a mode, with their parts of the largest. */
static void name_mode(const lmb_model *m, double *mode, char *text, size_t size)
{
    enum { MOST = 3 };
    double largest = 0;
    text[0] = 0;
    for (int k = 0; k < MOST; k++) {
        int most = lmb_largest_entry(m, mode);
        char name[96];
        lmb_column_name(m, most, name, sizeof name);
        double part = mode[most] * m->columns[most].size;
        if (k == 0)
            largest = part;
        if (fabs(part) < 0.01 * fabs(largest))
            break;
        lmb_text_append(text, size, "%s%s (%.2g)", k ? ", " : "", name, part / largest);
        mode[most] = 0;
    }
}

/* Finds what lies between the last point and the present one, h apart, and comes back: to the
 * present one, or to the last where the step has left the path, unless it is as short as it can be.
 * `done` is then false. */
static lmb_status report_critical(following *f, double h, bool shortest, bool *done)
{
    lmb_path_walk *w = f->walk;
    lmb_context *context = w->solver->context;
    int before = w->last.unstable, after = w->here.unstable;
    bool limit, jump;
    char names[320];
    if (before == after)
        return LMB_OK;
    lmb_status status = lmb_path_critical(w, h, f->mode, &limit, &jump);
    if (jump && !shortest) {
        lmb_path_back(w);
        *done = false;
        return status;
    }
    if (!status && !(status = record(f, limit ? LIMIT_POINT : BIFURCATION))) {
        if (!limit && f->path->branch && f->where == ON_FIRST_PATH) {
            lmb_path_turn(w, f->mode);
            f->where = AT_BRANCH;
        }
        name_mode(w->solver->state->model, f->mode, names, sizeof names);
        lmb_warn(context, "%s at load factor %.9g: the equilibrium %s",
                 limit ? "limit point" : "bifurcation", w->here.load,
                 before == 0  ? "becomes unstable"
                 : after == 0 ? "becomes stable"
                              : "changes its stability");
        lmb_hint(context, "%s; in the mode these coordinates move most: %s",
                 limit ? "the load has an extreme value there"
                       : "another path branches off, the structure buckles",
                 names);
        if (f->where == AT_BRANCH)
            return LMB_OK;
        lmb_path_back(w);
        status = lmb_path_step(w, h, done);
    }
    return status;
}

/* --- load ------------------------------------------------------------------------------------- */

/* Write which coordinate a failed step leaves farthest off into the buffer, if one is known. */
static const char *name_worst(const following *f, char buffer[192])
{
    char name[128];
    buffer[0] = 0;
    if (f->walk->worst < 0)
        return buffer;
    lmb_column_name(f->walk->solver->state->model, f->walk->worst, name, sizeof name);
    lmb_snprintf(buffer, 192, ": '%s' is farthest off", name);
    return buffer;
}

static lmb_status fail_limit(following *f)
{
    lmb_context *context = f->walk->solver->context;
    char worst[192];
    lmb_fail(context, LMB_SOLVER, "there is no equilibrium near by beyond load factor %.6g%s",
             f->walk->here.load, name_worst(f, worst));
    return lmb_hint(context, "a limit point: 'follow: arc' goes through it");
}

/* Fail because steps are so short that the next row takes too many iterations. */
static lmb_status fail_slow(following *f, double load, double step)
{
    lmb_context *context = f->walk->solver->context;
    char worst[192];
    lmb_fail(context, LMB_SOLVER,
             "%d iterations did not lead to load factor %.6g, only to %.6g in steps of %.2g%s",
             f->walk->total, load, f->walk->here.load, step, name_worst(f, worst));
    return lmb_hint(context, "more 'steps' may help, or 'follow: arc'");
}

/* Goes on to a load factor, with steps that are divided. */
static lmb_status reach(following *f, double load)
{
    enum { MOST_ITERATIONS = 10000 };
    lmb_path_walk *w = f->walk;
    double step = load - w->here.load, least = 1e-7 * fabs(f->path->load);
    while (w->here.load != load) {
        bool done, whole = fabs(step) >= fabs(load - w->here.load) * (1 - 1e-9);
        double h = whole ? load - w->here.load : step;
        lmb_status status = lmb_path_step(w, h, &done);
        if (!status && done)
            status = report_critical(f, h, fabs(h) < 1e3 * least, &done);
        if (status || (done && whole))
            return status;
        step = done ? (w->iterations <= 4 ? 2 * step : step) : h / 2;
        if (fabs(step) < least)
            return fail_limit(f);
        if (w->total > MOST_ITERATIONS)
            return fail_slow(f, load, step);
    }
    return LMB_OK;
}

static lmb_status follow_load(following *f)
{
    lmb_status status = LMB_OK;
    int steps = f->path->steps;
    for (int i = 1; i <= steps && !status; i++) {
        status = reach(f, f->path->load * i / steps);
        if (!status)
            status = record(f, PLAIN);
        if (!status)
            status = lmb_continue(f->walk->solver->context, "statics", (double)i / steps);
    }
    return status;
}

/* --- arc length ------------------------------------------------------------------------------- */

/* The last point, at the load factor itself; false if that is not near. */
static lmb_status finish(following *f, bool *done)
{
    lmb_path_walk *w = f->walk;
    double h = f->path->load - w->here.load;
    w->arc = false;
    lmb_status status = lmb_path_step(w, h, done);
    if (!status && *done)
        status = report_critical(f, h, false, done);
    w->arc = true;
    return status;
}

static lmb_status fail_arc(following *f)
{
    lmb_context *context = f->walk->solver->context;
    char worst[192];
    lmb_fail(context, LMB_SOLVER,
             "the path of equilibria cannot be followed beyond load factor %.6g%s",
             f->walk->here.load, name_worst(f, worst));
    return lmb_hint(context,
                    "something may hit a stop or come loose there: results up to there are "
                    "kept");
}

static lmb_status fail_branch(following *f)
{
    lmb_context *context = f->walk->solver->context;
    lmb_fail(context, LMB_SOLVER, "no path is found that branches off at load factor %.6g",
             f->walk->here.load);
    return lmb_hint(context, "a small load in the direction of the mode leads there without "
                             "'branch'; results up to there are kept");
}

/* The longest step along the tangent with which the path is still seen: of the load, one of the
 * steps; of lengths, a tenth of the mechanism; of angles, 0.2. */
static double longest_step(const following *f)
{
    const lmb_path_walk *w = f->walk;
    const lmb_state *s = w->solver->state;
    double size = fabs(w->here.rate) * f->path->steps / f->path->load, whole = lmb_extent(s);
    for (int j = 0; j < s->model->nv; j++) {
        bool angle = lmb_class_turns(s->model->columns[j].class);
        double allowed = angle ? 0.2 : 0.1 * whole / s->model->columns[j].size;
        size = fmax(size, fabs(w->here.tangent[j]) / allowed);
    }
    return 1 / size;
}

/* The first step from the bifurcation, divided until there is a point. */
static lmb_status leave(following *f, double least, double *h)
{
    bool done = false;
    lmb_status status = LMB_OK;
    f->where = ON_BRANCH;
    for (*h = longest_step(f); !done && !status; *h /= done ? 1 : 2) {
        if (*h < least)
            return fail_branch(f);
        status = lmb_path_step(f->walk, *h, &done);
    }
    return status;
}

static lmb_status follow_arc(following *f)
{
    lmb_path_walk *w = f->walk;
    double h = longest_step(f), least = 1e-6 * h;
    while (f->points < f->path->points) {
        bool done, ended = false;
        lmb_status status = lmb_path_step(w, h, &done);
        if (!status && done &&
            w->here.load > (1 - 1e-9) * f->path->load) { /* at the end, or past it */
            lmb_path_back(w);
            status = finish(f, &ended);
            done = false;
        }
        if (!status && done)
            status = report_critical(f, h, h < 1e3 * least, &done);
        if (!status && f->where == AT_BRANCH) {
            status = leave(f, least, &h);
            done = true;
            ended = false;
        }
        if (!status && (done || ended))
            status = record(f, PLAIN);
        if (status || ended)
            return status;
        h = !done ? h / 2 : fmin(w->iterations <= 4 ? 1.5 * h : h, longest_step(f));
        if (h < least)
            return fail_arc(f);
        if ((status =
                 lmb_continue(w->solver->context, "statics", (double)f->points / f->path->points)))
            return status;
    }
    lmb_warn(w->solver->context, "the path ends at load factor %.6g after %d points", w->here.load,
             f->points);
    lmb_hint(w->solver->context, "give more 'points', or fewer 'steps'");
    return LMB_OK;
}

/* --- the analysis ----------------------------------------------------------------------------- */

/* Where it rests without the load. */
static lmb_status begin(lmb_solver *s, const lmb_analysis *a)
{
    s->state->load = 0;
    s->state->scaled = a->path.scaled;
    return lmb_find_equilibrium(s);
}

static lmb_status rows(lmb_solver *s, const lmb_analysis *a, lmb_take_row *take, void *user)
{
    following f = {.path = &a->path, .take = take, .user = user};
    lmb_status status = lmb_path_start(&f.walk, s, a->path.arc);
    if (status)
        return status;
    f.mode = lmb_arena_numbers(f.walk->arena, (size_t)s->state->model->nv);
    status = lmb_check_memory(s->context, f.walk->arena);
    if (!status && !(status = record(&f, PLAIN)))
        status = a->path.arc ? follow_arc(&f) : follow_load(&f);
    lmb_path_free(f.walk);
    return status;
}

#define FOLLOWING                                                                                  \
    .known = LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS | LMB_KNOWN_PATH, .timeless = "statics takes", \
    .solve = begin, .rows = rows

const lmb_analysis_kind lmb_analysis_load_path = {
    .name = "statics",
    .doc = "equilibria over the load",
    .over = "load",
    .over_doc = "Load factor.",
    FOLLOWING,
};

const lmb_analysis_kind lmb_analysis_arc_path = {
    .name = "statics",
    .doc = "equilibria along the path that the load makes",
    .over = "point",
    .over_doc = "Number of the point on the path.",
    FOLLOWING,
};
