/* A beam along a line: its legs get elements one by one, always the leg whose elements are the
 * longest. */
#include "fe/mesh.h"

#include <string.h>

#include "base/text.h"

/* A copy, empty of none. */
static const char *copy_text(lmb_arena *arena, const char *text)
{
    return lmb_text_copy(arena, text ? text : "", text ? strlen(text) : 0);
}

static double leg_length(const lmb_beam_line *line, int leg)
{
    vec3 d = v3_sub(line->points[leg + 1], line->points[leg]);
    if (line->dimension == 2)
        d.z = 0;
    return v3_norm(d);
}

static lmb_status check(const lmb_beam_line *line, lmb_context *context)
{
    const char *name = line->name;
    if (line->point_count < 2)
        return lmb_fail(context, LMB_BAD_INPUT, "the beam '%s' needs at least two points", name);
    if (line->elements < line->point_count - 1)
        return lmb_fail_hint(context, "at least one element per leg",
                             "the beam '%s' has %d elements for %d legs", name, line->elements,
                             line->point_count - 1);
    for (int i = 0; i + 1 < line->point_count; i++)
        if (!(leg_length(line, i) > 0))
            return lmb_fail(context, LMB_BAD_INPUT,
                            "points %d and %d of the beam '%s' are at the same place", i + 1, i + 2,
                            name);
    return LMB_OK;
}

static void distribute(const lmb_beam_line *line, int *count)
{
    int legs = line->point_count - 1;
    for (int i = 0; i < legs; i++)
        count[i] = 1;
    for (int left = line->elements - legs; left > 0; left--) {
        int longest = 0;
        for (int i = 1; i < legs; i++)
            if (leg_length(line, i) / count[i] >
                leg_length(line, longest) / count[longest] * (1 + 1e-9))
                longest = i;
        count[longest]++;
    }
}

static bool is_ring(const lmb_beam_line *line)
{
    vec3 a = line->points[0], b = line->points[line->point_count - 1];
    return line->point_count > 3 && v3_norm(v3_sub(a, b)) < 1e-9 * leg_length(line, 0);
}

static void write_nodes(lmb_mesh *mesh, const lmb_beam_line *line, const int *count)
{
    int last = line->point_count - 1, node = 0;
    for (int leg = 0; leg <= last; leg++) {
        bool closing = leg == last && is_ring(line);
        int at = closing ? 0 : node;
        if (line->names && line->names[leg])
            mesh->sets[mesh->set_count++] =
                (lmb_node_set){copy_text(mesh->arena, line->names[leg]),
                               lmb_arena_grow(mesh->arena, &at, 1, 1, sizeof at), 1};
        for (int k = 0; leg < last && k < count[leg]; k++) {
            double s = (double)k / count[leg];
            mesh->x[node++] =
                v3_add(v3_scale(1 - s, line->points[leg]), v3_scale(s, line->points[leg + 1]));
        }
        if (leg == last && !closing)
            mesh->x[node++] = line->points[last];
    }
    mesh->node_count = node;
    for (int i = 0; i < node; i++)
        mesh->number[i] = i + 1;
}

static void write_elements(lmb_mesh *mesh, const lmb_beam_line *line)
{
    for (int i = 0; i < line->elements; i++) {
        mesh->elements[i] = (lmb_element){.kind = line->dimension == 2 ? LMB_BEAM_PLANAR : LMB_BEAM,
                                          .number = i + 1,
                                          .first = 2 * i,
                                          .point_mass = -1};
        mesh->connections[2 * i] = i;
        mesh->connections[2 * i + 1] = (i + 1) % mesh->node_count;
    }
}

static bool fill(lmb_mesh *mesh, lmb_arena *arena, const lmb_beam_line *line)
{
    size_t nodes = (size_t)line->elements + 1, points = (size_t)line->point_count;
    *mesh =
        (lmb_mesh){.arena = arena,
                   .file = copy_text(arena, line->name),
                   .dimension = line->dimension,
                   .x = lmb_arena_alloc(arena, nodes, sizeof *mesh->x),
                   .number = lmb_arena_integers(arena, nodes),
                   .elements = lmb_arena_alloc(arena, nodes, sizeof *mesh->elements),
                   .connections = lmb_arena_integers(arena, 2 * nodes),
                   .element_count = line->elements,
                   .connection_count = 2 * line->elements,
                   .materials = lmb_arena_grow(arena, &line->material, 1, 1, sizeof line->material),
                   .sections = lmb_arena_grow(arena, &line->section, 1, 1, sizeof line->section),
                   .sets = lmb_arena_alloc(arena, points, sizeof *mesh->sets),
                   .material_count = 1,
                   .section_count = 1};
    int *count = lmb_arena_integers(arena, points);
    if (!lmb_arena_fine(arena))
        return false;
    distribute(line, count);
    write_nodes(mesh, line, count);
    write_elements(mesh, line);
    mesh->materials[0].name = copy_text(arena, line->material.name);
    mesh->sections[0].name = copy_text(arena, line->section.name);
    return lmb_arena_fine(arena);
}

lmb_status lmb_beam_mesh(lmb_mesh **out, lmb_context *context, const lmb_beam_line *line)
{
    *out = NULL;
    lmb_status status = check(line, context);
    if (status)
        return status;
    lmb_arena *arena;
    lmb_mesh *mesh = lmb_arena_object(&arena, sizeof *mesh);
    if (!mesh || !fill(mesh, arena, line)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *out = mesh;
    return LMB_OK;
}
