/* Checks of a mesh before it is assembled.
 *
 * A solid is inverted if its Jacobian is not positive at an integration point: an error. It is bad,
 * which is a warning, if it is nearly flat, if it folds over at a node, or if a middle node is far
 * from the middle of its edge. Elements are named by their numbers in the file, ten at most. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "fe/beam.h"
#include "fe/properties.h"
#include "fe/solid.h"

enum { NAMED = 10 };
static const double flat = 1e-12;      /* volume over cubed edge: none */
static const double sliver_tet = 0.05; /* 3 inner / outer radius */
static const double sliver_hex = 0.1;  /* scaled Jacobian */
static const double far_middle = 0.25; /* of a middle node, over its edge; a quarter circle: 0.21 */

/* Elements that have something in common: how many, and the numbers of the first. */
typedef struct group {
    int count, numbers[NAMED];
} group;

static void add(group *g, int number)
{
    if (g->count < NAMED)
        g->numbers[g->count] = number;
    g->count++;
}

enum { LIST_ROOM = 256 }; /* ten numbers and the words around them are shorter */

/* "element 4", "elements 4, 7 and 9 others" */
static void list(const group *g, char text[LIST_ROOM])
{
    int shown = g->count < NAMED ? g->count : NAMED;
    lmb_snprintf(text, LIST_ROOM, "element%s", g->count == 1 ? "" : "s");
    for (int i = 0; i < shown; i++)
        lmb_text_append(text, LIST_ROOM, "%s %d", i ? "," : "", g->numbers[i]);
    if (g->count > shown)
        lmb_text_append(text, LIST_ROOM, " and %d others", g->count - shown);
}

static const char *file_of(const lmb_mesh *mesh)
{
    return mesh->file ? mesh->file : "the mesh";
}

static const int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

static bool is_tet(lmb_element_kind kind)
{
    return kind == LMB_TET4 || kind == LMB_TET10;
}

/* Three times the inner over the outer radius of a tetrahedron. */
static double radius_ratio(const vec3 *x)
{
    vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]);
    vec3 ab = v3_cross(a, b), bc = v3_cross(b, c), ca = v3_cross(c, a);
    double six = fabs(v3_dot(a, bc));
    double faces =
        v3_norm(ab) + v3_norm(bc) + v3_norm(ca) + v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    vec3 centre = v3_add(v3_add(v3_scale(v3_dot(a, a), bc), v3_scale(v3_dot(b, b), ca)),
                         v3_scale(v3_dot(c, c), ab));
    double outer = v3_norm(centre);
    return faces > 0 && outer > 0 ? 3 * (six / faces) * (2 * six / outer) : 0;
}

