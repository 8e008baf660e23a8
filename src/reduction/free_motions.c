/* Parts, and the constraints between them.
 *
 * A part grows from an element. A solid joins if three of its nodes, not on one line, belong to the
 * part. A beam joins if it shares a node, and so the rotation, with a beam of the part. The
 * unknowns are the motions q = (t, w) of each part, with centre c and scaled by its size s:
 *
 *   u = t + w x (x - c) / s
 *
 *   parts that share a node    u_a = u_b               rank r1
 *   held degrees of freedom    u_d = 0, w_d = 0
 *   elements with mass         t = w = 0               rank r2 of all
 *   point masses               u = 0, and w = 0 if they have inertia
 *
 * The number of free motions is the number of unknowns minus r1. The number of weightless motions
 * among them is the number of unknowns minus r2. */
#include "reduction/free_motions.h"

#include <math.h>
#include <string.h>

#include "fe/element.h"
#include "math/echelon.h"
#include "reduction/interface.h"

typedef struct work {
    const lmb_fe_model *m;
    const lmb_mesh *mesh;
    lmb_arena *room;
    lmb_incidence in;
    int motions, count; /* number of motions per part; number of parts */
    int *part;          /* part of each element; -1: a point mass */
    int *mark;          /* per node: 1 + the last part found to contain it */
    int *turned;        /* per node: 1 + the part of its beams; 0 without beams */
    int *nodes;         /* number of element nodes of each part */
    vec3 *centre;
    double *size;
    lmb_echelon *conditions;
    double least; /* a constraint is new if a larger fraction of it is independent */
    int rank;
} work;

/* --- parts ------------------------------------------------------------------------------------ */

static bool is_beam(const lmb_element *e)
{
    return lmb_element_type_of(e->kind)->beam;
}

/* Return true if an element can only move together with the growing part. */
static bool joins(const work *w, const lmb_element *e)
{
    const int *node = w->mesh->connections + e->first;
    int now = w->count + 1, own[LMB_ELEMENT_NODES_MAX], count = 0;
    for (int k = 0; k < lmb_element_nodes(e->kind); k++)
        if ((is_beam(e) ? w->turned : w->mark)[node[k]] == now)
            own[count++] = node[k];
    if (is_beam(e))
        return count > 0;
    vec3 first = count ? w->m->x[own[0]] : v3(0, 0, 0), along = v3(0, 0, 0);
    for (int k = 1; k < count; k++) {
        vec3 arm = v3_sub(w->m->x[own[k]], first);
        along = v3_norm(arm) > v3_norm(along) ? arm : along;
    }
    double least = LMB_SAME_PLACE * v3_dot(along, along);
    for (int k = 1; k < count; k++)
        if (v3_norm(v3_cross(v3_sub(w->m->x[own[k]], first), along)) > least)
            return true;
    return false;
}

/* Grow a part from an element; `queue` has room for all elements. */
static void grow(work *w, int seed, int *queue)
{
    int now = w->count + 1, queued = 0;
    w->part[seed] = w->count;
    queue[queued++] = seed;
    for (int next = 0; next < queued; next++) {
        const lmb_element *e = &w->mesh->elements[queue[next]];
        const int *node = w->mesh->connections + e->first;
        for (int k = 0; k < lmb_element_nodes(e->kind); k++) {
            w->mark[node[k]] = now;
            if (is_beam(e))
                w->turned[node[k]] = now;
        }
        for (int k = 0; k < lmb_element_nodes(e->kind); k++)
            for (int i = w->in.start[node[k]]; i < w->in.start[node[k] + 1]; i++) {
                int f = w->in.element[i];
                if (w->part[f] >= 0 || w->mesh->elements[f].kind == LMB_POINT_MASS ||
                    !joins(w, &w->mesh->elements[f]))
                    continue;
                w->part[f] = w->count;
                queue[queued++] = f;
            }
    }
    w->count++;
}

static bool find_parts(work *w)
{
    size_t elements = (size_t)w->mesh->element_count, nodes = (size_t)w->m->node_count;
    int *queue = lmb_arena_integers(w->room, elements + 1);
    w->part = lmb_arena_integers(w->room, elements + 1);
    w->mark = lmb_arena_integers(w->room, nodes + 1);
    w->turned = lmb_arena_integers(w->room, nodes + 1);
    if (!lmb_mesh_incidence(&w->in, w->room, w->mesh) || !lmb_arena_fine(w->room))
        return false;
    memset(w->part, -1, elements * sizeof *w->part);
    for (int e = 0; e < w->mesh->element_count; e++)
        if (w->part[e] < 0 && w->mesh->elements[e].kind != LMB_POINT_MASS)
            grow(w, e, queue);
    return true;
}

/* Compute the centre and the size of each part. */
static bool measure(work *w)
{
    size_t parts = (size_t)w->count + 1;
    w->nodes = lmb_arena_integers(w->room, parts);
    w->centre = lmb_arena_alloc(w->room, parts, sizeof *w->centre);
    w->size = lmb_arena_numbers(w->room, parts);
    if (!lmb_arena_fine(w->room))
        return false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w->mesh->element_count; i++) {
            const lmb_element *e = &w->mesh->elements[i];
            int p = w->part[i];
            for (int k = 0; p >= 0 && k < lmb_element_nodes(e->kind); k++) {
                vec3 x = w->m->x[w->mesh->connections[e->first + k]];
                if (pass == 0) {
                    double share = 1.0 / ++w->nodes[p];
                    w->centre[p] = v3_axpy(v3_scale(1 - share, w->centre[p]), share, x);
                } else {
                    w->size[p] = fmax(w->size[p], v3_norm(v3_sub(x, w->centre[p])));
                }
            }
        }
    return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

