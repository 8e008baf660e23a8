/* Materials, sections and masses of Abaqus and CalculiX.
 *
 * The local axis 1 of a beam is Limber's y, axis 2 its z. Which elements have what is known at the
 * end of the file, when all sets and materials are there. */
#include "import/mesh_inp.h"

#include <string.h>

#include "base/text.h"
#include "fe/properties.h"

/* --- Materials --- */

/* The material of a name, made if need be. */
static int material_of(lmb_mesh_draft *draft, lmb_word name)
{
    const lmb_material *materials = draft->materials.data;
    for (size_t i = 0; i < draft->materials.count; i++)
        if (lmb_word_is(name, materials[i].name))
            return (int)i;
    lmb_material added = {.name = lmb_scan_copy(draft->scan, draft->arena, name)};
    lmb_scan_append(draft->scan, &draft->materials, &added, sizeof added);
    return (int)draft->materials.count - 1;
}

/* The material that a keyword belongs to, with its first line of data; NULL after a failure. */
static lmb_material *material_data(lmb_inp *inp, const char *what)
{
    lmb_scan *s = inp->draft->scan;
    if (inp->material < 0)
        lmb_scan_fail(s, "*%s has no *MATERIAL before it", what);
    else if (!lmb_inp_data(inp))
        lmb_scan_fail(s, "*%s has no data", what);
    return s->status ? NULL : (lmb_material *)inp->draft->materials.data + inp->material;
}

static void read_elastic(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_scan *s = inp->draft->scan;
    const lmb_word *type = lmb_inp_parameter(keyword, "TYPE");
    if (type && !lmb_inp_is(*type, "ISO") && !lmb_inp_is(*type, "ISOTROPIC"))
        lmb_scan_fail(s, "*ELASTIC of TYPE=%.*s is not supported: ISOTROPIC is", type->length,
                      type->start);
    lmb_material *m = material_data(inp, "ELASTIC");
    if (!m)
        return;
    m->E = lmb_scan_number(s, "Young's modulus");
    m->nu = lmb_scan_number(s, "Poisson's ratio");
    if (m->E <= 0)
        lmb_scan_fail(s, "Young's modulus of '%s' is not positive", m->name);
    if (!(m->nu > -1 && m->nu < 0.5))
        lmb_scan_fail(s, "Poisson's ratio of '%s' is not in (-1, 0.5)", m->name);
}

static void read_density(lmb_inp *inp)
{
    lmb_material *m = material_data(inp, "DENSITY");
    if (m)
        m->density = lmb_scan_number(inp->draft->scan, "the density");
    if (m && m->density < 0)
        lmb_scan_fail(inp->draft->scan, "the density of '%s' is negative", m->name);
}

/* --- Sections of beams --- */

/* The sizes of a section, one or two positive numbers, and the direction of its axis 1. */
static void read_shape(lmb_inp *inp, lmb_word shape, lmb_inp_assignment *a)
{
    static const char *const shapes[] = {"RECT", "CIRC", "PIPE"};
    lmb_scan *s = inp->draft->scan;
    int found = 0;
    while (found < 3 && !lmb_inp_is(shape, shapes[found]))
        found++;
    if (found == 3)
        lmb_scan_fail(s, "a section %.*s is not supported: RECT, CIRC and PIPE are", shape.length,
                      shape.start);
    a->shape = (lmb_inp_shape)found;
    if (!lmb_inp_data(inp))
        lmb_scan_fail(s, "*BEAM SECTION has no data");
    for (int i = 0; i < (a->shape == LMB_INP_CIRC ? 1 : 2); i++) {
        a->size[i] = lmb_scan_number(s, "a size of the section");
        if (a->size[i] <= 0)
            lmb_scan_fail(s, "a size of the section is not positive");
    }
    if (a->shape == LMB_INP_PIPE && a->size[1] >= a->size[0])
        lmb_scan_fail(s, "the wall of a pipe is not thinner than its radius");
    a->direction = v3(0, 0, -1);
    if (lmb_inp_data(inp)) {
        a->direction.x = lmb_scan_number(s, "a direction");
        a->direction.y = lmb_scan_number(s, "a direction");
        a->direction.z = lmb_scan_number(s, "a direction");
    }
}

