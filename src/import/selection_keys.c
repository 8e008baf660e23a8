/* Keys of the model file that select nodes of a mesh by geometry. */
#include "import/selection_keys.h"

#include "base/text.h"

#define KEY(member) LMB_AT(lmb_node_selection, member)

const lmb_field lmb_select_cylinder_fields[] = {
    {"axis", KEY(cylinder.axis), LMB_FIELD_VECTOR, NULL, "Its direction.", .required = true,
     .range = LMB_NOT_ZERO},
    {"point", KEY(cylinder.point), LMB_FIELD_VECTOR, "m",
     "A point of its axis, in the middle of its length.", .required = true},
    {"radius", KEY(cylinder.radius), LMB_FIELD_NUMBER, "m", "Its radius.", .required = true,
     .range = LMB_POSITIVE},
    {"length", KEY(cylinder.length), LMB_FIELD_NUMBER, "m", "Its length.", "without end",
     LMB_POSITIVE},
    {0},
};
const lmb_field lmb_select_plane_fields[] = {
    {"point", KEY(plane.point), LMB_FIELD_VECTOR, "m", "A point of it.", .required = true},
    {"normal", KEY(plane.normal), LMB_FIELD_VECTOR, NULL, "Its normal.", .required = true,
     .range = LMB_NOT_ZERO},
    {0},
};
const lmb_field lmb_select_box_fields[] = {
    {"from", KEY(box.from), LMB_FIELD_VECTOR, "m", "A corner.", .required = true},
    {"to", KEY(box.to), LMB_FIELD_VECTOR, "m", "The opposite corner.", .required = true},
    {0},
};
const lmb_field lmb_select_faces_fields[] = {
    {"normal", KEY(faces.normal), LMB_FIELD_VECTOR, NULL, "The direction, out of the part.",
     .required = true, .range = LMB_NOT_ZERO},
    {"angle", KEY(faces.angle), LMB_FIELD_NUMBER, "rad",
     "The largest angle between the normal of a face and the direction.", "10*deg", LMB_POSITIVE,
     .otherwise = 10 * LMB_PI / 180},
    {0},
};

bool lmb_has_selection(const lmb_selection_keys *k)
{
    return k->cylinder.given || k->plane.given || k->box.given || k->faces.given;
}

lmb_status lmb_check_selection(lmb_context *context, const lmb_selection_keys *k)
{
    if (!k->tolerance.given || lmb_has_selection(k))
        return LMB_OK;
    return lmb_fail_at(context, k->tolerance.place,
                       "'tolerance' is for cylinder, plane, box and faces");
}

lmb_status lmb_read_node_selection(lmb_reader *r, const lmb_selection_keys *k, const char *name,
                                   lmb_node_selection *out)
{
    *out = (lmb_node_selection){.name = name, .tolerance = k->tolerance.number};
    const struct {
        const lmb_value *value;
        const lmb_field *fields;
        const char *what;
        bool *used;
    } parts[] = {{&k->cylinder, lmb_select_cylinder_fields, "'cylinder'", &out->cylinder.used},
                 {&k->plane, lmb_select_plane_fields, "'plane'", &out->plane.used},
                 {&k->box, lmb_select_box_fields, "'box'", &out->box.used},
                 {&k->faces, lmb_select_faces_fields, "'faces'", &out->faces.used}};
    lmb_status status = LMB_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++) {
        const lmb_value *v = parts[i].value;
        if (!v->given)
            continue;
        *parts[i].used = true;
        out->place = out->place.line ? out->place : v->place;
        status = lmb_read_fields(r, v->node, parts[i].fields, parts[i].what, NULL, out);
    }
    return status;
}

const char *lmb_selection_text(lmb_arena *arena, const lmb_node_selection *s)
{
    const vec3 vectors[] = {s->cylinder.axis, s->cylinder.point, s->plane.point, s->plane.normal,
                            s->box.from,      s->box.to,         s->faces.normal};
    const char *text = lmb_text_format(
        arena, "%d %d %d %d %.17g %.17g %.17g %.17g", s->cylinder.used, s->plane.used, s->box.used,
        s->faces.used, s->cylinder.radius, s->cylinder.length, s->faces.angle, s->tolerance);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && text; i++)
        text = lmb_text_format(arena, "%s %.17g %.17g %.17g", text, vectors[i].x, vectors[i].y,
                               vectors[i].z);
    return text ? text : "";
}
