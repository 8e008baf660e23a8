/* limber schema: a JSON Schema of the model file for editors, made from the tables that read it. */
#include <stdio.h>
#include <string.h>

#include "bodies/shape.h"
#include "base/json.h"
#include "cli/verb.h"
#include "forces/force.h"
#include "import/selection_keys.h"
#include "joints/joint.h"
#include "model/fields.h"
#include "model/kinds.h"
#include "model/rotor_fields.h"

static void reference(lmb_json *j, const char *key, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    if (key)
        lmb_json_open_flat(j, key, '{');
    lmb_json_text(j, "$ref", path);
    if (key)
        lmb_json_close(j);
}

/* The form of the values of a field. */
static void field_form(lmb_json *j, const lmb_field *f)
{
    static const char *const forms[] = {
        [LMB_FIELD_NUMBER] = "number",   [LMB_FIELD_VECTOR] = "vector",
        [LMB_FIELD_NUMBERS] = "numbers", [LMB_FIELD_LAW] = "number",
        [LMB_FIELD_END] = "end",         [LMB_FIELD_ENDS] = "ends",
        [LMB_FIELD_JOINTS] = "names",
    };
    char doc[1024];
    snprintf(doc, sizeof doc, "%s%s%s%s%s%s%s", f->doc, f->unit ? " Unit: " : "",
             f->unit ? f->unit : "", f->unit ? "." : "", f->otherwise_doc ? " Default: " : "",
             f->otherwise_doc ? f->otherwise_doc : "", f->otherwise_doc ? "." : "");
    lmb_json_text(j, "description", doc);
    if (f->type == LMB_FIELD_CHOICE) {
        lmb_json_open(j, "anyOf", '[');
        lmb_json_open(j, NULL, '{');
        lmb_json_open_flat(j, "enum", '[');
        for (const char *c = f->choices; *c;) {
            char word[32];
            size_t length = strcspn(c, " ");
            snprintf(word, sizeof word, "%.*s", (int)length, c);
            lmb_json_text(j, NULL, word);
            c += length + (c[length] == ' ');
        }
        lmb_json_close(j);
        lmb_json_close(j);
        lmb_json_open(j, NULL, '{');
        lmb_json_text(j, "pattern", "^if\\(");
        lmb_json_close(j);
        lmb_json_close(j);
    } else if (f->type == LMB_FIELD_FLAG) {
        lmb_json_raw(j, "type", "[\"boolean\", \"string\"]"); /* or an expression */
    } else if (f->type == LMB_FIELD_TEXT || f->type == LMB_FIELD_NAME) {
        lmb_json_text(j, "type", "string");
    } else if (f->type == LMB_FIELD_TREE) {
        reference(j, NULL, f->choices);
    } else {
        reference(j, NULL, forms[f->type]);
    }
}

static void properties(lmb_json *j, const lmb_field *fields)
{
    for (const lmb_field *f = fields; f->name; f++) {
        lmb_json_open(j, f->name, '{');
        field_form(j, f);
        lmb_json_close(j);
    }
}

/* A kind of joint or force; `between` where it connects two ends. */
typedef struct kind {
    const char *name, *doc;
    bool between;
} kind;

/* The members of an object with the fields of a table, after those of a kind (or NULL), and no
 * others (but "repeat" for an entry that may be). */
