/* How a dynamic analysis is integrated: the keys of an analysis about that. */
#include "integrate/motion.h"
#include "model/fields.h"
#include "model/sections.h"

/* A key that means nothing with this integrator would be a misunderstanding. */
static lmb_status fail_useless(lmb_builder *r, const lmb_value *v, const char *key, const char *use)
{
    lmb_fail_at(r->context, v->place, "'%s' does not apply to this integrator", key);
    return lmb_hint(r->context, "%s", use);
}

static lmb_status read_explicit(lmb_builder *r, const lmb_analysis_keys *k, lmb_integration *out)
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
static lmb_status check_keys(lmb_builder *r, const lmb_analysis_keys *k, const lmb_integrator *i)
{
    static const char of_explicit[] = "it is for rk45, euler and adams";
    const struct {
        const char *name;
        const lmb_value *value;
        bool useful;
        const char *use;
    } keys[] = {
        {"step", &k->step, !i->controlled, "rk45 and ida choose their steps, by 'tolerance'"},
        {"tolerance", &k->tolerance, i->controlled || i->may_control,
         "euler and adams take steps of 'step'"},
        {"spectral_radius", &k->spectral_radius, i->damps,
         "it is for generalized-alpha, hht and newmark"},
        {"stabilisation", &k->stabilisation, !i->implicit, of_explicit},
        {"independent", &k->independent, !i->implicit, of_explicit},
        {"baumgarte", &k->baumgarte, !i->implicit, of_explicit},
        {"rotation_update", &k->rotation_update, !i->implicit, of_explicit}};
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (keys[n].value->given && !keys[n].useful)
            return fail_useless(r, keys[n].value, keys[n].name, keys[n].use);
    return LMB_OK;
}

lmb_status lmb_read_integration(lmb_builder *r, const lmb_analysis_keys *k, double output_step,
                                lmb_integration *out)
{
    *out = (lmb_integration){.integrator = r->model->kinds->integrators[0],
                             .spectral_radius = k->spectral_radius.number};
    for (int i = 0; i < r->model->body_count; i++) /* stiff */
        if (lmb_body_elasticity(&r->model->bodies[i]))
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
    bool given = k->tolerance.given;
    if (out->integrator->controlled || given)
        out->tolerance = given ? k->tolerance.number : 1e-9;
    double step = out->integrator->implicit && given ? output_step : output_step / 10;
    out->step = k->step.given ? k->step.number : step;
    return out->integrator->implicit ? LMB_OK : read_explicit(r, k, out);
}

/* The column of a velocity coordinate, such as "crank.angle", or -1 with a message. */
static int find_column(lmb_builder *r, const lmb_tree *node)
{
    if (node->kind != LMB_TREE_TEXT) {
        lmb_fail_kind(&r->reader, node, "independent", "a list of coordinates such as crank.angle");
        return -1;
    }
    char nearest[128];
    int column = lmb_find_column(r->model, node->text, nearest, sizeof nearest);
    if (column >= 0)
        return column;
    lmb_fail_at(r->context, node->place, "there is no coordinate '%s'", node->text);
    if (*nearest)
        lmb_hint(r->context, "did you mean '%s'?", nearest);
    else
        lmb_hint(r->context, "`limber matrices` lists the coordinates of a model");
    return -1;
}

static lmb_status find_independent(lmb_builder *r, const lmb_tree *list, lmb_integration *out)
{
    if (list->kind != LMB_TREE_LIST)
        return lmb_fail_kind(&r->reader, list, "independent",
                             "a list of coordinates such as [crank.angle]");
    int *columns = lmb_arena_alloc(r->arena, (size_t)list->count, sizeof *columns);
    if (!columns)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < list->count; i++) {
        columns[i] = find_column(r, list->items[i]);
        if (columns[i] < 0)
            return LMB_BAD_INPUT;
    }
    out->independent = columns;
    out->independent_count = list->count;
    return LMB_OK;
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
