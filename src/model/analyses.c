/* The section `analyses`: what is computed and how it is integrated; and the lists of what an
 * analysis or an event switches. */

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "integrate/motion.h"
#include "model/fields.h"
#include "model/builder.h"

enum { MOST_INSTANTS = 100000000, MOST_POINTS = 1000000 };

/* Says that a name is none of those that the list of a key may have. */
static lmb_status fail_item(lmb_builder *r, const lmb_tree *node, const char *key)
{
    static const char *const kinds[] = {"a body", "", "", "", "a sensor", "an event"};
    const lmb_model *m = r->model;
    const lmb_named *found = lmb_names_find(&r->items, node->text, strlen(node->text));
    bool events = strcmp(key, "without") == 0;
    const char *action = events ? "left out" : strcmp(key, "release") == 0 ? "released" : "latched";
    if (found)
        return lmb_fail_at(r->context, node->place, "'%s' is %s: only joints, drivers%s can be %s",
                           node->text, kinds[found->kind],
                           events ? ", forces and events" : " and forces", action);
    lmb_fail_at(r->context, node->place, "there is no joint, driver%s '%s'",
                events ? ", force or event" : " or force", node->text);
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (int i = 0; i < m->joint_count; i++)
        lmb_nearest_try(&nearest, m->joints[i].name);
    for (int i = 0; i < m->driver_count; i++)
        lmb_nearest_try(&nearest, m->drivers[i].name);
    for (int i = 0; i < m->force_count; i++)
        lmb_nearest_try(&nearest, m->forces[i].name);
    for (int i = 0; events && i < m->event_count; i++)
        lmb_nearest_try(&nearest, m->events[i].name);
    return lmb_nearest_hint(r->context, &nearest);
}

static lmb_status read_item(lmb_builder *r, const lmb_tree *node, const char *key,
                            lmb_selection *out)
{
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_kind(&r->reader, node, key, "a list of names");
    const lmb_named *found = lmb_names_find(&r->items, node->text, strlen(node->text));
    lmb_item_kind kind = found ? (lmb_item_kind)found->kind : LMB_ITEM_BODY;
    if (kind == LMB_ITEM_JOINT)
        out->joints[out->joint_count++] = found->index;
    else if (kind == LMB_ITEM_DRIVER)
        out->drivers[out->driver_count++] = found->index;
    else if (kind == LMB_ITEM_FORCE)
        out->forces[out->force_count++] = found->index;
    else if (kind == LMB_ITEM_EVENT && strcmp(key, "without") == 0)
        out->events[out->event_count++] = found->index;
    else
        return fail_item(r, node, key);
    return LMB_OK;
}

lmb_status lmb_read_selection(lmb_builder *r, const lmb_tree *node, const char *key,
                              lmb_selection *out)
{
    if (node->kind != LMB_TREE_LIST) {
        lmb_fail_kind(&r->reader, node, key, "a list of names");
        return node->kind == LMB_TREE_TEXT && node->text[0]
                   ? lmb_hint(r->context, "write '%s: [%s]'", key, node->text)
                   : LMB_BAD_INPUT;
    }
    size_t count = (size_t)node->count;
    *out = (lmb_selection){.joints = lmb_arena_integers(r->arena, count),
                           .drivers = lmb_arena_integers(r->arena, count),
                           .forces = lmb_arena_integers(r->arena, count),
                           .events = lmb_arena_integers(r->arena, count)};
    lmb_status status = lmb_check_memory(r->context, r->arena);
    if (status)
        return status;
    for (int i = 0; i < node->count; i++)
        if (read_item(r, node->items[i], key, out))
            status = LMB_BAD_INPUT;
    return status;
}

/* Add all events to what does not act in an analysis, for analyses other than dynamics. */
static lmb_status leave_out_events(lmb_builder *r, lmb_selection *out)
{
    out->event_count = r->model->event_count;
    out->events = lmb_arena_integers(r->arena, (size_t)out->event_count);
    for (int i = 0; out->events && i < out->event_count; i++)
        out->events[i] = i;
    return lmb_check_memory(r->context, r->arena);
}

/* --- keys of an analysis ---------------------------------------------------------------------- */

