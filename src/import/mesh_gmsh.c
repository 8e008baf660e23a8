/* Meshes of Gmsh: files .msh of the versions 2.2 and 4.1, text and binary.
 *
 * A file is a list of sections, $Name to $EndName. Numbers are read one by one by functions that
 * know whether the file is text or binary; so each section is read by one function. A binary file
 * begins with a 1 that shows its byte order. Physical groups become sets: in 2.2 the first tag of
 * an element is its group; in 4.1 an element belongs to an entity, and the entity to groups. In a
 * file without groups, entities make the sets. */
#include "import/mesh_draft.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    int dimension, tag;
    const char *name;
} group;

/* An entity is in a group. */
typedef struct membership {
    int dimension, entity, group;
} membership;

enum { FORMAT, NAMES, ENTITIES, NODES, ELEMENTS, SECTIONS };

typedef struct reader {
    lmb_mesh_draft *draft;
    lmb_scan *scan;
    bool binary, swap;
    int version; /* 2 or 4 */
    int line;    /* with which the binary part of a section began, which has none; or 0 */
    lmb_list groups, members; /* group, membership */
    bool seen[SECTIONS];
} reader;

/* --- Numbers --- */

static void begin_numbers(reader *r)
{
    if (!r->binary)
        return;
    r->line = r->scan->number;
    r->scan->now = r->scan->next;
    r->scan->number = 0;
}

static void end_numbers(reader *r)
{
    lmb_scan *s = r->scan;
    if (r->line == 0)
        return;
    s->number = r->line;
    r->line = 0;
    s->next = s->end = s->now;
    if (s->next < s->text + s->size && *s->next == '\n')
        s->next++;
}

/* Copies bytes from the file, turned round if need be. */
static void take_bytes(reader *r, void *out, size_t size)
{
    lmb_scan *s = r->scan;
    if ((size_t)(s->text + s->size - s->now) < size)
        lmb_scan_fail(s, "the file ends early, after %zu bytes", s->size);
    unsigned char *to = out;
    for (size_t i = 0; i < size && !s->status; i++)
        to[r->swap ? size - 1 - i : i] = (unsigned char)*s->now++;
}

static lmb_word take_word(reader *r, const char *what)
{
    lmb_word word = {"", 0};
    if (!lmb_scan_token(r->scan, &word))
        lmb_scan_fail(r->scan, "the file ends early: %s is missing", what);
    return word;
}

/* The next number; `what` is for messages. */
static int take_int(reader *r, const char *what)
{
    int32_t value = 0;
    if (!r->binary)
        return lmb_scan_integer_of(r->scan, take_word(r, what), what);
    take_bytes(r, &value, sizeof value);
    return value;
}

/* A number that binary files of 4.1 write with eight bytes. */
static int take_size(reader *r, const char *what)
{
    uint64_t value = 0;
    if (!r->binary || r->version < 4)
        return take_int(r, what);
    take_bytes(r, &value, sizeof value);
    if (value > INT32_MAX)
        lmb_scan_fail(r->scan, "%s %llu is too large", what, (unsigned long long)value);
    return r->scan->status ? 0 : (int)value;
}

static double take_number(reader *r, const char *what)
{
    double value = 0;
    if (!r->binary)
        return lmb_scan_number_of(r->scan, take_word(r, what), what);
    take_bytes(r, &value, sizeof value);
    if (!isfinite(value))
        lmb_scan_fail(r->scan, "%s is not a finite number", what);
    return value;
}

/* Several of a kind. */
static void take_ints(reader *r, int (*take)(reader *, const char *), const char *what, int *out,
                      int count)
{
    for (int i = 0; i < count; i++)
        out[i] = take(r, what);
}

static void take_numbers(reader *r, const char *what, double *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = take_number(r, what);
}

/* --- Elements --- */

