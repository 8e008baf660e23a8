/* Arenas remember that an allocation failed. */
#include "support.h"

#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/names.h"

static void test_failure(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    assert_non_null(lmb_arena_numbers(arena, 3));
    assert_true(lmb_arena_fine(arena));
    assert_null(lmb_arena_numbers(arena, SIZE_MAX / 2));
    assert_null(lmb_arena_numbers(arena, 3)); /* nor anything after it */
    assert_false(lmb_arena_fine(arena));
    lmb_arena_clear(arena);
    assert_true(lmb_arena_fine(arena));
    assert_non_null(lmb_arena_numbers(arena, 3));
    lmb_arena_free(arena);
    assert_null(lmb_arena_numbers(NULL, 3));
    assert_false(lmb_arena_fine(NULL));
}

/* Arrays that grow far beyond a block, by turns and beside small allocations: nothing is lost when
 * old ones are freed, wherever they are in the list. (make sanitize sees what is used afterwards.)
 */
static void large_arrays_grow_in_place_of_old_ones(void **unused)
{
    (void)unused;
    enum { COUNT = 100000, ARRAYS = 3 };
    lmb_arena *arena = lmb_arena_new();
    int *arrays[ARRAYS] = {NULL};
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < ARRAYS; k++) {
            arrays[k] = lmb_arena_append(arena, arrays[k], i, sizeof **arrays);
            assert_non_null(arrays[k]);
            arrays[k][i] = ARRAYS * i + k;
            if (i % 1000 == 0)
                assert_non_null(lmb_arena_alloc(arena, 100, 1));
        }
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(arrays[k][i], ARRAYS * i + k);
    char *small = lmb_arena_alloc(arena, 10, 1), *large = lmb_arena_alloc(arena, COUNT, 1);
    small[0] = 'x';
    lmb_arena_release(arena, small, 10, 1); /* stays */
    lmb_arena_release(arena, large, COUNT, 1);
    assert_int_equal(small[0], 'x');
    assert_non_null(lmb_arena_alloc(arena, COUNT, 1));
    lmb_arena_free(arena);
}

static void names_are_found_however_room_is_made(void **unused)
{
    (void)unused;
    enum { COUNT = 5000 };
    static char text[COUNT][16];
    for (int reserved = 0; reserved <= COUNT; reserved += COUNT / 2) {
        lmb_arena *arena = lmb_arena_new();
        lmb_names names = {0};
        assert_true(lmb_names_reserve(&names, arena, (size_t)reserved));
        size_t room = names.room;
        for (int i = 0; i < COUNT; i++) {
            snprintf(text[i], sizeof text[i], "n%d", i);
            assert_true(lmb_names_add(&names, arena, text[i], 0, i));
        }
        assert_int_equal(names.count, COUNT);
        assert_true(reserved < COUNT || names.room == room);
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(lmb_names_find(&names, text[i], strlen(text[i]))->index, i);
        assert_null(lmb_names_find(&names, "n", 1));
        lmb_arena_free(arena);
    }
}

static void folded_names_are_found_in_either_case(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    lmb_names plain = {0}, folded = {.fold = true};
    assert_true(lmb_names_add(&plain, arena, "Top", 0, 1));
    assert_true(lmb_names_add(&folded, arena, "Top", 0, 2));
    assert_null(lmb_names_find(&plain, "TOP", 3));
    assert_int_equal(lmb_names_find(&folded, "tOPs", 3)->index, 2);
    assert_null(lmb_names_find(&folded, "top\0s", 5));
    assert_null(lmb_names_find(&folded, "to", 2));
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failure),
                                       cmocka_unit_test(large_arrays_grow_in_place_of_old_ones),
                                       cmocka_unit_test(names_are_found_however_room_is_made),
                                       cmocka_unit_test(folded_names_are_found_in_either_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