/* What an analysis is read into. */
typedef struct keys {
    lmb_value duration, output_step, start, integrator, tolerance, step, spectral_radius,
        step_control, newton, projection, penalty, stabilisation, independent, baumgarte,
        rotation_update, from, begin, period, follow, load, steps, points, branch, modes, solver,
        threads;
    int type;
    const lmb_tree *without, *loads, *results;
} keys;

/* The earlier analysis that an analysis begins from, and its `start`. */
static lmb_status read_from(lmb_builder *r, const lmb_value *from, const lmb_value *start,
                            lmb_analysis *a)
{
    const lmb_model *m = r->model;
    lmb_nearest nearest;
    a->from = lmb_find_analysis(r, from->text, &nearest);
    if (a->from < 0) {
        lmb_fail_at(r->context, from->place, "there is no analysis '%s' before '%s'", from->text,
                    a->name);
        return lmb_nearest_hint(r->context, &nearest);
    }
    const lmb_analysis *other = &m->analyses[a->from];
    if (!start->given)
        a->start = other->start + other->duration;
    if (lmb_instant_at(other, a->start) >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, start->place, "analysis '%s' has no result at t = %g to begin from",
                from->text, a->start);
    if (other->duration > 0)
        lmb_hint(r->context, "it has results from %g to %g in steps of %g", other->start,
                 other->start + other->duration, other->output_step);
    return LMB_BAD_INPUT;
}

#define KEY(member) LMB_KEY(keys, member)

