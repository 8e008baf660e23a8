/* Meshes of Abaqus and CalculiX: keywords that begin with a star, and lines of data.
 *
 * A keyword line that ends with a comma goes on in the next one; so does the list of nodes of an
 * element. Of what comes after *STEP, loads and results, only supports are read. The local axis 1
 * of a beam is Limber's y, axis 2 its z. Which elements have which material, section or mass is
 * known at the end of the file, when all sets and materials are there. */
#include "import/mesh_draft.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "fe/properties.h"
#include "import/inp_names.h"

enum { PARAMETERS = 16, MOST_FILES = 1000 };

/* A keyword with its parameters; those without a value have an empty one. */
typedef struct keyword {
    lmb_word name, keys[PARAMETERS], values[PARAMETERS];
    int count;
} keyword;

typedef enum shape { RECT, CIRC, PIPE, NO_SHAPE } shape;

/* Material, section or mass for a set of elements. */
typedef struct assignment {
    lmb_word set, material; /* a material of length 0: none */
    shape shape;            /* of the section, its sizes and the direction of its axis 1; it is */
    double size[2];         /* made when the material is known */
    vec3 direction;
    bool is_mass, unsupported; /* a mass; shells and the like */
    lmb_point_mass mass;
    lmb_place place;
} assignment;

typedef struct reader {
    lmb_mesh_draft *draft;
    lmb_scan *scan;       /* that of the draft */
    int depth;            /* of *INCLUDE */
    int parts, instances; /* of an Abaqus assembly */
    bool step;            /* after *STEP the mesh is complete; only supports are read */
    bool released;        /* OP=NEW has removed the supports given before the step */
    bool over;            /* *END STEP was read */
    int material;         /* that *ELASTIC and *DENSITY belong to; -1: none */
    int files;            /* that were included, and their size */
    size_t bytes;
    lmb_inp_skipped skipped;
    lmb_list assignments; /* assignment */
} reader;

/* --- Lines and keywords --- */

/* The next line that is not a comment and not empty. */
static bool next_line(lmb_scan *scan)
{
    while (lmb_scan_line(scan)) {
        lmb_word line = lmb_scan_text(scan);
        scan->now = line.start;
        if (line.length > 0 && !lmb_word_begins(line, "**"))
            return true;
    }
    return false;
}

/* The next line of data; false when there is a keyword or nothing. */
static bool next_data(lmb_scan *scan)
{
    bool line = next_line(scan), keyword_line = line && *scan->now == '*';
    if (keyword_line)
        lmb_scan_again(scan);
    return line && !keyword_line;
}

/* The keyword of a line and of those that it goes on in. */
static keyword read_keyword(lmb_scan *scan)
{
    keyword k = {0};
    lmb_word field = {"", 0};
    scan->now++;
    lmb_scan_field(scan, &k.name);
    do {
        while (lmb_scan_field(scan, &field)) {
            if (field.length > 0 && k.count == PARAMETERS)
                lmb_scan_fail(scan, "a keyword has more than %d parameters", PARAMETERS);
            if (field.length == 0 || scan->status)
                continue;
            lmb_word value = {field.start + field.length, 0};
            const char *equals = memchr(field.start, '=', (size_t)field.length);
            if (equals) {
                value = lmb_inp_unquoted((lmb_word){equals + 1, (int)(value.start - equals - 1)});
                field.length = (int)(equals - field.start);
            }
            k.keys[k.count] = lmb_word_trim(field);
            k.values[k.count++] = value;
        }
    } while (scan->end > scan->line && scan->end[-1] == ',' && next_data(scan));
    return k;
}

/* The value of a parameter, or NULL. */
static const lmb_word *parameter(const keyword *k, const char *key)
{
    for (int i = 0; i < k->count; i++)
        if (lmb_inp_is(k->keys[i], key))
            return &k->values[i];
    return NULL;
}

/* The value of one that must be there. */
static lmb_word need(lmb_scan *scan, const keyword *k, const char *key)
{
    const lmb_word *found = parameter(k, key);
    if (found && found->length > 0)
        return *found;
    lmb_scan_fail(scan, "*%.*s has no %s=", k->name.length, k->name.start, key);
    return (lmb_word){"", 0};
}

