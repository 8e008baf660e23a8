/* limber help: the list of verbs, the help of one of them, the manual page, and the reference of
 * the model file. */
#include <stdio.h>
#include <string.h>

#include "bodies/shape.h"
#include "cli/print.h"
#include "forces/force.h"
#include "import/selection_keys.h"
#include "joints/joint.h"
#include "math/expr.h"
#include "model/fields.h"
#include "model/kinds.h"
#include "model/rotor_fields.h"

void lmb_print_help(FILE *out)
{
    fputs("Limber: multibody dynamics. A mechanism is written in one text file; Limber\n"
          "computes its motion and forces.\n\n"
          "usage: limber COMMAND ...\n\n",
          out);
    for (int i = 0; lmb_verbs[i]; i++) {
        fprintf(out, "  %-14s", lmb_verbs[i]->name);
        lmb_print_wrapped(out, lmb_verbs[i]->summary, 16, true);
    }
    fputs("\n`limber COMMAND --help` says more about a command.\n", out);
}

static void print_options(FILE *out, const lmb_verb *verb)
{
    int width = (int)strlen("--help");
    for (int pass = 0; pass < 2; pass++) { /* the first one for the width */
        if (pass)
            fputs("\noptions:\n", out);
        for (const lmb_option *o = verb->options; o && o->form; o++) {
            char text[80];
            bool many = lmb_option_split(o).many;
            snprintf(text, sizeof text, "%.*s", (int)(strlen(o->form) - (many ? 4 : 0)), o->form);
            int own = (int)strlen(text);
            if (!pass && o->doc[0])
                width = own > width && own <= 28 ? own : width;
            if (!pass || !o->doc[0])
                continue;
            fprintf(out, "  %-*s  ", width, text);
            if (own > width)
                fprintf(out, "\n%*s", width + 4, "");
            lmb_print_wrapped(out, o->doc, width + 4, true);
        }
    }
    fprintf(out, "  %-*s  Prints this help.\n", width, "--help");
}

