/* Stresses of many instants at once are those of one instant, to the last bit, whatever the number
 * of instants and threads. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "channels/stress_rows.h"
#include "channels/stress_state.h"
#include "reduction/body_data.h"

enum { PLACES = 3 * LMB_STRESS_PLACES + 17, MODES = 11, LOADS = 4 }; /* loads count as modes here */

static double stress[MODES * PLACES * LMB_STRESSES], material[2 * PLACES];
static double eta[LMB_STRESS_ROWS][MODES];
static int node[PLACES];
static lmb_reduced reduced = {.mode_count = MODES - LOADS};
static lmb_body_data data = {.reduced = &reduced,
                             .load_count = LOADS,
                             .stress_count = PLACES,
                             .stress = stress,
                             .stress_material = material,
                             .stress_node = node};

static double random_number(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

static int set_up(void **unused)
{
    (void)unused;
    srand(1);
    for (size_t i = 0; i < sizeof stress / sizeof *stress; i++)
        stress[i] = 1e6 * random_number();
    for (int i = 0; i < PLACES; i++) {
        material[2 * i] = 1e9 * (1.5 + random_number());
        node[i] = i / 2; /* two places at a node */
    }
    for (int i = 0; i < LMB_STRESS_ROWS; i++)
        for (int k = 0; k < MODES; k++)
            eta[i][k] = random_number();
    return 0;
}

static void find_part(void *rows, int part)
{
    lmb_stress_rows_find(rows, part);
}

static lmb_stress_rows *find(lmb_arena *arena, lmb_workers *workers, int first, int count)
{
    lmb_stress_rows *rows = lmb_stress_rows_new(arena, &data, lmb_stress_sizes(arena, &data));
    assert_non_null(rows);
    for (int i = first; i < first + count; i++)
        lmb_stress_rows_put(rows, eta[i], i % 3 != 0);
    lmb_workers_run(workers, find_part, rows, rows->parts);
    return rows;
}

/* Against the sums themselves; a sum of MODES products is rounded by so many halves of epsilon of
 * their sizes, 1e6 each, and von Mises' stress follows the six components by sqrt(12) at most. */
static void test_against_sums(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    lmb_stress_rows *rows = find(arena, NULL, 0, LMB_STRESS_ROWS);
    double largest[PLACES] = {0}, tolerance = 12 * MODES * MODES * DBL_EPSILON * 1e6;
    int instant[PLACES] = {0};
    for (int i = 0; i < LMB_STRESS_ROWS; i++) {
        lmb_stress_most most = {-1, 0}, strain = {-1, 0};
        for (int p = 0; p < PLACES; p++) {
            double s[LMB_STRESSES] = {0};
            for (int k = 0; k < MODES; k++)
                for (int c = 0; c < LMB_STRESSES; c++)
                    s[c] += eta[i][k] * stress[(k * PLACES + p) * LMB_STRESSES + c];
            double mises = lmb_von_mises(s);
            if (mises > most.value)
                most = (lmb_stress_most){mises, p};
            if (mises / material[2 * p] > strain.value)
                strain = (lmb_stress_most){mises / material[2 * p], p};
            if (i % 3 != 0 && mises > largest[p]) {
                largest[p] = mises;
                instant[p] = i;
            }
        }
        assert_true(fabs(lmb_stress_rows_most(rows, i, false).value - most.value) <= tolerance);
        assert_int_equal(lmb_stress_rows_most(rows, i, false).place, most.place);
        assert_int_equal(lmb_stress_rows_most(rows, i, true).place, strain.place);
    }
    for (int p = 0; p < PLACES; p++) {
        assert_true(fabs(rows->largest[p] - largest[p]) <= tolerance);
        assert_int_equal(rows->instant[p], instant[p]);
    }
    lmb_arena_free(arena);
}

/* One instant alone, and the state of stress, which finds one at a time; then several threads. */
static void test_same_bits(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    lmb_stress_rows *all = find(arena, NULL, 0, LMB_STRESS_ROWS);
    lmb_stress_state *state = lmb_stress_state_new(arena, &data);
    for (int i = 0; i < LMB_STRESS_ROWS; i++) {
        double expected = lmb_stress_rows_most(all, i, false).value;
        lmb_stress_rows *one = find(arena, NULL, i, 1);
        assert_true(lmb_stress_rows_most(one, 0, false).value == expected);
        lmb_stress_state_find(state, (lmb_deformation){eta[i], NULL});
        assert_true(state->mises[state->worst] == expected);
    }
    lmb_workers *workers = lmb_workers_new(3);
    for (int count = 1; count <= LMB_STRESS_ROWS; count += 5) {
        lmb_stress_rows *alone = find(arena, NULL, 0, count);
        lmb_stress_rows *shared = find(arena, workers, 0, count);
        assert_memory_equal(alone->largest, shared->largest, PLACES * sizeof(double));
        for (int i = 0; i < count; i++) {
            assert_true(lmb_stress_rows_most(alone, i, true).value ==
                        lmb_stress_rows_most(shared, i, true).value);
            assert_true(lmb_stress_rows_most(alone, i, false).value ==
                        lmb_stress_rows_most(all, i, false).value);
        }
    }
    lmb_workers_free(workers);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_sums),
                                       cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