/* --- Nodes and elements --- */

static void read_nodes(reader *r, const keyword *k)
{
    lmb_scan *s = r->scan;
    const lmb_word *set = parameter(k, "NSET"), *system = parameter(k, "SYSTEM");
    if (system && !lmb_inp_is(*system, "R"))
        lmb_scan_fail(s, "nodes in cylindrical or spherical coordinates are not supported");
    while (next_data(r->scan)) {
        double x[3] = {0};
        lmb_word field;
        int number = lmb_scan_integer(s, "the number of a node");
        for (int i = 0; i < 3 && lmb_scan_field(s, &field); i++)
            lmb_scan_optional(s, field, "a coordinate", &x[i]);
        lmb_draft_add_node(r->draft, number, x);
        if (set)
            lmb_draft_add_to_set(r->draft, *set, false, number);
    }
}

/* The nodes of an element, on as many lines as it takes. */
static void read_connection(reader *r, int number, int count, int *nodes)
{
    lmb_word field;
    for (int i = 0; i < count && !r->scan->status;) {
        if (lmb_scan_field(r->scan, &field)) {
            if (field.length > 0)
                nodes[i++] = lmb_scan_integer_of(r->scan, field, "the node of an element");
        } else if (!next_data(r->scan)) {
            lmb_scan_fail(r->scan, "element %d has %d of %d nodes", number, i, count);
        }
    }
}

static void read_elements(reader *r, const keyword *k)
{
    lmb_scan *s = r->scan;
    lmb_word name = need(r->scan, k, "TYPE");
    const lmb_word *set = parameter(k, "ELSET");
    lmb_inp_type t = lmb_inp_find_type(name);
    if (!s->status && t.nodes == 0) {
        lmb_scan_fail(s, "elements of type %.*s are not supported", name.length, name.start);
        lmb_hint(s->context, "supported are C3D4, C3D10, C3D8, C3D20 and their variants, B31, MASS "
                             "and ROTARYI");
    }
    r->draft->reduced = r->draft->reduced || t.reduced;
    while (next_data(r->scan)) {
        int number = lmb_scan_integer(s, "the number of an element"), nodes[LMB_MOST_NODES] = {0};
        read_connection(r, number, t.nodes, nodes);
        lmb_role role = t.kind == LMB_ELEMENT_KINDS ? LMB_ROLE_SET : LMB_ROLE_BODY;
        lmb_draft_add_element(r->draft, t.kind, role, t.name, number, t.nodes, nodes);
        if (set)
            lmb_draft_add_to_set(r->draft, *set, true, number);
    }
}

/* --- Sets --- */

/* Read a number or the name of a set. */
static void add_member(reader *r, lmb_word set, bool elements, lmb_word member)
{
    int number;
    member = lmb_inp_local_name(member);
    if (lmb_word_integer(member, &number))
        lmb_draft_add_to_set(r->draft, set, elements, number);
    else
        lmb_draft_include_set(r->draft, set, elements, member, elements);
}

static void read_range(reader *r, lmb_word set, bool elements)
{
    lmb_scan *s = r->scan;
    lmb_word field = {"", 0};
    int first = lmb_scan_integer(s, "the first number of a range");
    int last = lmb_scan_integer(s, "the last number of a range"), step = 1;
    if (lmb_scan_field(s, &field) && field.length > 0)
        step = lmb_scan_integer_of(s, field, "the step of a range");
    if (step < 1 || first < 1 || last < first)
        lmb_scan_fail(s, "a range from %d to %d with a step of %d is empty", first, last, step);
    lmb_draft_add_range(r->draft, set, elements, (lmb_draft_range){first, last, step, elements});
}

