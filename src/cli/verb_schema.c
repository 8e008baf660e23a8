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
        field_form(j, &lmb_joint_fields[LMB_JOINT_BETWEEN]);
        lmb_json_close(j);
    }
    properties(j, fields);
    properties(j, lmb_repeat_fields);
    lmb_json_close(j);
    required(j, fields, "type", between ? "between" : NULL);
    lmb_json_close(j);
}

/* A map of any names to values of a form. */
static void named(lmb_json *j, const char *key, const char *form)
{
    lmb_json_open(j, key, '{');
    lmb_json_text(j, "type", "object");
    reference(j, "additionalProperties", form);
    lmb_json_close(j);
}

/* A list of values of a form. */
static void list_of(lmb_json *j, const char *key, const char *form, int least, int most)
{
    lmb_json_open_flat(j, key, '{');
    lmb_json_text(j, "type", "array");
    reference(j, "items", form);
    lmb_json_put(j, "minItems %d, maxItems %d", least, most);
    lmb_json_close(j);
}

static void one_of_types(lmb_json *j, const char *a, const char *b)
{
    lmb_json_open_flat(j, "type", '[');
    lmb_json_text(j, NULL, a);
    lmb_json_text(j, NULL, b);
    lmb_json_close(j);
}

/* "name": any of an expression and a list */
static void expression_or_list(lmb_json *j, const char *key, const char *form, int least, int most)
{
    lmb_json_open(j, key, '{');
    lmb_json_open(j, "anyOf", '[');
    lmb_json_open_flat(j, NULL, '{');
    one_of_types(j, "number", "string");
    lmb_json_close(j);
    list_of(j, NULL, form, least, most);
    lmb_json_close(j);
    lmb_json_close(j);
}

static void simple_forms(lmb_json *j)
{
    lmb_json_open_flat(j, "number", '{');
    one_of_types(j, "number", "string");
    lmb_json_close(j);
    expression_or_list(j, "vector", "number", 2, 3);
    lmb_json_open_flat(j, "numbers_or_rows", '{');
    lmb_json_open_flat(j, "type", '[');
    lmb_json_text(j, NULL, "number");
    lmb_json_text(j, NULL, "string");
    lmb_json_text(j, NULL, "array");
    lmb_json_close(j);
    lmb_json_close(j);
    expression_or_list(j, "numbers", "numbers_or_rows", 1, 9);
    expression_or_list(j, "end", "number", 2, 3);
    expression_or_list(j, "direction", "number", 2, 3);
    list_of(j, "ends", "end", 2, 2);
    list_of(j, "four", "number", 4, 4);
    list_of(j, "axes", "vector", 2, 2);
    lmb_json_open_flat(j, "name", '{');
    lmb_json_text(j, "type", "string");
    lmb_json_close(j);
    list_of(j, "names", "name", 2, 2);
    lmb_json_open_flat(j, "any_names", '{');
    lmb_json_text(j, "type", "array");
    reference(j, "items", "name");
    lmb_json_close(j);
    list_of(j, "range", "number", 2, 2);
    named(j, "ranges", "range");
    lmb_json_open(j, "pairs", '{');
    lmb_json_text(j, "type", "array");
    reference(j, "items", "vector");
    lmb_json_close(j);
    named(j, "parameter_values", "vector");
}

/* Begins an object with one of the properties that follow; both are to be closed. */
static void open_choice(lmb_json *j, const char *key)
{
    lmb_json_open(j, key, '{');
    lmb_json_put(j, "type %s, minProperties %d, maxProperties %d, additionalProperties %hhd",
                 "object", 1, 1, false);
    lmb_json_open(j, "properties", '{');
}

static void shapes(lmb_json *j)
{
    open_choice(j, "shape");
    for (const lmb_shape_type *t = lmb_shape_types; t->name; t++)
        object(j, t->name, t->fields);
    lmb_json_close(j);
    lmb_json_close(j);
}