/* --- Which elements have which --- */

/* Adds an assignment with copies of its words, and returns it. */
static lmb_inp_assignment *add_assignment(lmb_inp *inp, lmb_inp_assignment a)
{
    lmb_scan *s = inp->draft->scan;
    a.file = s->file;
    a.line = s->number;
    a.set.start = lmb_scan_copy(s, inp->draft->arena, a.set);
    a.material.start = lmb_scan_copy(s, inp->draft->arena, a.material);
    lmb_scan_append(s, &inp->assignments, &a, sizeof a);
    return s->status ? NULL
                     : (lmb_inp_assignment *)inp->assignments.data + inp->assignments.count - 1;
}

static void read_beam_section(lmb_inp *inp, const lmb_inp_keyword *keyword, lmb_inp_assignment a)
{
    lmb_word shape = lmb_inp_need(inp, keyword, "SECTION");
    a.section = (int)inp->draft->sections.count;
    lmb_scan_append(inp->draft->scan, &inp->draft->sections, &(lmb_section){0},
                    sizeof(lmb_section));
    lmb_inp_assignment *kept = add_assignment(inp, a);
    if (kept)
        read_shape(inp, shape, kept);
}

/* Makes the section of a beam; its shear factors depend on the material. */
static lmb_status make_section(lmb_inp *inp, const lmb_inp_assignment *a, double nu)
{
    lmb_context *context = inp->draft->context;
    lmb_section *s = (lmb_section *)inp->draft->sections.data + a->section;
    lmb_status status;
    if (a->shape == LMB_INP_RECT)
        status = lmb_section_rectangle(s, context, a->size[0], a->size[1], nu);
    else if (a->shape == LMB_INP_CIRC)
        status = lmb_section_circle(s, context, 2 * a->size[0], nu);
    else
        status = lmb_section_tube(s, context, 2 * a->size[0], a->size[1], nu);
    s->name = a->set.start;
    s->y_axis = a->shape == LMB_INP_RECT ? a->direction : v3(0, 0, 0);
    return status;
}

/* *MASS and *ROTARY INERTIA */
static void read_mass(lmb_inp *inp, bool inertia, lmb_inp_assignment a)
{
    double I[6] = {0};
    lmb_word field;
    lmb_scan *s = inp->draft->scan;
    a.mass = (int)inp->draft->masses.count;
    add_assignment(inp, a);
    if (!lmb_inp_data(inp))
        lmb_scan_fail(s, "the mass is missing");
    for (int i = 0; i < (inertia ? 6 : 1) && lmb_scan_field(s, &field); i++)
        lmb_scan_optional(s, field, "a mass", &I[i]);
    if (I[0] < 0 || I[1] < 0 || I[2] < 0)
        lmb_scan_fail(s, "a mass is negative");
    lmb_point_mass mass = {.mass = I[0]};
    if (inertia)
        mass = (lmb_point_mass){
            .inertia = {{v3(I[0], I[3], I[4]), v3(I[3], I[1], I[5]), v3(I[4], I[5], I[2])}}};
    lmb_scan_append(s, &inp->draft->masses, &mass, sizeof mass);
}

/* What gives properties to a set of elements. */
static bool read_assignment(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_word name = keyword->name;
    bool solid = lmb_inp_is(name, "SOLID SECTION"), beam = lmb_inp_is(name, "BEAM SECTION");
    bool shell = lmb_inp_is(name, "SHELL SECTION") || lmb_inp_is(name, "MEMBRANE SECTION") ||
                 lmb_inp_is(name, "BEAM GENERAL SECTION");
    bool mass = lmb_inp_is(name, "MASS"), inertia = lmb_inp_is(name, "ROTARY INERTIA");
    if (!solid && !beam && !shell && !mass && !inertia)
        return false;
    lmb_inp_assignment a = {.section = -1, .mass = -1, .unsupported = shell};
    a.set = lmb_inp_need(inp, keyword, "ELSET");
    a.material = (lmb_word){"", 0};
    if (solid || beam)
        a.material = lmb_inp_need(inp, keyword, "MATERIAL");
    if (beam)
        read_beam_section(inp, keyword, a);
    else if (mass || inertia)
        read_mass(inp, inertia, a);
    else
        add_assignment(inp, a);
    return true;
}