typedef struct gmsh_kind {
    int nodes, dimension;
    lmb_element_kind kind; /* LMB_ELEMENT_KINDS: not supported as a part of the body */
    const char *name;
} gmsh_kind;

/* By their types, from 1. */
static const gmsh_kind kinds[] = {
    {2, 1, LMB_BEAM, "line of 2 nodes"},
    {3, 2, LMB_ELEMENT_KINDS, "triangle of 3 nodes"},
    {4, 2, LMB_ELEMENT_KINDS, "quadrangle of 4 nodes"},
    {4, 3, LMB_TET4, "tetrahedron of 4 nodes"},
    {8, 3, LMB_HEX8, "hexahedron of 8 nodes"},
    {6, 3, LMB_ELEMENT_KINDS, "prism of 6 nodes"},
    {5, 3, LMB_ELEMENT_KINDS, "pyramid of 5 nodes"},
    {3, 1, LMB_ELEMENT_KINDS, "line of 3 nodes"},
    {6, 2, LMB_ELEMENT_KINDS, "triangle of 6 nodes"},
    {9, 2, LMB_ELEMENT_KINDS, "quadrangle of 9 nodes"},
    {10, 3, LMB_TET10, "tetrahedron of 10 nodes"},
    {27, 3, LMB_ELEMENT_KINDS, "hexahedron of 27 nodes"},
    {18, 3, LMB_ELEMENT_KINDS, "prism of 18 nodes"},
    {14, 3, LMB_ELEMENT_KINDS, "pyramid of 14 nodes"},
    {1, 0, LMB_ELEMENT_KINDS, "point"},
    {8, 2, LMB_ELEMENT_KINDS, "quadrangle of 8 nodes"},
    {20, 3, LMB_HEX20, "hexahedron of 20 nodes"},
    {15, 3, LMB_ELEMENT_KINDS, "prism of 15 nodes"},
    {13, 3, LMB_ELEMENT_KINDS, "pyramid of 13 nodes"},
};

/* The kind of a type, or NULL after a failure. */
static const gmsh_kind *find_kind(reader *r, int type, const char *who)
{
    if (type >= 1 && type <= (int)(sizeof kinds / sizeof *kinds))
        return &kinds[type - 1];
    lmb_scan_fail(r->scan, "%s of type %d, which is not supported", who, type);
    return NULL;
}

/* Adds an element, its nodes on edges in the order of Limber. */
static void add_element(reader *r, const gmsh_kind *k, int number, const int *nodes)
{
    static const lmb_role roles[] = {LMB_ROLE_SET, LMB_ROLE_LINE, LMB_ROLE_SET, LMB_ROLE_BODY};
    static const int hex20[20] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                  13, 9, 16, 18, 19, 17, 10, 12, 14, 15};
    static const int tet10[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
    const int *order = k->kind == LMB_TET10 ? tet10 : k->kind == LMB_HEX20 ? hex20 : NULL;
    int ordered[LMB_MOST_NODES];
    if (!r->scan->status && k->dimension == 3 && k->kind == LMB_ELEMENT_KINDS) {
        lmb_scan_fail(r->scan, "element %d is a %s, which is not supported", number, k->name);
        lmb_hint(r->scan->context,
                 "tetrahedra of 4 and 10 nodes and hexahedra of 8 and 20 nodes are");
        return;
    }
    for (int i = 0; i < k->nodes; i++)
        ordered[i] = nodes[order ? order[i] : i];
    lmb_draft_add_element(r->draft, k->kind, roles[k->dimension], k->name, number, k->nodes,
                          ordered);
}

/* --- Groups --- */

/* Adds an element to a group, by whose name its set goes. */
static void add_to_group(reader *r, int dimension, int tag, int number)
{
    static const char *const words[] = {"point", "line", "surface", "volume"};
    char made[40];
    lmb_snprintf(made, sizeof made, "%s-%d", words[dimension & 3], tag);
    const char *name = made;
    const group *groups = r->groups.data;
    for (size_t i = 0; i < r->groups.count; i++)
        if (groups[i].dimension == dimension && groups[i].tag == tag)
            name = groups[i].name;
    lmb_draft_add_to_set(r->draft, lmb_word_of(name), true, number);
}

