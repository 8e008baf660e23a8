/* Degrees of freedom with the names of the equations that repeat others. */
#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "base/text.h"
#include "limber/linear.h"
#include "run/run.h"

/* The analysis as in which to count without a name: if none has all joints, the first; else none
 * (-1), which is with everything. */
static int usual_analysis(const lmb_model *m)
{
    for (int i = 0; i < m->analysis_count; i++)
        if (m->analyses[i].without.joint_count == 0)
            return -1;
    return m->analysis_count > 0 ? 0 : -1;
}

/* The names of the marked rows. */
static const char **name_marked(lmb_arena *arena, const lmb_model *m, const bool *marked,
                                int *count)
{
    const char **names = lmb_model_names(arena, m, m->nrows, lmb_row_name);
    *count = 0;
    for (int r = 0; r < m->nrows && names; r++)
        if (marked[r])
            names[(*count)++] = names[r];
    return names;
}

/* Return whether an analysis, or for -1 one with all joints and drivers, is of a motion. */
static bool is_of_motion(const lmb_model *m, int analysis)
{
    for (int i = 0; i < m->analysis_count; i++) {
        const lmb_analysis *a = &m->analyses[i];
        bool counted =
            analysis >= 0 ? i == analysis : !a->without.joint_count && !a->without.driver_count;
        if (counted && !a->kind->timeless)
            return true;
    }
    return false;
}

static lmb_status find(lmb_redundancy *o, lmb_solver *s, int analysis)
{
    const lmb_model *m = s->state->model;
    lmb_rank rank;
    if (analysis >= 0) {
        o->analysis = m->analyses[analysis].name;
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    }
    lmb_status status = lmb_assemble(s);
    if (status || (status = lmb_find_rank(s, &rank)))
        return status;
    if (is_of_motion(m, analysis) && (status = lmb_check_velocities(s, &rank)))
        return status;
    lmb_warn_redundant(s, &rank);
    o->counts = rank.counts;
    o->moved = s->moved ? lmb_text_format(o->arena, "%s", s->moved) : NULL;
    o->redundant = name_marked(o->arena, m, rank.dependent, &o->redundant_count);
    o->not_unique = name_marked(o->arena, m, rank.shared, &o->not_unique_count);
    return lmb_check_memory(s->context, o->arena);
}

lmb_status lmb_redundancy_find(lmb_redundancy *out, lmb_context *context, const lmb_model *model,
                               const char *analysis)
{
    LMB_REQUIRE(context, out, model);
    lmb_solver *s = NULL;
    *out = (lmb_redundancy){0};
    int index = analysis ? lmb_run_find(context, model, analysis) : usual_analysis(model);
    if (analysis && index < 0)
        return LMB_BAD_INPUT;
    out->arena = lmb_arena_new();
    lmb_status status = lmb_check_memory(context, out->arena);
    if (!status && !(status = lmb_solver_new(&s, context, model)))
        status = find(out, s, index);
    lmb_solver_free(s);
    if (status)
        lmb_redundancy_free(out);
    return status;
}

void lmb_redundancy_free(lmb_redundancy *redundancy)
{
    if (!redundancy)
        return;
    lmb_arena_free(redundancy->arena);
    *redundancy = (lmb_redundancy){0};
}