static void read_set(reader *r, const keyword *k)
{
    bool elements = lmb_inp_is(k->name, "ELSET"), generate = parameter(k, "GENERATE") != NULL;
    lmb_word set = need(r->scan, k, elements ? "ELSET" : "NSET"), field;
    const lmb_word *of = elements ? NULL : parameter(k, "ELSET");
    lmb_draft_add_range(r->draft, set, elements, (lmb_draft_range){0});
    if (of && of->length > 0)
        lmb_draft_include_set(r->draft, set, false, *of, true);
    while (next_data(r->scan)) {
        if (generate)
            read_range(r, set, elements);
        else
            while (lmb_scan_field(r->scan, &field))
                if (field.length > 0)
                    add_member(r, set, elements, field);
    }
}

/* --- Supports --- */

/* Read lines of: node or set, first direction or a keyword for several, last direction,
 * displacement. The displacement is ignored: vibrations are small motions about the displaced
 * state. */
static void read_boundary(reader *r, const keyword *k)
{
    const lmb_word *op = parameter(k, "OP");
    if (r->step && op && lmb_inp_is(*op, "NEW") && !r->released) {
        lmb_draft_release(r->draft);
        r->released = true;
    }
    while (next_data(r->scan)) {
        lmb_word fields[3] = {{"", 0}, {"", 0}, {"", 0}};
        for (int i = 0; i < 3 && lmb_scan_field(r->scan, &fields[i]); i++)
            continue;
        unsigned held;
        lmb_word name = lmb_inp_local_name(fields[0]);
        if (!lmb_inp_directions(&held, fields[1], fields[2]))
            lmb_draft_lose_support(r->draft, name);
        else
            lmb_draft_hold(r->draft, name, 0, 1, held);
    }
}

/* --- Materials --- */

static void read_material(reader *r, const keyword *k)
{
    lmb_word name = need(r->scan, k, "NAME");
    r->material = lmb_draft_find_material(r->draft, name, NULL);
    if (r->material < 0)
        r->material = lmb_draft_add_material(r->draft, name);
}

/* The material that a keyword belongs to, with its first line of data; NULL after a failure. */
static lmb_material *material_data(reader *r, const keyword *k)
{
    if (r->material < 0 || !next_data(r->scan))
        lmb_scan_fail(r->scan, "*%.*s has no %s", k->name.length, k->name.start,
                      r->material < 0 ? "*MATERIAL before it" : "data");
    return r->scan->status ? NULL : (lmb_material *)r->draft->materials.data + r->material;
}

static void read_elastic(reader *r, const keyword *k)
{
    lmb_scan *s = r->scan;
    const lmb_word *type = parameter(k, "TYPE");
    if (type && !lmb_inp_is(*type, "ISO") && !lmb_inp_is(*type, "ISOTROPIC"))
        lmb_scan_fail(s, "*ELASTIC of TYPE=%.*s is not supported: ISOTROPIC is", type->length,
                      type->start);
    lmb_material *m = material_data(r, k);
    if (!m)
        return;
    m->E = lmb_scan_number(s, "Young's modulus");
    m->nu = lmb_scan_number(s, "Poisson's ratio");
    if (m->E <= 0)
        lmb_scan_fail(s, "Young's modulus of '%s' is not positive", m->name);
    if (!(m->nu > -1 && m->nu < 0.5))
        lmb_scan_fail(s, "Poisson's ratio of '%s' is not in (-1, 0.5)", m->name);
}

static void read_density(reader *r, const keyword *k)
{
    lmb_material *m = material_data(r, k);
    if (m)
        m->density = lmb_scan_number(r->scan, "the density");
    if (m && m->density < 0)
        lmb_scan_fail(r->scan, "the density of '%s' is negative", m->name);
}

/* --- Sections and masses --- */