/* The words of `type` and `integrator`, and what they mean, are those of the kinds. */
const lmb_field lmb_analysis_fields[] = {
    {KEY(type), LMB_FIELD_CHOICE, NULL, "", .required = true},
    {KEY(duration), LMB_FIELD_NUMBER, "s", "How long (not for assembly, statics and modes).",
     .range = LMB_POSITIVE},
    {KEY(output_step), LMB_FIELD_NUMBER, "s", "Time between results.",
     "a hundredth of the duration", LMB_POSITIVE},
    {KEY(start), LMB_FIELD_NUMBER, "s", "The time to start at.", "0"},
    {KEY(integrator), LMB_FIELD_CHOICE, NULL, "For dynamics. ",
     "rk45, or generalized-alpha with flexible bodies"},
    {KEY(tolerance), LMB_FIELD_NUMBER, NULL,
     "The relative error allowed per step, for rk45, ida and, if given, for generalized-alpha, "
     "hht, newmark and ali3p.",
     "1e-9 for rk45 and ida, 1e-8 for the others with flexible bodies and no 'step', else a fixed "
     "step",
     LMB_POSITIVE},
    {KEY(step), LMB_FIELD_NUMBER, "s",
     "For all but rk45 and ida: the length of a step, which is divided where it is too long; for "
     "generalized-alpha, hht, newmark and ali3p with a 'tolerance' the longest.",
     "a tenth of the output step, or with a 'tolerance' the output step", LMB_POSITIVE},
    {KEY(step_control), LMB_FIELD_CHOICE, NULL,
     "For all but rk45 and ida: whether a step that is too long is divided, with a warning, or "
     "fails. With 'fixed' no 'tolerance' chooses the steps.",
     "divide", .choices = "divide fixed"},
    {KEY(newton), LMB_FIELD_CHOICE, NULL,
     "For generalized-alpha, hht, newmark and ali3p: whether Newton's iteration ends with an error "
     "that is a small part of a step, or goes on to rounding.",
     "step", .choices = "step rounding"},
    {KEY(spectral_radius), LMB_FIELD_NUMBER, NULL,
     "For generalized-alpha, hht and newmark: the spectral radius at infinite frequency, 0 to 1; "
     "the smaller, the more fast oscillations are damped.",
     "0.9", LMB_NOT_NEGATIVE, .otherwise = 0.9},
    {KEY(projection), LMB_FIELD_CHOICE, NULL,
     "For ali3p: velocities and accelerations are projected with M + h/2 C + h^2/4 K (full) or "
     "with the mass matrix, or not at all, which is for comparison: errors grow.",
     "full", .choices = "full mass none"},
    {KEY(penalty), LMB_FIELD_NUMBER, NULL,
     "For ali3p: the penalty of the constraints as a multiple of 4 m / h^2, with the heaviest mass "
     "m and the step h; from 100 to 1e10. Results do not depend on it.",
     "1e7", LMB_POSITIVE},
    {KEY(stabilisation), LMB_FIELD_CHOICE, NULL,
     "How the explicit integrators prevent constraint drift: projection after each step; "
     "coordinate partitioning, which integrates independent coordinates only; Baumgarte "
     "stabilisation; or none.",
     "projection", .choices = "projection partitioning baumgarte none"},
    {KEY(independent), LMB_FIELD_TREE, NULL,
     "For partitioning: the independent coordinates, such as [crank.angle], as many as there are "
     "degrees of freedom.",
     "chosen by pivoting, again when needed", .choices = "any_names"},
    {KEY(baumgarte), LMB_FIELD_NUMBER, "1/s",
     "For Baumgarte stabilisation: rate at which constraint violations decay.", "20", LMB_POSITIVE,
     .otherwise = 20},
    {KEY(rotation_update), LMB_FIELD_CHOICE, NULL,
     "For the explicit integrators in space: whether rotations follow exactly, or by a Taylor "
     "series of second order of the rotation matrix, to compare.",
     "exact", .choices = "exact taylor"},
    {KEY(without), LMB_FIELD_TREE, NULL,
     "A list of joints, drivers, forces and events that do not act in this analysis.", "all act",
     .choices = "any_names"},
    {KEY(from), LMB_FIELD_NAME, NULL,
     "An earlier analysis: this one begins with the positions and velocities that it has at "
     "'start', or at its end if no 'start' is given.",
     "from the placement of the model", .choices = "analysis"},
    {KEY(begin), LMB_FIELD_CHOICE, NULL,
     "Where the motion is integrated: how it begins, so that the start does not set off "
     "vibrations. ",
     "undeformed, or as 'from' says"},
    {KEY(period), LMB_FIELD_NUMBER, "s", "For 'begin: periodic': the period of all laws.",
     "a few turns of the slowest driver of constant speed", LMB_POSITIVE},
    {KEY(follow), LMB_FIELD_CHOICE, NULL,
     "For statics: results are the equilibria on the way from no load to all of it, with the loads "
     "at which they become unstable (buckling). The load grows in equal steps, or steps of arc "
     "length go through limit points.",
     "only the equilibrium under the whole load", .choices = "load arc"},
    {KEY(load), LMB_FIELD_NUMBER, NULL,
     "With 'follow': the load factor at the end. Gravity, forces, torques and the efforts of "
     "motors are multiplied by the load factor.",
     "1", LMB_POSITIVE, .otherwise = 1},
    {KEY(steps), LMB_FIELD_NUMBER, NULL,
     "With 'follow': the number of steps; with arc length the first step is as long, and the "
     "others "
     "as the path allows.",
     "20", LMB_POSITIVE, .otherwise = 20},
    {KEY(points), LMB_FIELD_NUMBER, NULL, "With 'follow: arc': the most points of the path.", "500",
     LMB_POSITIVE, .otherwise = 500},
    {KEY(branch), LMB_FIELD_FLAG, NULL,
     "With 'follow: arc': at the first bifurcation, whether to go on along the path that branches "
     "off, on which a structure has buckled.",
     "false"},
    {KEY(modes), LMB_FIELD_NUMBER, NULL, "For modes: how many, the lowest.",
     "all, or 20 in models of more than 400 coordinates", LMB_POSITIVE},
    {KEY(solver), LMB_FIELD_CHOICE, NULL,
     "How the equations of an instant or a step are solved: along a tree of the bodies (divide and "
     "conquer), as one sparse (klu) or full matrix (dense), or with the bodies eliminated (schur). "
     "Where that does not suit, what is likely to be the fastest is taken, and the log says so.",
     "auto, what is likely to be the fastest", .choices = "auto tree klu schur dense"},
    {KEY(threads), LMB_FIELD_NUMBER, NULL,
     "How many threads share the work in large models; results do not depend on it.",
     "as many as there are processors", LMB_POSITIVE},
    {KEY(loads), LMB_FIELD_TREE, NULL,
     "With 'follow': the forces that grow, and the word gravity; the others act as they are.",
     "all", .choices = "any_names"},
    {KEY(results), LMB_FIELD_TREE, NULL,
     "The channels that are stored, by their names, in which * stands for any characters and ? for "
     "one, such as [tip.position, 'link*.angle'].",
     "all", .choices = "any_names"},
    {0},
};

