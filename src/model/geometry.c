/* What a viewer needs to draw a model, as JSON:
 *
 *   {"dimension": 2, "length": 1.0,
 *    "gravity": [x, y, z],
 *    "bodies": [{"name", "kind", "mass", "shape": {"bar": {"length": 1}} or null,
 *                "points": {"A": [x, y, z]}}],
 *    "joints": [{"name", "type", "bodies": [0, 1], "at", "at_b", "axis": [x, y, z]}],
 *    "forces": [{"name", "type", "bodies": [0, 1], "at", "at_b"}],
 *    "without": {"ANALYSIS": ["names of joints and forces that do not act in it"]},
 *    "events": [{"name", "release": ["names"], "latch": ["names"]}]}
 *
 * Bodies are numbered from the ground, 0; `at` and `axis` are given in the axes of the first body,
 * `at_b` in those of the second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/shape.h"
#include "model/sections.h"

/* A text that grows; `failed` once memory ran out. */
typedef struct writer {
    char *text;
    size_t used, room;
    bool failed;
} writer;

static void put(writer *w, const char *format, ...) LMB_PRINTF(2, 3);

static void put(writer *w, const char *format, ...)
{
    va_list args;
    for (int attempt = 0; attempt < 2 && !w->failed; attempt++) {
        va_start(args, format);
        int length = vsnprintf(w->text + w->used, w->room - w->used, format, args);
        va_end(args);
        if (w->used + (size_t)length < w->room) {
            w->used += (size_t)length;
            return;
        }
        size_t room = 2 * w->room + (size_t)length;
        char *grown = realloc(w->text, room);
        w->failed = !grown;
        if (grown) {
            w->text = grown;
            w->room = room;
        }
    }
}

static void put_vector(writer *w, vec3 v)
{
    put(w, "[%.17g, %.17g, %.17g]", v.x, v.y, v.z);
}

/* The shape with its numbers evaluated; mistakes were reported when it was read. */
static void put_shape(writer *w, lmb_builder *r, const lmb_tree *shape)
{
    const lmb_shape_type *t = lmb_shape_types;
    while (shape && t->name && strcmp(t->name, shape->keys[0]->text) != 0)
        t++;
    lmb_value v[LMB_MOST_FIELDS];
    if (!shape || !t->name ||
        lmb_read_values(&r->reader, shape->items[0], t->fields, t->name, NULL, v)) {
        put(w, "null");
        return;
    }
    put(w, "{\"%s\": {", t->name);
    for (int i = 0; t->fields[i].name; i++) {
        put(w, "%s\"%s\": ", i ? ", " : "", t->fields[i].name);
        if (t->fields[i].type == LMB_FIELD_NUMBER)
            put(w, "%.17g", v[i].number);
        else if (t->fields[i].type == LMB_FIELD_CHOICE)
            put(w, "\"%c\"", "xyz"[v[i].choice]);
        else {
            put(w, "[");
            for (int k = 0; k < v[i].size; k++)
                put(w, "%s%.17g", k ? ", " : "", v[i].numbers[k]);
            put(w, "]");
        }
    }
    put(w, "}}");
}

static void put_body(writer *w, lmb_builder *r, int index, const lmb_tree *shape)
{
    const lmb_model *m = r->model;
    const lmb_body *b = &m->bodies[index];
    put(w, "%s{\"name\": \"%s\", \"kind\": \"%s\", \"mass\": %.17g, \"shape\": ", index ? ", " : "",
        b->name, b->ops->kind, b->mass);
    put_shape(w, r, shape);
    put(w, ", \"points\": {");
    for (int i = b->point; i < b->point + b->point_count; i++) {
        put(w, "%s\"%s\": ", i > b->point ? ", " : "", strchr(m->points[i].name, '.') + 1);
        put_vector(w, m->parts.markers[m->points[i].marker].local.p);
    }
    put(w, "}}");
}

/* What joints and forces share: name, type, and where they take hold. */
static void put_ends(writer *w, const lmb_model *m, bool first, const char *name, const char *type,
                     int pair)
{
    const lmb_pair *p = &m->parts.pairs[pair];
    const lmb_marker *a = &m->parts.markers[p->a], *b = &m->parts.markers[p->b];
    put(w,
        "%s{\"name\": \"%s\", \"type\": \"%s\", \"bodies\": [%d, %d], \"at\": ", first ? "" : ", ",
        name, type, a->body, b->body);
    put_vector(w, a->local.p);
    put(w, ", \"at_b\": ");
    put_vector(w, b->local.p);
}

static void put_joints(writer *w, const lmb_model *m)
{
    put(w, "], \"joints\": [");
    for (int i = 0; i < m->joint_count; i++) {
        const lmb_joint *j = &m->joints[i];
        const lmb_marker *a = &m->parts.markers[m->parts.pairs[j->pair].a];
        put_ends(w, m, i == 0, j->name, j->type->name, j->pair);
        put(w, ", \"axis\": ");
        put_vector(w, a->local.e[m->dimension == 3 ? 2 : 0]);
        put(w, "}");
    }
    put(w, "], \"forces\": [");
    for (int i = 0; i < m->force_count; i++) {
        put_ends(w, m, i == 0, m->forces[i].name, m->forces[i].type->name, m->forces[i].pair);
        put(w, "}");
    }
}

/* The names of the joints and forces of a list. */
static void put_selection(writer *w, const lmb_model *m, const lmb_selection *x)
{
    const char *comma = "";
    put(w, "[");
    for (int i = 0; i < x->joint_count; i++, comma = ", ")
        put(w, "%s\"%s\"", comma, m->joints[x->joints[i]].name);
    for (int i = 0; i < x->force_count; i++, comma = ", ")
        put(w, "%s\"%s\"", comma, m->forces[x->forces[i]].name);
    put(w, "]");
}

/* What does not act in an analysis, and what events switch. */
static void put_switches(writer *w, const lmb_model *m)
{
    put(w, "], \"without\": {");
    for (int i = 0; i < m->analysis_count; i++) {
        put(w, "%s\"%s\": ", i ? ", " : "", m->analyses[i].name);
        put_selection(w, m, &m->analyses[i].without);
    }
    put(w, "}, \"events\": [");
    for (int i = 0; i < m->event_count; i++) {
        put(w, "%s{\"name\": \"%s\", \"release\": ", i ? ", " : "", m->events[i].name);
        put_selection(w, m, &m->events[i].release);
        put(w, ", \"latch\": ");
        put_selection(w, m, &m->events[i].latch);
        put(w, "}");
    }
}

const char *lmb_model_geometry(lmb_builder *r, const lmb_tree *bodies)
{
    const lmb_model *m = r->model;
    writer w = {.text = malloc(1024), .room = 1024};
    w.failed = !w.text;
    put(&w, "{\"dimension\": %d, \"length\": %.17g, \"gravity\": ", m->dimension, m->length);
    put_vector(&w, m->gravity);
    put(&w, ", \"bodies\": [");
    for (int i = 0; i < m->body_count; i++)
        put_body(&w, r, i, i ? lmb_tree_get(bodies->items[i - 1], "shape") : NULL);
    put_joints(&w, m);
    put_switches(&w, m);
    put(&w, "]}");
    const char *kept = w.failed ? NULL : lmb_text_copy(m->arena, w.text, w.used);
    free(w.text);
    return kept;
}
