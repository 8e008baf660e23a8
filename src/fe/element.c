/* The table of element kinds, and what elements have in a mesh.
 *
 *   tet4    linear, constant strain, one point for the stiffness: it locks in bending
 *   tet10   quadratic: four points for the stiffness, fourteen for the mass
 *   hex8    eight nodes with incompatible modes (solid.c)
 *   hex20   quadratic: 3 x 3 x 3 points for stiffness and mass, stresses from 2 x 2 x 2 points */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fe/beam.h"
#include "fe/solid.h"

/* A mass at a node, with an inertia that counts where the node can turn. */
static void point_mass(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                       double *M)
{
    (void)tables;
    memset(K, 0, 36 * sizeof *K);
    memset(M, 0, 36 * sizeof *M);
    for (int i = 0; i < 3; i++) {
        M[7 * i] = e->mass.mass;
        for (int j = 0; j < 3; j++)
            M[6 * (3 + j) + 3 + i] =
                (m3_get(&e->mass.inertia, i, j) + m3_get(&e->mass.inertia, j, i)) / 2;
    }
}

#define SOLID(name, nodes)                                                                         \
    {                                                                                              \
        name, nodes, 3 * nodes, LMB_TRANSLATIONS, true, false, lmb_solid_matrices,                 \
            lmb_solid_stress, lmb_solid_gradients_of                                               \
    }

static const lmb_element_type types[LMB_ELEMENT_KINDS] = {
    [LMB_POINT_MASS] = {"point mass", 1, LMB_DIRECTIONS, LMB_TRANSLATIONS | LMB_ROTATIONS, false,
                        false, point_mass, NULL, NULL},
    [LMB_BEAM_PLANAR] = {"planar beam", 2, 6, LMB_BIT(LMB_UX) | LMB_BIT(LMB_UY) | LMB_BIT(LMB_RZ),
                         false, true, lmb_beam_planar_matrices, NULL, lmb_beam_gradients},
    [LMB_BEAM] = {"beam", 2, 12, LMB_TRANSLATIONS | LMB_ROTATIONS, false, true, lmb_beam_matrices,
                  NULL, lmb_beam_gradients},
    [LMB_TET4] = SOLID("tet4", 4),
    [LMB_TET10] = SOLID("tet10", 10),
    [LMB_HEX8] = SOLID("hex8", 8),
    [LMB_HEX20] = SOLID("hex20", 20),
};

const lmb_element_type *lmb_element_type_of(lmb_element_kind kind)
{
    return &types[kind];
}

int lmb_element_nodes(lmb_element_kind kind)
{
    return types[kind].nodes;
}

const lmb_node_set *lmb_mesh_set(const lmb_mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->set_count; i++)
        if (strcmp(mesh->sets[i].name, name) == 0)
            return &mesh->sets[i];
    return NULL;
}

int lmb_element_dofs(const lmb_fe_model *model, int element, int *dof)
{
    const lmb_element *e = &model->mesh->elements[element];
    const lmb_element_type *type = &types[e->kind];
    int count = 0;
    for (int k = 0; k < type->nodes; k++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            if (type->directions & LMB_BIT(d))
                dof[count++] = model->dof[model->mesh->connections[e->first + k]][d];
    return count;
}

int lmb_element_threads(const lmb_mesh *mesh, int most)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    most = most < LMB_THREADS_MAX ? most : LMB_THREADS_MAX;
    most = processors < most ? (int)processors : most;
    return mesh->element_count < LMB_THREAD_ELEMENTS || most < 1 ? 1 : most;
}

typedef struct share {
    void (*work)(void *user, int index);
    void *user;
    int index;
    bool begun;
    const char *failed; /* why memory or a library was missing in the thread, or NULL */
    pthread_t thread;
} share;

static void *do_share(void *argument)
{
    share *s = argument;
    s->work(s->user, s->index);
    s->failed = lmb_memory_failed();
    return NULL;
}

void lmb_element_share(int threads, void (*work)(void *user, int index), void *user)
{
    share shares[LMB_THREADS_MAX];
    for (int i = threads - 1; i >= 0; i--) {
        share *s = &shares[i];
        *s = (share){.work = work, .user = user, .index = i};
        s->begun = i > 0 && pthread_create(&s->thread, NULL, do_share, s) == 0;
        if (!s->begun) /* the first, and those that get no thread */
            work(user, i);
    }
    for (int i = 1; i < threads; i++)
        if (shares[i].begun) {
            pthread_join(shares[i].thread, NULL);
            lmb_memory_fail_for(shares[i].failed);
        }
}

void lmb_element_gather(const lmb_mesh *mesh, int element, lmb_element_data *out)
{
    const lmb_element *e = &mesh->elements[element];
    int nodes = lmb_element_nodes(e->kind);
    out->kind = e->kind;
    for (int i = 0; i < nodes; i++)
        out->x[i] = mesh->x[mesh->connections[e->first + i]];
    out->material = e->material >= 0 ? mesh->materials[e->material] : (lmb_material){0};
    out->section = e->section >= 0 ? mesh->sections[e->section] : (lmb_section){0};
    out->mass = e->point_mass >= 0 ? mesh->masses[e->point_mass] : (lmb_point_mass){0};
}
