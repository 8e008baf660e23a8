/* Facets of meshes; see facets.h. */
#include "export/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 10 }; /* of a tube */

static const double smooth = 0.77; /* cosine of 40 degrees: rounder than that has no edges */

/* A side of a triangle, from the lesser of its nodes to the greater. */
typedef struct side {
    int low, high, triangle;
    int vertex[2]; /* at low and at high */
} side;

/* What is needed while facets are made; each from malloc. */
typedef struct work {
    const lmb_solid_mesh *mesh;
    bool flexible;        /* its nodes at one place have stresses of their own */
    int *same;            /* node: the first of those at its place */
    vec3 *normal;         /* triangle: unit, or zero if it has no area */
    int *first, *corners; /* node: its corners, 3 triangle + 0, 1 or 2 */
    vec3 *kept;           /* vertex: the normal that made it */
    side *sides;
} work;

static vec3 node_at(const lmb_solid_mesh *m, int i)
{
    const float *p = m->nodes + 3 * (size_t)i;
    return v3((double)p[0], (double)p[1], (double)p[2]);
}

static bool start(work *w, const lmb_solid_mesh *m)
{
    size_t n = (size_t)m->node_count, t = (size_t)m->triangle_count;
    w->mesh = m;
    w->same = calloc(n + 1, sizeof *w->same);
    w->normal = calloc(t + 1, sizeof *w->normal);
    w->first = calloc(n + 2, sizeof *w->first);
    w->corners = calloc(3 * t + 1, sizeof *w->corners);
    w->kept = calloc(3 * t + 1, sizeof *w->kept);
    w->sides = calloc(3 * t + 1, sizeof *w->sides);
    return w->same && w->normal && w->first && w->corners && w->kept && w->sides;
}

static void finish(work *w)
{
    void *const all[] = {w->same, w->normal, w->first, w->corners, w->kept, w->sides};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* A node and where it is, in millionths of the size of the mesh. */
typedef struct spot {
    int p[3], node;
} spot;

static int compare_spots(const void *a, const void *b)
{
    const spot *s = a, *t = b;
    for (int k = 0; k < 3; k++)
        if (s->p[k] != t->p[k])
            return s->p[k] < t->p[k] ? -1 : 1;
    return s->node - t->node;
}

/* Nodes at one place are one, as at the poles of spheres. */
static bool join_nodes(work *w)
{
    const lmb_solid_mesh *m = w->mesh;
    size_t n = (size_t)m->node_count;
    for (size_t i = 0; i < n; i++)
        w->same[i] = (int)i;
    spot *spots = calloc(n + 1, sizeof *spots);
    if (!spots)
        return false;
    double size = 0;
    for (size_t i = 0; i < 3 * n; i++)
        size = fmax(size, fabs((double)m->nodes[i]));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3 && size > 0; k++)
            spots[i].p[k] = (int)lrint(1e6 * (double)m->nodes[3 * i + k] / size);
        spots[i].node = (int)i;
    }
    qsort(spots, n, sizeof *spots, compare_spots);
    for (size_t i = 1; i < n; i++)
        if (memcmp(spots[i].p, spots[i - 1].p, sizeof spots[i].p) == 0)
            w->same[spots[i].node] = w->same[spots[i - 1].node];
    free(spots);
    return true;
}

/* The node of a corner. */
static int node_of(const work *w, int corner)
{
    int node = w->mesh->triangles[corner];
    return w->flexible ? node : w->same[node];
}

static void find_normals(work *w)
{
    const lmb_solid_mesh *m = w->mesh;
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * (size_t)i;
        vec3 a = node_at(m, t[0]);
        vec3 n = v3_cross(v3_sub(node_at(m, t[1]), a), v3_sub(node_at(m, t[2]), a));
        double size = v3_norm(n);
        int p = node_of(w, 3 * i), q = node_of(w, 3 * i + 1), r = node_of(w, 3 * i + 2);
        bool flat = p == q || q == r || r == p || !(size > 0);
        w->normal[i] = flat ? v3(0, 0, 0) : v3_scale(1 / size, n);
    }
}

/* The corners of each node, one node after the other. */
static void sort_corners(work *w)
{
    const lmb_solid_mesh *m = w->mesh;
    int count = 3 * m->triangle_count;
    for (int i = 0; i < count; i++)
        w->first[node_of(w, i) + 2]++;
    for (int i = 2; i <= m->node_count + 1; i++)
        w->first[i] += w->first[i - 1];
    for (int i = 0; i < count; i++)
        w->corners[w->first[node_of(w, i) + 1]++] = i;
}

/* Corners of a node with nearly the same normal share a vertex. */
static void split_nodes(work *w, lmb_facets *f)
{
    for (int node = 0; node < w->mesh->node_count; node++) {
        int begin = f->vertex_count;
        for (int i = w->first[node]; i < w->first[node + 1]; i++) {
            vec3 n = w->normal[w->corners[i] / 3];
            int v = begin;
            while (v < f->vertex_count && v3_dot(n, n) > 0 && v3_dot(n, w->kept[v]) < smooth)
                v++;
            if (v == f->vertex_count) {
                w->kept[v] = n;
                f->node[v] = node;
                f->vertex_count++;
            }
            f->triangles[w->corners[i]] = v;
        }
    }
}