/* The sizes of a section, one or two positive numbers, and the direction of its axis 1. */
static void read_shape(reader *r, lmb_word word, assignment *a)
{
    static const char *const shapes[] = {"RECT", "CIRC", "PIPE"};
    lmb_scan *s = r->scan;
    for (a->shape = RECT; a->shape < NO_SHAPE && !lmb_inp_is(word, shapes[a->shape]);)
        a->shape++;
    if (a->shape == NO_SHAPE)
        lmb_scan_fail(s, "a section %.*s is not supported: RECT, CIRC and PIPE are", word.length,
                      word.start);
    if (!next_data(r->scan))
        lmb_scan_fail(s, "*BEAM SECTION has no data");
    for (int i = 0; i < (a->shape == CIRC ? 1 : 2); i++) {
        a->size[i] = lmb_scan_number(s, "a size of the section");
        if (a->size[i] <= 0)
            lmb_scan_fail(s, "a size of the section is not positive");
    }
    if (a->shape == PIPE && a->size[1] >= a->size[0])
        lmb_scan_fail(s, "the wall of a pipe is not thinner than its radius");
    double d[3] = {0, 0, -1};
    if (next_data(s))
        lmb_scan_numbers(s, "a direction", d, 3);
    a->direction = v3(d[0], d[1], d[2]);
}

/* *MASS and *ROTARY INERTIA */
static void read_mass(reader *r, bool inertia, assignment *a)
{
    double I[6] = {0};
    lmb_word field;
    if (!next_data(r->scan))
        lmb_scan_fail(r->scan, "the mass is missing");
    for (int i = 0; i < (inertia ? 6 : 1) && lmb_scan_field(r->scan, &field); i++)
        lmb_scan_optional(r->scan, field, "a mass", &I[i]);
    if (I[0] < 0 || I[1] < 0 || I[2] < 0)
        lmb_scan_fail(r->scan, "a mass is negative");
    a->is_mass = true;
    a->mass.mass = inertia ? 0 : I[0];
    if (inertia)
        a->mass.inertia =
            (mat3){{v3(I[0], I[3], I[4]), v3(I[3], I[1], I[5]), v3(I[4], I[5], I[2])}};
}

/* What gives properties to a set of elements. */
static void read_assignment(reader *r, const keyword *k)
{
    lmb_scan *s = r->scan;
    bool solid = lmb_inp_is(k->name, "SOLID SECTION"), beam = lmb_inp_is(k->name, "BEAM SECTION");
    bool mass = lmb_inp_is(k->name, "MASS"), inertia = lmb_inp_is(k->name, "ROTARY INERTIA");
    assignment a = {
        need(s, k, "ELSET"), {"", 0}, NO_SHAPE, .place = {s->file, NULL, s->number, 0, 1}};
    a.unsupported = !solid && !beam && !mass && !inertia;
    if (solid || beam)
        a.material = need(r->scan, k, "MATERIAL");
    a.set.start = lmb_scan_copy(s, r->draft->arena, a.set);
    a.material.start = lmb_scan_copy(s, r->draft->arena, a.material);
    if (beam)
        read_shape(r, need(r->scan, k, "SECTION"), &a);
    if (mass || inertia)
        read_mass(r, inertia, &a);
    lmb_scan_append(s, &r->assignments, &a, sizeof a);
}

/* Makes the section of a beam; its shear factors depend on the material. */
static lmb_status make_section(reader *r, const assignment *a, double nu)
{
    lmb_context *context = r->draft->context;
    const double *size = a->size;
    lmb_section s = {0};
    lmb_status status = a->shape == RECT ? lmb_section_rectangle(&s, context, size[0], size[1], nu)
                        : a->shape == CIRC
                            ? lmb_section_circle(&s, context, 2 * size[0], nu)
                            : lmb_section_tube(&s, context, 2 * size[0], size[1], nu);
    s.name = a->set.start;
    s.y_axis = a->shape == RECT ? a->direction : v3(0, 0, 0);
    lmb_scan_append(r->scan, &r->draft->sections, &s, sizeof s);
    return status ? status : r->scan->status;
}

