/* Load cases for ParaView: the undeformed mesh with node and element numbers, and the nodal forces
 * of each instant. Loads on interface points are left out, because a coupling spreads them over the
 * nodes. */
#include "export/load_cases.h"
#include "export/vtk.h"

/* Return the VTK cell type of an element kind. The node order is the same. */
static uint8_t type_of(lmb_element_kind kind)
{
    static const uint8_t types[LMB_ELEMENT_KINDS] = {
        [LMB_POINT_MASS] = 1, [LMB_BEAM_PLANAR] = 3, [LMB_BEAM] = 3,  [LMB_TET4] = 10,
        [LMB_TET10] = 24,     [LMB_HEX8] = 12,       [LMB_HEX20] = 25};
    return types[kind];
}

/* Collect the cells of the mesh. */
static void put_cells(const lmb_load_file *f, const float *points)
{
    const lmb_mesh *m = f->body->mesh;
    size_t c = (size_t)m->element_count;
    int32_t *nodes = lmb_arena_alloc(f->room, (size_t)m->connection_count + 1, sizeof *nodes);
    int32_t *offsets = lmb_arena_alloc(f->room, c + 1, sizeof *offsets);
    int32_t *numbers = lmb_arena_alloc(f->room, c + 1, sizeof *numbers);
    uint8_t *types = lmb_arena_alloc(f->room, c + 1, sizeof *types);
    int corners = 0;
    if (!lmb_arena_fine(f->room))
        return;
    for (size_t i = 0; i < c; i++) {
        const lmb_element *e = &m->elements[i];
        for (int k = 0; k < lmb_element_nodes(e->kind); k++)
            nodes[corners++] = m->connections[e->first + k];
        offsets[i] = corners;
        numbers[i] = e->number;
        types[i] = type_of(e->kind);
    }
    lmb_vtk_cells(f->out, &(lmb_vtk_grid){(size_t)m->node_count, c, (size_t)corners, points, nodes,
                                          offsets, types});
    fputs("<CellData Scalars=\"element\">\n", f->out);
    lmb_vtk_array(f->out, "Int32", "element", 1, numbers, 4 * c);
    fputs("</CellData>\n", f->out);
}

/* Copy vectors to an array of nodes x 3. */
static float *vectors_of(const lmb_load_file *f, const vec3 *list,
                         vec3 (*in_units)(const lmb_load_file *, vec3))
{
    size_t n = 3 * (size_t)f->body->mesh->node_count;
    float *out = lmb_arena_alloc(f->room, n + 1, sizeof *out);
    for (size_t i = 0; out && i < n; i++)
        out[i] = (float)v3_get(in_units(f, list[i / 3]), (int)(i % 3));
    return out;
}

static void begin(const lmb_load_file *f)
{
    const lmb_mesh *m = f->body->mesh;
    const float *points = vectors_of(f, m->x, lmb_load_length);
    if (points)
        put_cells(f, points);
    fputs("<PointData Scalars=\"node\">\n", f->out);
    lmb_vtk_array(f->out, "Int32", "node", 1, m->number, 4 * (size_t)m->node_count);
}

/* Name the array "force" for a single instant; for several instants add the time to each name. */
static void step(const lmb_load_file *f)
{
    const float *force = vectors_of(f, f->load->force, lmb_load_force);
    char name[64] = "force";
    if (f->cases->count > 1)
        lmb_snprintf(name, sizeof name, "force at %.9g s", f->cases->time[f->instant]);
    if (force)
        lmb_vtk_array(f->out, "Float32", name, 3, force, 12 * (size_t)f->body->mesh->node_count);
}

static void end(const lmb_load_file *f)
{
    fputs("</PointData>\n", f->out);
    lmb_vtk_end(f->out);
}

const lmb_load_writer lmb_load_vtu = {
    .ending = ".vtu", .nodes = true, .begin = begin, .step = step, .end = end};