static int compare_sides(const void *a, const void *b)
{
    const side *s = a, *t = b;
    return s->low != t->low     ? (s->low > t->low) - (s->low < t->low)
           : s->high != t->high ? (s->high > t->high) - (s->high < t->high)
                                : s->triangle - t->triangle;
}

static void list_sides(work *w, const lmb_facets *f)
{
    for (int i = 0; i < 3 * w->mesh->triangle_count; i++) {
        int next = i % 3 == 2 ? i - 2 : i + 1;
        int a = w->same[w->mesh->triangles[i]], b = w->same[w->mesh->triangles[next]];
        int va = f->triangles[i], vb = f->triangles[next];
        w->sides[i] = a < b ? (side){a, b, i / 3, {va, vb}} : (side){b, a, i / 3, {vb, va}};
    }
    qsort(w->sides, 3 * (size_t)w->mesh->triangle_count, sizeof *w->sides, compare_sides);
}

/* Six times the volume that triangles enclose; negative where they are turned inside out. */
static double volume_of(const lmb_solid_mesh *m)
{
    double sum = 0;
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * (size_t)i;
        sum += v3_dot(node_at(m, t[0]), v3_cross(node_at(m, t[1]), node_at(m, t[2])));
    }
    return sum;
}

/* An edge is where two triangles meet at an angle, or where there is but one. */
static void find_edges(work *w, lmb_facets *f)
{
    int count = 3 * w->mesh->triangle_count;
    list_sides(w, f);
    f->closed = volume_of(w->mesh) > 0;
    for (int i = 0, next; i < count; i = next) {
        const side *s = &w->sides[i];
        for (next = i + 1;
             next < count && w->sides[next].low == s->low && w->sides[next].high == s->high;)
            next++;
        f->closed = f->closed && (next - i) % 2 == 0;
        vec3 a = w->normal[s->triangle], b = w->normal[w->sides[next - 1].triangle];
        bool sharp = next - i == 1 || v3_dot(a, b) < smooth;
        if (sharp && v3_dot(a, a) > 0 && v3_dot(b, b) > 0) {
            f->edges[2 * f->edge_count] = s->vertex[0];
            f->edges[2 * f->edge_count++ + 1] = s->vertex[1];
        }
    }
}

/* A tube around a line: a ring of vertices at each end. */
static void add_tube(lmb_facets *f, const lmb_solid_mesh *m, const int ends[2], double radius)
{
    vec3 along = v3_sub(node_at(m, ends[1]), node_at(m, ends[0]));
    if (v3_norm(along) == 0)
        return;
    along = v3_unit(along);
    vec3 across = v3_unit(v3_cross(fabs(along.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0), along));
    vec3 third = v3_cross(along, across);
    int begin = f->vertex_count;
    for (int i = 0; i < 2 * SIDES; i++) {
        double angle = 2 * LMB_PI * (i % SIDES) / SIDES;
        f->node[f->vertex_count] = ends[i / SIDES];
        f->offset[f->vertex_count++] =
            v3_axpy(v3_scale(radius * cos(angle), across), radius * sin(angle), third);
    }
    for (int i = 0; i < SIDES; i++) {
        int a = begin + i, b = begin + (i + 1) % SIDES;
        const int corners[6] = {a, b, a + SIDES, b, b + SIDES, a + SIDES};
        for (int k = 0; k < 6; k++)
            f->triangles[3 * f->triangle_count + k] = corners[k];
        f->triangle_count += 2;
    }
}

bool lmb_facets_of(lmb_facets *f, lmb_arena *arena, const lmb_scene_body *body, double radius)
{
    const lmb_solid_mesh *m = &body->mesh;
    int lines = body->skin ? body->skin->line_count : 0;
    size_t vertices = 3 * (size_t)m->triangle_count + 2 * SIDES * (size_t)lines + 1;
    size_t triangles = (size_t)m->triangle_count + 2 * SIDES * (size_t)lines + 1;
    *f = (lmb_facets){.node = lmb_arena_integers(arena, vertices),
                      .offset = lmb_arena_alloc(arena, vertices, sizeof(vec3)),
                      .triangles = lmb_arena_integers(arena, 3 * triangles),
                      .edges = lmb_arena_integers(arena, 6 * (size_t)m->triangle_count + 1)};
    work w = {.flexible = body->skin != NULL};
    bool done = f->node && f->offset && f->triangles && f->edges && start(&w, m) && join_nodes(&w);
    if (done) {
        find_normals(&w);
        sort_corners(&w);
        split_nodes(&w, f);
        find_edges(&w, f);
        f->triangle_count = m->triangle_count;
        f->closed = f->closed && lines == 0;
        for (int i = 0; i < lines; i++)
            add_tube(f, m, body->skin->lines + 2 * i, radius);
    }
    finish(&w);
    return done;
}