/* The least of det(edges at a corner) / (product of their lengths). */
static double scaled_jacobian(const vec3 *x)
{
    static const int around[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                     {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
    double least = 1;
    for (int a = 0; a < 8; a++) {
        vec3 d[3];
        for (int i = 0; i < 3; i++)
            d[i] = v3_sub(x[around[a][i]], x[a]);
        double size = v3_norm(d[0]) * v3_norm(d[1]) * v3_norm(d[2]);
        double s = size > 0 ? v3_dot(d[0], v3_cross(d[1], d[2])) / size : 0;
        least = fmin(least, s);
    }
    return least;
}

/* The least Jacobian at the points of a rule, and its integral. */
static double least_determinant(const lmb_solid_rule *rule, int nodes, const vec3 *x,
                                double *volume)
{
    double least = INFINITY;
    *volume = 0;
    for (int p = 0; p < rule->points; p++) {
        double det = lmb_solid_determinant(rule, p, nodes, x);
        least = fmin(least, det);
        *volume += rule->weight[p] * det;
    }
    return least;
}

/* Lengths of the edges, and how far the nodes in their middles are from where they should be. */
static void edges_of(const lmb_element_data *e, lmb_solid_quality *q)
{
    bool tet = is_tet(e->kind), middles = e->kind == LMB_TET10 || e->kind == LMB_HEX20;
    const int(*edges)[2] = tet ? lmb_tet_edges : hex_edges;
    int count = tet ? 6 : 12;
    vec3 middle[12];
    double length[12];
    for (int k = 0; k < count; k++) {
        vec3 a = e->x[edges[k][0]], b = e->x[edges[k][1]];
        middle[k] = v3_scale(0.5, v3_add(a, b));
        length[k] = v3_norm(v3_sub(b, a));
        q->edge = fmax(q->edge, length[k]);
    }
    for (int k = 0; middles && k < count; k++) {
        vec3 m = e->x[(tet ? 4 : 8) + k];
        double own = v3_norm(v3_sub(m, middle[k])), least = own;
        for (int i = 0; i < count; i++)
            least = fmin(least, v3_norm(v3_sub(m, middle[i])));
        if (length[k] > 0) {
            q->middle = fmax(q->middle, own / length[k]);
            q->strays |= own / length[k] > far_middle && least < own;
        }
    }
}

lmb_solid_quality lmb_solid_quality_of(const lmb_element_tables *tables, const lmb_element_data *e)
{
    const lmb_solid_table *table = lmb_solid_table_of(tables, e->kind);
    int nodes = table->nodes;
    bool tet = is_tet(e->kind);
    lmb_solid_quality q = {0};
    double least = least_determinant(&table->stiffness, nodes, e->x, &q.volume), none;
    double mean = fabs(q.volume) / (tet ? 1.0 / 6 : 8);
    q.least = mean > 0 ? least / mean : 0;
    q.at_nodes = e->kind == LMB_TET4 || mean == 0
                     ? q.least
                     : least_determinant(&table->corners, nodes, e->x, &none) / mean;
    q.shape = tet ? radius_ratio(e->x) : scaled_jacobian(e->x);
    edges_of(e, &q);
    return q;
}

/* --- what an element refers to ---------------------------------------------------------------- */

static lmb_status check_references(const lmb_mesh *mesh, const lmb_element *e, lmb_context *context)
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    for (int k = 0; k < type->nodes; k++) {
        int node = mesh->connections[e->first + k];
        if (node < 0 || node >= mesh->node_count)
            return lmb_fail(context, LMB_BAD_INPUT, "element %d of %s has an undefined node",
                            e->number, file_of(mesh));
    }
    bool mass = e->kind == LMB_POINT_MASS;
    if (mass && (e->point_mass < 0 || e->point_mass >= mesh->mass_count))
        return lmb_fail(context, LMB_BAD_INPUT, "the point mass %d of %s has no mass", e->number,
                        file_of(mesh));
    if (!mass && (e->material < 0 || e->material >= mesh->material_count)) {
        lmb_fail(context, LMB_BAD_INPUT, "element %d of %s has no material", e->number,
                 file_of(mesh));
        return lmb_hint(context, "give the mesh a material; known by name are %s",
                        lmb_material_names());
    }
    if (type->beam && (e->section < 0 || e->section >= mesh->section_count))
        return lmb_fail(context, LMB_BAD_INPUT, "the beam element %d of %s has no section",
                        e->number, file_of(mesh));
    return LMB_OK;
}

static lmb_status check_dimension(const lmb_mesh *mesh, const lmb_element *e, lmb_context *context)
{
    bool planar = mesh->dimension == 2;
    if (e->kind == LMB_POINT_MASS || planar == (e->kind == LMB_BEAM_PLANAR))
        return LMB_OK;
    return lmb_fail(context, LMB_BAD_INPUT, "element %d of %s is a %s, in a mesh %s", e->number,
                    file_of(mesh), lmb_element_type_of(e->kind)->name,
                    planar ? "of the plane" : "in space");
}

static lmb_status check_beam(const lmb_mesh *mesh, int i, const lmb_element_data *e,
                             lmb_context *context)
{
    mat3 axes;
    double length;
    if (lmb_beam_axes(e, &axes, &length))
        return LMB_OK;
    int number = mesh->elements[i].number;
    if (!(length > 0))
        return lmb_fail(context, LMB_BAD_INPUT, "the beam element %d of %s has no length", number,
                        file_of(mesh));
    return lmb_fail_hint(context, "choose a y axis across the beam",
                         "the y axis of the section is along the beam element %d of %s", number,
                         file_of(mesh));
}

/* --- solids ----------------------------------------------------------------------------------- */

/* What can be wrong with a solid, in the order of the messages: those from `FLAT` on are errors. */
enum { LINEAR, SLIVER, FOLDED, MIDDLE, FLAT, NEGATIVE, INVERTED, ORDER, FINDINGS, NONE };

static void check_solid(const lmb_mesh *mesh, int i, const lmb_element_data *e,
                        const lmb_element_tables *tables, group f[FINDINGS])
{
    lmb_solid_quality q = lmb_solid_quality_of(tables, e);
    int found = !(fabs(q.volume) > flat * q.edge * q.edge * q.edge)     ? FLAT
                : !(q.volume > 0)                                       ? NEGATIVE
                : !(q.least > 0)                                        ? INVERTED
                : q.strays                                              ? ORDER
                : q.shape < (is_tet(e->kind) ? sliver_tet : sliver_hex) ? SLIVER
                : !(q.at_nodes > 0)                                     ? FOLDED
                : q.middle > far_middle                                 ? MIDDLE
                                                                        : NONE;
    if (found != NONE)
        add(&f[found], mesh->elements[i].number);
    if (e->kind == LMB_TET4)
        add(&f[LINEAR], mesh->elements[i].number);
}

static lmb_status report(const group f[FINDINGS], const lmb_mesh *mesh, lmb_context *context)
{
    static const char order[] =
        "is the order of the middle nodes that of Limber (docs/finite-elements.md)?";
    static const char *const words[FINDINGS][2] = {
        [SLIVER] = {"nearly flat", "stresses there are unreliable, and the equations may be "
                                   "ill-conditioned; improve the mesh"},
        [FOLDED] = {"degenerate at a node: edges curved too much",
                    "mesh more finely where edges are curved"},
        [MIDDLE] = {"a mid-side node is far from the middle of its edge", order},
        [FLAT] = {"no volume", "the nodes lie in one plane"},
        [NEGATIVE] = {"negative volume",
                      "are the nodes in the order of Limber (docs/finite-elements.md)?"},
        [INVERTED] = {"inverted at an integration point",
                      "mesh more finely where edges are curved, or check the order of the middle "
                      "nodes (docs/finite-elements.md)"},
        [ORDER] = {"a mid-side node is on another edge", order}};
    lmb_status status = LMB_OK;
    if (f[LINEAR].count) {
        lmb_warn(context, "%d linear tetrahedra (tet4) in %s: they are far too stiff in bending",
                 f[LINEAR].count, file_of(mesh));
        lmb_hint(context, "mesh with quadratic tetrahedra (tet10)");
    }
    for (int i = SLIVER; i < FINDINGS; i++) {
        char text[LIST_ROOM];
        if (!f[i].count)
            continue;
        list(&f[i], text);
        if (i < FLAT)
            lmb_warn(context, "%s of %s: %s", text, file_of(mesh), words[i][0]);
        else
            status =
                lmb_fail(context, LMB_BAD_INPUT, "%s of %s: %s", text, file_of(mesh), words[i][0]);
        lmb_hint(context, "%s", words[i][1]);
    }
    return status;
}

/* --- the mesh --------------------------------------------------------------------------------- */

static lmb_status check_nodes(const lmb_mesh *mesh, lmb_context *context)
{
    for (int i = 0; i < mesh->node_count; i++)
        if (!isfinite(mesh->x[i].x + mesh->x[i].y + mesh->x[i].z))
            return lmb_fail(context, LMB_BAD_INPUT, "node %d of %s is not at a finite place",
                            mesh->number[i], file_of(mesh));
    for (int i = 0; i < mesh->mass_count; i++)
        if (!(mesh->masses[i].mass >= 0 && isfinite(mesh->masses[i].mass)))
            return lmb_fail(context, LMB_BAD_INPUT, "a point mass of %s is %g", file_of(mesh),
                            mesh->masses[i].mass);
    return LMB_OK;
}

/* Materials and sections that elements have; a file may have others that are good for nothing. */
static lmb_status check_constants(const lmb_mesh *mesh, lmb_context *context)
{
    size_t materials = (size_t)mesh->material_count, sections = (size_t)mesh->section_count;
    bool *seen = lmb_calloc(materials + sections + 1, sizeof *seen), *has = seen + materials;
    lmb_status status = seen ? LMB_OK : lmb_fail_memory(context);
    for (int i = 0; i < mesh->element_count && !status; i++) {
        const lmb_element *e = &mesh->elements[i];
        if (e->kind != LMB_POINT_MASS && !seen[e->material]) {
            status = lmb_material_check(&mesh->materials[e->material], context);
            seen[e->material] = true;
        }
        if (!status && lmb_element_type_of(e->kind)->beam && !has[e->section]) {
            status = lmb_section_check(&mesh->sections[e->section], context, mesh->dimension == 2);
            has[e->section] = true;
        }
    }
    free(seen);
    return status;
}

/* Beams and solids one by one. */
static lmb_status check_shapes(const lmb_mesh *mesh, const lmb_element_tables *tables,
                               lmb_context *context)
{
    group f[FINDINGS] = {{0}};
    lmb_element_data e;
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element_type *type = lmb_element_type_of(mesh->elements[i].kind);
        lmb_element_gather(mesh, i, &e);
        if (type->beam && check_beam(mesh, i, &e, context))
            return LMB_BAD_INPUT;
        if (type->solid)
            check_solid(mesh, i, &e, tables, f);
    }
    return report(f, mesh, context);
}

lmb_status lmb_mesh_check(const lmb_mesh *mesh, const lmb_element_tables *tables,
                          lmb_context *context)
{
    if (mesh->element_count == 0)
        return lmb_fail(context, LMB_BAD_INPUT, "%s has no elements", file_of(mesh));
    lmb_status status = check_nodes(mesh, context);
    for (const lmb_element *e = mesh->elements; e < mesh->elements + mesh->element_count; e++)
        if (status || (status = check_references(mesh, e, context)) ||
            (status = check_dimension(mesh, e, context)))
            return status;
    status = check_constants(mesh, context);
    return status ? status : check_shapes(mesh, tables, context);
}