/* The material, the section or the mass of an assignment; a material that is used must be known. */
static lmb_status make_properties(reader *r, const assignment *a, lmb_element *out)
{
    lmb_context *context = r->draft->context;
    *out = (lmb_element){.material = -1, .section = -1, .point_mass = -1};
    if (a->material.length > 0) {
        lmb_nearest nearest = lmb_nearest_start(a->material.start);
        out->material = lmb_draft_find_material(r->draft, a->material, &nearest);
        if (out->material < 0) {
            lmb_fail_at(context, a->place, "there is no material '%s'", a->material.start);
            return lmb_nearest_hint(context, &nearest);
        }
        const lmb_material *m = (const lmb_material *)r->draft->materials.data + out->material;
        if (!(m->E > 0) && a->shape != NO_SHAPE)
            return lmb_fail_at(context, a->place, "material '%s' has no *ELASTIC", m->name);
        out->section = a->shape == NO_SHAPE ? -1 : (int)r->draft->sections.count;
        return a->shape == NO_SHAPE ? LMB_OK : make_section(r, a, m->nu);
    }
    if (a->is_mass) {
        out->point_mass = (int)r->draft->masses.count;
        lmb_scan_append(r->scan, &r->draft->masses, &a->mass, sizeof a->mass);
    }
    return r->scan->status;
}

/* Gives the elements of a set their material, section or mass. */
static lmb_status assign(reader *r, const assignment *a)
{
    lmb_mesh_draft *draft = r->draft;
    const lmb_draft_set *set = lmb_draft_find_set(draft, a->set, true);
    lmb_element properties;
    lmb_status status = make_properties(r, a, &properties);
    if (status)
        return status;
    if (!set)
        return lmb_fail_at(draft->context, a->place, "there is no set of elements '%s'",
                           a->set.start);
    for (size_t i = 0; i < set->ranges.count; i++) {
        lmb_draft_walk walk = {((lmb_draft_range *)set->ranges.data)[i], 0};
        for (int index; lmb_draft_next(draft, &walk, &index);) {
            lmb_draft_element *e = (lmb_draft_element *)draft->elements.data + index;
            bool unsupported = e->role != LMB_ROLE_BODY || a->unsupported;
            if (unsupported || (e->element.kind == LMB_POINT_MASS) != a->is_mass)
                return lmb_fail_at(
                    draft->context, a->place, "element %d (%s) %s", e->element.number, e->type,
                    unsupported ? "has a section that is not supported" : "cannot have this");
            e->element.material = properties.material;
            e->element.section = properties.section;
            e->element.point_mass = properties.point_mass;
        }
    }
    return LMB_OK;
}

static lmb_status assign_all(reader *r)
{
    lmb_status status = r->scan->status;
    for (size_t i = 0; i < r->assignments.count && !status; i++)
        status = assign(r, (const assignment *)r->assignments.data + i);
    const lmb_draft_element *e = r->draft->elements.data;
    for (size_t i = 0; i < r->draft->elements.count && !status; i++, e++)
        if (e->element.kind == LMB_POINT_MASS && e->element.point_mass < 0)
            status = lmb_fail_at(r->draft->context, lmb_draft_place(e),
                                 "element %d (%s) has no mass", e->element.number, e->type);
    return status;
}

/* --- The file --- */

static void read_file(reader *r);

/* Reads a file beside the one that includes it. */
static void read_include(reader *r, const keyword *k)
{
    lmb_scan *outer = r->scan, inner;
    lmb_word name = need(r->scan, k, "INPUT");
    const char *slash = strrchr(outer->file, '/');
    int folder = slash && *name.start != '/' ? (int)(slash - outer->file) + 1 : 0;
    char *path =
        lmb_text_format(r->draft->arena, "%.*s%.*s", folder, outer->file, name.length, name.start);
    if (r->depth >= 8)
        lmb_scan_fail(outer, "files include each other more than 8 deep");
    else if (++r->files > MOST_FILES)
        lmb_scan_fail(outer, "more than %d files are included", MOST_FILES);
    else if (!path && !outer->status)
        outer->status = lmb_fail_memory(outer->context);
    if (!outer->status && lmb_scan_open(&inner, outer->context, path))
        lmb_scan_fail(outer, "the file '%s' of *INCLUDE cannot be read", path);
    if (outer->status)
        return;
    r->bytes += inner.size;
    if (r->bytes > (size_t)LMB_LARGEST_INPUT << 20)
        lmb_scan_fail(&inner, "the included files have more than %d MB", LMB_LARGEST_INPUT);
    r->draft->scan = r->scan = &inner;
    r->depth++;
    read_file(r);
    r->depth--;
    r->draft->scan = r->scan = outer;
    outer->status = inner.status;
    lmb_scan_close(&inner);
}

