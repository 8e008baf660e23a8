/* Arenas remember that an allocation failed. */
#include "support.h"

#include <stdint.h>

#include "base/arena.h"

static void test_failure(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    assert_non_null(lmb_arena_numbers(arena, 3));
    assert_true(lmb_arena_fine(arena));
    assert_null(lmb_arena_numbers(arena, SIZE_MAX / 2));
    assert_non_null(lmb_arena_numbers(arena, 3));
    assert_false(lmb_arena_fine(arena));
    lmb_arena_clear(arena);
    assert_true(lmb_arena_fine(arena));
    lmb_arena_free(arena);
    assert_null(lmb_arena_numbers(NULL, 3));
    assert_false(lmb_arena_fine(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
