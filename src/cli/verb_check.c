/* limber check: coordinates, constraints, degrees of freedom, redundant constraints. */
#include <stdio.h>

#include "analysis/assembly.h"
#include "analysis/mobility.h"
#include "cli/json.h"
#include "cli/load.h"

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

static void print_text(const lmb_model *m, const lmb_rank *rank, const char *file)
{
    const lmb_mobility *c = &rank->counts;
    printf("%s%s%s\n", file, m->title[0] ? ": " : "", m->title);
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

static void print_json(const lmb_model *m, const lmb_rank *rank)
{
    const lmb_mobility *c = &rank->counts;
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "title", m->title);
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
    lmb_status status = lmb_load_model(a, &m);
    if (!status)
        status = lmb_solver_new(&s, a->context, m);
    if (!status && !(status = lmb_assemble(s)) && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        if (a->json)
            print_json(m, &rank);
        else
            print_text(m, &rank, a->words[0]);
    }
    lmb_solver_free(s);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_check = {
    .name = "check",
    .usage = "MODEL [--set NAME=VALUE]... [--json]",
    .summary = "Checks a model: degrees of freedom, redundant constraints.",
    .doc = "Reads a model, closes its joints and counts: bodies, coordinates, constraints, degrees "
           "of freedom by the rank of the constraint Jacobian. Redundant constraints are named, "
           "and those whose forces are therefore not unique.",
    .examples = "limber check four-bar.yaml\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