/* The text between the quotation marks of a line. */
static lmb_word quoted(const lmb_scan *s)
{
    const char *from = memchr(s->now, '"', (size_t)(s->end - s->now));
    const char *to = s->end;
    while (from && to > from && to[-1] != '"')
        to--;
    return from && to > from + 1 ? (lmb_word){from + 1, (int)(to - 1 - from - 1)}
                                 : (lmb_word){s->end, 0};
}

/* The count that a section begins with. */
static int read_count(reader *r, const char *what)
{
    lmb_scan_need_line(r->scan, what);
    return lmb_scan_integer(r->scan, what);
}

static void read_names(reader *r)
{
    lmb_scan *s = r->scan;
    int count = read_count(r, "the number of physical names");
    for (int i = 0; i < count && !s->status; i++) {
        if (!lmb_scan_line(s))
            lmb_scan_fail(s, "the file ends early, after %d of %d physical names", i, count);
        int dimension = lmb_scan_integer(s, "the dimension of a physical group");
        int tag = lmb_scan_integer(s, "the number of a physical group");
        lmb_word name = quoted(s);
        if (name.length <= 0)
            lmb_scan_fail(s, "the name of a physical group is missing");
        group added = {dimension, tag, lmb_scan_copy(s, r->draft->arena, name)};
        lmb_scan_append(s, &r->groups, &added, sizeof added);
    }
}

/* --- Version 2.2 --- */

static void read_nodes_2(reader *r)
{
    int count = read_count(r, "the number of nodes");
    begin_numbers(r);
    for (int i = 0; i < count && !r->scan->status; i++) {
        double x[3];
        int number = take_int(r, "the number of a node");
        take_numbers(r, "a coordinate", x, 3);
        lmb_draft_add_node(r->draft, number, x);
    }
}

/* The tags and nodes of an element. */
static void read_element_2(reader *r, int type, int tags, int number)
{
    char who[40];
    lmb_snprintf(who, sizeof who, "element %d is", number);
    const gmsh_kind *k = find_kind(r, type, who);
    if (!k)
        return;
    int nodes[LMB_MOST_NODES], tag[2] = {0}; /* the group and the entity */
    for (int i = 0; i < tags && !r->scan->status; i++) {
        int next = take_int(r, "the tag of an element");
        if (i < 2)
            tag[i] = next;
    }
    int set = tag[0] || r->groups.count > 0 ? tag[0] : tag[1];
    take_ints(r, take_int, "the node of an element", nodes, k->nodes);
    add_element(r, k, number, nodes);
    if (set)
        add_to_group(r, k->dimension, abs(set), number);
}

static void read_elements_2(reader *r)
{
    int count = read_count(r, "the number of elements"), head[3];
    begin_numbers(r);
    r->draft->twins = true;
    for (int i = 0; i < count && !r->scan->status;) {
        /* text: number, type, tags; binary: type, elements that follow, tags of each */
        take_ints(r, take_int, "the head of an element", head, 3);
        int follow = r->binary ? head[1] : 1, type = r->binary ? head[0] : head[1];
        if (follow < 1 || head[2] < 0)
            lmb_scan_fail(r->scan, "the head of an element is wrong");
        for (int k = 0; k < follow && !r->scan->status; k++, i++) {
            int number = r->binary ? take_int(r, "the number of an element") : head[0];
            read_element_2(r, type, head[2], number);
        }
    }
}

/* --- Version 4.1 --- */