static void object(lmb_json *j, const lmb_field *fields, const kind *k, bool repeat)
{
    if (k)
        lmb_json_text(j, "description", k->doc);
    lmb_json_put(j, "type %s, additionalProperties %hhd", "object", (bool)false);
    lmb_json_open(j, "properties", '{');
    if (k)
        lmb_json_object(j, "type", "const %s", k->name);
    if (k && k->between) {
        lmb_json_open(j, "between", '{');
        field_form(j, &lmb_joint_fields[1]); /* between */
        lmb_json_close(j);
    }
    properties(j, fields);
    if (repeat)
        properties(j, lmb_repeat_fields);
    lmb_json_close(j);
    lmb_json_open_flat(j, "required", '[');
    if (k)
        lmb_json_text(j, NULL, "type");
    if (k && k->between)
        lmb_json_text(j, NULL, "between");
    for (const lmb_field *f = fields; f->name; f++)
        if (f->required)
            lmb_json_text(j, NULL, f->name);
    lmb_json_close(j);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* What a form is: JSON as it stands; a list of values of another form; an object with the fields of
 * a table; a number or expression, or a list, or an object; a map of any names to values of another
 * form, or to such objects ("one_NAME"), which may be repeated; a map with one key, the kind; or
 * one of the kinds of joints or forces. */
typedef enum form_kind {
    JSON,
    LIST,
    OBJECT,
    EITHER,
    MAP,
    ENTRIES,
    SHAPES,
    SECTIONS,
    INSTRUMENTS,
    JOINTS,
    FORCES,
    STUDIES
} form_kind;

typedef struct form {
    const char *name;
    form_kind kind;
    const char *of;          /* the other form, or the JSON */
    int least, most;         /* items of a list */
    const lmb_field *fields; /* of the object */
} form;

enum { MANY = 100000 };

#define NUMBER "{\"type\": [\"number\", \"string\"]}"

static const form forms[] = {
    {"number", JSON, .of = NUMBER},
    {"vector", EITHER, .of = "number", .least = 2, .most = 3},
    {"numbers_or_rows", JSON, .of = "{\"type\": [\"number\", \"string\", \"array\"]}"},
    {"numbers", EITHER, .of = "numbers_or_rows", .least = 1, .most = 9},
    {"end", EITHER, .of = "number", .least = 2, .most = 3},
    {"direction", EITHER, .of = "number", .least = 2, .most = 3},
    {"ends", LIST, .of = "end", .least = 2, .most = 2},
    {"four", LIST, .of = "number", .least = 4, .most = 4},
    {"axes", LIST, .of = "vector", .least = 2, .most = 2},
    {"name", JSON, .of = "{\"type\": \"string\"}"},
    {"names", LIST, .of = "name", .least = 2, .most = 2},
    {"any_names", LIST, .of = "name"},
    {"range", LIST, .of = "number", .least = 2, .most = 2},
    {"ranges", MAP, .of = "range"},
    {"pairs", LIST, .of = "vector"},
    {"parameter_values", MAP, .of = "vector"},
    {"shape", SHAPES, .of = NULL},

    {"section", SECTIONS, .of = NULL},
    {"material", EITHER, .fields = lmb_material_fields},
    {"material_change", EITHER, .fields = lmb_material_change_fields},
    {"material_changes", MAP, .of = "material_change"},
    {"node_set", EITHER, .of = "number", .least = 1, .most = MANY},
    {"place", EITHER, .of = "number", .least = 1, .most = MANY},
    {"select_cylinder", OBJECT, .fields = lmb_select_cylinder_fields},
    {"select_plane", OBJECT, .fields = lmb_select_plane_fields},
    {"select_box", OBJECT, .fields = lmb_select_box_fields},
    {"select_faces", OBJECT, .fields = lmb_select_faces_fields},
    {"interface", EITHER, .fields = lmb_interface_fields},
    {"keep", EITHER, .of = "number", .least = 1, .most = MANY, .fields = lmb_keep_fields},
    {"body_frame", EITHER, .fields = lmb_frame_fields},
    {"ratios", EITHER, .of = "number", .least = 1, .most = MANY},
    {"damping", EITHER, .fields = lmb_damping_fields},
    {"arc", OBJECT, .fields = lmb_arc_fields},
    {"helix", OBJECT, .fields = lmb_helix_fields},
    {"station", OBJECT, .fields = lmb_station_fields},
    {"stations", LIST, .of = "station", .least = 1, .most = MANY},
    {"beam", OBJECT, .fields = lmb_beam_fields},
    {"framework_node", EITHER, .of = "number", .least = 2, .most = 3,
     .fields = lmb_framework_node_fields},
    {"framework_nodes", MAP, .of = "framework_node"},
    {"members", ENTRIES, .fields = lmb_member_fields},
    {"framework", OBJECT, .fields = lmb_framework_fields},
    {"mesh", OBJECT, .fields = lmb_mesh_fields},
    {"matrices", OBJECT, .fields = lmb_matrices_fields},
    {"arrays", EITHER, .fields = lmb_arrays_fields},
    {"nested", EITHER, .of = "nested", .least = 1, .most = MANY},
    {"modal", OBJECT, .fields = lmb_modal_fields},
    {"reduction", OBJECT, .fields = lmb_reduction_fields},
    {"point_mass", OBJECT, .fields = lmb_part_mass_fields},
    {"interfaces", MAP, .of = "interface"},
    {"point_masses", MAP, .of = "point_mass"},

    {"speed_matrix", EITHER, .of = "number", .least = 1, .most = 4},
    {"rotor", OBJECT, .fields = lmb_rotor_fields},
    {"rotor_piece", OBJECT, .fields = lmb_rotor_piece_fields},
    {"rotor_pieces", LIST, .of = "rotor_piece", .least = 1, .most = MANY},
    {"rotor_support", OBJECT, .fields = lmb_rotor_support_fields},
    {"rotor_run_up", OBJECT, .fields = lmb_rotor_run_up_fields},
    {"rotor_disc", ENTRIES, .fields = lmb_rotor_disc_fields},
    {"rotor_bearing", ENTRIES, .fields = lmb_rotor_bearing_fields},
    {"rotor_coupling", ENTRIES, .fields = lmb_rotor_coupling_fields},
    {"rotor_unbalance", ENTRIES, .fields = lmb_rotor_unbalance_fields},
    {"rotor_probe", ENTRIES, .fields = lmb_rotor_probe_fields},

    {"probe", OBJECT, .fields = lmb_probe_fields},
    {"probes", MAP, .of = "probe"},
    {"patch", OBJECT, .fields = lmb_patch_fields},
    {"patches", MAP, .of = "patch"},
    {"instrument", INSTRUMENTS, .of = NULL},
    {"sensor", JSON,
     .of = "{\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, {\"$ref\": \"#/$defs/instrument\"}]}"},
    {"sensors", MAP, .of = "sensor"},

    {"objective", EITHER, .fields = lmb_objective_fields},
    {"objectives", MAP, .of = "objective"},

    {"any_numbers", LIST, .of = "number"},
    {"objective_names", JSON,
     .of = "{\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/any_names\"}]}"},
    {"variable", EITHER, .of = "number", .least = 2, .most = 2, .fields = lmb_variable_fields},
    {"variables", MAP, .of = "variable"},
    {"sweep_variable", EITHER, .of = "number", .least = 1, .most = MANY,
     .fields = lmb_variable_fields},
    {"sweep_variables", MAP, .of = "sweep_variable"},
    {"unknown", JSON,
     .of = "{\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": \"#/$defs/variable\"}]}"},
    {"unknown_map", MAP, .of = "unknown"},
    {"unknowns", JSON,
     .of = "{\"anyOf\": [{\"$ref\": \"#/$defs/any_names\"}, {\"$ref\": "
           "\"#/$defs/unknown_map\"}]}"},
    {"fit_columns", JSON,
     .of = "{\"anyOf\": [{\"$ref\": \"#/$defs/any_names\"}, {\"$ref\": "
           "\"#/$defs/parameter_values\"}]}"},
    {"limit", OBJECT, .fields = lmb_limit_fields},
    {"limits", MAP, .of = "limit"},

    {"initial_value", JSON, .of = "{\"anyOf\": [" NUMBER ", {\"type\": \"object\"}]}"},
    {"initial_values", MAP, .of = "initial_value"},

    {"point", EITHER, .of = "number", .least = 2, .most = 3, .fields = lmb_point_fields},
    {"body", ENTRIES, .fields = lmb_body_fields},
    {"driver", ENTRIES, .fields = lmb_driver_fields},
    {"event", ENTRIES, .fields = lmb_event_fields},
    {"analysis", ENTRIES, .fields = lmb_analysis_fields},
    {"table", ENTRIES, .fields = lmb_table_fields},
    {"one_joint", JOINTS, .of = NULL},
    {"one_force", FORCES, .of = NULL},
    {"one_study", STUDIES, .of = NULL},
    {"points", MAP, .of = "point"},
    {"joint", MAP, .of = "one_joint"},
    {"force", MAP, .of = "one_force"},
    {"studies", MAP, .of = "one_study"},
};

/* The members of a list of values of a form. */
static void list_of(lmb_json *j, const char *key, const form *f)
{
    lmb_json_open_flat(j, key, '{');
    lmb_json_text(j, "type", "array");
    reference(j, "items", f->of);
    if (f->most > 0)
        lmb_json_put(j, "minItems %d, maxItems %d", f->least, f->most);
    lmb_json_close(j);
}

static void object_of(lmb_json *j, const char *key, const lmb_field *fields, const kind *k,
                      bool repeat)
{
    lmb_json_open(j, key, '{');
    object(j, fields, k, repeat);
    lmb_json_close(j);
}

static void either(lmb_json *j, const form *f)
{
    lmb_json_open(j, "anyOf", '[');
    lmb_json_raw(j, NULL, NUMBER);
    if (f->of)
        list_of(j, NULL, f);
    if (f->fields)
        object_of(j, NULL, f->fields, NULL,
                  f->fields == lmb_point_fields || f->fields == lmb_framework_node_fields);
    lmb_json_close(j);
}

/* A map with one key, the kind, and its fields. */
static void choice(lmb_json *j, form_kind of)
{
    lmb_json_put(j, "type %s, minProperties %d, maxProperties %d, additionalProperties %hhd",
                 "object", 1, 1, (bool)false);
    lmb_json_open(j, "properties", '{');
    for (const lmb_shape_type *t = lmb_shape_types; t->name && of == SHAPES; t++)
        object_of(j, t->name, t->fields, NULL, false);
    for (const lmb_section_type *t = lmb_section_types; t->name && of == SECTIONS; t++)
        object_of(j, t->name, t->fields, NULL, false);
    for (const lmb_instrument_type *t = lmb_instrument_types; t->name && of == INSTRUMENTS; t++)
        object_of(j, t->name, t->fields, NULL, false);
    lmb_json_close(j);
}

static void kinds(lmb_json *j, form_kind of)
{
    lmb_json_open(j, "oneOf", '[');
    for (const lmb_joint_type *const *t = lmb_kinds_default.joints; *t && of == JOINTS; t++)
        object_of(j, NULL, (*t)->fields, &(kind){(*t)->name, (*t)->doc, !(*t)->coupling}, true);
    for (const lmb_force_type *const *t = lmb_kinds_default.forces; *t && of == FORCES; t++)
        object_of(j, NULL, (*t)->fields, &(kind){(*t)->name, (*t)->doc, false}, true);
    for (const lmb_study_type *t = lmb_study_types; t->name && of == STUDIES; t++)
        object_of(j, NULL, t->fields, &(kind){t->name, t->doc, false}, true);
    lmb_json_close(j);
}

static void define(lmb_json *j, const form *f)
{
    char entry[64];
    snprintf(entry, sizeof entry, "one_%s", f->name);
    if (f->kind == JSON)
        lmb_json_raw(j, f->name, f->of);
    else if (f->kind == LIST)
        list_of(j, f->name, f);
    else if (f->kind == OBJECT)
        object_of(j, f->name, f->fields, NULL, false);
    if (f->kind <= OBJECT)
        return;
    if (f->kind == ENTRIES)
        object_of(j, entry, f->fields, NULL, true);
    lmb_json_open(j, f->name, '{');
    if (f->kind == EITHER) {
        either(j, f);
    } else if (f->kind == MAP || f->kind == ENTRIES) {
        lmb_json_text(j, "type", "object");
        reference(j, "additionalProperties", f->of ? f->of : entry);
    } else if (f->kind >= JOINTS) {
        kinds(j, f->kind);
    } else {
        choice(j, f->kind);
    }
    lmb_json_close(j);
}

static lmb_status run(const lmb_arguments *a)
{
    const lmb_field *body = lmb_body_table(a->arena, &lmb_kinds_default, NULL);
    const lmb_field *analysis = lmb_analysis_table(a->arena, &lmb_kinds_default, true);
    if (!body || !analysis)
        return lmb_fail_memory(a->context);
    lmb_json json = lmb_json_start_object(stdout), *j = &json;
    lmb_json_put(j, "$schema %s, title %s", "https://json-schema.org/draft/2020-12/schema",
                 "Limber model");
    object(j, lmb_root_fields, NULL, false);
    lmb_json_open(j, "$defs", '{');
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        form f = forms[i]; /* with the keys and words of all kinds */
        f.fields = f.fields == lmb_body_fields       ? body
                   : f.fields == lmb_analysis_fields ? analysis
                                                     : f.fields;
        define(j, &f);
    }
    lmb_json_end(j);
    return LMB_OK;
}

const lmb_verb lmb_verb_schema = {
    .name = "schema",
    .usage = "",
    .summary = "Prints the JSON Schema of the model file, for editors.",
    .doc = "Prints a JSON Schema with which editors complete and check model files.",
    .examples = "limber schema > limber.schema.json\n",
    .words = {0, 0},
    .run = run,
};
