/* The mesh of a framework, and the parts that hang together. */
#include "fe/framework.h"

#include <string.h>

#include "base/text.h"

double lmb_framework_span(const lmb_framework *f, int member, int span)
{
    const int *nodes = f->members[member].nodes + span;
    vec3 d = v3_sub(f->points[nodes[1]], f->points[nodes[0]]);
    if (f->dimension == 2)
        d.z = 0;
    return v3_norm(d);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* The first node of the part that a node belongs to; links are shortened on the way. */
static int root_of(int *link, int node)
{
    while (link[node] != node)
        node = link[node] = link[link[node]];
    return node;
}

int lmb_framework_parts(const lmb_framework *f, int *part)
{
    for (int i = 0; i < f->node_count; i++)
        part[i] = i;
    for (int m = 0; m < f->member_count; m++)
        for (int i = 0; i + 1 < f->members[m].node_count; i++) {
            int a = root_of(part, f->members[m].nodes[i]);
            int b = root_of(part, f->members[m].nodes[i + 1]);
            part[a > b ? a : b] = a > b ? b : a;
        }
    /* roots come before the rest of their parts and get their numbers first */
    int count = 0;
    for (int i = 0; i < f->node_count; i++)
        part[i] = root_of(part, i);
    for (int i = 0; i < f->node_count; i++)
        part[i] = part[i] == i ? count++ : part[part[i]];
    return count;
}

/* --- mesh ------------------------------------------------------------------------------------- */

static const char *copy_text(lmb_arena *arena, const char *text)
{
    return lmb_text_copy(arena, text ? text : "", text ? strlen(text) : 0);
}

static void add_set(lmb_mesh *mesh, const char *name, int *nodes, int count)
{
    mesh->sets[mesh->set_count++] = (lmb_node_set){copy_text(mesh->arena, name), nodes, count};
}

static void write_points(lmb_mesh *mesh, const lmb_framework *f)
{
    int *numbers = lmb_arena_integers(mesh->arena, (size_t)f->node_count);
    if (!numbers)
        return;
    for (int i = 0; i < f->node_count; i++) {
        numbers[i] = i;
        mesh->x[i] = f->points[i];
        add_set(mesh, f->names[i], &numbers[i], 1);
    }
    mesh->node_count = f->node_count;
}

/* Elements from each node of a list to the next. */
static void write_elements(lmb_mesh *mesh, int member, const int *nodes, int count)
{
    for (int i = 0; i + 1 < count; i++) {
        int *to = mesh->connections + mesh->connection_count;
        to[0] = nodes[i];
        to[1] = nodes[i + 1];
        mesh->elements[mesh->element_count] =
            (lmb_element){.kind = mesh->dimension == 2 ? LMB_BEAM_PLANAR : LMB_BEAM,
                          .number = mesh->element_count + 1,
                          .first = mesh->connection_count,
                          .material = member,
                          .section = member,
                          .point_mass = -1};
        mesh->element_count++;
        mesh->connection_count += 2;
    }
}

static void write_member(lmb_mesh *mesh, const lmb_framework *f, int member)
{
    const lmb_framework_member *m = &f->members[member];
    int spans = m->node_count - 1, count = 0;
    int *nodes = lmb_arena_integers(mesh->arena, (size_t)spans * (size_t)m->elements + 1);
    mesh->materials[member] = m->material;
    mesh->sections[member] = m->section;
    mesh->materials[member].name = copy_text(mesh->arena, m->material.name);
    mesh->sections[member].name = copy_text(mesh->arena, m->section.name);
    if (!nodes)
        return;
    for (int span = 0; span < spans; span++) {
        vec3 a = f->points[m->nodes[span]], b = f->points[m->nodes[span + 1]];
        nodes[count++] = m->nodes[span];
        for (int k = 1; k < m->elements; k++) {
            double s = (double)k / m->elements;
            mesh->x[mesh->node_count] = v3_add(v3_scale(1 - s, a), v3_scale(s, b));
            nodes[count++] = mesh->node_count++;
        }
    }
    nodes[count++] = m->nodes[spans];
    write_elements(mesh, member, nodes, count);
    add_set(mesh, m->name, nodes, count);
}

static bool fill(lmb_mesh *mesh, lmb_arena *arena, const lmb_framework *f)
{
    size_t elements = 0, points = (size_t)f->node_count, members = (size_t)f->member_count;
    for (size_t m = 0; m < members; m++)
        elements += (size_t)(f->members[m].node_count - 1) * (size_t)f->members[m].elements;
    size_t nodes = points + elements;
    *mesh = (lmb_mesh){.arena = arena,
                       .file = copy_text(arena, f->name),
                       .dimension = f->dimension,
                       .x = lmb_arena_alloc(arena, nodes, sizeof *mesh->x),
                       .number = lmb_arena_integers(arena, nodes),
                       .elements = lmb_arena_alloc(arena, elements, sizeof *mesh->elements),
                       .connections = lmb_arena_integers(arena, 2 * elements),
                       .materials = lmb_arena_alloc(arena, members, sizeof *mesh->materials),
                       .sections = lmb_arena_alloc(arena, members, sizeof *mesh->sections),
                       .sets = lmb_arena_alloc(arena, points + members, sizeof *mesh->sets),
                       .material_count = f->member_count,
                       .section_count = f->member_count};
    if (!lmb_arena_fine(arena))
        return false;
    write_points(mesh, f);
    for (int m = 0; lmb_arena_fine(arena) && m < f->member_count; m++)
        write_member(mesh, f, m);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->number[i] = i + 1;
    return lmb_arena_fine(arena);
}

lmb_status lmb_framework_mesh(lmb_mesh **out, lmb_context *context, const lmb_framework *f)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_mesh *mesh = lmb_arena_object(&arena, sizeof *mesh);
    if (!mesh || !fill(mesh, arena, f)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *out = mesh;
    return LMB_OK;
}