/* A key that means nothing with this integrator would be a misunderstanding. */
static lmb_status fail_useless(lmb_builder *r, const lmb_value *v, const char *key, const char *use)
{
    lmb_fail_at(r->context, v->place, "'%s' does not apply to this integrator", key);
    return lmb_hint(r->context, "%s", use);
}

static lmb_status read_explicit(lmb_builder *r, const keys *k, lmb_integration *out)
{
    const lmb_value *kind = &k->stabilisation, *w = &k->baumgarte;
    bool named = k->independent.given;
    if (kind->given)
        out->stabilisation = (lmb_stabilisation)kind->choice;
    else if (named)
        out->stabilisation = LMB_PARTITIONING;
    else if (w->given)
        out->stabilisation = LMB_BAUMGARTE;
    out->baumgarte = w->number;
    out->taylor = k->rotation_update.choice;
    if (named && out->stabilisation != LMB_PARTITIONING)
        return fail_useless(r, &k->independent, "independent",
                            "it goes with 'stabilisation: partitioning'");
    if (w->given && out->stabilisation != LMB_BAUMGARTE)
        return fail_useless(r, w, "baumgarte", "it goes with 'stabilisation: baumgarte'");
    return LMB_OK;
}

/* Refuses keys about steps and errors that belong to other integrators. */
static lmb_status check_keys(lmb_builder *r, const keys *k, const lmb_integrator *i)
{
    static const char of_explicit[] = "it is for rk45, euler and adams";
    const struct {
        const char *name;
        const lmb_value *value;
        bool useful;
        const char *use;
    } rows[] = {
        {"step", &k->step, !i->controlled, "rk45 and ida choose their steps, by 'tolerance'"},
        {"step_control", &k->step_control, !i->controlled,
         "rk45 and ida choose their steps, by 'tolerance'"},
        {"newton", &k->newton, i->implicit && !i->controlled,
         "it is for generalized-alpha, hht, newmark and ali3p"},
        {"tolerance", &k->tolerance, i->controlled || i->may_control,
         "euler and adams take steps of 'step'"},
        {"spectral_radius", &k->spectral_radius, i->damps,
         "it is for generalized-alpha, hht and newmark"},
        {"projection", &k->projection, i->projects, "it is for ali3p"},
        {"penalty", &k->penalty, i->projects, "it is for ali3p"},
        {"stabilisation", &k->stabilisation, !i->implicit, of_explicit},
        {"independent", &k->independent, !i->implicit, of_explicit},
        {"baumgarte", &k->baumgarte, !i->implicit, of_explicit},
        {"rotation_update", &k->rotation_update, !i->implicit, of_explicit}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (rows[n].value->given && !rows[n].useful)
            return fail_useless(r, rows[n].value, rows[n].name, rows[n].use);
    return LMB_OK;
}

/* How it begins. */
static lmb_status read_begin(lmb_builder *r, const keys *k, const lmb_analysis_kind *kind,
                             lmb_integration *out)
{
    const lmb_beginning *begin = k->begin.given ? lmb_beginnings[k->begin.choice] : NULL;
    if (k->period.given && begin != &lmb_begin_periodic) {
        lmb_fail_at(r->context, k->period.place, "'period' does not apply here");
        return lmb_hint(r->context, "it goes with 'begin: periodic'");
    }
    if (!begin)
        return LMB_OK;
    if (kind->timeless)
        return lmb_fail_at(r->context, k->begin.place, "%s no time: remove 'begin'",
                           kind->timeless);
    out->begin = begin;
    out->period = k->period.number;
    return LMB_OK;
}

/* The relative error of a step: not below rounding, and not as large as the motion itself. */
static lmb_status check_tolerance(lmb_builder *r, const lmb_value *tolerance)
{
    const double least = 1e-15, most = 1;
    if (!tolerance->given || (tolerance->number >= least && tolerance->number <= most))
        return LMB_OK;
    lmb_fail_at(r->context, tolerance->place,
                "'tolerance' must be between %g (rounding) and %g, but is %g", least, most,
                tolerance->number);
    return lmb_hint(r->context, "it is the relative error of a step; 1e-9 is usual");
}

/* What ali3p has of its own. */
static lmb_status read_projection(lmb_builder *r, const keys *k, lmb_integration *out)
{
    const double least = 100, most = 1e10;
    double penalty = k->penalty.number;
    out->projection = (lmb_rate_projection)k->projection.choice;
    out->penalty = penalty;
    if (!k->penalty.given || (penalty >= least && penalty <= most))
        return LMB_OK;
    lmb_fail_at(r->context, k->penalty.place, "'penalty' must be between %g and %g, but is %g",
                least, most, penalty);
    return lmb_hint(r->context,
                    "it is a multiple of 4 m / h^2, with the heaviest mass and the step");
}

static lmb_status read_integration(lmb_builder *r, const keys *k, double output_step,
                                   lmb_integration *out)
{
    *out = (lmb_integration){.integrator = r->model->kinds->integrators[0],
                             .spectral_radius = k->spectral_radius.number};
    bool stiff = false;
    for (int i = 0; i < r->model->body_count; i++)
        stiff |= r->model->bodies[i].ops->highest_frequency != NULL;
    if (stiff)
        out->integrator = &lmb_integrator_alpha;
    if (k->integrator.given)
        out->integrator = r->model->kinds->integrators[k->integrator.choice];
    if (check_keys(r, k, out->integrator))
        return LMB_BAD_INPUT;
    double least = out->integrator->least_radius;
    if (out->spectral_radius > 1 || out->spectral_radius < least)
        return lmb_fail_at(r->context, k->spectral_radius.place,
                           "'spectral_radius' must be between %g and 1, but is %g", least,
                           out->spectral_radius);
    if (read_projection(r, k, out) || check_tolerance(r, &k->tolerance))
        return LMB_BAD_INPUT;
    out->undivided = k->step_control.choice == 1;
    out->to_rounding = k->newton.choice == 1;
    bool given = k->tolerance.given;
    bool default_tolerance = stiff && !k->step.given && !out->undivided;
    if (given && out->undivided) {
        lmb_fail_at(r->context, k->step_control.place,
                    "'step_control: fixed' and a 'tolerance', which chooses the steps, exclude "
                    "each other");
        return lmb_hint(r->context, "remove one of the two keys");
    }
    bool controlled = given || (default_tolerance && out->integrator->may_control);
    if (out->integrator->controlled || given)
        out->tolerance = given ? k->tolerance.number : 1e-9;
    else if (controlled)
        out->tolerance = 1e-8;
    double step = out->integrator->implicit && controlled ? output_step : output_step / 10;
    out->step = k->step.given ? k->step.number : step;
    double steps = k->duration.number / out->step;
    if (!out->integrator->controlled && k->duration.given && !(steps <= LMB_MOST_STEPS)) {
        lmb_fail_at(r->context, k->step.given ? k->step.place : k->output_step.place,
                    "with a 'step' of %g s the 'duration' of %g s takes %.3g steps, more than %g",
                    out->step, k->duration.number, steps, LMB_MOST_STEPS);
        return LMB_BAD_INPUT;
    }
    return out->integrator->implicit ? LMB_OK : read_explicit(r, k, out);
}

/* The forces that grow with the load. */
static lmb_status read_loads(lmb_builder *r, const lmb_tree *list, bool *scaled)
{
    const lmb_model *m = r->model;
    if (list->kind != LMB_TREE_LIST)
        return lmb_fail_kind(&r->reader, list, "loads", "a list of names");
    for (int i = 0; i < list->count; i++) {
        const lmb_tree *node = list->items[i];
        if (node->kind != LMB_TREE_TEXT)
            return lmb_fail_kind(&r->reader, node, "loads", "a list of names");
        lmb_nearest nearest;
        int k = lmb_find_name(m->forces, sizeof *m->forces, m->force_count, node->text, &nearest);
        if (strcmp(node->text, "gravity") == 0)
            k = m->force_count;
        if (k < 0) {
            lmb_fail_at(r->context, node->place, "there is no force '%s'", node->text);
            lmb_nearest_try(&nearest, "gravity");
            return lmb_nearest_hint(r->context, &nearest);
        }
        if (k < m->force_count && !m->forces[k].type->is_load) {
            lmb_fail_at(r->context, node->place, "'%s' does not grow with the load", node->text);
            return lmb_hint(r->context, "gravity, forces, torques and motors do");
        }
        scaled[k] = true;
    }
    return LMB_OK;
}

/* The path that statics follow. */
static lmb_status read_path(lmb_builder *r, const keys *k, bool complete, lmb_analysis *a)
{
    const struct {
        const char *name;
        bool given;
        lmb_place place;
    } others[] = {{"load", k->load.given, k->load.place},
                  {"steps", k->steps.given, k->steps.place},
                  {"points", k->points.given, k->points.place},
                  {"branch", k->branch.given, k->branch.place},
                  {"loads", k->loads, k->loads ? k->loads->place : a->place}};
    for (size_t i = 0; !k->follow.given && i < sizeof others / sizeof *others; i++)
        if (others[i].given) {
            lmb_fail_at(r->context, others[i].place, "'%s' does not apply here", others[i].name);
            return lmb_hint(r->context, "it goes with 'follow' in an analysis of type statics");
        }
    if (!k->follow.given)
        return LMB_OK;
    if (a->kind != &lmb_analysis_statics)
        return lmb_fail_at(r->context, k->follow.place, "'follow' is for analyses of type statics");
    if (k->branch.number != 0 && k->follow.choice == 0) {
        lmb_fail_at(r->context, k->branch.place, "'branch' needs steps of arc length");
        return lmb_hint(r->context, "'follow: arc'");
    }
    a->path = (lmb_path){.arc = k->follow.choice,
                         .load = k->load.number,
                         .steps = (int)fmin(ceil(k->steps.number), MOST_POINTS),
                         .points = (int)fmin(ceil(k->points.number), MOST_POINTS),
                         .branch = k->branch.number != 0};
    a->kind = a->path.arc ? &lmb_analysis_arc_path : &lmb_analysis_load_path;
    if (!k->loads || !complete)
        return LMB_OK;
    a->path.scaled =
        lmb_arena_alloc(r->arena, (size_t)r->model->force_count + 1, sizeof *a->path.scaled);
    return a->path.scaled ? read_loads(r, k->loads, a->path.scaled) : lmb_fail_memory(r->context);
}

/* The names of the channels that are stored; which there are is known when the model is complete.
 */
static lmb_status read_results(lmb_builder *r, const lmb_tree *list, lmb_analysis *a)
{
    if (list->kind != LMB_TREE_LIST) {
        lmb_fail_kind(&r->reader, list, "results", "a list of names");
        return list->kind == LMB_TREE_TEXT && list->text[0]
                   ? lmb_hint(r->context, "write 'results: [%s]'", list->text)
                   : LMB_BAD_INPUT;
    }
    if (list->count == 0) {
        lmb_fail_at(r->context, list->place, "'results' names no channels");
        return lmb_hint(r->context, "without this key all channels are stored");
    }
    a->results = lmb_arena_alloc(r->arena, (size_t)list->count, sizeof *a->results);
    for (int i = 0; a->results && i < list->count; i++) {
        const lmb_tree *node = list->items[i];
        if (node->kind != LMB_TREE_TEXT)
            return lmb_fail_kind(&r->reader, node, "results", "a list of names");
        a->results[a->result_count++] = (lmb_channel_pattern){node->text, node->place};
    }
    return a->results ? LMB_OK : lmb_fail_memory(r->context);
}

/* What the section is read with. */
typedef struct reading {
    const lmb_field *fields;
    bool complete;
} reading;

static lmb_status read_analysis(lmb_reader *reader, const lmb_entry *e, void *user)
{
    lmb_builder *r = (lmb_builder *)reader;
    const reading *with = user;
    const lmb_tree *key = e->key;
    const char *what = e->what;
    keys k;
    if (lmb_read_fields(reader, e->node, with->fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    lmb_analysis a = {.name = key->text,
                      .kind = r->model->kinds->analyses[k.type],
                      .start = k.start.number,
                      .duration = k.duration.number,
                      .from = -1,
                      .place = key->place};
    bool instant = a.kind->timeless;
    if (instant && k.duration.given)
        return lmb_fail_at(r->context, k.duration.place, "%s no time: remove 'duration'",
                           a.kind->timeless);
    if (!instant && !k.duration.given)
        return lmb_fail_at(r->context, key->place, "%s needs the key 'duration'", what);
    a.output_step = k.output_step.given ? k.output_step.number : a.duration / 100;
    if (!instant && a.duration / a.output_step > MOST_INSTANTS)
        return lmb_fail_at(r->context, k.output_step.place,
                           "%s would store %.3g instants, more than %d", what,
                           a.duration / a.output_step, MOST_INSTANTS);
    if (!instant && a.duration > 0 && a.output_step > a.duration * (1 + 1e-9)) {
        lmb_warn_at(r->context, k.output_step.place,
                    "%s: 'output_step' of %g s is longer than the 'duration' of %g s: only the "
                    "first and the last instant are stored",
                    what, a.output_step, a.duration);
        lmb_hint(r->context, "give a shorter 'output_step'");
    }
    lmb_status status = read_integration(r, &k, a.output_step, &a.integration);
    if (!status)
        status = read_begin(r, &k, a.kind, &a.integration);
    if (!status)
        status = read_path(r, &k, with->complete, &a);
    a.modes = (int)fmin(ceil(k.modes.number), MOST_POINTS);
    a.solver = k.solver.choice > 0 ? &lmb_saddle_families[k.solver.choice - 1] : NULL;
    a.threads = (int)fmin(ceil(k.threads.number), LMB_MOST_THREADS);
    if (!status && k.modes.given && a.kind != &lmb_analysis_modes)
        status = lmb_fail_at(r->context, k.modes.place, "'modes' is for analyses of type modes");
    if (!status && with->complete && k.without)
        status = lmb_read_selection(r, k.without, "without", &a.without);
    if (!status && with->complete && !(a.kind->known & LMB_KNOWN_WORK))
        status = leave_out_events(r, &a.without);
    if (!status && k.results)
        status = read_results(r, k.results, &a);
    if (!status && k.from.given)
        status = read_from(r, &k.from, &k.start, &a);
    if (!lmb_names_add(&r->analyses, r->arena, a.name, 0, r->model->analysis_count))
        return lmb_fail_memory(r->context);
    r->model->analyses[r->model->analysis_count++] = a;
    return status;
}

lmb_status lmb_read_analyses(lmb_builder *r, const lmb_tree *section, bool complete)
{
    lmb_model *m = r->model;
    m->analyses = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->analyses);
    bool docs = false; /* a hint says which types there are */
    for (size_t i = 0; i < lmb_tree_count(section); i++)
        docs |= !lmb_tree_get(section->items[i], "type");
    const lmb_memo *kept = r->reader.kept;
    reading with = {kept ? kept->analysis_fields : lmb_analysis_table(r->arena, m->kinds, docs),
                    complete};
    if (r->reader.keep)
        r->reader.keep->analysis_fields = with.fields;
    return lmb_read_section(&r->reader, section, "analyses", "analysis", "analyses", read_analysis,
                            &with);
}

/* --- independent coordinates ------------------------------------------------------------------ */

/* The columns of velocity coordinates such as "crank.angle". */
static lmb_status find_independent(lmb_builder *r, const lmb_tree *list, lmb_integration *out)
{
    if (list->kind != LMB_TREE_LIST)
        return lmb_fail_kind(&r->reader, list, "independent",
                             "a list of coordinates such as [crank.angle]");
    int *columns = lmb_arena_integers(r->arena, (size_t)list->count);
    for (int i = 0; columns && i < list->count; i++) {
        const lmb_tree *node = list->items[i];
        char nearest[128];
        if (node->kind != LMB_TREE_TEXT)
            return lmb_fail_kind(&r->reader, node, "independent",
                                 "a list of coordinates such as crank.angle");
        columns[i] = lmb_find_column(r->model, node->text, nearest, sizeof nearest);
        if (columns[i] >= 0)
            continue;
        lmb_fail_at(r->context, node->place, "there is no coordinate '%s'", node->text);
        return *nearest
                   ? lmb_hint(r->context, "did you mean '%s'?", nearest)
                   : lmb_hint(r->context, "`limber matrices` lists the coordinates of a model");
    }
    out->independent = columns;
    out->independent_count = list->count;
    return columns ? LMB_OK : lmb_fail_memory(r->context);
}

lmb_status lmb_find_independent(lmb_builder *r, const lmb_tree *analyses)
{
    lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->analysis_count; i++) {
        const lmb_tree *list = lmb_tree_get(analyses->items[i], "independent");
        if (list && find_independent(r, list, &m->analyses[i].integration))
            status = LMB_BAD_INPUT;
    }
    return status;
}
