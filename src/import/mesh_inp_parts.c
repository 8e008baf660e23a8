/* Materials, sections and masses of Abaqus and CalculiX.
 *
 * The local axis 1 of a beam is Limber's y, axis 2 its z. Which elements have what is known at the
 * end of the file, when all sets and materials are there. */
#include "import/mesh_inp.h"

#include <string.h>

#include "base/text.h"
#include "fe/section.h"

/* --- Materials --- */

/* The material of a name, made if need be; -1: out of memory. */
static int material_of(lmb_mesh_draft *draft, lmb_word name)
{
    const lmb_material *materials = draft->materials.data;
    for (size_t i = 0; i < draft->materials.count; i++)
        if (lmb_word_is(name, materials[i].name))
            return (int)i;
    char *copy = lmb_text_copy(draft->arena, name.start, (size_t)name.length);
    lmb_material *added = copy ? lmb_list_add(&draft->materials, sizeof *added) : NULL;
    if (!added)
        return -1;
    added->name = copy;
    return (int)draft->materials.count - 1;
}

static lmb_status read_material(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_word name;
    lmb_status status = lmb_inp_need(inp, keyword, "NAME", &name);
    if (status)
        return status;
    inp->material = material_of(inp->draft, name);
    return inp->material < 0 ? lmb_fail_memory(inp->scan->context) : LMB_OK;
}

/* The material that a line belongs to, and its first line of data. */
static lmb_status material_data(lmb_inp *inp, const char *what, lmb_material **material)
{
    if (inp->material < 0)
        return lmb_scan_fail(inp->scan, "*%s has no *MATERIAL before it", what);
    *material = (lmb_material *)inp->draft->materials.data + inp->material;
    if (!lmb_inp_data(inp))
        return lmb_scan_fail(inp->scan, "*%s has no data", what);
    return LMB_OK;
}

/* Lines for other temperatures follow the first. */
static void skip_data(lmb_inp *inp)
{
    while (lmb_inp_data(inp))
        continue;
}

static lmb_status read_elastic(lmb_inp *inp, const lmb_inp_keyword *keyword)
{
    lmb_material *m;
    const lmb_word *type = lmb_inp_parameter(keyword, "TYPE");
    if (type && !lmb_inp_is(*type, "ISO") && !lmb_inp_is(*type, "ISOTROPIC"))
        return lmb_scan_fail(inp->scan, "*ELASTIC of TYPE=%.*s is not supported: ISOTROPIC is",
                             type->length, type->start);
    lmb_status status = material_data(inp, "ELASTIC", &m);
    if (!status)
        status = lmb_scan_number(inp->scan, "Young's modulus", &m->E);
    if (!status)
        status = lmb_scan_number(inp->scan, "Poisson's ratio", &m->nu);
    if (!status && m->E <= 0)
        status = lmb_scan_fail(inp->scan, "Young's modulus of '%s' is not positive", m->name);
    if (!status && !(m->nu > -1 && m->nu < 0.5))
        status = lmb_scan_fail(inp->scan, "Poisson's ratio of '%s' is not in (-1, 0.5)", m->name);
    if (!status)
        skip_data(inp);
    return status;
}

static lmb_status read_density(lmb_inp *inp)
{
    lmb_material *m;
    lmb_status status = material_data(inp, "DENSITY", &m);
    if (!status)
        status = lmb_scan_number(inp->scan, "the density", &m->density);
    if (!status && m->density < 0)
        status = lmb_scan_fail(inp->scan, "the density of '%s' is negative", m->name);
    if (!status)
        skip_data(inp);
    return status;
}

/* --- Sections of beams --- */

/* The sizes of a section: one or two positive numbers. */
static lmb_status read_sizes(lmb_inp *inp, int count, double *size)
{
    if (!lmb_inp_data(inp))
        return lmb_scan_fail(inp->scan, "*BEAM SECTION has no data");
    lmb_status status = LMB_OK;
    for (int i = 0; i < count && !status; i++) {
        status = lmb_scan_number(inp->scan, "a size of the section", &size[i]);
        if (!status && size[i] <= 0)
            status = lmb_scan_fail(inp->scan, "a size of the section is not positive");
    }
    return status;
}

static lmb_status read_direction(lmb_inp *inp, vec3 *direction)
{
    *direction = v3(0, 0, -1);
    if (!lmb_inp_data(inp))
        return LMB_OK;
    lmb_status status = lmb_scan_number(inp->scan, "a direction", &direction->x);
    if (!status)
        status = lmb_scan_number(inp->scan, "a direction", &direction->y);
    if (!status)
        status = lmb_scan_number(inp->scan, "a direction", &direction->z);
    if (!status)
        skip_data(inp);
    return status;
}

