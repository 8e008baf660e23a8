/* limber check: coordinates, constraints, degrees of freedom, redundant constraints. */
#include <stdio.h>
#include <string.h>

#include "analysis/assembly.h"
#include "analysis/mobility.h"
#include "base/text.h"
#include "base/json.h"
#include "cli/load.h"
#include "system/switch.h"

/* The analysis as in which to count: the named one; unless there is one that has all joints, the
 * first; else none (-1), which is with everything. */
static lmb_status find_analysis(const lmb_model *m, lmb_context *context, const char *name,
                                int *out)
{
    lmb_nearest nearest = lmb_nearest_start(name ? name : "");
    bool complete = m->analysis_count == 0;
    for (*out = 0; *out < m->analysis_count; (*out)++) {
        const lmb_analysis *x = &m->analyses[*out];
        if (name && strcmp(x->name, name) == 0)
            return LMB_OK;
        lmb_nearest_try(&nearest, x->name);
        complete = complete || x->without.joint_count == 0;
    }
    *out = complete ? -1 : 0;
    if (!name)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "%s has no analysis '%s'", m->file, name);
    lmb_nearest_hint(context, &nearest);
    return LMB_BAD_INPUT;
}

static void print_rows(const lmb_model *m, const bool *marked, const char *title)
{
    bool first = true;
    for (int r = 0; r < m->nrows; r++) {
        char name[128];
        if (!marked[r])
            continue;
        lmb_row_name(m, r, name, sizeof name);
        if (first)
            printf("  %-24s%s", title, name);
        else
            printf(", %s", name);
        first = false;
    }
    if (!first)
        printf("\n");
}

static void print_text(const lmb_model *m, const lmb_rank *rank, const char *file,
                       const char *analysis)
{
    const lmb_mobility *c = &rank->counts;
    printf("%s%s%s\n", file, m->title[0] ? ": " : "", m->title);
    if (analysis)
        printf("  %-24s%s\n", "as in the analysis", analysis);
    printf("  %-24s%d\n", "bodies", c->bodies);
    printf("  %-24s%d\n", "coordinates", c->coordinates);
    if (m->mode_count)
        printf("  %-24s%d\n", "  modal ones among them", m->mode_count);
    printf("  %-24s%d, with %d constraints\n", "joints", m->joint_count, c->joint_rows);
    printf("  %-24s%d\n", "drivers", c->driver_rows);
    printf("  %-24s%d\n", "degrees of freedom", c->free_undriven);
    printf("  %-24s%d\n", "left with the drivers", c->free);
    printf("  %-24s%d\n", "redundant constraints", c->redundant);
    print_rows(m, rank->dependent, "  these repeat others");
    print_rows(m, rank->shared, "  not unique there");
}

static void print_names(lmb_json *json, const lmb_model *m, const char *key, const bool *marked)
{
    lmb_json_open(json, key, '[');
    for (int r = 0; r < m->nrows; r++) {
        char name[128];
        if (!marked[r])
            continue;
        lmb_row_name(m, r, name, sizeof name);
        lmb_json_text(json, NULL, name);
    }
    lmb_json_close(json);
}

static void print_json(const lmb_model *m, const lmb_rank *rank, const char *analysis)
{
    const lmb_mobility *c = &rank->counts;
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "title", m->title);
    if (analysis)
        lmb_json_text(&json, "analysis", analysis);
    lmb_json_integer(&json, "bodies", c->bodies);
    lmb_json_integer(&json, "coordinates", c->coordinates);
    lmb_json_integer(&json, "joints", m->joint_count);
    lmb_json_integer(&json, "joint_constraints", c->joint_rows);
    lmb_json_integer(&json, "drivers", c->driver_rows);
    lmb_json_integer(&json, "rank", c->rank);
    lmb_json_integer(&json, "modal_coordinates", m->mode_count);
    lmb_json_integer(&json, "degrees_of_freedom", c->free_undriven);
    lmb_json_integer(&json, "degrees_of_freedom_driven", c->free);
    lmb_json_integer(&json, "redundant", c->redundant);
    print_names(&json, m, "redundant_equations", rank->dependent);
    print_names(&json, m, "not_unique", rank->shared);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m;
    lmb_solver *s = NULL;
    lmb_rank rank;
    int analysis = -1;
    lmb_status status = lmb_load_model(a, &m);
    if (!status)
        status = find_analysis(m, a->context, lmb_option_value(a, "--analysis"), &analysis);
    if (!status)
        status = lmb_solver_new(&s, a->context, m);
    const char *name = analysis >= 0 ? m->analyses[analysis].name : NULL;
    if (!status && name)
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    if (!status && !(status = lmb_assemble(s)) && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        if (a->json)
            print_json(m, &rank, name);
        else
            print_text(m, &rank, a->words[0], name);
    }
    lmb_solver_free(s);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    LMB_SET_OPTION,
    {"--analysis", NULL, "NAME", false, "Counts with what acts in this analysis."},
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_check = {
    .name = "check",
    .usage = "MODEL [--set NAME=VALUE]... [--analysis NAME] [--json]",
    .summary = "Checks a model: degrees of freedom, redundant constraints.",
    .doc = "Reads a model, closes its joints and counts: bodies, coordinates, constraints, degrees "
           "of freedom by the rank of the constraint Jacobian. Redundant constraints are named, "
           "and those whose forces are therefore not unique. Everything counts; if all analyses do "
           "without some joints, what acts in the first of them.",
    .examples = "limber check four-bar.yaml\n"
                "limber check slider-crank-flexible.yaml --analysis complete\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
