/* Meshes of Ansys: the file that CDWRITE writes.
 *
 * A .cdb is a list of commands. NBLOCK, EBLOCK, CMBLOCK and RLBLOCK are followed by a Fortran
 * format and lines of fixed columns, in which zeros at the end are left out. An element of EBLOCK
 * begins with eleven numbers, of which the 1st is its material, the 2nd its type, the 3rd its real
 * constants, the 9th the number of its nodes and the 11th its own; eight nodes are on its first
 * line. What a type is, ET says. A hexahedron with nodes that coincide may be a tetrahedron. */
#include "import/mesh_draft.h"

#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 40, EBLOCK_FIELDS = 11, FIRST_LINE_NODES = 8, REALS = 6 };

/* Real constants: mass and inertia of MASS21. */
typedef struct real_set {
    double value[REALS];
    int count;
} real_set;

typedef struct reader {
    lmb_mesh_draft *draft;
    lmb_scan *scan;
    lmb_fortran_column columns[MOST_COLUMNS];
    int column_count;
    lmb_numbers types;     /* number of a type: number of the element, as 185 */
    lmb_numbers materials; /* number of a material: its place */
    lmb_numbers reals;     /* number of real constants: their place */
    lmb_list real_sets;    /* real_set */
    lmb_list point_reals;  /* int: real constants that each point mass has */
    bool contact;          /* contact elements and the like were there */
} reader;

/* --- Lines of fixed columns --- */

static void read_columns(reader *r)
{
    lmb_scan *s = r->scan;
    r->column_count =
        lmb_scan_line(s) ? lmb_fortran_columns(lmb_scan_text(s), r->columns, MOST_COLUMNS) : 0;
    if (r->column_count == 0)
        lmb_scan_fail(s, "expected a format, such as (3i9,6e21.13e3)");
}

static lmb_word column(const reader *r, int i)
{
    return lmb_scan_columns(r->scan, r->columns[i].from, r->columns[i].width);
}

/* A block ends with a line of -1, or with a command. */
static bool next_in_block(reader *r)
{
    lmb_scan *s = r->scan;
    if (!lmb_scan_line(s))
        return false;
    lmb_word line = lmb_scan_text(s);
    bool command = line.length > 0 && (lmb_is_letter(*line.start) || memchr("/*!", *line.start, 3));
    if (command)
        lmb_scan_again(s);
    return !command && !lmb_word_is(line, "-1");
}

/* --- Nodes --- */

/* Read the nodes. The first integer of a line is the node number, the first three reals are
 * coordinates, and further reals are rotation angles of the nodal axes. */
static void read_nblock(reader *r, const lmb_word *words, int count)
{
    (void)words, (void)count;
    read_columns(r);
    while (next_in_block(r)) {
        int found = 0, number = lmb_scan_integer_of(r->scan, column(r, 0), "the number of a node");
        double x[6] = {0};
        for (int i = 1; i < r->column_count && found < 6; i++)
            if (r->columns[i].type != 'I')
                lmb_scan_optional(r->scan, column(r, i), "a coordinate", &x[found++]);
        r->draft->own_axes |= x[3] != 0 || x[4] != 0 || x[5] != 0;
        lmb_draft_add_node(r->draft, number, x);
    }
}

/* --- Elements --- */

/* The kind of a hexahedron, or of the tetrahedron that it has shrunk to, with its nodes. */
static lmb_element_kind sort_hexahedron(reader *r, int number, bool quadratic, int *n)
{
    static const int from[10] = {0, 1, 2, 4, 8, 9, 11, 16, 17, 18}; /* ascending */
    if (n[2] == n[3] && n[4] == n[5] && n[4] == n[6] && n[4] == n[7]) {
        for (int i = 0; i < (quadratic ? 10 : 4); i++)
            n[i] = n[from[i]];
        return quadratic ? LMB_TET10 : LMB_TET4;
    }
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < i; k++)
            if (n[i] == n[k])
                lmb_scan_fail(r->scan,
                              "element %d is a prism or a pyramid (a hexahedron with nodes that "
                              "coincide), which is not supported",
                              number);
    return quadratic ? LMB_HEX20 : LMB_HEX8;
}

typedef struct ansys_kind {
    int element, nodes; /* its number and how many nodes it needs */
    lmb_element_kind kind;
    const char *name;
} ansys_kind;

static const ansys_kind *find_kind(int element)
{
    static const ansys_kind kinds[] = {
        {185, 8, LMB_HEX8, "SOLID185"},    {186, 20, LMB_HEX20, "SOLID186"},
        {187, 10, LMB_TET10, "SOLID187"},  {285, 4, LMB_TET4, "SOLID285"},
        {45, 8, LMB_HEX8, "SOLID45"},      {95, 20, LMB_HEX20, "SOLID95"},
        {92, 10, LMB_TET10, "SOLID92"},    {188, 2, LMB_BEAM, "BEAM188"},
        {21, 1, LMB_POINT_MASS, "MASS21"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].element == element)
            return &kinds[i];
    return NULL;
}

