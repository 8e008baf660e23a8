/* Stresses at nodes of solids, averaged; stresses of the fibres of beams. */
#include "fe/stress.h"

#include <stdlib.h>
#include <string.h>

/* Gives each pair of node and material a place: those of a node are in a list. */
static bool find_places(lmb_stress *s, const lmb_mesh *mesh)
{
    size_t rooms = (size_t)mesh->connection_count + 1;
    int *newest = malloc(((size_t)mesh->node_count + 1) * sizeof *newest);
    int *next = malloc(rooms * sizeof *next); /* other place of the same node */
    bool fine = newest && next;
    for (int i = 0; fine && i < mesh->node_count; i++)
        newest[i] = -1;
    for (int i = 0; fine && i < mesh->connection_count; i++)
        s->place[i] = -1;
    for (int e = 0; fine && e < mesh->element_count; e++) {
        const lmb_element *element = &mesh->elements[e];
        const lmb_element_type *type = lmb_element_type_of(element->kind);
        for (int k = 0; type->stress && k < type->nodes; k++) {
            int node = mesh->connections[element->first + k], at = newest[node];
            while (at >= 0 && s->material[at] != element->material)
                at = next[at];
            if (at < 0) {
                at = s->count++;
                s->node[at] = node;
                s->material[at] = element->material;
                next[at] = newest[node];
                newest[node] = at;
            }
            s->meeting[at]++;
            s->place[element->first + k] = at;
        }
    }
    free(newest);
    free(next);
    return fine;
}

static bool allocate(lmb_stress *s, lmb_arena *arena, const lmb_mesh *mesh)
{
    size_t rooms = (size_t)mesh->connection_count + 1;
    s->arena = arena;
    s->tables = lmb_element_tables_new(arena);
    s->node = lmb_arena_alloc(arena, rooms, sizeof *s->node);
    s->material = lmb_arena_alloc(arena, rooms, sizeof *s->material);
    s->meeting = lmb_arena_alloc(arena, rooms, sizeof *s->meeting);
    s->place = lmb_arena_alloc(arena, rooms, sizeof *s->place);
    return s->tables && s->node && s->material && s->meeting && s->place;
}

lmb_status lmb_stress_new(lmb_stress **out, lmb_context *context, const lmb_fe_model *model)
{
    *out = NULL;
    if (!model->mesh)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "there are no stresses: the model has matrices but no elements");
    lmb_arena *arena;
    lmb_stress *s = lmb_arena_object(&arena, sizeof *s);
    if (!s || !allocate(s, arena, model->mesh) || !find_places(s, model->mesh)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    s->model = model;
    *out = s;
    return LMB_OK;
}

/* The displacements of the nodes of an element; zero where there is no degree of freedom. */
static void gather(const lmb_fe_model *model, int element, int columns, const double *u,
                   double *out)
{
    const lmb_element *e = &model->mesh->elements[element];
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    int at = 0;
    for (int a = 0; a < type->nodes; a++)
        for (int d = 0; d < LMB_DIRECTIONS; d++) {
            if (!(type->directions & LMB_BIT(d)))
                continue;
            int dof = model->dof[model->mesh->connections[e->first + a]][d];
            for (int c = 0; c < columns; c++)
                out[(long)c * type->dofs + at] = dof < 0 ? 0 : u[(long)c * model->n + dof];
            at++;
        }
}

/* Stresses of an element with room for its displacements. */
static void element_stress(const lmb_stress *s, int element, int columns, const double *u,
                           double *room, double *out)
{
    lmb_element_data e;
    gather(s->model, element, columns, u, room);
    lmb_element_gather(s->model->mesh, element, &e);
    lmb_element_type_of(e.kind)->stress(s->tables, &e, columns, room, out);
}

bool lmb_stress_of_element(const lmb_stress *s, int element, int columns, const double *u,
                           double *out)
{
    if (!lmb_element_type_of(s->model->mesh->elements[element].kind)->stress)
        return true;
    double *room = malloc(((size_t)columns * LMB_ELEMENT_DOFS_MAX + 1) * sizeof *room);
    if (!room)
        return false;
    element_stress(s, element, columns, u, room, out);
    free(room);
    return true;
}

/* Adds the stresses of an element to its places. */
static void add_to_places(const lmb_stress *s, const lmb_element *e, int columns,
                          const double *stress, double *out)
{
    int nodes = lmb_element_nodes(e->kind);
    const int *place = s->place + e->first;
    for (int c = 0; c < columns; c++)
        for (int a = 0; a < nodes; a++) {
            double *to = out + ((long)c * s->count + place[a]) * LMB_STRESSES;
            double part = 1.0 / s->meeting[place[a]];
            for (int k = 0; k < LMB_STRESSES; k++)
                to[k] += part * stress[((long)c * nodes + a) * LMB_STRESSES + k];
        }
}

bool lmb_stress_nodal(const lmb_stress *s, int columns, const double *u, double *out)
{
    const lmb_mesh *mesh = s->model->mesh;
    enum { STRESS_ROOM = LMB_ELEMENT_NODES_MAX * LMB_STRESSES };
    double *room = malloc(((size_t)columns * LMB_ELEMENT_DOFS_MAX + 1) * sizeof *room);
    double *stress = malloc(((size_t)columns * STRESS_ROOM + 1) * sizeof *stress);
    bool fine = room && stress;
    memset(out, 0, (size_t)columns * (size_t)s->count * LMB_STRESSES * sizeof *out);
    for (int i = 0; fine && i < mesh->element_count; i++) {
        if (!lmb_element_type_of(mesh->elements[i].kind)->stress)
            continue;
        element_stress(s, i, columns, u, room, stress);
        add_to_places(s, &mesh->elements[i], columns, stress, out);
    }
    free(room);
    free(stress);
    return fine;
}

double lmb_von_mises(const double s[LMB_STRESSES])
{
    double a = s[LMB_SXX] - s[LMB_SYY], b = s[LMB_SYY] - s[LMB_SZZ], c = s[LMB_SZZ] - s[LMB_SXX];
    double shear = s[LMB_SXY] * s[LMB_SXY] + s[LMB_SYZ] * s[LMB_SYZ] + s[LMB_SZX] * s[LMB_SZX];
    return sqrt((a * a + b * b + c * c) / 2 + 3 * shear);
}

void lmb_stress_beam(const lmb_stress *s, int element, const double *u, lmb_section_forces ends[2])
{
    double local[12];
    lmb_element_data e;
    gather(s->model, element, 1, u, local);
    lmb_element_gather(s->model->mesh, element, &e);
    lmb_beam_forces(&e, local, ends);
}

lmb_fibre_stress lmb_fibre_stress_of(const lmb_section *s, const lmb_section_forces *f)
{
    double mean = f->N / s->A, by_z = fabs(f->Mz) * s->y_max / s->Iz;
    double by_y = f->My != 0 ? fabs(f->My) * s->z_max / s->Iy : 0;
    double bending = s->round ? hypot(by_y, by_z) : by_y + by_z;
    double torsion = f->T != 0 ? fabs(f->T) * s->torsion_radius / s->J : 0;
    double most = fabs(mean) + bending;
    return (lmb_fibre_stress){mean + bending, mean - bending, torsion,
                              sqrt(most * most + 3 * torsion * torsion)};
}
