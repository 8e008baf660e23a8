/* Measure the cost of the static response to loads in stresses, as CPU time with the response over
 * CPU time without it. One ratio is for the reduction of the clapper and the hub with quadratic
 * tetrahedra. The other is for the recovery of their stresses in the motions of the examples. The
 * limits are 1.15 and 1.10. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "channels/stress_rows.h"
#include "measure.h"
#include "parts.h"
#include "reduction/body_data.h"

enum { FIXED_MODES = 20, RUNS = 2, RECOVERIES = 15, INSTANTS = 320 };

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reduce a part from its mesh to its modal stresses. Returns the CPU time. */
static double reduce(const part *wanted, double size, bool corrected, lmb_body_data **out)
{
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_arena *arena;
    lmb_interface points[PART_POINTS_MAX];
    lmb_reduction options = {.fixed = {.number = FIXED_MODES}, .residual = corrected};
    if (wanted->solid(&mesh, context, LMB_TET10, size))
        give_up(context);
    for (int i = 0; i < wanted->point_count; i++) {
        const lmb_node_set *set = lmb_mesh_set(mesh, wanted->points[i].name);
        points[i] = (lmb_interface){.name = set->name,
                                    .position = wanted->points[i].position,
                                    .tie = LMB_TIE_RIGID,
                                    .nodes = set->nodes,
                                    .count = set->count};
    }
    double begin = processor_time();
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    d->arena = arena;
    if (lmb_fe_assemble(&model, context, mesh, 0) ||
        lmb_reduce_body(d, context, model, points, wanted->point_count, &options))
        give_up(context);
    double spent = processor_time() - begin;
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
    *out = d;
    return spent;
}

static void forget(lmb_body_data *d)
{
    lmb_reduced_free(d->reduced);
    lmb_arena_free(d->arena);
}

/* Compute the stresses while the first `loads` unit loads act. Returns the CPU time. */
static double recover(const lmb_body_data *d, int loads)
{
    lmb_arena *arena = lmb_arena_new();
    double *e = lmb_arena_numbers(arena, (size_t)lmb_stress_columns(d));
    double *size = lmb_stress_sizes(arena, d);
    lmb_stress_rows *rows = lmb_stress_rows_new(arena, d, size);
    double begin = processor_time();
    for (int i = 0; i < INSTANTS; i += LMB_STRESS_ROWS) {
        rows->count = 0;
        for (int k = 0; k < LMB_STRESS_ROWS; k++) {
            for (int j = 0; j < d->reduced->mode_count + loads; j++)
                e[j] = sin(j + 0.1 * (i + k)) / size[j];
            lmb_stress_rows_put(rows, e, true);
        }
        for (int p = 0; p < rows->parts; p++)
            lmb_stress_rows_find(rows, p);
    }
    double spent = processor_time() - begin;
    lmb_arena_free(arena);
    return spent;
}

/* Run with and without the response in turn and keep the fastest time of each. Four unit loads act
 * in the examples: two forces and a torque on the driven point, and one product of the angular
 * velocity. */
static void measure(const part *wanted, double cells, int loads)
{
    double reduced[2] = {INFINITY, INFINITY}, recovered[2] = {INFINITY, INFINITY};
    lmb_body_data *d[2] = {NULL, NULL};
    for (int run = 0; run < RUNS; run++)
        for (int corrected = 0; corrected < 2; corrected++) {
            if (d[corrected])
                forget(d[corrected]);
            reduced[corrected] =
                fmin(reduced[corrected], reduce(wanted, cells, corrected, &d[corrected]));
        }
    for (int run = 0; run < RECOVERIES; run++)
        for (int corrected = 0; corrected < 2; corrected++)
            recovered[corrected] =
                fmin(recovered[corrected], recover(d[corrected], corrected ? loads : 0));
    int columns = lmb_stress_columns(d[1]), modes = d[1]->reduced->mode_count;
    int places = d[1]->stress_count;
    forget(d[0]);
    forget(d[1]);
    printf("%s: %d nodes, %d modes, %d unit loads\n", wanted->name, places, modes, columns - modes);
    printf("    reduction      %6.2f s, with the response to loads %6.2f s: x %.3f\n", reduced[0],
           reduced[1], reduced[1] / reduced[0]);
    printf("    %d instants  %6.3f s, with the response to %d loads %6.3f s: x %.3f\n", INSTANTS,
           recovered[0], loads, recovered[1], recovered[1] / recovered[0]);
}

int main(int count, char **words)
{
    if (wanted(count, words, "clapper"))
        measure(&part_clapper, 0.15, 4);
    if (wanted(count, words, "hub"))
        measure(&part_hub, 0.2, 4);
    return 0;
}
