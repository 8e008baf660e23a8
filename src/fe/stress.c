/* Stresses at nodes of solids, averaged; stresses of the fibres of beams. */
#include "fe/stress.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Gives each pair of node and material a place. Those of a node are in a list: `newest` is its last
 * place, from 1, and `next` the one before. */
static void find_places(lmb_stress *s, const lmb_mesh *mesh, int *newest, int *next)
{
    for (int i = 0; i < mesh->connection_count; i++)
        s->place[i] = -1;
    for (int e = 0; e < mesh->element_count; e++) {
        const lmb_element *element = &mesh->elements[e];
        const lmb_element_type *type = lmb_element_type_of(element->kind);
        for (int k = 0; type->stress && k < type->nodes; k++) {
            int node = mesh->connections[element->first + k], at = newest[node] - 1;
            while (at >= 0 && s->material[at] != element->material)
                at = next[at] - 1;
            if (at < 0) {
                at = s->count++;
                s->node[at] = node;
                s->material[at] = element->material;
                next[at] = newest[node];
                newest[node] = at + 1;
            }
            s->meeting[at]++;
            s->place[element->first + k] = at;
        }
    }
}

lmb_status lmb_stress_new(lmb_stress **out, lmb_context *context, const lmb_fe_model *model)
{
    const lmb_mesh *mesh = model->mesh;
    *out = NULL;
    if (!mesh)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "there are no stresses: the model has matrices but no elements");
    lmb_arena *arena;
    lmb_stress *s = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return lmb_fail_memory(context);
    size_t nodes = (size_t)mesh->node_count + 1, places = (size_t)mesh->connection_count + 1;
    *s = (lmb_stress){.arena = arena,
                      .model = model,
                      .tables = lmb_element_tables_new(arena),
                      .node = lmb_arena_integers(arena, places),
                      .material = lmb_arena_integers(arena, places),
                      .meeting = lmb_arena_integers(arena, places),
                      .place = lmb_arena_integers(arena, places)};
    int *newest = lmb_calloc(nodes + places, sizeof *newest);
    bool fine = newest && lmb_arena_fine(arena);
    if (fine)
        find_places(s, mesh, newest, newest + nodes);
    else
        lmb_arena_free(arena);
    free(newest);
    *out = fine ? s : NULL;
    return fine ? LMB_OK : lmb_fail_memory(context);
}

/* Stresses of one element; u has the displacements of the model side by side. */
static void element_stress(const lmb_stress *s, int element, const double (*u)[LMB_TOGETHER],
                           double (*out)[LMB_TOGETHER])
{
    double own[LMB_ELEMENT_DOFS_MAX][LMB_TOGETHER];
    int dof[LMB_ELEMENT_DOFS_MAX], count = lmb_element_dofs(s->model, element, dof);
    lmb_element_data e;
    for (int i = 0; i < count; i++)
        if (dof[i] < 0)
            memset(own[i], 0, sizeof *own);
        else
            memcpy(own[i], u[dof[i]], sizeof *own);
    lmb_element_gather(s->model->mesh, element, &e);
    lmb_element_type_of(e.kind)->stress(s->tables, &e, (const double(*)[LMB_TOGETHER])own, out);
}

/* Adds the stresses of an element to its places. */
static void add_to_places(const lmb_stress *s, const lmb_element *e,
                          const double (*stress)[LMB_TOGETHER], double (*out)[LMB_TOGETHER])
{
    int nodes = lmb_element_nodes(e->kind);
    for (int a = 0; a < nodes; a++) {
        int place = s->place[e->first + a];
        double part = 1.0 / s->meeting[place];
        for (int k = 0; k < LMB_STRESSES; k++) {
            double *to = out[(long)place * LMB_STRESSES + k];
            for (int c = 0; c < LMB_TOGETHER; c++)
                to[c] += part * stress[a * LMB_STRESSES + k][c];
        }
    }
}

/* --- many columns ----------------------------------------------------------------------------- */

/* Groups of columns are shared between threads. */
typedef struct work {
    const lmb_stress *stress;
    int columns, threads;
    const double *u;
    double *out;
    double (*room)[LMB_TOGETHER]; /* of each thread: displacements, then stresses, of a group */
} work;

static void do_group(const work *w, int first, double (*u)[LMB_TOGETHER])
{
    const lmb_stress *s = w->stress;
    const lmb_mesh *mesh = s->model->mesh;
    double stress[LMB_ELEMENT_NODES_MAX * LMB_STRESSES][LMB_TOGETHER];
    long n = s->model->n, size = (long)s->count * LMB_STRESSES;
    int left = w->columns - first, count = left < LMB_TOGETHER ? left : LMB_TOGETHER;
    double(*sum)[LMB_TOGETHER] = u + n;
    lmb_put_together((size_t)n, count, w->u + first * n, u);
    memset(sum, 0, (size_t)size * sizeof *sum);
    for (int i = 0; i < mesh->element_count; i++) {
        if (!lmb_element_type_of(mesh->elements[i].kind)->stress)
            continue;
        element_stress(s, i, (const double(*)[LMB_TOGETHER])u, stress);
        add_to_places(s, &mesh->elements[i], (const double(*)[LMB_TOGETHER])stress, sum);
    }
    lmb_take_apart((size_t)size, count, (const double(*)[LMB_TOGETHER])sum, w->out + first * size);
}

