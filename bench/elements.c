/* Speed of finite elements on blocks of about 200 000 degrees of freedom: assembly by one thread
 * and by the default number, the surface, and nodal stresses of several load cases at once. */
#include <stdio.h>
#include <stdlib.h>

#include "fe/stress.h"
#include "measure.h"
#include "meshes.h"

enum { COLUMNS = 10 };

static lmb_fe_model *assemble(const lmb_mesh *mesh, lmb_context *context, int threads, double *time)
{
    lmb_fe_model *model;
    double start = seconds();
    if (lmb_fe_assemble(&model, context, mesh, threads))
        give_up(context);
    *time = seconds() - start;
    return model;
}

static double stress_time(const lmb_fe_model *model, lmb_context *context)
{
    lmb_stress *stress;
    if (lmb_stress_new(&stress, context, model))
        give_up(context);
    double *u = calloc((size_t)model->n * COLUMNS, sizeof *u);
    double *s = calloc((size_t)stress->count * LMB_STRESSES * COLUMNS, sizeof *s);
    double start = seconds();
    if (!u || !s || !lmb_stress_nodal(stress, COLUMNS, u, s))
        give_up(context);
    double time = seconds() - start;
    free(u);
    free(s);
    lmb_arena_free(stress->arena);
    return time / COLUMNS;
}

static double surface_time(const lmb_mesh *mesh, lmb_context *context)
{
    lmb_surface surface;
    double start = seconds();
    if (lmb_surface_of(&surface, mesh->arena, context, mesh))
        give_up(context);
    return seconds() - start;
}

int main(void)
{
    static const struct {
        lmb_element_kind kind;
        int cells;
    } blocks[] = {{LMB_TET10, 20}, {LMB_HEX8, 40}, {LMB_HEX20, 24}};
    const lmb_material steel = {"steel", 210e9, 0.3, 7850, false};
    for (int i = 0; i < 3; i++) {
        lmb_context *context = lmb_context_new();
        int n = blocks[i].cells;
        double one, best;
        lmb_mesh *mesh = box_mesh(blocks[i].kind, (int[3]){n, n, n}, v3(1, 1, 1), steel, NULL);
        lmb_arena_free(assemble(mesh, context, 1, &one)->arena);
        lmb_fe_model *model = assemble(mesh, context, 0, &best);
        printf("%-6s %6d elements, %6d dof, %8d numbers: assembly %.2f s (one thread %.2f s), "
               "surface %.3f s, stresses %.3f s per mode\n",
               lmb_element_type_of(blocks[i].kind)->name, mesh->element_count, model->n,
               model->K.start[model->n], best, one, surface_time(mesh, context),
               stress_time(model, context));
        lmb_arena_free(model->arena);
        lmb_arena_free(mesh->arena);
        lmb_context_free(context);
    }
    return 0;
}
