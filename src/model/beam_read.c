/* The keys of a beam, its material and its section. */
#include "model/beam_keys.h"

#include "fe/properties.h"
#include "model/builder.h"

enum { MOST_ELEMENTS = 1000000 };

/* --- material and section --------------------------------------------------------------------- */

/* A material of the library by its name. */
static lmb_status find_material(lmb_reader *r, const lmb_tree *node, lmb_material *out)
{
    const lmb_material *found = lmb_material_find(node->text);
    lmb_nearest nearest = lmb_nearest_start(node->text);
    if (found) {
        *out = *found;
        return LMB_OK;
    }
    for (int i = 0; lmb_material_at(i); i++)
        lmb_nearest_try(&nearest, lmb_material_at(i)->name);
    lmb_fail_at(r->context, node->place, "there is no material '%s'", node->text);
    lmb_hint(r->context, "give {E: .., nu: .., density: ..}, or one of %s", lmb_material_names());
    return lmb_nearest_hint(r->context, &nearest);
}

const lmb_field lmb_material_fields[] = {
    {LMB_KEY(lmb_material, E), LMB_FIELD_NUMBER, "Pa", "Modulus of elasticity.", .required = true,
     .range = LMB_POSITIVE},
    {LMB_KEY(lmb_material, nu), LMB_FIELD_NUMBER, NULL, "Poisson's ratio.", .required = true},
    {LMB_KEY(lmb_material, density), LMB_FIELD_NUMBER, "kg/m^3", "Density.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {0},
};

lmb_status lmb_read_material(lmb_reader *r, const lmb_tree *node, const char *name,
                             lmb_material *out)
{
    if (node->kind == LMB_TREE_TEXT)
        return find_material(r, node, out);
    *out = (lmb_material){0};
    lmb_status status = lmb_read_fields(r, node, lmb_material_fields, "'material'", NULL, out);
    if (status)
        return status;
    size_t from = lmb_message_count(r->context);
    out->name = name;
    status = lmb_material_check(out, r->context);
    lmb_give_place(r->context, from, node->place);
    out->warned = true;
    return status;
}

lmb_status lmb_part_read_material(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_material *m = &p->material;
    lmb_status status = lmb_read_material(r, node, p->name, m);
    lmb_part_note(r, p, "material: %.17g %.17g %.17g\n", m->E, m->nu, m->density);
    return status;
}

lmb_status lmb_part_read_section(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                                 lmb_section_given *given, lmb_section *out)
{
    if (node->kind != LMB_TREE_MAP || node->count != 1)
        return lmb_fail_at(r->context, node->place,
                           "'section' must have one key, its kind, such as {circle: {diameter: "
                           "0.02}}");
    const lmb_tree *key = node->keys[0];
    lmb_nearest nearest;
    int number =
        lmb_find_name(lmb_section_types, sizeof *lmb_section_types, -1, key->text, &nearest);
    if (number < 0) {
        lmb_fail_at(r->context, key->place, "there is no section '%s'", key->text);
        lmb_hint(r->context, "there are rectangle, circle, tube, box, I and constants");
        return lmb_nearest_hint(r->context, &nearest);
    }
    const lmb_section_type *t = &lmb_section_types[number];
    *given = (lmb_section_given){.kind = number};
    lmb_status status = lmb_part_read(r, p, node->items[0], t->fields, t->name, &given->sizes);
    if (status)
        return status;
    size_t from = lmb_message_count(r->context);
    status = lmb_section_make(number, &given->sizes, p->material.nu, r->context, out);
    lmb_give_place(r->context, from, key->place);
    given->sizes.constants = *out;
    return status;
}

/* --- beams ------------------------------------------------------------------------------------ */

#define KEY(member) LMB_KEY(lmb_beam_keys, member)

const lmb_field lmb_beam_fields[] = {
    {KEY(from), LMB_FIELD_VECTOR, "m", "Where it starts, in the coordinates of the body."},
    {KEY(to), LMB_FIELD_VECTOR, "m", "Where it ends."},
    {KEY(along), LMB_FIELD_TREE, "m",
     "Instead of those: the points of a line of straight legs. If the last is the first one again, "
     "it is a ring.",
     .choices = "pairs"},
    {KEY(elements), LMB_FIELD_NUMBER, NULL, "Number of finite elements.", "20", LMB_POSITIVE,
     .otherwise = 20},
    {KEY(section), LMB_FIELD_TREE, NULL,
     "The cross section: a map with one key, its kind, such as {circle: {diameter: 0.02}}.",
     "required, unless 'stiffness' and 'mass' are given", .choices = "section"},
    {KEY(material), LMB_FIELD_TREE, NULL,
     "A material by name, such as steel, or a map of its numbers.",
     "required, unless 'stiffness' and 'mass' are given", .choices = "material"},
    {KEY(y_axis), LMB_FIELD_VECTOR, NULL,
     "The direction that the y axis of the section is nearest to.", "any", LMB_NOT_ZERO,
     .dimension = 3},
    {KEY(deformation), LMB_FIELD_CHOICE, NULL,
     "small: the body is reduced to a few modes; large: a geometrically exact beam, with nodes "
     "that "
     "move and turn by any amount.",
     "small", .choices = "small large"},
    {KEY(order), LMB_FIELD_NUMBER, NULL,
     "Of large deformation, as all further keys: polynomial order of its elements, 1 to 3.", "2",
     .otherwise = 2},
    {KEY(smooth), LMB_FIELD_FLAG, NULL,
     "Whether the beam is a smooth curve (a spline) through the points of 'along'.", "false"},
    {KEY(arc), LMB_FIELD_TREE, NULL, "Instead of points: an arc of a circle.", .choices = "arc"},
    {KEY(helix), LMB_FIELD_TREE, NULL, "Instead of points: a helix.", .dimension = 3,
     .choices = "helix"},
    {KEY(stations), LMB_FIELD_TREE, NULL,
     "Sections and twist along the beam: a list of maps. Between them sizes (or 'stiffness' and "
     "'mass') and twist are interpolated linearly; each is the end of an element.",
     .choices = "stations"},
    {KEY(stiffness), LMB_FIELD_TREE, NULL,
     "Stiffness of the section in place of that of 'section' and 'material': a symmetric matrix, "
     "or "
     "its diagonal, for stretch, shear along y and z, twist, bending about y and z (in the plane "
     "also three: stretch, shear, bending); N, N m and N m^2.",
     .choices = "nested"},
    {KEY(mass), LMB_FIELD_TREE, NULL,
     "Mass per length in place of that of 'section' and 'material': a symmetric matrix, or its "
     "diagonal, for velocities along x, y, z and angular velocities about them (in the plane also "
     "three: x, y, about z); kg/m, kg and kg m.",
     .choices = "nested"},
    {0},
};

static lmb_status read_keys(lmb_reader *r, const lmb_tree *node, lmb_beam_keys *out)
{
    return lmb_read_fields(r, node, lmb_beam_fields, "'beam'", NULL, out);
}

lmb_status lmb_beam_is_exact(lmb_reader *r, const lmb_tree *beam, bool *exact)
{
    lmb_beam_keys k;
    *exact = false;
    if (!beam || !lmb_tree_get(beam, "deformation"))
        return LMB_OK;
    lmb_status status = read_keys(r, beam, &k);
    *exact = !status && k.deformation == 1;
    return status;
}

lmb_status lmb_read_beam_keys(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                              lmb_beam_keys *out)
{
    static const char *const large[] = {"order",    "smooth",    "arc", "helix",
                                        "stations", "stiffness", "mass"};
    lmb_status status = lmb_part_read(r, p, node, lmb_beam_fields, "'beam'", out);
    for (size_t i = 0; !status && !out->deformation && i < sizeof large / sizeof *large; i++)
        if (lmb_tree_get(node, large[i])) {
            lmb_fail_at(r->context, lmb_key_place(node, large[i]),
                        "'%s' is for beams with large deformation", large[i]);
            return lmb_hint(r->context, "add 'deformation: large'");
        }
    return status;
}

lmb_status lmb_beam_lacks(lmb_reader *r, const lmb_tree *node, const char *key)
{
    const lmb_field *f = lmb_find_field(lmb_beam_fields, key);
    lmb_fail_at(r->context, node->place, "'beam' needs the key '%s'", key);
    return lmb_hint(r->context, "%s: %s", key, f->doc);
}

/* The points of a beam: two ends, or a list. */
lmb_status lmb_part_read_line(lmb_reader *r, lmb_flexible_part *p, const lmb_beam_keys *k)
{
    const lmb_tree *along = k->along;
    bool ends = k->from.given && k->to.given, given = along;
    if (given == (k->from.given || k->to.given) || ends == given)
        return lmb_fail_at(r->context, p->place, "a beam has either 'from' and 'to', or 'along'");
    if (!ends && (along->kind != LMB_TREE_LIST || along->count < 2))
        return lmb_fail_at(r->context, along->place, "'along' must be a list of points");
    p->line.point_count = ends ? 2 : along->count;
    vec3 *points = lmb_arena_alloc(r->arena, (size_t)p->line.point_count, sizeof *points);
    if (!points)
        return lmb_fail_memory(r->context);
    p->line.points = points;
    points[0] = k->from.vector;
    points[1] = k->to.vector;
    lmb_status status = LMB_OK;
    for (int i = 0; !ends && !status && i < p->line.point_count; i++) {
        vec3 *x = &points[i];
        *x = v3(0, 0, 0);
        status = lmb_read_vector(r, along->items[i], "along", r->dimension, &x->x);
        lmb_part_note(r, p, "along: %.17g %.17g %.17g\n", x->x, x->y, x->z);
    }
    return status;
}

lmb_status lmb_part_read_elements(lmb_reader *r, lmb_flexible_part *p, const lmb_beam_keys *k)
{
    if (!lmb_is_whole(k->elements.number, 1, MOST_ELEMENTS))
        return lmb_fail_at(r->context, k->elements.place,
                           "'elements' must be a whole number from 1 to %d", MOST_ELEMENTS);
    p->line.elements = (int)k->elements.number;
    return LMB_OK;
}

lmb_status lmb_part_read_beam(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_beam_keys k;
    lmb_section_given given;
    lmb_status status = lmb_read_beam_keys(r, p, node, &k);
    if (!status && !k.section)
        status = lmb_beam_lacks(r, node, "section");
    if (!status && !k.material)
        status = lmb_beam_lacks(r, node, "material");
    if (status || (status = lmb_part_read_line(r, p, &k)) ||
        (status = lmb_part_read_material(r, p, k.material)) ||
        (status = lmb_part_read_section(r, p, k.section, &given, &p->line.section)) ||
        (status = lmb_part_read_elements(r, p, &k)))
        return status;
    p->line.name = p->name;
    p->line.dimension = r->dimension;
    p->line.material = p->material;
    p->line.section.y_axis = k.y_axis;
    return LMB_OK;
}