/* Contact, surface effects and meshing facets, which are left out. */
static bool is_contact(int element)
{
    return (element >= 151 && element <= 156) || (element >= 169 && element <= 178) ||
           element == 200;
}

/* The place of a material, made if need be. */
static int material_of(reader *r, int number)
{
    int place = lmb_numbers_find(&r->materials, number);
    if (place >= 0)
        return place;
    char text[20];
    lmb_snprintf(text, sizeof text, "%d", number);
    place = lmb_draft_add_material(r->draft, lmb_word_of(text));
    lmb_scan_place_number(r->scan, &r->materials, number, (size_t)place);
    return place;
}

static void add_element(reader *r, const int *head, int *nodes, int count)
{
    lmb_scan *s = r->scan;
    int number = head[10], element = lmb_numbers_find(&r->types, head[1]);
    const ansys_kind *k = find_kind(element);
    r->contact = r->contact || is_contact(element);
    if (is_contact(element))
        return;
    if (element < 0)
        lmb_scan_fail(s, "element %d has type %d, of which there is no ET line before", number,
                      head[1]);
    if (!k && !s->status) {
        lmb_scan_fail(s, "element %d is of type %d, which is not supported", number, element);
        lmb_hint(s->context, "supported are SOLID185, 186, 187, 285, BEAM188 and MASS21");
    }
    if (k && count < k->nodes)
        lmb_scan_fail(s, "element %d has %d of %d nodes", number, count, k->nodes);
    for (int i = 0; k && i < k->nodes; i++)
        if (nodes[i] <= 0)
            lmb_scan_fail(s, "node %d of element %d is missing", i + 1, number);
    if (s->status)
        return;
    lmb_element_kind kind = k->kind;
    if (kind == LMB_HEX8 || kind == LMB_HEX20)
        kind = sort_hexahedron(r, number, kind == LMB_HEX20, nodes);
    if (lmb_draft_add_element(r->draft, kind, LMB_ROLE_BODY, k->name, number,
                              lmb_element_nodes(kind), nodes))
        return;
    /* its material, or its mass, whose numbers may come later in the file */
    lmb_mesh_draft *draft = r->draft;
    lmb_element *e =
        &((lmb_draft_element *)draft->elements.data)[draft->elements.count - 1].element;
    if (kind != LMB_POINT_MASS) {
        e->material = material_of(r, head[0]);
        return;
    }
    e->point_mass = (int)draft->masses.count;
    lmb_scan_append(s, &r->point_reals, &head[2], sizeof head[2]);
    lmb_scan_append(s, &draft->masses, &(lmb_point_mass){0}, sizeof(lmb_point_mass));
}

/* The lines of an element. */
static void read_element(reader *r)
{
    int head[EBLOCK_FIELDS], nodes[LMB_MOST_NODES] = {0};
    for (int i = 0; i < EBLOCK_FIELDS; i++)
        head[i] = lmb_scan_integer_of(r->scan, column(r, i), "a number of an element");
    int count = head[8];
    if (count < 1 || count > LMB_MOST_NODES)
        lmb_scan_fail(r->scan, "element %d has %d nodes", head[10], count);
    for (int i = 0, at = EBLOCK_FIELDS; i < count && !r->scan->status; i++, at++) {
        if (i == FIRST_LINE_NODES) {
            if (!next_in_block(r))
                lmb_scan_fail(r->scan, "the second line of element %d is missing", head[10]);
            at = 0;
        }
        lmb_word word = column(r, at);
        if (word.length > 0)
            nodes[i] = lmb_scan_integer_of(r->scan, word, "the node of an element");
    }
    if (!r->scan->status)
        add_element(r, head, nodes, count);
}

static void read_eblock(reader *r, const lmb_word *words, int count)
{
    int fields = 0;
    if (count < 3 || !lmb_word_integer(words[1], &fields) || fields != 19 ||
        !lmb_word_is(words[2], "SOLID"))
        lmb_scan_fail(r->scan, "EBLOCK of another kind than EBLOCK,19,SOLID is not read");
    read_columns(r);
    if (r->column_count < EBLOCK_FIELDS + FIRST_LINE_NODES)
        lmb_scan_fail(r->scan, "expected a format of 19 integers");
    while (next_in_block(r))
        read_element(r);
}

/* --- Components --- */

