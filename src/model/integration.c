/* How a dynamic analysis is integrated: the keys of an analysis about that. */
#include "integrate/motion.h"
#include "model/fields.h"
#include "model/sections.h"

/* A key that means nothing with this integrator would be a misunderstanding. */
static lmb_status fail_useless(lmb_builder *r, const lmb_value *v, const char *key, const char *use)
{
    lmb_fail_at(r->context, v->place, "'%s' means nothing with this integrator", key);
    lmb_hint(r->context, "%s", use);
    return LMB_BAD_INPUT;
}

static lmb_status read_explicit(lmb_builder *r, const lmb_value *v, lmb_integration *out)
{
    const lmb_value *kind = &v[LMB_ANALYSIS_STABILISATION], *w = &v[LMB_ANALYSIS_BAUMGARTE];
    bool named = v[LMB_ANALYSIS_INDEPENDENT].given;
    if (kind->given)
        out->stabilisation = (lmb_stabilisation)kind->choice;
    else if (named)
        out->stabilisation = LMB_PARTITIONING;
    else if (w->given)
        out->stabilisation = LMB_BAUMGARTE;
    out->baumgarte = w->number;
    out->taylor = v[LMB_ANALYSIS_ROTATION_UPDATE].given && v[LMB_ANALYSIS_ROTATION_UPDATE].choice;
    if (named && out->stabilisation != LMB_PARTITIONING)
        return fail_useless(r, &v[LMB_ANALYSIS_INDEPENDENT], "independent",
                            "it goes with 'stabilisation: partitioning'");
    if (w->given && out->stabilisation != LMB_BAUMGARTE)
        return fail_useless(r, w, "baumgarte", "it goes with 'stabilisation: baumgarte'");
    return LMB_OK;
}

/* Refuses keys about steps and errors that belong to other integrators. */
static lmb_status check_keys(lmb_builder *r, const lmb_value *v, const lmb_integrator *i)
{
    const struct {
        enum lmb_analysis_field field;
        bool useful;
        const char *use;
    } keys[] = {
        {LMB_ANALYSIS_STEP, !i->controlled, "rk45 and ida choose their steps, by 'tolerance'"},
        {LMB_ANALYSIS_TOLERANCE, i->controlled || i->may_control,
         "euler and adams take steps of 'step'"},
        {LMB_ANALYSIS_SPECTRAL_RADIUS, i->damps, "it is for generalized-alpha, hht and newmark"}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (v[keys[k].field].given && !keys[k].useful)
            return fail_useless(r, &v[keys[k].field], lmb_analysis_fields[keys[k].field].name,
                                keys[k].use);
    return LMB_OK;
}

lmb_status lmb_read_integration(lmb_builder *r, const lmb_value *v, double output_step,
                                lmb_integration *out)
{
    static const enum lmb_analysis_field of_explicit[] = {
        LMB_ANALYSIS_STABILISATION, LMB_ANALYSIS_INDEPENDENT, LMB_ANALYSIS_BAUMGARTE,
        LMB_ANALYSIS_ROTATION_UPDATE};
    *out = (lmb_integration){.integrator = lmb_integrators[0],
                             .spectral_radius = v[LMB_ANALYSIS_SPECTRAL_RADIUS].number};
    for (int i = 0; i < r->model->body_count; i++) /* stiff */
        if (r->model->bodies[i].modal)
            out->integrator = &lmb_integrator_alpha;
    if (v[LMB_ANALYSIS_INTEGRATOR].given)
        out->integrator = lmb_integrators[v[LMB_ANALYSIS_INTEGRATOR].choice];
    if (check_keys(r, v, out->integrator))
        return LMB_BAD_INPUT;
    bool implicit = out->integrator->implicit, given = v[LMB_ANALYSIS_TOLERANCE].given;
    double least = out->integrator->least_radius;
    if (out->spectral_radius > 1 || out->spectral_radius < least)
        return lmb_fail_at(r->context, v[LMB_ANALYSIS_SPECTRAL_RADIUS].place,
                           "'spectral_radius' must be between %g and 1, but is %g", least,
                           out->spectral_radius);
    if (out->integrator->controlled || given)
        out->tolerance = given ? v[LMB_ANALYSIS_TOLERANCE].number : 1e-9;
    double step = implicit && given ? output_step : output_step / 10;
    out->step = v[LMB_ANALYSIS_STEP].given ? v[LMB_ANALYSIS_STEP].number : step;
    if (!implicit)
        return read_explicit(r, v, out);
    for (size_t i = 0; i < sizeof of_explicit / sizeof of_explicit[0]; i++)
        if (v[of_explicit[i]].given)
            return fail_useless(r, &v[of_explicit[i]], lmb_analysis_fields[of_explicit[i]].name,
                                "it is for rk45, euler and adams");
    return LMB_OK;
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