/* Parts have numbers of their own, so there may be one only, and it may not be moved. */
static void read_part(reader *r, const keyword *k)
{
    bool part = lmb_inp_is(k->name, "PART");
    if (++*(part ? &r->parts : &r->instances) > 1)
        lmb_scan_fail(r->scan, "there is more than one *%s; one is supported",
                      part ? "PART" : "INSTANCE");
    else if (!part && next_data(r->scan))
        lmb_scan_fail(r->scan, "an *INSTANCE that is moved is not supported");
}

static bool is_one_of(lmb_word name, const char *const *list)
{
    while (*list && !lmb_inp_is(name, *list))
        list++;
    return *list;
}

static void read_one(reader *r, const keyword *k)
{
    enum { SKIPPING = 9 }; /* index of the first keyword with data lines to skip */
    static const struct {
        const char *name;
        void (*read)(reader *, const keyword *);
    } known[] = {
        {"NODE", read_nodes},      {"ELEMENT", read_elements},  {"NSET", read_set},
        {"ELSET", read_set},       {"INCLUDE", read_include},   {"PART", read_part},
        {"INSTANCE", read_part},   {"MATERIAL", read_material}, {"BOUNDARY", read_boundary},
        {"ELASTIC", read_elastic}, {"DENSITY", read_density}};
    static const char *const assigning[] = {
        "SOLID SECTION",        "BEAM SECTION", "SHELL SECTION",  "MEMBRANE SECTION",
        "BEAM GENERAL SECTION", "MASS",         "ROTARY INERTIA", NULL};
    static const char *const refused[] = {"SYSTEM", "NGEN",  "NFILL",  "NCOPY",
                                          "NMAP",   "ELGEN", "ELCOPY", NULL};
    size_t count = sizeof known / sizeof *known, i = 0;
    r->step = lmb_inp_is(k->name, "STEP");
    r->draft->own_axes = r->draft->own_axes || lmb_inp_is(k->name, "TRANSFORM");
    if (r->step)
        return;
    if (is_one_of(k->name, refused))
        lmb_scan_fail(r->scan, "*%.*s is not supported: write the nodes and elements out",
                      k->name.length, k->name.start);
    while (i < count && !lmb_inp_is(k->name, known[i].name))
        i++;
    if (i < count)
        known[i].read(r, k);
    else if (is_one_of(k->name, assigning))
        read_assignment(r, k);
    else
        lmb_inp_skip(&r->skipped, r->scan, r->draft->scratch, k->name);
    while (i >= SKIPPING && next_data(r->scan))
        continue;
}

/* In the first step, skip all lines except supports. */
static void read_in_step(reader *r)
{
    lmb_word line = lmb_scan_text(r->scan);
    bool supports = lmb_word_begins(line, "*BOUNDARY");
    keyword k = supports ? read_keyword(r->scan) : (keyword){0};
    r->over = lmb_word_begins(line, "*END STEP");
    if (supports && lmb_inp_is(k.name, "BOUNDARY"))
        read_boundary(r, &k);
}

static void read_file(reader *r)
{
    while (!r->over && next_line(r->scan)) {
        if (r->step) {
            read_in_step(r);
            continue;
        }
        if (*r->scan->now != '*')
            lmb_scan_fail(r->scan, "expected a keyword, such as *NODE");
        keyword k = read_keyword(r->scan);
        if (!r->scan->status)
            read_one(r, &k);
    }
}

lmb_status lmb_read_inp(lmb_mesh_draft *draft)
{
    reader r = {.draft = draft, .scan = draft->scan, .material = -1};
    draft->fold = true;
    read_file(&r);
    lmb_status status = assign_all(&r);
    const char *skipped = lmb_inp_list_skipped(&r.skipped, draft->scratch);
    if (!status && skipped)
        lmb_warn(draft->context, "%s: keywords that are not read: %s", draft->file, skipped);
    lmb_list_free(&r.skipped.list);
    lmb_list_free(&r.assignments);
    return status;
}