/* The groups of an entity, then, above points, the entities around it. */
static void read_entity(reader *r, int dimension)
{
    double box[6];
    int tag = take_int(r, "the number of an entity");
    take_numbers(r, "a number", box, dimension == 0 ? 3 : 6);
    int count = take_size(r, "the number of physical groups");
    for (int i = 0; i < count && !r->scan->status; i++) {
        membership m = {dimension, tag, take_int(r, "a physical group")};
        lmb_scan_append(r->scan, &r->members, &m, sizeof m);
    }
    count = dimension > 0 ? take_size(r, "the number of bounding entities") : 0;
    for (int i = 0; i < count && !r->scan->status; i++)
        take_int(r, "a bounding entity");
}

static void read_entities(reader *r)
{
    int counts[4];
    begin_numbers(r);
    take_ints(r, take_size, "the number of entities", counts, 4);
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < counts[d] && !r->scan->status; i++)
            read_entity(r, d);
}

/* The nodes of an entity: first all numbers, then all coordinates. */
static void read_node_block(reader *r)
{
    int head[3];
    take_ints(r, take_int, "the head of a block of nodes", head, 3);
    int count = take_size(r, "the number of nodes of a block");
    lmb_list numbers = {0};
    for (int i = 0; i < count && !r->scan->status; i++) {
        int number = take_size(r, "the number of a node");
        lmb_scan_append(r->scan, &numbers, &number, sizeof number);
    }
    for (int i = 0; i < count && !r->scan->status; i++) {
        double x[3], parameters[3];
        take_numbers(r, "a coordinate", x, 3);
        take_numbers(r, "a number", parameters, head[2] ? head[0] & 3 : 0);
        lmb_draft_add_node(r->draft, ((int *)numbers.data)[i], x);
    }
    lmb_list_free(&numbers);
}

static void read_element_block(reader *r)
{
    int head[3]; /* dimension and number of the entity, type of the elements */
    take_ints(r, take_int, "the head of a block of elements", head, 3);
    int count = take_size(r, "the number of elements of a block");
    const gmsh_kind *k = find_kind(r, head[2], "elements are");
    if (!k)
        return;
    /* the groups of the entity, which are one after the other in the list; itself without groups */
    membership entity = {k->dimension, head[1], head[1]};
    const membership *m = r->members.data, *first = &entity;
    int groups = r->members.count == 0;
    for (size_t i = 0; i < r->members.count; i++)
        if (m[i].dimension == head[0] && m[i].entity == head[1] && groups++ == 0)
            first = &m[i];
    for (int i = 0; i < count && !r->scan->status; i++) {
        int nodes[LMB_MOST_NODES], number = take_size(r, "the number of an element");
        take_ints(r, take_size, "the node of an element", nodes, k->nodes);
        add_element(r, k, number, nodes);
        for (int g = 0; g < groups; g++)
            add_to_group(r, first[g].dimension, abs(first[g].group), number);
    }
}

/* Blocks of nodes or elements behind a head that counts them. */
static void read_blocks(reader *r, const char *what, void (*read)(reader *r))
{
    int head[4];
    begin_numbers(r);
    take_ints(r, take_size, what, head, 4);
    for (int i = 0; i < head[0] && !r->scan->status; i++)
        read(r);
}

/* --- The file --- */

static void read_format(reader *r)
{
    lmb_scan *s = r->scan;
    lmb_word version = {"", 0};
    if (!lmb_scan_line(s) || !lmb_scan_word(s, &version)) {
        lmb_scan_fail(s, "the version of the format is missing");
        return;
    }
    bool two = lmb_word_begins(version, "2"), four = lmb_word_is(version, "4.1");
    if (!two && !four) {
        lmb_scan_fail(s, "version %.*s of the format is not supported", version.length,
                      version.start);
        lmb_hint(s->context, "save as version 4.1 or 2.2");
        return;
    }
    int type = lmb_scan_integer(s, "the type of the file");
    int size = lmb_scan_integer(s, "the size of numbers");
    if (size != 8)
        lmb_scan_fail(s, "numbers have %d bytes; 8 are supported", size);
    r->version = two ? 2 : 4;
    r->binary = type == 1;
    begin_numbers(r);
    int one = r->binary ? take_int(r, "the byte order") : 1;
    r->swap = one != 1;
    if (one != 1 && one != 1 << 24)
        lmb_scan_fail(s, "the byte order is not known: the 1 of the head is %d", one);
}