bool lmb_inp_properties(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    if (lmb_inp_is(keyword->name, "MATERIAL")) {
        lmb_word name = lmb_inp_need(inp, keyword, "NAME");
        inp->material = material_of(inp->draft, name);
        return true;
    }
    if (lmb_inp_is(keyword->name, "ELASTIC"))
        read_elastic(inp, keyword);
    else if (lmb_inp_is(keyword->name, "DENSITY"))
        read_density(inp);
    else if (!read_assignment(inp, keyword))
        return false;
    lmb_inp_skip_data(inp); /* lines for other temperatures, and others that are not needed */
    return true;
}

/* A material that is used must be known. */
static lmb_status find_material(lmb_inp *inp, const lmb_inp_assignment *a, int *material)
{
    lmb_place place = {a->file, NULL, a->line, 0, 1};
    const lmb_material *materials = inp->draft->materials.data;
    *material = -1;
    if (a->material.length == 0)
        return LMB_OK;
    lmb_nearest nearest = lmb_nearest_start(a->material.start);
    for (size_t i = 0; i < inp->draft->materials.count; i++) {
        lmb_nearest_try(&nearest, materials[i].name);
        if (!lmb_word_is(a->material, materials[i].name))
            continue;
        *material = (int)i;
        if (!(materials[i].E > 0))
            return lmb_fail_at(inp->draft->context, place, "material '%s' has no *ELASTIC",
                               materials[i].name);
        return LMB_OK;
    }
    lmb_fail_at(inp->draft->context, place, "there is no material '%s'", a->material.start);
    return lmb_nearest_hint(inp->draft->context, &nearest);
}

static lmb_status assign_one(lmb_inp *inp, const lmb_inp_assignment *a)
{
    lmb_mesh_draft *draft = inp->draft;
    lmb_place place = {a->file, NULL, a->line, 0, 1};
    const lmb_draft_set *set = lmb_draft_find_set(draft, a->set, true);
    int material, index;
    lmb_status status = find_material(inp, a, &material);
    if (!status && a->section >= 0)
        status = make_section(inp, a, ((lmb_material *)draft->materials.data)[material].nu);
    if (status)
        return status;
    if (!set)
        return lmb_fail_at(draft->context, place, "there is no set of elements '%s'", a->set.start);
    for (size_t i = 0; i < set->ranges.count; i++) {
        lmb_draft_walk walk = {((lmb_draft_range *)set->ranges.data)[i], 0};
        while (lmb_draft_next(draft, &walk, &index)) {
            lmb_draft_element *e = (lmb_draft_element *)draft->elements.data + index;
            if (e->role != LMB_ROLE_BODY || a->unsupported)
                return lmb_fail_at(draft->context, place,
                                   "element %d (%s) has a section that is not supported",
                                   e->element.number, e->type);
            bool point = e->element.kind == LMB_POINT_MASS;
            if (point != (a->mass >= 0))
                return lmb_fail_at(draft->context, place, "element %d (%s) cannot have this",
                                   e->element.number, e->type);
            e->element.material = material;
            e->element.section = a->section;
            e->element.point_mass = a->mass;
        }
    }
    return LMB_OK;
}

lmb_status lmb_inp_assign(lmb_inp *inp)
{
    lmb_status status = LMB_OK;
    for (size_t i = 0; i < inp->assignments.count && !status; i++)
        status = assign_one(inp, (lmb_inp_assignment *)inp->assignments.data + i);
    const lmb_draft_element *elements = inp->draft->elements.data;
    for (size_t i = 0; i < inp->draft->elements.count && !status; i++) {
        const lmb_draft_element *e = &elements[i];
        if (e->element.kind == LMB_POINT_MASS && e->element.point_mass < 0)
            status = lmb_fail_at(inp->draft->context, (lmb_place){e->file, NULL, e->line, 0, 1},
                                 "element %d (%s) has no mass", e->element.number, e->type);
    }
    return status;
}
