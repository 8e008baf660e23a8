/* limber check: coordinates, constraints, degrees of freedom, redundant constraints. */
#include <stdio.h>

#include "analysis/mobility.h"
#include "base/json.h"
#include "cli/load.h"
#include "rotor/rotor.h"
#include "run/run.h"
#include "system/state.h"

/* The analysis as in which to count without a name: if none has all joints, the first; else none
 * (-1), which is with everything. */
static int usual_analysis(const lmb_model *m)
{
    for (int i = 0; i < m->analysis_count; i++)
        if (m->analyses[i].without.joint_count == 0)
            return -1;
    return m->analysis_count > 0 ? 0 : -1;
}

/* The names of the marked rows, as a line of text behind a title or as JSON. */
static void print_rows(lmb_json *json, const lmb_model *m, const char *title, const bool *marked)
{
    int count = 0;
    if (json)
        lmb_json_open(json, title, '[');
    for (int r = 0; r < m->nrows; r++) {
        char name[128];
        if (!marked[r])
            continue;
        lmb_row_name(m, r, name, sizeof name);
        if (json)
            lmb_json_text(json, NULL, name);
        else if (count++ == 0)
            printf("  %-24s%s", title, name);
        else
            printf(", %s", name);
    }
    if (json)
        lmb_json_close(json);
    else if (count)
        printf("\n");
}

static void print_count(const char *title, int count)
{
    printf("  %-24s%d\n", title, count);
}

static void print_rotor(const lmb_rotor_system *s)
{
    const lmb_rotor *r = s->rotor;
    printf("  %-24s%d elements, %d degrees of freedom, %.6g kg\n", "rotor", s->element_count,
           2 * s->scalars, s->kg);
    printf("  %-24s%d piece%s, %.6g m, %.6g kg\n", "  shaft", r->piece_count,
           r->piece_count == 1 ? "" : "s", s->length, s->shaft_kg);
    print_count("  discs", r->disc_count);
    print_count("  bearings", r->bearing_count - s->seal_count);
    if (s->seal_count)
        print_count("  seals", s->seal_count);
    if (r->coupling_count)
        print_count("  couplings", r->coupling_count);
}

static void print_text(const lmb_model *m, const lmb_rank *rank, const char *file,
                       const char *analysis, const lmb_rotor_system *rotor)
{
    const lmb_mobility *c = &rank->counts;
    printf("%s%s%s\n", file, m->title[0] ? ": " : "", m->title);
    if (m->rotor)
        print_rotor(rotor);
    if (m->rotor && m->body_count <= 1)
        return; /* there is no mechanism */
    if (analysis)
        printf("  %-24s%s\n", "as in the analysis", analysis);
    print_count("bodies", c->bodies);
    print_count("coordinates", c->coordinates);
    if (m->mode_count)
        print_count("  modal ones among them", m->mode_count);
    int own = 0; /* constraints that bodies bring along */
    for (int i = 0; i < m->body_count; i++)
        own += m->bodies[i].row_count;
    printf("  %-24s%d, with %d constraints\n", "joints", m->joint_count, c->joint_rows - own);
    if (own)
        print_count("constraints of bodies", own);
    print_count("drivers", c->driver_rows);
    print_count("degrees of freedom", c->free_undriven);
    print_count("left with the drivers", c->free);
    print_count("redundant constraints", c->redundant);
    print_rows(NULL, m, "  these repeat others", rank->dependent);
    print_rows(NULL, m, "  not unique there", rank->shared);
}

static void print_json(const lmb_model *m, const lmb_rank *rank, const char *analysis,
                       const lmb_rotor_system *rotor)
{
    const lmb_mobility *c = &rank->counts;
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_text(&json, "title", m->title);
    if (analysis)
        lmb_json_text(&json, "analysis", analysis);
    lmb_json_put(
        &json,
        "bodies %d, coordinates %d, joints %d, joint_constraints %d, drivers %d, rank %d, "
        "modal_coordinates %d, degrees_of_freedom %d, degrees_of_freedom_driven %d, redundant %d",
        c->bodies, c->coordinates, m->joint_count, c->joint_rows, c->driver_rows, c->rank,
        m->mode_count, c->free_undriven, c->free, c->redundant);
    print_rows(&json, m, "redundant_equations", rank->dependent);
    print_rows(&json, m, "not_unique", rank->shared);
    if (m->rotor) {
        lmb_json_open(&json, "rotor", '{');
        lmb_json_put(&json,
                     "elements %d, degrees_of_freedom %d, length %g, mass %g, shaft_mass %g, "
                     "discs %d, bearings %d, seals %d, couplings %d",
                     rotor->element_count, 2 * rotor->scalars, rotor->length, rotor->kg,
                     rotor->shaft_kg, m->rotor->disc_count,
                     m->rotor->bearing_count - rotor->seal_count, rotor->seal_count,
                     m->rotor->coupling_count);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m;
    lmb_solver *s = NULL;
    lmb_rank rank;
    lmb_rotor_system *rotor = NULL;
    const char *wanted = lmb_option_value(a, "--analysis");
    lmb_status status = lmb_load_model(a, &m);
    if (status)
        return status;
    int analysis = wanted ? lmb_run_find(a->context, m, wanted) : usual_analysis(m);
    if (wanted && analysis < 0)
        return LMB_BAD_INPUT;
    status = lmb_solver_new(&s, a->context, m);
    if (!status && m->rotor)
        status = lmb_rotor_system_new(&rotor, a->context, m->rotor);
    const char *name = analysis >= 0 ? m->analyses[analysis].name : NULL;
    if (!status && name)
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    if (!status && !(status = lmb_assemble(s)) && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        if (a->json)
            print_json(m, &rank, name, rotor);
        else
            print_text(m, &rank, a->words[0], name, rotor);
    }
    lmb_rotor_system_free(rotor);
    lmb_solver_free(s);
    return status;
}

static const lmb_option options[] = {
    {LMB_SET_OPTION},
    {"--analysis NAME", "Counts the items active in this analysis."},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_check = {
    .name = "check",
    .usage = "MODEL [--set NAME=VALUE]... [--analysis NAME] [--json]",
    .summary = "Checks a model: degrees of freedom, redundant constraints.",
    .doc = "Reads and assembles a model and counts bodies, coordinates, constraints, degrees of "
           "freedom by the rank of the constraint Jacobian. Redundant constraints are named, and "
           "joints whose reactions are therefore not unique. All items are counted; if every "
           "analysis has inactive joints, those active in the first. For a rotor it lists "
           "elements, mass and components.",
    .examples = "limber check four-bar.yaml\n"
                "limber check slider-crank-flexible.yaml --analysis motion\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