static void read_nodes_4(reader *r)
{
    read_blocks(r, "the head of the nodes", read_node_block);
}

static void read_elements_4(reader *r)
{
    read_blocks(r, "the head of the elements", read_element_block);
}

/* Goes behind $EndName. */
static void skip_section(reader *r, lmb_word name)
{
    lmb_scan *s = r->scan;
    char end[80];
    lmb_snprintf(end, sizeof end, "$End%.*s", name.length < 70 ? name.length - 1 : 69,
                 name.start + 1);
    size_t length = strlen(end);
    for (const char *p = s->next; p + length <= s->text + s->size; p++) {
        if (p[0] == '\n' && !r->binary)
            s->number++;
        if (p[0] == '$' && memcmp(p, end, length) == 0) {
            s->next = p;
            lmb_scan_line(s);
            return;
        }
    }
    lmb_scan_fail(s, "the file ends early: %s is missing", end);
}

/* The end of a section that was read, on a line of its own. */
static void expect_end(reader *r, lmb_word name)
{
    lmb_word word;
    r->scan->now = r->scan->end;
    if (!lmb_scan_token(r->scan, &word))
        lmb_scan_fail(r->scan, "the file ends early: $End%.*s is missing", name.length - 1,
                      name.start + 1);
    else if (!lmb_word_begins(word, "$End"))
        lmb_scan_fail(r->scan, "expected $End%.*s", name.length - 1, name.start + 1);
}

static void read_section(reader *r, lmb_word name)
{
    static const struct {
        const char *name;
        void (*read[2])(reader *r); /* of version 2.2 and 4.1 */
    } known[SECTIONS] = {{"$MeshFormat", {read_format, read_format}},
                         {"$PhysicalNames", {read_names, read_names}},
                         {"$Entities", {read_entities, read_entities}},
                         {"$Nodes", {read_nodes_2, read_nodes_4}},
                         {"$Elements", {read_elements_2, read_elements_4}}};
    int i = 0;
    if (lmb_word_is(name, "$PartitionedEntities"))
        lmb_scan_fail(r->scan, "the mesh is partitioned, which is not supported");
    while (i < SECTIONS && !lmb_word_is(name, known[i].name))
        i++;
    if (i == SECTIONS) {
        skip_section(r, name);
        return;
    }
    r->seen[i] = true;
    if (i >= ENTITIES && !r->version) /* numbers need the format */
        lmb_scan_fail(r->scan, "there is no $MeshFormat before %.*s", name.length, name.start);
    else
        known[i].read[r->version == 4](r);
    end_numbers(r);
    expect_end(r, name);
}

lmb_status lmb_read_gmsh(lmb_mesh_draft *draft)
{
    lmb_scan *s = draft->scan;
    reader r = {.draft = draft, .scan = s};
    while (lmb_scan_line(s)) {
        lmb_word name;
        if (!lmb_scan_word(s, &name))
            continue;
        if (name.length < 2 || *name.start != '$')
            lmb_scan_fail(s, "expected the name of a section, such as $Nodes");
        else
            read_section(&r, name);
    }
    if (!r.version)
        lmb_scan_fail(s, "this is not a mesh of Gmsh: there is no $MeshFormat");
    if (!r.seen[NODES] || !r.seen[ELEMENTS])
        lmb_scan_fail(s, "the file has no $%s", r.seen[NODES] ? "Elements" : "Nodes");
    lmb_list_free(&r.groups);
    lmb_list_free(&r.members);
    return s->status;
}