/* Numbers; a negative one is the end of a range that the number before it begins. */
static void read_cmblock(reader *r, const lmb_word *words, int count)
{
    lmb_scan *s = r->scan;
    bool elements = count > 2 && lmb_word_begins(words[2], "ELEM");
    if (count < 4 || words[1].length == 0 || (!elements && !lmb_word_begins(words[2], "NODE")))
        lmb_scan_fail(s, "expected CMBLOCK,NAME,NODE,COUNT");
    if (s->status)
        return;
    int items = lmb_scan_integer_of(s, words[3], "the size of a component"), last = 0;
    lmb_draft_add_range(r->draft, words[1], elements, (lmb_draft_range){0});
    read_columns(r);
    for (int done = 0; done < items && !s->status;) {
        if (!next_in_block(r))
            lmb_scan_fail(s, "component '%.*s' has %d of %d numbers", words[1].length,
                          words[1].start, done, items);
        for (int i = 0; i < r->column_count && done < items && !s->status; i++, done++) {
            int number = lmb_scan_integer_of(s, column(r, i), "a number of a component");
            lmb_draft_range range = {number, number, 1, elements};
            if (number < 0)
                range = (lmb_draft_range){last + 1, -number, 1, elements};
            if (number == 0 || (number < 0 && (last <= 0 || -number <= last)))
                lmb_scan_fail(s, "a component has the range %d to %d", last, -number);
            lmb_draft_add_range(r->draft, words[1], elements, range);
            last = number;
        }
    }
}

/* --- Supports --- */

static unsigned directions_of(lmb_word label)
{
    static const char *const labels[] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        if (lmb_word_is(label, labels[d]))
            return LMB_BIT(d);
    return lmb_word_is(label, "ALL") ? LMB_TRANSLATIONS | LMB_ROTATIONS : 0;
}

/* D,node,UX,value,value2,last,step,UY,UZ,... The value is ignored: vibrations are small motions
 * about the displaced state. */
static void read_support(reader *r, const lmb_word *words, int count)
{
    int last = 0, step = 1;
    unsigned directions = count > 2 ? directions_of(words[2]) : 0;
    for (int i = 7; i < count; i++)
        directions |= directions_of(words[i]);
    if (count > 5 && words[5].length > 0)
        last = lmb_scan_integer_of(r->scan, words[5], "the last node of a support");
    if (count > 6 && words[6].length > 0)
        step = lmb_scan_integer_of(r->scan, words[6], "a step between nodes");
    if (directions)
        lmb_draft_hold(r->draft, words[1], last, step, directions);
}

/* --- Materials and real constants --- */

/* MP,EX,1,2e11   MPDATA,EX,1,1,2e11   MPDATA,R5.0,1,EX,1,1,2e11; for a first temperature */
static void read_property(reader *r, const lmb_word *words, int count)
{
    bool table = lmb_word_is(words[0], "MPDATA");
    int at = table && count > 1 && lmb_word_begins(words[1], "R5") ? 3 : 1;
    int value = at + (table ? 3 : 2), first = 1;
    if (value >= count || (table && lmb_word_integer(words[at + 2], &first) && first != 1))
        return;
    lmb_word label = words[at];
    bool E = lmb_word_is(label, "EX"), density = lmb_word_is(label, "DENS");
    bool nu = lmb_word_is(label, "NUXY") || lmb_word_is(label, "PRXY");
    if (!E && !density && !nu)
        return;
    int number = lmb_scan_integer_of(r->scan, words[at + 1], "the number of a material");
    double x = lmb_scan_number_of(r->scan, words[value], "the property of a material");
    if ((E && x <= 0) || (density && x < 0) || (nu && !(x > -1 && x < 0.5)))
        lmb_scan_fail(r->scan, "%.*s of material %d is out of range", label.length, label.start,
                      number);
    int place = material_of(r, number);
    if (r->scan->status)
        return;
    lmb_material *m = (lmb_material *)r->draft->materials.data + place;
    *(E ? &m->E : density ? &m->density : &m->nu) = x;
}

/* Sets the values of a set of real constants, which is made if need be. */
static void set_reals(reader *r, int number, const lmb_word *values, int count)
{
    int place = lmb_numbers_find(&r->reals, number);
    if (place < 0) {
        place = (int)r->real_sets.count;
        lmb_scan_place_number(r->scan, &r->reals, number, (size_t)place);
        lmb_scan_append(r->scan, &r->real_sets, &(real_set){0}, sizeof(real_set));
    }
    if (r->scan->status)
        return;
    real_set *set = (real_set *)r->real_sets.data + place;
    for (int i = 0; i < count && i < REALS; i++) {
        lmb_scan_optional(r->scan, values[i], "a real constant", &set->value[i]);
        set->count = i + 1;
    }
}