/* "name": a word or expression, or an object with the fields of a table; with a list, that too. */
static void word_or_object(lmb_json *j, const char *key, const lmb_field *fields, const char *list)
{
    lmb_json_open(j, key, '{');
    lmb_json_open(j, "anyOf", '[');
    lmb_json_open_flat(j, NULL, '{');
    one_of_types(j, "number", "string");
    lmb_json_close(j);
    if (list)
        list_of(j, NULL, list, 1, 100000);
    if (fields) {
        lmb_json_open(j, NULL, '{');
        object(j, NULL, fields);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_close(j);
}

static void flexible_forms(lmb_json *j)
{
    open_choice(j, "section");
    for (const lmb_section_type *t = lmb_section_types; t->name; t++)
        object(j, t->name, t->fields);
    lmb_json_close(j);
    lmb_json_close(j);
    word_or_object(j, "material", lmb_material_fields, NULL);
    word_or_object(j, "node_set", NULL, "number");
    word_or_object(j, "place", NULL, "number");
    word_or_object(j, "interface", lmb_interface_fields, NULL);
    word_or_object(j, "keep", lmb_keep_fields, "number");
    word_or_object(j, "body_frame", lmb_frame_fields, NULL);
    word_or_object(j, "ratios", NULL, "number");
    word_or_object(j, "damping", lmb_damping_fields, NULL);
    object(j, "beam", lmb_beam_fields);
    object(j, "mesh", lmb_mesh_fields);
    object(j, "matrices", lmb_matrices_fields);
    word_or_object(j, "nested", NULL, "nested");
    object(j, "modal", lmb_modal_fields);
    object(j, "reduction", lmb_reduction_fields);
    object(j, "point_mass", lmb_part_mass_fields);
    named(j, "interfaces", "interface");
    named(j, "point_masses", "point_mass");
}

static void rotor_forms(lmb_json *j)
{
    expression_or_list(j, "speed_matrix", "number", 1, 4);
    object(j, "rotor", lmb_rotor_fields);
    object(j, "rotor_piece", lmb_rotor_piece_fields);
    list_of(j, "rotor_pieces", "rotor_piece", 1, 100000);
    object(j, "rotor_support", lmb_rotor_support_fields);
    object(j, "rotor_run_up", lmb_rotor_run_up_fields);
    object(j, "one_rotor_disc", lmb_rotor_disc_fields);
    object(j, "one_rotor_bearing", lmb_rotor_bearing_fields);
    object(j, "one_rotor_coupling", lmb_rotor_coupling_fields);
    object(j, "one_rotor_unbalance", lmb_rotor_unbalance_fields);
    object(j, "one_rotor_probe", lmb_rotor_probe_fields);
    named(j, "rotor_disc", "one_rotor_disc");
    named(j, "rotor_bearing", "one_rotor_bearing");
    named(j, "rotor_coupling", "one_rotor_coupling");
    named(j, "rotor_unbalance", "one_rotor_unbalance");
    named(j, "rotor_probe", "one_rotor_probe");
}

/* An expression, or an instrument: a map with one key, its kind. */
static void sensors(lmb_json *j)
{
    object(j, "probe", lmb_probe_fields);
    named(j, "probes", "probe");
    object(j, "patch", lmb_patch_fields);
    named(j, "patches", "patch");
    open_choice(j, "instrument");
    for (const lmb_instrument_type *t = lmb_instrument_types; t->name; t++)
        object(j, t->name, t->fields);
    lmb_json_close(j);
    lmb_json_close(j);
    lmb_json_open(j, "sensor", '{');
    lmb_json_open(j, "anyOf", '[');
    lmb_json_open_flat(j, NULL, '{');
    reference(j, NULL, "number");
    lmb_json_close(j);
    lmb_json_open_flat(j, NULL, '{');
    reference(j, NULL, "instrument");
    lmb_json_close(j);
    lmb_json_close(j);
    lmb_json_close(j);
    named(j, "sensors", "sensor");
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
    simple_forms(j);
    shapes(j);
    flexible_forms(j);
    rotor_forms(j);
    sensors(j);
    lmb_json_open(j, "point", '{');
    lmb_json_open(j, "anyOf", '[');
    lmb_json_open_flat(j, NULL, '{');
    reference(j, NULL, "vector");
    lmb_json_close(j);
    lmb_json_open(j, NULL, '{');
    object(j, NULL, lmb_point_fields);
    lmb_json_close(j);
    lmb_json_close(j);
    lmb_json_close(j);
    object(j, "one_body", lmb_body_fields);
    object(j, "one_driver", lmb_driver_fields);
    object(j, "one_event", lmb_event_fields);
    object(j, "one_analysis", lmb_analysis_fields);
    object(j, "one_table", lmb_table_fields);
    lmb_json_open(j, "one_joint", '{');
    lmb_json_open(j, "oneOf", '[');
    for (int i = 0; lmb_joint_types[i]; i++)
        kind(j, lmb_joint_types[i]->name, lmb_joint_types[i]->doc, lmb_joint_types[i]->fields,
             !lmb_joint_types[i]->coupling);
    lmb_json_close(j);
    lmb_json_close(j);
    lmb_json_open(j, "one_force", '{');
    lmb_json_open(j, "oneOf", '[');
    for (int i = 0; lmb_force_types[i]; i++)
        kind(j, lmb_force_types[i]->name, lmb_force_types[i]->doc, lmb_force_types[i]->fields,
             false);
    lmb_json_close(j);
    lmb_json_close(j);
    named(j, "points", "point");
    named(j, "body", "one_body");
    named(j, "joint", "one_joint");
    named(j, "driver", "one_driver");
    named(j, "force", "one_force");
    named(j, "event", "one_event");
    named(j, "analysis", "one_analysis");
    named(j, "table", "one_table");
    lmb_json_close(j);
    lmb_json_close(j);
    return LMB_OK;
}

static const lmb_option options[] = {{0}};

const lmb_verb lmb_verb_schema = {
    .name = "schema",
    .usage = "",
    .summary = "Prints the JSON Schema of the model file, for editors.",
    .doc = "Prints a JSON Schema with which editors complete and check model files.",
    .examples = "limber schema > limber.schema.json\n",
    .least = 0,
    .most = 0,
    .options = options,
    .run = run,
};
