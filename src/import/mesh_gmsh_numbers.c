/* The numbers and elements of files of Gmsh.
 *
 * Numbers are read one by one by functions that know whether the file is text or binary. */
#include "import/mesh_gmsh.h"

#include <stdint.h>
#include <string.h>

/* --- Numbers --- */

/* Copies bytes from the file, turned round if need be. */
static lmb_status take_bytes(lmb_gmsh *r, void *out, size_t size)
{
    lmb_scan *s = r->scan;
    size_t left = (size_t)(s->text + s->size - s->now);
    if (left < size)
        return lmb_scan_fail(s, "the file ends early, after %zu bytes", s->size);
    unsigned char *to = out;
    for (size_t i = 0; i < size; i++)
        to[r->swap ? size - 1 - i : i] = (unsigned char)s->now[i];
    s->now += size;
    return LMB_OK;
}

static lmb_status take_word(lmb_gmsh *r, const char *what, lmb_word *word)
{
    *word = (lmb_word){"", 0};
    if (!lmb_scan_token(r->scan, word))
        return lmb_scan_fail(r->scan, "the file ends early: %s is missing", what);
    return LMB_OK;
}

lmb_status lmb_gmsh_int(lmb_gmsh *r, const char *what, int *out)
{
    if (r->binary) {
        int32_t value = 0;
        lmb_status status = take_bytes(r, &value, sizeof value);
        *out = value;
        return status;
    }
    lmb_word word;
    lmb_status status = take_word(r, what, &word);
    return status ? status : lmb_scan_integer_of(r->scan, word, what, out);
}

/* A number that 4.1 writes with eight bytes. */
lmb_status lmb_gmsh_size(lmb_gmsh *r, const char *what, int *out)
{
    if (!r->binary || r->version < 4)
        return lmb_gmsh_int(r, what, out);
    uint64_t value = 0;
    lmb_status status = take_bytes(r, &value, sizeof value);
    if (!status && value > INT32_MAX)
        status = lmb_scan_fail(r->scan, "%s %llu is too large", what, (unsigned long long)value);
    *out = (int)value;
    return status;
}

static lmb_status take_number(lmb_gmsh *r, const char *what, double *out)
{
    if (r->binary) {
        lmb_status status = take_bytes(r, out, sizeof *out);
        if (!status && !isfinite(*out))
            status = lmb_scan_fail(r->scan, "%s is not a finite number", what);
        return status;
    }
    lmb_word word;
    lmb_status status = take_word(r, what, &word);
    return status ? status : lmb_scan_number_of(r->scan, word, what, out);
}

lmb_status lmb_gmsh_ints(lmb_gmsh *r, const char *what, int *out, int count)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < count && !status; i++)
        status = lmb_gmsh_int(r, what, &out[i]);
    return status;
}

lmb_status lmb_gmsh_sizes(lmb_gmsh *r, const char *what, int *out, int count)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < count && !status; i++)
        status = lmb_gmsh_size(r, what, &out[i]);
    return status;
}

lmb_status lmb_gmsh_point(lmb_gmsh *r, vec3 *x)
{
    lmb_status status = take_number(r, "a coordinate", &x->x);
    if (!status)
        status = take_number(r, "a coordinate", &x->y);
    return status ? status : take_number(r, "a coordinate", &x->z);
}

lmb_status lmb_gmsh_skip(lmb_gmsh *r, int count)
{
    double ignored;
    lmb_status status = LMB_OK;
    for (int i = 0; i < count && !status; i++)
        status = take_number(r, "a number", &ignored);
    return status;
}

void lmb_gmsh_begin(lmb_gmsh *r)
{
    r->line = r->scan->number;
    if (r->binary) {
        r->scan->now = r->scan->next;
        r->scan->number = 0;
    }
}

void lmb_gmsh_end(lmb_gmsh *r)
{
    lmb_scan *s = r->scan;
    if (!r->binary)
        return;
    s->number = r->line;
    s->next = s->now;
    s->end = s->now;
    if (s->next < s->text + s->size && *s->next == '\n')
        s->next++;
}

/* --- Kinds of elements --- */

static const lmb_gmsh_kind kinds[] = {
    {1, 2, 1, LMB_BEAM, "line of 2 nodes"},
    {2, 3, 2, LMB_ELEMENT_KINDS, "triangle of 3 nodes"},
    {3, 4, 2, LMB_ELEMENT_KINDS, "quadrangle of 4 nodes"},
    {4, 4, 3, LMB_TET4, "tetrahedron of 4 nodes"},
    {5, 8, 3, LMB_HEX8, "hexahedron of 8 nodes"},
    {6, 6, 3, LMB_ELEMENT_KINDS, "prism of 6 nodes"},
    {7, 5, 3, LMB_ELEMENT_KINDS, "pyramid of 5 nodes"},
    {8, 3, 1, LMB_ELEMENT_KINDS, "line of 3 nodes"},
    {9, 6, 2, LMB_ELEMENT_KINDS, "triangle of 6 nodes"},
    {10, 9, 2, LMB_ELEMENT_KINDS, "quadrangle of 9 nodes"},
    {11, 10, 3, LMB_TET10, "tetrahedron of 10 nodes"},
    {12, 27, 3, LMB_ELEMENT_KINDS, "hexahedron of 27 nodes"},
    {13, 18, 3, LMB_ELEMENT_KINDS, "prism of 18 nodes"},
    {14, 14, 3, LMB_ELEMENT_KINDS, "pyramid of 14 nodes"},
    {15, 1, 0, LMB_ELEMENT_KINDS, "point"},
    {16, 8, 2, LMB_ELEMENT_KINDS, "quadrangle of 8 nodes"},
    {17, 20, 3, LMB_HEX20, "hexahedron of 20 nodes"},
    {18, 15, 3, LMB_ELEMENT_KINDS, "prism of 15 nodes"},
    {19, 13, 3, LMB_ELEMENT_KINDS, "pyramid of 13 nodes"},
};

const lmb_gmsh_kind *lmb_gmsh_find(int type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

/* Puts the nodes on edges into the order of Limber. */
static void reorder(const lmb_gmsh_kind *k, int *nodes)
{
    static const int hex20[12] = {8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15};
    if (k->kind == LMB_TET10) {
        int swapped = nodes[8];
        nodes[8] = nodes[9];
        nodes[9] = swapped;
    }
    if (k->kind == LMB_HEX20) {
        int edges[20];
        memcpy(edges, nodes, sizeof edges);
        for (int i = 0; i < 12; i++)
            nodes[8 + i] = edges[hex20[i]];
    }
}

lmb_status lmb_gmsh_add(lmb_gmsh *r, const lmb_gmsh_kind *k, int number, int *nodes)
{
    if (k->dimension == 3 && k->kind == LMB_ELEMENT_KINDS) {
        lmb_scan_fail(r->scan, "element %d is a %s, which is not supported", number, k->name);
        lmb_hint(r->scan->context,
                 "tetrahedra of 4 and 10 nodes and hexahedra of 8 and 20 nodes are");
        return LMB_BAD_INPUT;
    }
    static const lmb_role roles[] = {LMB_ROLE_SET, LMB_ROLE_LINE, LMB_ROLE_SET, LMB_ROLE_BODY};
    lmb_draft_element element = {.element = {.kind = k->kind, .number = number},
                                 .type = k->name,
                                 .nodes = k->nodes,
                                 .supported = k->kind != LMB_ELEMENT_KINDS,
                                 .role = roles[k->dimension]};
    reorder(k, nodes);
    return lmb_draft_add_element(r->draft, r->scan, &element, nodes);
}
