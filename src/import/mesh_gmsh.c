/* Meshes of Gmsh: files .msh of the versions 2.2 and 4.1, text and binary.
 *
 * A file is a list of sections, $Name to $EndName. Numbers are read one by one by functions that
 * know whether the file is text or binary; so each section is read by one function. A binary file
 * begins with a 1 that shows its byte order. Physical groups become sets: in 2.2 the first tag of
 * an element is its group; in 4.1 an element belongs to an entity, and the entity to groups. In a
 * file without groups, entities make the sets. */
#include "import/mesh_gmsh.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct group {
    int dimension, tag;
    const char *name;
} group;

/* An entity is in a group. */
typedef struct membership {
    int dimension, entity, group;
} membership;

/* --- Groups --- */

/* Adds an element to a group, by whose name its set goes. */
static lmb_status add_to_group(lmb_gmsh *r, int dimension, int tag, int number)
{
    static const char *const words[] = {"point", "line", "surface", "volume"};
    char made[40];
    snprintf(made, sizeof made, "%s-%d", words[dimension & 3], tag);
    lmb_word name = {made, (int)strlen(made)};
    const group *groups = r->groups.data;
    for (size_t i = 0; i < r->groups.count; i++)
        if (groups[i].dimension == dimension && groups[i].tag == tag)
            name = (lmb_word){groups[i].name, (int)strlen(groups[i].name)};
    lmb_draft_set *set = lmb_draft_set_of(r->draft, name, true);
    if (!set)
        return lmb_fail_memory(r->scan->context);
    return lmb_draft_add_range(r->draft, set, (lmb_draft_range){number, number, 1, true});
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

static lmb_status read_names(lmb_gmsh *r)
{
    lmb_scan *s = r->scan;
    int count;
    if (!lmb_scan_line(s))
        return lmb_scan_fail(s, "the file ends early");
    lmb_status status = lmb_scan_integer(s, "the number of physical names", &count);
    for (int i = 0; i < count && !status; i++) {
        int dimension, tag;
        if (!lmb_scan_line(s))
            return lmb_scan_fail(s, "the file ends early, after %d of %d physical names", i, count);
        status = lmb_scan_integer(s, "the dimension of a physical group", &dimension);
        if (!status)
            status = lmb_scan_integer(s, "the number of a physical group", &tag);
        if (status)
            break;
        lmb_word name = quoted(s);
        if (name.length <= 0)
            return lmb_scan_fail(s, "the name of a physical group is missing");
        group *added = lmb_list_add(&r->groups, sizeof *added);
        const char *copy = lmb_text_copy(r->draft->arena, name.start, (size_t)name.length);
        if (!added || !copy)
            return lmb_fail_memory(s->context);
        *added = (group){dimension, tag, copy};
    }
    return status;
}

/* --- Version 2.2 --- */

static lmb_status read_count(lmb_gmsh *r, const char *what, int *count)
{
    if (!lmb_scan_line(r->scan))
        return lmb_scan_fail(r->scan, "the file ends early: %s is missing", what);
    return lmb_scan_integer(r->scan, what, count);
}

static lmb_status read_nodes_2(lmb_gmsh *r)
{
    int count, number;
    vec3 x;
    lmb_status status = read_count(r, "the number of nodes", &count);
    if (status)
        return status;
    lmb_gmsh_begin(r);
    for (int i = 0; i < count && !status; i++) {
        status = lmb_gmsh_int(r, "the number of a node", &number);
        if (!status)
            status = lmb_gmsh_point(r, &x);
        if (!status)
            status = lmb_draft_add_node(r->draft, r->scan, number, x);
    }
    if (!status)
        lmb_gmsh_end(r);
    return status;
}

/* The tags and nodes of an element. */
static lmb_status read_element_2(lmb_gmsh *r, int type, int tags, int number)
{
    const lmb_gmsh_kind *k = lmb_gmsh_find(type);
    if (!k)
        return lmb_scan_fail(r->scan, "element %d is of type %d, which is not supported", number,
                             type);
    int nodes[LMB_MOST_NODES], tag[2] = {0}, ignored; /* the group and the entity */
    lmb_status status = LMB_OK;
    for (int i = 0; i < tags && !status; i++)
        status = lmb_gmsh_int(r, "the tag of an element", i < 2 ? &tag[i] : &ignored);
    int set = tag[0] || r->groups.count > 0 ? tag[0] : tag[1];
    if (!status)
        status = lmb_gmsh_ints(r, "the node of an element", nodes, k->nodes);
    if (!status)
        status = lmb_gmsh_add(r, k, number, nodes);
    if (!status && set)
        status = add_to_group(r, k->dimension, abs(set), number);
    return status;
}

static lmb_status read_elements_2(lmb_gmsh *r)
{
    int count, head[3];
    lmb_status status = read_count(r, "the number of elements", &count);
    if (status)
        return status;
    lmb_gmsh_begin(r);
    r->draft->twins = true;
    for (int i = 0; i < count && !status;) {
        /* text: number, type, tags; binary: type, elements that follow, tags of each */
        status = lmb_gmsh_ints(r, "the head of an element", head, 3);
        int follow = r->binary ? head[1] : 1, type = r->binary ? head[0] : head[1];
        if (!status && (follow < 1 || head[2] < 0))
            status = lmb_scan_fail(r->scan, "the head of an element is wrong");
        for (int k = 0, number = head[0]; k < follow && !status; k++, i++) {
            if (r->binary)
                status = lmb_gmsh_int(r, "the number of an element", &number);
            if (!status)
                status = read_element_2(r, type, head[2], number);
        }
    }
    if (!status)
        lmb_gmsh_end(r);
    return status;
}

/* --- Version 4.1 --- */

/* The groups of an entity, then, above points, the entities around it. */
static lmb_status read_entity(lmb_gmsh *r, int dimension)
{
    int tag, count, other;
    lmb_status status = lmb_gmsh_int(r, "the number of an entity", &tag);
    if (!status)
        status = lmb_gmsh_skip(r, dimension == 0 ? 3 : 6);
    if (!status)
        status = lmb_gmsh_size(r, "the number of physical groups", &count);
    for (int i = 0; !status && i < count; i++) {
        membership *m = lmb_list_add(&r->members, sizeof *m);
        if (!m)
            return lmb_fail_memory(r->scan->context);
        *m = (membership){dimension, tag, 0};
        status = lmb_gmsh_int(r, "a physical group", &m->group);
    }
    if (status || dimension == 0)
        return status;
    status = lmb_gmsh_size(r, "the number of bounding entities", &count);
    for (int i = 0; !status && i < count; i++)
        status = lmb_gmsh_int(r, "a bounding entity", &other);
    return status;
}

static lmb_status read_entities(lmb_gmsh *r)
{
    int counts[4];
    lmb_gmsh_begin(r);
    lmb_status status = lmb_gmsh_sizes(r, "the number of entities", counts, 4);
    for (int d = 0; d < 4 && !status; d++)
        for (int i = 0; i < counts[d] && !status; i++)
            status = read_entity(r, d);
    if (!status)
        lmb_gmsh_end(r);
    return status;
}

/* The nodes of an entity: first all numbers, then all coordinates. */
static lmb_status read_node_block(lmb_gmsh *r)
{
    int head[3], count;
    lmb_status status = lmb_gmsh_ints(r, "the head of a block of nodes", head, 3);
    if (!status)
        status = lmb_gmsh_size(r, "the number of nodes of a block", &count);
    lmb_list numbers = {0};
    for (int i = 0; !status && i < count; i++) {
        int *number = lmb_list_add(&numbers, sizeof *number);
        status = number ? lmb_gmsh_size(r, "the number of a node", number)
                        : lmb_fail_memory(r->scan->context);
    }
    for (int i = 0; !status && i < count; i++) {
        vec3 x;
        status = lmb_gmsh_point(r, &x);
        if (!status && head[2])
            status = lmb_gmsh_skip(r, head[0] & 3);
        if (!status)
            status = lmb_draft_add_node(r->draft, r->scan, ((int *)numbers.data)[i], x);
    }
    lmb_list_free(&numbers);
    return status;
}

/* Blocks of nodes or elements behind a head that counts them. */
static lmb_status read_blocks(lmb_gmsh *r, const char *what, lmb_status (*read)(lmb_gmsh *r))
{
    int head[4];
    lmb_gmsh_begin(r);
    lmb_status status = lmb_gmsh_sizes(r, what, head, 4);
    for (int i = 0; !status && i < head[0]; i++)
        status = read(r);
    if (!status)
        lmb_gmsh_end(r);
    return status;
}

static lmb_status read_element_4(lmb_gmsh *r, const lmb_gmsh_kind *k, const membership *m,
                                 int groups)
{
    int number, nodes[LMB_MOST_NODES];
    lmb_status status = lmb_gmsh_size(r, "the number of an element", &number);
    if (!status)
        status = lmb_gmsh_sizes(r, "the node of an element", nodes, k->nodes);
    if (!status)
        status = lmb_gmsh_add(r, k, number, nodes);
    for (int i = 0; i < groups && !status; i++)
        status = add_to_group(r, m[i].dimension, abs(m[i].group), number);
    return status;
}

/* The groups of an entity, which are one after the other in the list. */
static int find_groups(const lmb_gmsh *r, int dimension, int entity, const membership **first)
{
    int count = 0;
    const membership *m = r->members.data;
    for (size_t i = 0; i < r->members.count; i++)
        if (m[i].dimension == dimension && m[i].entity == entity && count++ == 0)
            *first = &m[i];
    return count;
}

static lmb_status read_element_block(lmb_gmsh *r)
{
    int head[3], count;
    lmb_status status = lmb_gmsh_ints(r, "the head of a block of elements", head, 3);
    if (!status)
        status = lmb_gmsh_size(r, "the number of elements of a block", &count);
    if (status)
        return status;
    const lmb_gmsh_kind *k = lmb_gmsh_find(head[2]);
    if (!k)
        return lmb_scan_fail(r->scan, "elements are of type %d, which is not supported", head[2]);
    membership entity = {k->dimension, head[1], head[1]};
    const membership *first = &entity;
    int groups = find_groups(r, head[0], head[1], &first);
    if (r->members.count == 0)
        groups = 1;
    for (int i = 0; !status && i < count; i++)
        status = read_element_4(r, k, first, groups);
    return status;
}

/* --- The file --- */

static lmb_status read_format(lmb_gmsh *r)
{
    lmb_scan *s = r->scan;
    lmb_word version = {"", 0};
    int type, size;
    if (!lmb_scan_line(s) || !lmb_scan_word(s, &version))
        return lmb_scan_fail(s, "the version of the format is missing");
    bool two = lmb_word_begins(version, "2"), four = lmb_word_is(version, "4.1");
    if (!two && !four) {
        lmb_scan_fail(s, "version %.*s of the format is not supported", version.length,
                      version.start);
        lmb_hint(s->context, "save as version 4.1 or 2.2");
        return LMB_BAD_INPUT;
    }
    lmb_status status = lmb_scan_integer(s, "the type of the file", &type);
    if (!status)
        status = lmb_scan_integer(s, "the size of numbers", &size);
    if (status)
        return status;
    if (size != 8)
        return lmb_scan_fail(s, "numbers have %d bytes; 8 are supported", size);
    r->version = two ? 2 : 4;
    r->binary = type == 1;
    if (!r->binary)
        return LMB_OK;
    int one = 0;
    lmb_gmsh_begin(r);
    status = lmb_gmsh_int(r, "the byte order", &one);
    if (!status && one != 1) {
        r->swap = true;
        if (one != 1 << 24)
            status = lmb_scan_fail(s, "the byte order is not known: the 1 of the head is %d", one);
    }
    lmb_gmsh_end(r);
    return status;
}

/* Goes behind $EndName. */
static lmb_status skip_section(lmb_gmsh *r, lmb_word name)
{
    lmb_scan *s = r->scan;
    char end[80];
    snprintf(end, sizeof end, "$End%.*s", name.length < 70 ? name.length - 1 : 69, name.start + 1);
    size_t length = strlen(end);
    for (const char *p = s->next; p + length <= s->text + s->size; p++) {
        if (p[0] == '\n' && !r->binary)
            s->number++;
        if (p[0] == '$' && memcmp(p, end, length) == 0) {
            s->next = p;
            lmb_scan_line(s);
            return LMB_OK;
        }
    }
    return lmb_scan_fail(s, "the file ends early: %s is missing", end);
}

/* The end of a section that was read. */
static lmb_status expect_end(lmb_gmsh *r, lmb_word name)
{
    lmb_scan *s = r->scan;
    lmb_word word = {"", 0};
    while (word.length == 0) {
        if (!lmb_scan_line(s))
            return lmb_scan_fail(s, "the file ends early: $End%.*s is missing", name.length - 1,
                                 name.start + 1);
        lmb_scan_word(s, &word);
    }
    if (!lmb_word_begins(word, "$End"))
        return lmb_scan_fail(s, "expected $End%.*s", name.length - 1, name.start + 1);
    return LMB_OK;
}

/* Reads the numbers of a section of a kind that is known. */
static lmb_status read_known(lmb_gmsh *r, lmb_word name)
{
    if (lmb_word_is(name, "$MeshFormat"))
        return read_format(r);
    if (lmb_word_is(name, "$PhysicalNames"))
        return read_names(r);
    if (!r->version)
        return lmb_scan_fail(r->scan, "there is no $MeshFormat before %.*s", name.length,
                             name.start);
    if (lmb_word_is(name, "$Entities"))
        return read_entities(r);
    if (lmb_word_is(name, "$Nodes")) {
        r->nodes = true;
        return r->version == 2 ? read_nodes_2(r)
                               : read_blocks(r, "the head of the nodes", read_node_block);
    }
    r->elements = true;
    return r->version == 2 ? read_elements_2(r)
                           : read_blocks(r, "the head of the elements", read_element_block);
}

static lmb_status read_section(lmb_gmsh *r, lmb_word name)
{
    static const char *const known[] = {"$MeshFormat", "$PhysicalNames", "$Entities", "$Nodes",
                                        "$Elements"};
    if (lmb_word_is(name, "$PartitionedEntities"))
        return lmb_scan_fail(r->scan, "the mesh is partitioned, which is not supported");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lmb_word_is(name, known[i])) {
            lmb_status status = read_known(r, name);
            return status ? status : expect_end(r, name);
        }
    return skip_section(r, name);
}

static lmb_status read_sections(lmb_gmsh *r)
{
    lmb_scan *s = r->scan;
    while (lmb_scan_line(s)) {
        lmb_word name;
        if (!lmb_scan_word(s, &name))
            continue;
        if (name.length < 2 || *name.start != '$')
            return lmb_scan_fail(s, "expected the name of a section, such as $Nodes");
        lmb_status status = read_section(r, name);
        if (status)
            return status;
    }
    if (!r->version)
        return lmb_scan_fail(s, "this is not a mesh of Gmsh: there is no $MeshFormat");
    if (!r->nodes || !r->elements)
        return lmb_scan_fail(s, "the file has no $%s", r->nodes ? "Elements" : "Nodes");
    return LMB_OK;
}

lmb_status lmb_read_gmsh(lmb_mesh_draft *draft, lmb_scan *scan)
{
    lmb_gmsh r = {.draft = draft, .scan = scan};
    lmb_status status = read_sections(&r);
    lmb_list_free(&r.groups);
    lmb_list_free(&r.members);
    return status;
}
