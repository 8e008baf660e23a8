/* The reference of the model file as Markdown, made from the tables that read it. */
#include "cli/print.h"

#include "bodies/shape.h"
#include "forces/force.h"
#include "model/fields.h"
#include "model/kinds.h"
#include "model/rotor_fields.h"
#include "joints/joint.h"
#include "math/expr.h"

static void print_fields(FILE *out, const lmb_field *fields)
{
    if (!fields->name) {
        fprintf(out, "No keys of its own.\n\n");
        return;
    }
    fprintf(out, "| key | meaning | unit | default |\n|---|---|---|---|\n");
    for (const lmb_field *f = fields; f->name; f++) {
        const char *otherwise = f->required ? "required" : f->otherwise_doc ? f->otherwise_doc : "";
        fprintf(out, "| `%s` | %s", f->name, f->doc);
        if (f->type == LMB_FIELD_CHOICE)
            fprintf(out, " One of: %s.", f->choices);
        if (f->dimension)
            fprintf(out, f->dimension == 2 ? " (In the plane.)" : " (In space.)");
        fprintf(out, " | %s | %s |\n", f->unit ? f->unit : "", otherwise);
    }
    fprintf(out, "\n");
}

/* Keys below a title and a sentence. */
typedef struct table {
    const char *title, *text;
    const lmb_field *fields;
} table;

static const table flexible[] = {
    {"beam", "A beam of finite elements along a line.", lmb_beam_fields},
    {"mesh", "A mesh that another program made.", lmb_mesh_fields},
    {"matrices", "Matrices that another program made.", lmb_matrices_fields},
    {"modal", "Modal matrices and integrals of the floating frame, without nodes.",
     lmb_modal_fields},
    {"material", "A material of one's own.", lmb_material_fields},
    {"interfaces", "An interface point is `start` or `end` of a beam, or a map.",
     lmb_interface_fields},
    {"masses", "A point mass.", lmb_part_mass_fields},
    {"reduction", "How many modes, and the frame that they are relative to.", lmb_reduction_fields},
    {"damping", "A number, the ratio, or a map.", lmb_damping_fields},
    {"probes", "A place whose stresses are reported.", lmb_probe_fields},
    {"patches", "A patch over which forces are distributed.", lmb_patch_fields},
    {0},
};

static const table rotor[] = {
    {"shaft", "A segment of the shaft.", lmb_rotor_piece_fields},
    {"discs", "A disc, by its data or its size.", lmb_rotor_disc_fields},
    {"bearings, seals", "A bearing or a seal.", lmb_rotor_bearing_fields},
    {"support", "The support of a bearing.", lmb_rotor_support_fields},
    {"couplings", "A coupling.", lmb_rotor_coupling_fields},
    {"unbalances", "An unbalance.", lmb_rotor_unbalance_fields},
    {"probes", "A place.", lmb_rotor_probe_fields},
    {"run_up", "A run-up.", lmb_rotor_run_up_fields},
    {0},
};

static void print_table(FILE *out, const char *title, const char *text, const lmb_field *fields)
{
    fprintf(out, "### %s\n\n%s\n\n", title, text);
    print_fields(out, fields);
}

/* A section with a sentence about it, the keys of its own and those of its parts (or NULL). */
static void print_section(FILE *out, const char *text, const lmb_field *fields, const table *parts)
{
    fprintf(out, "%s\n\n", text);
    if (fields)
        print_fields(out, fields);
    for (const table *t = parts; t && t->title; t++)
        print_table(out, t->title, t->text, t->fields);
}

static void print_joints(FILE *out)
{
    static const char *const where[] = {"plane and space", "", "plane", "space"};
    print_section(out, "## joints", lmb_joint_fields, NULL);
    for (int i = 0; lmb_kinds_default.joints[i]; i++) {
        const lmb_joint_type *t = lmb_kinds_default.joints[i];
        fprintf(out, "### %s (%s)\n\n%s\n\n", t->name, where[t->dimension], t->doc);
        print_fields(out, t->fields);
    }
}

lmb_status lmb_print_reference(const lmb_arguments *a, FILE *out)
{
    const lmb_field *body = lmb_body_table(a->arena, &lmb_kinds_default, NULL);
    const lmb_field *analysis = lmb_analysis_table(a->arena, &lmb_kinds_default);
    if (!body || !analysis)
        return lmb_fail_memory(a->context);
    fprintf(out, "# The model file\n\n"
                 "A model is one YAML (or JSON) file. Any number may be an expression of the "
                 "parameters, such as `r/2*cos(60*deg)`; laws may also use the time `t`. All "
                 "quantities are in SI units, angles in radians.\n\n");
    print_fields(out, lmb_root_fields);
    print_section(out, "Besides its own keys, an entry of a section may have this one:",
                  lmb_repeat_fields, NULL);
    print_section(out, "## bodies", body, NULL);
    print_section(out, "A point is a vector, or a map with these keys:", lmb_point_fields, NULL);
    fprintf(out, "A shape is a map with one key, its kind, centred at the centre of mass:\n\n");
    for (const lmb_shape_type *t = lmb_shape_types; t->name; t++)
        print_table(out, t->name, t->doc, t->fields);
    print_section(out,
                  "## Flexible bodies\n\nA body with the key `beam`, `mesh`, `matrices` or `modal` "
                  "is flexible.",
                  NULL, flexible);
    fprintf(out, "The section of a beam is a map with one key, its kind:\n\n");
    for (const lmb_section_type *t = lmb_section_types; t->name; t++)
        print_table(out, t->name, t->doc, t->fields);
    print_joints(out);
    print_section(out, "## drivers", lmb_driver_fields, NULL);
    fprintf(out, "## forces\n\n");
    for (int i = 0; lmb_kinds_default.forces[i]; i++) {
        const lmb_force_type *t = lmb_kinds_default.forces[i];
        print_table(out, t->name, t->doc, t->fields);
    }
    fprintf(out, "## sensors\n\nAn expression of channels, or a map with one key, its kind:\n\n");
    for (const lmb_instrument_type *t = lmb_instrument_types; t->name; t++)
        print_table(out, t->name, t->doc, t->fields);
    print_section(out, "## events", lmb_event_fields, NULL);
    print_section(out, "## rotor\n\nA shaft along x that turns about x, for `limber rotor`.",
                  lmb_rotor_fields, rotor);
    print_section(out, "## analyses", analysis, NULL);
    print_section(out,
                  "## tables\n\nA table `lift` is used in expressions as a function, `lift(t)`.",
                  lmb_table_fields, NULL);
    fprintf(out, "## Expressions\n\nNumbers, parameters, vectors `[x, y, z]` with components `.x`, "
                 "`.y`, `.z`, operators `+ - * / ^`, comparisons, `and`, `or`, `not`, constants "
                 "`pi`, `deg` (pi/180), `rpm` (2 pi/60), and functions:\n\n"
                 "| function | meaning |\n|---|---|\n");
    for (const lmb_function_doc *f = lmb_expr_functions(); f->name; f++)
        fprintf(out, "| `%s(%s)` | %s |\n", f->name, f->arguments, f->doc);
    return LMB_OK;
}