static lmb_status read_shape(lmb_inp *inp, lmb_word shape, lmb_inp_assignment *a)
{
    static const char *const shapes[] = {"RECT", "CIRC", "PIPE"};
    int found = 0;
    while (found < 3 && !lmb_inp_is(shape, shapes[found]))
        found++;
    if (found == 3)
        return lmb_scan_fail(inp->scan, "a section %.*s is not supported: RECT, CIRC and PIPE are",
                             shape.length, shape.start);
    a->shape = (lmb_inp_shape)found;
    lmb_status status = read_sizes(inp, a->shape == LMB_INP_CIRC ? 1 : 2, a->size);
    if (!status && a->shape == LMB_INP_PIPE && a->size[1] >= a->size[0])
        status = lmb_scan_fail(inp->scan, "the wall of a pipe is not thinner than its radius");
    return status ? status : read_direction(inp, &a->direction);
}

/* --- Which elements have which --- */

static lmb_status copy_word(lmb_inp *inp, lmb_word *word)
{
    const char *copy = lmb_text_copy(inp->draft->arena, word->start, (size_t)word->length);
    word->start = copy;
    return copy ? LMB_OK : lmb_fail_memory(inp->scan->context);
}

static lmb_status add_assignment(lmb_inp *inp, lmb_inp_assignment given)
{
    given.file = inp->scan->file;
    given.line = inp->scan->number;
    lmb_status status = copy_word(inp, &given.set);
    if (!status && given.material.length > 0)
        status = copy_word(inp, &given.material);
    if (status)
        return status;
    lmb_inp_assignment *added = lmb_list_add(&inp->assignments, sizeof *added);
    if (!added)
        return lmb_fail_memory(inp->scan->context);
    *added = given;
    return LMB_OK;
}

static lmb_status read_beam_section(lmb_inp *inp, const lmb_inp_keyword *keyword,
                                    lmb_inp_assignment a)
{
    lmb_word shape;
    lmb_status status = lmb_inp_need(inp, keyword, "SECTION", &shape);
    if (!status && !lmb_list_add(&inp->draft->sections, sizeof(lmb_section)))
        status = lmb_fail_memory(inp->scan->context);
    a.section = (int)inp->draft->sections.count - 1;
    if (!status)
        status = add_assignment(inp, a);
    lmb_inp_assignment *kept = inp->assignments.data;
    return status ? status : read_shape(inp, shape, &kept[inp->assignments.count - 1]);
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
static lmb_status read_mass(lmb_inp *inp, bool inertia, lmb_inp_assignment a)
{
    double I[6] = {0};
    lmb_word field;
    lmb_scan *s = inp->scan;
    lmb_status status = add_assignment(inp, a);
    if (status)
        return status;
    lmb_inp_assignment *kept =
        (lmb_inp_assignment *)inp->assignments.data + inp->assignments.count - 1;
    lmb_point_mass *mass = lmb_list_add(&inp->draft->masses, sizeof *mass);
    if (!mass)
        return lmb_fail_memory(s->context);
    kept->mass = (int)inp->draft->masses.count - 1;
    if (!lmb_inp_data(inp))
        return lmb_scan_fail(s, "the mass is missing");
    for (int i = 0; i < (inertia ? 6 : 1) && !status && lmb_scan_field(s, &field); i++)
        if (field.length > 0)
            status = lmb_scan_number_of(s, field, "a mass", &I[i]);
    if (!status && (I[0] < 0 || I[1] < 0 || I[2] < 0))
        status = lmb_scan_fail(s, "a mass is negative");
    if (!inertia)
        mass->mass = I[0];
    else
        mass->inertia = (mat3){{v3(I[0], I[3], I[4]), v3(I[3], I[1], I[5]), v3(I[4], I[5], I[2])}};
    if (!status)
        skip_data(inp);
    return status;
}

lmb_status lmb_inp_properties(lmb_inp *inp, const lmb_inp_keyword *keyword, bool *done)
{
    lmb_word name = keyword->name;
    *done = true;
    if (lmb_inp_is(name, "MATERIAL"))
        return read_material(inp, keyword);
    if (lmb_inp_is(name, "ELASTIC"))
        return read_elastic(inp, keyword);
    if (lmb_inp_is(name, "DENSITY"))
        return read_density(inp);
    bool solid = lmb_inp_is(name, "SOLID SECTION"), beam = lmb_inp_is(name, "BEAM SECTION");
    bool shell = lmb_inp_is(name, "SHELL SECTION") || lmb_inp_is(name, "MEMBRANE SECTION") ||
                 lmb_inp_is(name, "BEAM GENERAL SECTION");
    bool mass = lmb_inp_is(name, "MASS"), inertia = lmb_inp_is(name, "ROTARY INERTIA");
    *done = solid || beam || shell || mass || inertia;
    if (!*done)
        return LMB_OK;
    lmb_inp_assignment a = {.section = -1, .mass = -1, .unsupported = shell};
    lmb_status status = lmb_inp_need(inp, keyword, "ELSET", &a.set);
    if (!status && (solid || beam))
        status = lmb_inp_need(inp, keyword, "MATERIAL", &a.material);
    if (status)
        return status;
    if (beam)
        return read_beam_section(inp, keyword, a);
    if (mass || inertia)
        return read_mass(inp, inertia, a);
    status = add_assignment(inp, a);
    if (!status)
        skip_data(inp);
    return status;
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
    lmb_nearest_hint(inp->draft->context, &nearest);
    return LMB_BAD_INPUT;
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