void lmb_print_verb_help(FILE *out, const lmb_verb *verb)
{
    fprintf(out, "usage: limber %s %s\n\n", verb->name, verb->usage);
    lmb_print_wrapped(out, verb->doc, 0, false);
    print_options(out, verb);
    fputs("\nexamples:\n", out);
    for (const char *line = verb->examples; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

/* --- the manual page, in troff with the man macros -------------------------------------------- */

/* A text with what troff would take for itself escaped; newlines start new lines, empty lines
 * new paragraphs. */
static void put(FILE *out, const char *text)
{
    bool line_start = true;
    for (const char *c = text; *c; c++) {
        if (line_start && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        line_start = *c == '\n';
        if (c[0] == '\n' && c[1] == '\n') {
            fputs("\n.PP\n", out);
            c++;
        } else if (*c == '-' || *c == '\\') {
            fputs(*c == '-' ? "\\-" : "\\e", out);
        } else {
            putc(*c, out);
        }
    }
}

/* Texts one after the other, ended by NULL: of troff as they are, and every other one escaped. */
static void put_all(FILE *out, const char *const *texts)
{
    for (int i = 0; texts[i]; i++)
        if (i % 2)
            put(out, texts[i]);
        else
            fputs(texts[i], out);
}

static void put_verb(FILE *out, const lmb_verb *verb)
{
    put_all(out,
            (const char *[]){".SS \"", "limber ", "", verb->name, "\"\n\\fBlimber ", verb->name,
                             "\\fR ", verb->usage, "\n.PP\n", verb->doc, "\n", NULL});
    for (const lmb_option *o = verb->options; o && o->form; o++) {
        lmb_option_parts p = lmb_option_split(o);
        if (o->doc[0])
            put_all(out,
                    (const char *[]){".TP\n\\fB", p.letter, p.letter[0] ? "\\fR, \\fB" : "", p.name,
                                     p.argument[0] ? "\\fR \\fI" : "", p.argument, "\\fR\n", o->doc,
                                     p.many ? " May be given more than once.\n" : "\n", NULL});
    }
}

static void print_man(FILE *out)
{
    fprintf(out,
            ".TH LIMBER 1 \"\" \"limber %s\" \"User Commands\"\n.SH NAME\n"
            "limber \\- multibody dynamics\n.SH SYNOPSIS\n",
            lmb_version());
    for (int i = 0; lmb_verbs[i]; i++) {
        fprintf(out, ".B limber %s\n", lmb_verbs[i]->name);
        put(out, lmb_verbs[i]->usage);
        fputs("\n.br\n", out);
    }
    fputs(".SH DESCRIPTION\n"
          "Limber computes the motion and the forces of mechanisms. A mechanism \\- its bodies, "
          "joints, drivers and what is to be computed \\- is written in one text file, the model. "
          "A run leaves a result file, from which the numbers are taken as channels such as\n"
          ".BR crank.position .\n"
          "Data goes to the standard output, everything else to the standard error.\n"
          ".SH COMMANDS\n",
          out);
    for (int i = 0; lmb_verbs[i]; i++)
        put_verb(out, lmb_verbs[i]);
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nAll went well.\n"
        ".TP\n.B 1\nlimber compare \\-\\-tolerance found a larger difference.\n"
        ".TP\n.B 2\nThe command line was wrong.\n"
        ".TP\n.B 3\nThe model, or another input, was wrong.\n"
        ".TP\n.B 4\nThe solver failed, memory ran out, or the run was interrupted.\n"
        ".TP\n.B 5\nA file could not be read or written.\n"
        ".SH FILES\n"
        ".TP\n.I MODEL.yaml\nA model: YAML text.\n"
        ".TP\n.I RESULT.h5\nA result: an HDF5 file, with one data set per channel and the text of "
        "the model.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B NO_COLOR\nMessages are printed without colours.\n"
        ".SH EXAMPLES\n.nf\n",
        out);
    for (int i = 0; lmb_verbs[i]; i++)
        put(out, lmb_verbs[i]->examples);
    fputs(".fi\n", out);
}

/* --- the reference of the model file, as Markdown, made from the tables that read it ---------- */

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
    {"arc", "Of a beam with large deformation.", lmb_arc_fields},
    {"helix", "Of a beam with large deformation.", lmb_helix_fields},
    {"stations", "The section at a place of a beam with large deformation.", lmb_station_fields},
    {"framework", "Beams that share nodes.", lmb_framework_fields},
    {"members", "A beam of a framework.", lmb_member_fields},
    {"mesh", "A mesh that another program made.", lmb_mesh_fields},
    {"matrices", "Matrices that another program made.", lmb_matrices_fields},
    {"arrays", "Arrays of the program that runs the model; or their name alone.",
     lmb_arrays_fields},
    {"modal", "Modal matrices and integrals of the floating frame, without nodes.",
     lmb_modal_fields},
    {"material", "A material of one's own.", lmb_material_fields},
    {"materials", "A material of the file by name or number: the name of a material, or a map.",
     lmb_material_change_fields},
    {"interfaces",
     "An interface point is `start` or `end` of a beam, the name of a node, or a map.",
     lmb_interface_fields},
    {"cylinder", "Nodes on a cylinder.", lmb_select_cylinder_fields},
    {"plane", "Nodes in a plane.", lmb_select_plane_fields},
    {"box", "Nodes in a box with edges along the axes.", lmb_select_box_fields},
    {"faces", "Nodes of outer faces.", lmb_select_faces_fields},
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

static void print_expressions(FILE *out)
{
    fprintf(out, "## Expressions\n\nNumbers, parameters, vectors `[x, y, z]` with components `.x`, "
                 "`.y`, `.z`, operators `+ - * / ^`, comparisons, `and`, `or`, `not`, constants "
                 "`pi`, `deg` (pi/180), `rpm` (2 pi/60), and functions:\n\n"
                 "| function | meaning |\n|---|---|\n");
    for (const lmb_function_doc *f = lmb_expr_functions(); f->name; f++)
        fprintf(out, "| `%s(%s)` | %s |\n", f->name, f->arguments, f->doc);
}

static lmb_status print_reference(const lmb_arguments *a, FILE *out)
{
    const lmb_field *body = lmb_body_table(a->arena, &lmb_kinds_default, NULL);
    const lmb_field *analysis = lmb_analysis_table(a->arena, &lmb_kinds_default, true);
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
                  "## Flexible bodies\n\nA body with the key `beam`, `framework`, `mesh`, "
                  "`matrices` or `modal` is flexible.",
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
    print_section(
        out,
        "## objectives\n\nAn expression of the objectives before it and of parameters, or "
        "a map with one of the first seven keys.",
        lmb_objective_fields, NULL);
    fprintf(out, "## studies\n\n");
    for (const lmb_study_type *t = lmb_study_types; t->name; t++)
        print_table(out, t->name, t->doc, t->fields);
    print_section(out,
                  "A parameter that is varied has bounds `[lo, hi]`, in a sweep a list of numbers, "
                  "or a map with these keys:",
                  lmb_variable_fields, NULL);
    print_section(out, "A limit is a map with these keys:", lmb_limit_fields, NULL);
    print_section(out,
                  "## tables\n\nA table `lift` is used in expressions as a function, `lift(t)`.",
                  lmb_table_fields, NULL);
    print_expressions(out);
    return LMB_OK;
}

static lmb_status run(const lmb_arguments *a)
{
    const lmb_verb *verb = NULL;
    if (lmb_option_value(a, "--man"))
        print_man(stdout);
    else if (lmb_option_value(a, "--reference"))
        return print_reference(a, stdout);
    else if (a->count == 0)
        lmb_print_help(stdout);
    else if ((verb = lmb_verb_find(a->context, a->words[0])))
        lmb_print_verb_help(stdout, verb);
    else
        return LMB_USAGE;
    return LMB_OK;
}

/* what the build and the documentation are made with */
static const lmb_option options[] = {
    {"--man", ""}, {"--reference", "Prints all keys of the model file, as Markdown."}, {0}};

const lmb_verb lmb_verb_help = {
    .name = "help",
    .usage = "[COMMAND | --reference]",
    .summary = "Lists the commands, or explains one of them.",
    .doc = "Lists the commands, or explains one of them.",
    .examples = "limber help\n"
                "limber help get\n"
                "limber help --reference\n",
    .words = {0, 1},
    .options = options,
    .run = run,
};
