/* Select nodes by their distance from surfaces and regions. */
#include "fe/selection.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

lmb_status lmb_selectable_of(lmb_selectable *out, lmb_context *context, lmb_arena *arena,
                             const lmb_mesh *mesh)
{
    lmb_surface surface;
    bool *there = lmb_arena_alloc(arena, (size_t)mesh->node_count + 1, sizeof *there);
    if (!there)
        return lmb_fail_memory(context);
    for (int i = 0; i < mesh->connection_count; i++)
        there[mesh->connections[i]] = true;
    lmb_status status = lmb_surface_of(&surface, arena, context, mesh);
    out->there = there;
    out->triangles = (const int(*)[3])surface.triangles;
    out->triangle_count = surface.triangle_count;
    return status;
}

/* Return the largest of the distances of x from all surfaces and regions. */
static double distance_of(const lmb_node_selection *s, vec3 x)
{
    double most = 0;
    if (s->cylinder.used) {
        vec3 axis = v3_unit(s->cylinder.axis), r = v3_sub(x, s->cylinder.point);
        double along = v3_dot(r, axis), across = v3_norm(v3_axpy(r, -along, axis));
        most = fmax(most, fabs(across - s->cylinder.radius));
        if (s->cylinder.length > 0)
            most = fmax(most, fabs(along) - s->cylinder.length / 2);
    }
    if (s->plane.used)
        most = fmax(most, fabs(v3_dot(v3_unit(s->plane.normal), v3_sub(x, s->plane.point))));
    for (int i = 0; i < 3 && s->box.used; i++) {
        double from = v3_get(s->box.from, i), to = v3_get(s->box.to, i), at = v3_get(x, i);
        most = fmax(most, fmax(fmin(from, to) - at, at - fmax(from, to)));
    }
    return most;
}

/* Mark the nodes of triangles whose normals are within the angle. Returns the smallest angle of all
 * triangles. */
static double mark_faces(const lmb_node_selection *s, const lmb_selectable *from, bool *on_face)
{
    vec3 direction = v3_unit(s->faces.normal);
    double least = INFINITY;
    for (int t = 0; t < from->triangle_count; t++) {
        const int *k = from->triangles[t];
        vec3 a = from->x[k[0]], b = from->x[k[1]], c = from->x[k[2]];
        vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
        double across = v3_norm(v3_cross(normal, direction));
        double angle = atan2(across, v3_dot(normal, direction));
        least = fmin(least, angle);
        for (int i = 0; i < 3 && angle <= s->faces.angle; i++)
            on_face[k[i]] = true;
    }
    return least;
}

static lmb_status fail_empty(const lmb_node_selection *s, lmb_context *context, double nearest,
                             double tolerance, double angle)
{
    lmb_fail_at(context, s->place, "the selection of '%s' has no nodes", s->name);
    if (isfinite(nearest))
        return lmb_hint(context,
                        "the nearest node is %.4g m off, and the tolerance is %.4g m: check "
                        "coordinates, in m, and 'tolerance'",
                        nearest, tolerance);
    if (isfinite(angle))
        return lmb_hint(context,
                        "normals point outwards; that of the nearest face is %.4g degrees off, and "
                        "'angle' is %.4g degrees",
                        angle * 180 / LMB_PI, s->faces.angle * 180 / LMB_PI);
    return lmb_hint(context, "the part has no solid elements with outer faces");
}

lmb_status lmb_select_nodes(const lmb_node_selection *s, lmb_context *context,
                            const lmb_selectable *from, int *nodes, int *count)
{
    bool *on_face = lmb_calloc((size_t)from->count + 1, sizeof *on_face);
    *count = 0;
    if (!on_face)
        return lmb_fail_memory(context);
    double angle = s->faces.used ? mark_faces(s, from, on_face) : 0, nearest = INFINITY;
    double tolerance =
        s->tolerance > 0 ? s->tolerance : LMB_SELECTION_TOLERANCE * v3_spread(from->x, from->count);
    for (int i = 0; i < from->count; i++) {
        if ((from->there && !from->there[i]) || (s->faces.used && !on_face[i]))
            continue;
        double distance = distance_of(s, v3_add(from->x[i], from->origin));
        nearest = fmin(nearest, distance);
        if (distance <= tolerance)
            nodes[(*count)++] = i;
    }
    free(on_face);
    return *count ? LMB_OK : fail_empty(s, context, nearest, tolerance, angle);
}
