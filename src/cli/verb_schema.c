/* limber schema: a JSON Schema of the model file for editors, made from the tables that read it. */
#include <stdio.h>
#include <string.h>

#include "bodies/shape.h"
#include "base/json.h"
#include "cli/verb.h"
#include "forces/force.h"
#include "model/flexible_fields.h"
#include "model/fields.h"
#include "model/rotor_fields.h"
#include "model/sensor_fields.h"
#include "joints/joint.h"

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
    char doc[512];
    snprintf(doc, sizeof doc, "%s%s%s%s%s%s%s", f->doc, f->unit ? " Unit: " : "",
             f->unit ? f->unit : "", f->unit ? "." : "", f->otherwise_doc ? " Default: " : "",
             f->otherwise_doc ? f->otherwise_doc : "", f->otherwise_doc ? "." : "");
    lmb_json_text(j, "description", doc);
    if (f->type == LMB_FIELD_CHOICE) {
        lmb_json_open_flat(j, "enum", '[');
        for (const char *c = f->choices; *c;) {
            char word[32];
            size_t length = strcspn(c, " ");
            snprintf(word, sizeof word, "%.*s", (int)length, c);
            lmb_json_text(j, NULL, word);
            c += length + (c[length] == ' ');
        }
        lmb_json_close(j);
    } else if (f->type == LMB_FIELD_FLAG) {
        lmb_json_open_flat(j, "type", '[');
        lmb_json_text(j, NULL, "boolean");
        lmb_json_text(j, NULL, "string"); /* a parameter */
        lmb_json_close(j);
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

static void required(lmb_json *j, const lmb_field *fields, const char *first, const char *second)
{
    lmb_json_open_flat(j, "required", '[');
    if (first)
        lmb_json_text(j, NULL, first);
    if (second)
        lmb_json_text(j, NULL, second);
    for (const lmb_field *f = fields; f->name; f++)
        if (f->required)
            lmb_json_text(j, NULL, f->name);
    lmb_json_close(j);
}

/* An object with the fields of a table and no others (but "repeat" for an entry that may be). */
static void object(lmb_json *j, const char *key, const lmb_field *fields)
{
    if (key)
        lmb_json_open(j, key, '{');
    lmb_json_put(j, "type %s, additionalProperties %hhd", "object", false);
    lmb_json_open(j, "properties", '{');
    properties(j, fields);
    if (fields == lmb_point_fields || (key && strncmp(key, "one_", 4) == 0))
        properties(j, lmb_repeat_fields);
    lmb_json_close(j);
    required(j, fields, NULL, NULL);
    if (key)
        lmb_json_close(j);
}

/* One kind of joint or force; `between` where it connects two ends. */
static void kind(lmb_json *j, const char *name, const char *doc, const lmb_field *fields,
                 bool between)
{
    lmb_json_open(j, NULL, '{');
    lmb_json_put(j, "description %s, type %s, additionalProperties %hhd", doc, "object", false);
    lmb_json_open(j, "properties", '{');
    lmb_json_open_flat(j, "type", '{');
    lmb_json_text(j, "const", name);
    lmb_json_close(j);
    if (between) {
        lmb_json_open(j, "between", '{');
        field_form(j, &lmb_joint_fields[1]); /* between */
        lmb_json_close(j);
    }
    properties(j, fields);
    properties(j, lmb_repeat_fields);
    lmb_json_close(j);
    required(j, fields, "type", between ? "between" : NULL);
    lmb_json_close(j);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* What a form is: JSON as it stands; a list of values of another form; a number or expression, or a
 * list, or an object; an object with the fields of a table; a map of any names to values of another
 * form; a map with one key, the kind; or one of the kinds of joints or forces. */
typedef enum form_kind {
    JSON,
    LIST,
    EITHER,
    OBJECT,
    MAP,
    SHAPES,
    SECTIONS,
    INSTRUMENTS,
    JOINTS,
    FORCES
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
    {"node_set", EITHER, .of = "number", .least = 1, .most = MANY},
    {"place", EITHER, .of = "number", .least = 1, .most = MANY},
    {"interface", EITHER, .fields = lmb_interface_fields},
    {"keep", EITHER, .of = "number", .least = 1, .most = MANY, .fields = lmb_keep_fields},
    {"body_frame", EITHER, .fields = lmb_frame_fields},
    {"ratios", EITHER, .of = "number", .least = 1, .most = MANY},
    {"damping", EITHER, .fields = lmb_damping_fields},
    {"beam", OBJECT, .fields = lmb_beam_fields},
    {"mesh", OBJECT, .fields = lmb_mesh_fields},
    {"matrices", OBJECT, .fields = lmb_matrices_fields},
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
    {"one_rotor_disc", OBJECT, .fields = lmb_rotor_disc_fields},
    {"one_rotor_bearing", OBJECT, .fields = lmb_rotor_bearing_fields},
    {"one_rotor_coupling", OBJECT, .fields = lmb_rotor_coupling_fields},
    {"one_rotor_unbalance", OBJECT, .fields = lmb_rotor_unbalance_fields},
    {"one_rotor_probe", OBJECT, .fields = lmb_rotor_probe_fields},
    {"rotor_disc", MAP, .of = "one_rotor_disc"},
    {"rotor_bearing", MAP, .of = "one_rotor_bearing"},
    {"rotor_coupling", MAP, .of = "one_rotor_coupling"},
    {"rotor_unbalance", MAP, .of = "one_rotor_unbalance"},
    {"rotor_probe", MAP, .of = "one_rotor_probe"},

    {"probe", OBJECT, .fields = lmb_probe_fields},
    {"probes", MAP, .of = "probe"},
    {"patch", OBJECT, .fields = lmb_patch_fields},
    {"patches", MAP, .of = "patch"},
    {"instrument", INSTRUMENTS, .of = NULL},
    {"sensor", JSON,
     .of = "{\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, {\"$ref\": \"#/$defs/instrument\"}]}"},
    {"sensors", MAP, .of = "sensor"},

    {"point", EITHER, .of = "number", .least = 2, .most = 3, .fields = lmb_point_fields},
    {"one_body", OBJECT, .fields = lmb_body_fields},
    {"one_driver", OBJECT, .fields = lmb_driver_fields},
    {"one_event", OBJECT, .fields = lmb_event_fields},
    {"one_analysis", OBJECT, .fields = lmb_analysis_fields},
    {"one_table", OBJECT, .fields = lmb_table_fields},
    {"one_joint", JOINTS, .of = NULL},
    {"one_force", FORCES, .of = NULL},
    {"points", MAP, .of = "point"},
    {"body", MAP, .of = "one_body"},
    {"joint", MAP, .of = "one_joint"},
    {"driver", MAP, .of = "one_driver"},
    {"force", MAP, .of = "one_force"},
    {"event", MAP, .of = "one_event"},
    {"analysis", MAP, .of = "one_analysis"},
    {"table", MAP, .of = "one_table"},
};

/* A list of values of a form. */
static void list_of(lmb_json *j, const char *key, const form *f)
{
    lmb_json_open_flat(j, key, '{');
    lmb_json_text(j, "type", "array");
    reference(j, "items", f->of);
    if (f->most > 0)
        lmb_json_put(j, "minItems %d, maxItems %d", f->least, f->most);
    lmb_json_close(j);
}

static void either(lmb_json *j, const form *f)
{
    lmb_json_open(j, f->name, '{');
    lmb_json_open(j, "anyOf", '[');
    lmb_json_raw(j, NULL, NUMBER);
    if (f->of)
        list_of(j, NULL, f);
    if (f->fields) {
        lmb_json_open(j, NULL, '{');
        object(j, NULL, f->fields);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_close(j);
}

/* A map with one key, the kind, and its fields. */
static void choice(lmb_json *j, const form *f)
{
    lmb_json_open(j, f->name, '{');
    lmb_json_put(j, "type %s, minProperties %d, maxProperties %d, additionalProperties %hhd",
                 "object", 1, 1, false);
    lmb_json_open(j, "properties", '{');
    for (const lmb_shape_type *t = lmb_shape_types; t->name && f->kind == SHAPES; t++)
        object(j, t->name, t->fields);
    for (const lmb_section_type *t = lmb_section_types; t->name && f->kind == SECTIONS; t++)
        object(j, t->name, t->fields);
    for (const lmb_instrument_type *t = lmb_instrument_types; t->name && f->kind == INSTRUMENTS;
         t++)
        object(j, t->name, t->fields);
    lmb_json_close(j);
    lmb_json_close(j);
}

static void kinds(lmb_json *j, const form *f)
{
    lmb_json_open(j, f->name, '{');
    lmb_json_open(j, "oneOf", '[');
    for (int i = 0; lmb_joint_types[i] && f->kind == JOINTS; i++)
        kind(j, lmb_joint_types[i]->name, lmb_joint_types[i]->doc, lmb_joint_types[i]->fields,
             !lmb_joint_types[i]->coupling);
    for (int i = 0; lmb_force_types[i] && f->kind == FORCES; i++)
        kind(j, lmb_force_types[i]->name, lmb_force_types[i]->doc, lmb_force_types[i]->fields,
             false);
    lmb_json_close(j);
    lmb_json_close(j);
}

static void define(lmb_json *j, const form *f)
{
    switch (f->kind) {
    case JSON:
        lmb_json_raw(j, f->name, f->of);
        break;
    case LIST:
        list_of(j, f->name, f);
        break;
    case EITHER:
        either(j, f);
        break;
    case OBJECT:
        object(j, f->name, f->fields);
        break;
    case MAP:
        lmb_json_open(j, f->name, '{');
        lmb_json_text(j, "type", "object");
        reference(j, "additionalProperties", f->of);
        lmb_json_close(j);
        break;
    case SHAPES:
    case SECTIONS:
    case INSTRUMENTS:
        choice(j, f);
        break;
    case JOINTS:
    case FORCES:
        kinds(j, f);
        break;
    }
}

static lmb_status run(const lmb_arguments *a)
{
    (void)a;
    lmb_json json = lmb_json_start(stdout), *j = &json;
    lmb_json_open(j, NULL, '{');
    lmb_json_put(j, "$schema %s, title %s", "https://json-schema.org/draft/2020-12/schema",
                 "Limber model");
    object(j, NULL, lmb_root_fields);
    lmb_json_open(j, "$defs", '{');
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        define(j, &forms[i]);
    lmb_json_close(j);
    lmb_json_close(j);
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