static size_t rows_of(const lmb_stress *s)
{
    return (size_t)s->model->n + (size_t)s->count * LMB_STRESSES;
}

static void do_groups(void *user, int index)
{
    const work *w = user;
    for (int g = index; g * LMB_TOGETHER < w->columns; g += w->threads)
        do_group(w, g * LMB_TOGETHER, w->room + (size_t)index * rows_of(w->stress));
}

bool lmb_stress_nodal(const lmb_stress *s, int columns, const double *u, double *out)
{
    int groups = (columns + LMB_TOGETHER - 1) / LMB_TOGETHER;
    int threads = lmb_element_threads(s->model->mesh, groups);
    work w = {s, columns, threads, u, out, NULL};
    w.room = lmb_malloc(((size_t)threads * rows_of(s) + 1) * sizeof *w.room);
    bool fine = w.room;
    if (fine)
        lmb_element_share(threads, do_groups, &w);
    free(w.room);
    return fine;
}

double lmb_von_mises(const double s[LMB_STRESSES])
{
    double a = s[LMB_SXX] - s[LMB_SYY], b = s[LMB_SYY] - s[LMB_SZZ], c = s[LMB_SZZ] - s[LMB_SXX];
    double shear = s[LMB_SXY] * s[LMB_SXY] + s[LMB_SYZ] * s[LMB_SYZ] + s[LMB_SZX] * s[LMB_SZX];
    return sqrt((a * a + b * b + c * c) / 2 + 3 * shear);
}

double lmb_von_mises_slope(const double s[LMB_STRESSES], double by[LMB_STRESSES])
{
    double mises = lmb_von_mises(s), mean = (s[LMB_SXX] + s[LMB_SYY] + s[LMB_SZZ]) / 3;
    for (int c = 0; c < LMB_STRESSES; c++) {
        double slope = c <= LMB_SZZ ? 1.5 * (s[c] - mean) : 3 * s[c];
        by[c] = mises > 0 ? slope / mises : 0;
    }
    return mises;
}

void lmb_stress_beam(const lmb_stress *s, int element, bool inertia, int columns, const double *u,
                     lmb_section_forces *ends, size_t apart)
{
    enum { TOGETHER = 32 };
    double own[TOGETHER * 2 * LMB_DIRECTIONS];
    int dof[2 * LMB_DIRECTIONS], count = lmb_element_dofs(s->model, element, dof);
    size_t n = (size_t)s->model->n;
    lmb_element_data e;
    lmb_element_gather(s->model->mesh, element, &e);
    for (int first = 0; first < columns; first += TOGETHER) {
        int wide = columns - first < TOGETHER ? columns - first : TOGETHER;
        for (int c = 0; c < wide; c++)
            for (int i = 0; i < count; i++)
                own[c * count + i] = dof[i] < 0 ? 0 : u[(size_t)(first + c) * n + (size_t)dof[i]];
        lmb_beam_forces(&e, inertia, wide, own, ends + (size_t)first * apart, apart);
    }
}

lmb_fibre_stress lmb_fibre_stress_of(const lmb_section *s, const lmb_section_forces *f)
{
    double mean = f->N / s->A, by_z = fabs(f->Mz) * s->y_max / s->Iz;
    double by_y = f->My != 0 ? fabs(f->My) * s->z_max / s->Iy : 0;
    double bending = s->shape == LMB_SECTION_ROUND ? hypot(by_y, by_z) : by_y + by_z;
    double torsion = f->T != 0 ? fabs(f->T) * s->torsion_radius / s->J : 0;
    double most = fabs(mean) + bending;
    return (lmb_fibre_stress){mean + bending, mean - bending, torsion,
                              sqrt(most * most + 3 * torsion * torsion)};
}

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

double lmb_fibre_stress_part(const lmb_section *s, const lmb_section_forces *f, int part,
                             double by[6])
{
    enum { N, VY, VZ, T, MY, MZ };
    lmb_fibre_stress now = lmb_fibre_stress_of(s, f);
    const double all[] = {now.mises, now.greatest, now.least, now.torsion};
    if (!by)
        return all[part];
    double by_y = f->My != 0 ? fabs(f->My) * s->z_max / s->Iy : 0;
    double by_z = fabs(f->Mz) * s->y_max / s->Iz, round = hypot(by_y, by_z);
    double bending[6] = {[MY] = f->My != 0 ? sign_of(f->My) * s->z_max / s->Iy : 0,
                         [MZ] = sign_of(f->Mz) * s->y_max / s->Iz};
    if (s->shape == LMB_SECTION_ROUND && round > 0) {
        bending[MY] *= by_y / round;
        bending[MZ] *= by_z / round;
    }
    double most = fmax(now.greatest, -now.least);
    for (int i = 0; i < 6; i++) {
        double mean = i == N ? 1 / s->A : 0;
        double torsion = i == T && f->T != 0 ? sign_of(f->T) * s->torsion_radius / s->J : 0;
        double along = sign_of(f->N) * mean + bending[i];
        double mises = most * along + 3 * now.torsion * torsion;
        const double slopes[] = {now.mises > 0 ? mises / now.mises : 0, mean + bending[i],
                                 mean - bending[i], torsion};
        by[i] = slopes[part];
    }
    return all[part];
}
