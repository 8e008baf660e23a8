/* limber check: coordinates, constraints, degrees of freedom, redundant constraints. */
#include <stdio.h>

#include "base/json.h"
#include "cli/load.h"
#include "cli/print.h"
#include "limber/linear.h"
#include "rotor/rotor.h"
#include "system/model.h"

/* Names as a line of text behind a title. */
static void print_names(const char *title, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        if (i == 0)
            printf("  %-24s%s", title, names[i]);
        else
            printf(", %s", names[i]);
    if (count)
        printf("\n");
}

static void put_names(lmb_json *json, const char *key, int count, const char *const *names)
{
    lmb_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        lmb_json_text(json, NULL, names[i]);
    lmb_json_close(json);
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

static void print_text(const lmb_model *m, const lmb_redundancy *o, const char *file,
                       const lmb_rotor_system *rotor)
{
    const lmb_mobility *c = &o->counts;
    printf("%s%s", file, m->title[0] ? ": " : "");
    lmb_print_line("", m->title);
    if (m->rotor)
        print_rotor(rotor);
    if (m->rotor && m->body_count <= 1)
        return; /* there is no mechanism */
    if (o->analysis)
        printf("  %-24s%s\n", "as in the analysis", o->analysis);
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
    print_names("  these repeat others", o->redundant_count, o->redundant);
    print_names("  not unique there", o->not_unique_count, o->not_unique);
    if (o->moved)
        printf("  %s\n", o->moved);
}

static void print_json(const lmb_model *m, const lmb_redundancy *o, const lmb_rotor_system *rotor)
{
    const lmb_mobility *c = &o->counts;
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_text(&json, "title", m->title);
    if (o->analysis)
        lmb_json_text(&json, "analysis", o->analysis);
    lmb_json_put(
        &json,
        "bodies %d, coordinates %d, joints %d, joint_constraints %d, drivers %d, rank %d, "
        "modal_coordinates %d, degrees_of_freedom %d, degrees_of_freedom_driven %d, redundant %d",
        c->bodies, c->coordinates, m->joint_count, c->joint_rows, c->driver_rows, c->rank,
        m->mode_count, c->free_undriven, c->free, c->redundant);
    put_names(&json, "redundant_equations", o->redundant_count, o->redundant);
    put_names(&json, "not_unique", o->not_unique_count, o->not_unique);
    if (o->moved)
        lmb_json_text(&json, "moved", o->moved);
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
    lmb_redundancy o = {0};
    lmb_rotor_system *rotor = NULL;
    lmb_status status = lmb_load_model(a, &m);
    if (!status && m->rotor)
        status = lmb_rotor_system_new(&rotor, a->context, m->rotor);
    if (!status)
        status = lmb_redundancy_find(&o, a->context, m, lmb_option_value(a, "--analysis"));
    if (!status && a->json)
        print_json(m, &o, rotor);
    else if (!status)
        print_text(m, &o, a->words[0], rotor);
    lmb_redundancy_free(&o);
    lmb_rotor_system_free(rotor);
    return status;
}

static const lmb_option options[] = {
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {"--analysis NAME", "Counts the items active in this analysis."},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_check = {
    .name = "check",
    .usage = "MODEL [--set NAME=VALUE]... [--trust] [--analysis NAME] [--json]",
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
