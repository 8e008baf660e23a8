/* limber check: coordinates, constraints, degrees of freedom, redundant constraints. */
#include <stdio.h>
#include <string.h>

#include "analysis/mobility.h"
#include "rotor/results.h"
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

static void print_rotor(const lmb_rotor *r, const lmb_rotor_counts *c)
{
    printf("  %-24s%d elements, %d degrees of freedom, %.6g kg\n", "rotor", c->elements,
           c->freedoms, c->mass);
    printf("  %-24s%d piece%s, %.6g m, %.6g kg\n", "  shaft", r->piece_count,
           r->piece_count == 1 ? "" : "s", c->length, c->shaft_mass);
    printf("  %-24s%d\n", "  discs", r->disc_count);
    printf("  %-24s%d\n", "  bearings", c->bearings);
    if (c->seals)
        printf("  %-24s%d\n", "  seals", c->seals);
    if (r->coupling_count)
        printf("  %-24s%d\n", "  couplings", r->coupling_count);
}

static void print_text(const lmb_model *m, const lmb_rank *rank, const char *file,
                       const char *analysis, const lmb_rotor_counts *rotor)
{
    const lmb_mobility *c = &rank->counts;
    printf("%s%s%s\n", file, m->title[0] ? ": " : "", m->title);
    if (m->rotor)
        print_rotor(m->rotor, rotor);
    if (m->rotor && m->body_count <= 1)
        return; /* there is no mechanism */
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

static void rotor_json(lmb_json *json, const lmb_rotor *r, const lmb_rotor_counts *c)
{
    lmb_json_open(json, "rotor", '{');
    lmb_json_put(json,
                 "elements %d, degrees_of_freedom %d, length %g, mass %g, shaft_mass %g, discs %d, "
                 "bearings %d, seals %d, couplings %d",
                 c->elements, c->freedoms, c->length, c->mass, c->shaft_mass, r->disc_count,
                 c->bearings, c->seals, r->coupling_count);
    lmb_json_close(json);
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

static void print_json(const lmb_model *m, const lmb_rank *rank, const char *analysis,
                       const lmb_rotor_counts *rotor)
{
    const lmb_mobility *c = &rank->counts;
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "title", m->title);
    if (analysis)
        lmb_json_text(&json, "analysis", analysis);
    lmb_json_put(
        &json,
        "bodies %d, coordinates %d, joints %d, joint_constraints %d, drivers %d, rank %d, "
        "modal_coordinates %d, degrees_of_freedom %d, degrees_of_freedom_driven %d, redundant %d",
        c->bodies, c->coordinates, m->joint_count, c->joint_rows, c->driver_rows, c->rank,
        m->mode_count, c->free_undriven, c->free, c->redundant);
    print_names(&json, m, "redundant_equations", rank->dependent);
    print_names(&json, m, "not_unique", rank->shared);
    if (m->rotor)
        rotor_json(&json, m->rotor, rotor);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m;
    lmb_solver *s = NULL;
    lmb_rank rank;
    lmb_rotor_counts rotor = {0};
    int analysis = -1;
    lmb_status status = lmb_load_model(a, &m);
    if (!status)
        status = find_analysis(m, a->context, lmb_option_value(a, "--analysis"), &analysis);
    if (!status)
        status = lmb_solver_new(&s, a->context, m);
    if (!status && m->rotor)
        status = lmb_rotor_count(a->context, m->rotor, &rotor);
    const char *name = analysis >= 0 ? m->analyses[analysis].name : NULL;
    if (!status && name)
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    if (!status && !(status = lmb_assemble(s)) && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        if (a->json)
            print_json(m, &rank, name, &rotor);
        else
            print_text(m, &rank, a->words[0], name, &rotor);
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
    .doc =
        "Reads a model, closes its joints and counts: bodies, coordinates, constraints, degrees "
        "of freedom by the rank of the constraint Jacobian. Redundant constraints are named, "
        "and those whose forces are therefore not unique. Everything counts; if all analyses do "
        "without some joints, what acts in the first of them. Of a rotor it lists elements, mass "
        "and parts.",
    .examples = "limber check four-bar.yaml\n"
                "limber check slider-crank-flexible.yaml --analysis complete\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