/* Return the displacement or rotation at a point in a direction that motion k of a part causes. */
static double motion_at(const work *w, int part, int k, vec3 x, int direction)
{
    vec3 arm = v3_scale(1 / w->size[part], v3_sub(x, w->centre[part]));
    return lmb_rigid_motion_at(lmb_interface_direction(w->m->dimension, k), arm, direction);
}

/* Add the constraint that a part does not move in a direction, or moves there like the part `other`
 * (-1: none). Returns true if the constraint is new. */
static bool add(work *w, int part, int other, vec3 x, int direction)
{
    int start[2] = {0, 0}, column[2 * LMB_DIRECTIONS], pivot = -1;
    double value[2 * LMB_DIRECTIONS];
    for (int side = 0; side < (other < 0 ? 1 : 2); side++)
        for (int k = 0, p = side ? other : part; k < w->motions; k++) {
            column[start[1]] = p * w->motions + k;
            value[start[1]++] = (side ? -1 : 1) * motion_at(w, p, k, x, direction);
        }
    lmb_sparse_rows row = {1, w->motions * w->count, start, column, value};
    lmb_echelon_add(w->conditions, &row, 0, w->least, &pivot);
    w->rank += pivot >= 0;
    return pivot >= 0;
}

/* Return the part of a degree of freedom. */
static int part_of(const work *w, int node, int direction)
{
    int first = w->in.start[node];
    if (direction >= LMB_RX)
        return w->turned[node] - 1;
    for (int i = first; i < w->in.start[node + 1]; i++)
        if (w->part[w->in.element[i]] >= 0)
            return w->part[w->in.element[i]];
    return -1;
}

/* Add the constraints at nodes that parts share. */
static void join_parts(work *w)
{
    for (int i = 0; i < w->m->node_count && w->count > 1; i++) {
        int part = part_of(w, i, LMB_UX), last = part;
        for (int k = w->in.start[i]; k < w->in.start[i + 1]; k++) {
            int other = w->part[w->in.element[k]];
            if (other < 0 || other == part || other == last)
                continue;
            last = other;
            for (int d = LMB_UX; d <= LMB_UZ; d++)
                if (w->m->dof[i][d] >= 0)
                    add(w, part, other, w->m->x[i], d);
        }
    }
}

/* Add the constraint of a held degree of freedom. Returns true if the constraint is new. */
static bool hold(work *w, int dof)
{
    int node = w->m->node[dof], direction = w->m->direction[dof];
    return add(w, part_of(w, node, direction), -1, w->m->x[node], direction);
}

/* Hold all masses. Each new constraint removes a motion with inertia. */
static void hold_masses(work *w)
{
    int unknowns = w->motions * w->count;
    for (int i = 0; i < w->mesh->element_count && w->rank < unknowns; i++) {
        const lmb_element *e = &w->mesh->elements[i];
        int part = w->part[i], node = w->mesh->connections[e->first];
        if (e->kind != LMB_POINT_MASS) {
            if (w->mesh->materials[e->material].density > 0)
                for (int k = 0; k < w->motions; k++)
                    add(w, part, -1, w->centre[part], lmb_interface_direction(w->m->dimension, k));
            continue;
        }
        const lmb_point_mass *mass = &w->mesh->masses[e->point_mass];
        for (int d = 0; d < LMB_DIRECTIONS; d++) {
            bool inert =
                d < LMB_RX ? mass->mass > 0 : v3_get(mass->inertia.c[d - LMB_RX], d - LMB_RX) > 0;
            if (inert && w->m->dof[node][d] >= 0)
                hold(w, w->m->dof[node][d]);
        }
    }
}

/* Hold one degree of freedom for each remaining motion. Prefer degrees of freedom that move at
 * least a tenth as much as their part. */
static void hold_weightless(work *w, bool *held)
{
    const double limits[] = {0.1, LMB_SAME_PLACE};
    for (int pass = 0; pass < 2; pass++) {
        w->least = limits[pass];
        for (int dof = 0; dof < w->m->n && w->rank < w->motions * w->count; dof++)
            if (!held[dof])
                held[dof] = hold(w, dof);
    }
}

static void count_motions(work *w, lmb_free_motions *out, bool *held)
{
    int unknowns = w->motions * w->count;
    join_parts(w);
    for (int dof = 0; dof < w->m->n && w->rank < unknowns; dof++)
        if (held[dof])
            hold(w, dof);
    out->inert = -w->rank;
    hold_masses(w);
    out->inert += w->rank;
    out->weightless = unknowns - w->rank;
    hold_weightless(w, held);
}

lmb_status lmb_free_motions_find(lmb_free_motions *out, lmb_context *context,
                                 const lmb_fe_model *model, bool *held)
{
    work w = {.m = model, .mesh = model->mesh, .room = lmb_arena_new(), .least = LMB_SAME_PLACE};
    w.motions = lmb_interface_motions(model->dimension);
    *out = (lmb_free_motions){0};
    if (find_parts(&w) && measure(&w))
        w.conditions = lmb_echelon_new(w.room, w.motions * w.count);
    if (w.conditions)
        count_motions(&w, out, held);
    lmb_status status = lmb_check_memory(context, w.room);
    lmb_arena_free(w.room);
    return status;
}