/* Two formats follow, of the first line of a set and of further ones; then the sets: a number, how
 * many values, and up to six of them on the first line. */
static void read_rlblock(reader *r, const lmb_word *words, int word_count)
{
    (void)words, (void)word_count;
    read_columns(r);
    if (!lmb_scan_line(r->scan))
        lmb_scan_fail(r->scan, "the second format of RLBLOCK is missing");
    if (r->column_count < 3)
        lmb_scan_fail(r->scan, "the format of RLBLOCK is not understood");
    while (next_in_block(r)) {
        lmb_word values[REALS];
        int number = lmb_scan_integer_of(r->scan, column(r, 0), "a real constant"), given = 0;
        int count = lmb_scan_integer_of(r->scan, column(r, 1), "a number of real constants");
        for (; given < count && given < REALS && given + 2 < r->column_count; given++)
            values[given] = column(r, given + 2);
        set_reals(r, number, values, given);
        for (int left = count - 6; left > 0 && !r->scan->status; left -= 7)
            if (!lmb_scan_line(r->scan))
                lmb_scan_fail(r->scan, "real constants are missing");
    }
}

/* R,1,mass,... */
static void read_r(reader *r, const lmb_word *words, int count)
{
    int number;
    if (count >= 3 && lmb_word_integer(words[1], &number))
        set_reals(r, number, words + 2, count - 2);
}

/* One value is a mass; six are masses for x, y, z, which must be the same, and inertias. */
static void finish_masses(reader *r)
{
    const int *reals = r->point_reals.data;
    lmb_point_mass *masses = r->draft->masses.data;
    for (size_t i = 0; i < r->draft->masses.count && !r->scan->status; i++) {
        int place = lmb_numbers_find(&r->reals, reals[i]);
        if (place < 0) {
            lmb_scan_fail(r->scan, "MASS21 elements use the real constants %d, which are not there",
                          reals[i]);
            return;
        }
        const real_set *set = (const real_set *)r->real_sets.data + place;
        const double *v = set->value;
        if (v[0] < 0 || (set->count > 2 && (v[0] != v[1] || v[0] != v[2])))
            lmb_scan_fail(r->scan,
                          "the mass of the real constants %d is negative or not the same in all "
                          "directions",
                          reals[i]);
        masses[i].mass = v[0];
        masses[i].inertia = (mat3){{v3(v[3], 0, 0), v3(0, v[4], 0), v3(0, 0, v[5])}};
    }
}

/* --- The file --- */

/* ET,1,186 or ET,1,SOLID186 */
static void read_type(reader *r, const lmb_word *words, int count)
{
    lmb_word name = count < 3 ? (lmb_word){"", 0} : words[2];
    if (count < 3)
        lmb_scan_fail(r->scan, "expected ET,NUMBER,ELEMENT");
    while (name.length > 0 && lmb_is_letter(*name.start)) {
        name.start++;
        name.length--;
    }
    int number = lmb_scan_integer_of(r->scan, words[1], "the number of a type");
    int element = lmb_scan_integer_of(r->scan, name, "the element of a type");
    lmb_scan_place_number(r->scan, &r->types, number, (size_t)(element < 0 ? 0 : element));
}

static void read_command(reader *r)
{
    static const struct {
        const char *name;
        void (*read)(reader *r, const lmb_word *words, int count);
    } known[] = {{"NBLOCK", read_nblock},   {"EBLOCK", read_eblock},   {"CMBLOCK", read_cmblock},
                 {"RLBLOCK", read_rlblock}, {"ET", read_type},         {"R", read_r},
                 {"MP", read_property},     {"MPDATA", read_property}, {"D", read_support}};
    enum { WORDS = 12 };
    lmb_word words[WORDS] = {{"", 0}};
    int count = 0;
    const char *comment = memchr(r->scan->now, '!', (size_t)(r->scan->end - r->scan->now));
    r->scan->end = comment ? comment : r->scan->end;
    while (count < WORDS && lmb_scan_field(r->scan, &words[count]))
        count++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lmb_word_is(words[0], known[i].name)) {
            known[i].read(r, words, count);
            return;
        }
}

lmb_status lmb_read_cdb(lmb_mesh_draft *draft)
{
    reader r = {.draft = draft, .scan = draft->scan};
    draft->fold = true;
    while (lmb_scan_line(r.scan))
        read_command(&r);
    finish_masses(&r);
    if (!r.scan->status && r.contact)
        lmb_warn(draft->context, "%s: contact and surface effect elements are not read",
                 draft->file);
    lmb_numbers_free(&r.types);
    lmb_numbers_free(&r.materials);
    lmb_numbers_free(&r.reals);
    lmb_list_free(&r.real_sets);
    lmb_list_free(&r.point_reals);
    return r.scan->status;
}
