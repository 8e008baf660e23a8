/* Memory that ran out is told by the context of the thread, whoever noticed it. */
#include <stdint.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/workers.h"
#include "support.h"

static const size_t TOO_MUCH = SIZE_MAX / 2;

/* As a function does that has no context. */
static void run_out(void)
{
    lmb_arena *arena = lmb_arena_new();
    assert_null(lmb_arena_numbers(arena, TOO_MUCH));
    lmb_arena_free(arena);
}

static const char *newest(const lmb_context *c)
{
    return lmb_message_at(c, lmb_message_count(c) - 1)->text;
}

/* What is said after it is its consequence; what was said before stays. */
static void it_is_more_than_other_failures(void **unused)
{
    (void)unused;
    lmb_context *c = lmb_context_new();
    assert_int_equal(lmb_fail(c, LMB_BAD_INPUT, "there is no body '%s'", "rod"), LMB_BAD_INPUT);
    assert_int_equal(lmb_final_status(c, LMB_OK), LMB_OK);
    run_out();
    assert_int_equal(lmb_fail(c, LMB_BAD_INPUT, "there is no body ''"), LMB_SOLVER);
    assert_int_equal(lmb_hint(c, "name another one"), LMB_SOLVER);
    lmb_warn(c, "nothing is left");
    assert_int_equal(lmb_message_count(c), 2);
    assert_string_equal(newest(c), "out of memory");
    assert_int_equal(lmb_final_status(c, LMB_IO), LMB_SOLVER);
    lmb_messages_forget(c, 0); /* as where another way is tried */
    assert_int_equal(lmb_message_count(c), 1);
    assert_string_equal(newest(c), "out of memory");
    lmb_messages_clear(c);
    assert_int_equal(lmb_message_count(c), 0);
    assert_int_equal(lmb_final_status(c, LMB_OK), LMB_OK);
    lmb_context_free(c);
}

/* Work that passed over it does not end well, and stops where it asks. */
static void it_is_never_a_success(void **unused)
{
    (void)unused;
    lmb_context *c = lmb_context_new();
    run_out();
    assert_int_equal(lmb_continue(c, "work", 0.5), LMB_SOLVER);
    lmb_messages_clear(c);
    lmb_memory_fail(); /* as a library */
    assert_int_equal(lmb_final_status(c, LMB_OK), LMB_SOLVER);
    assert_string_equal(newest(c), "out of memory");
    lmb_context_free(c);
}

/* It is told once: another context is not concerned. */
static void one_context_tells_it(void **unused)
{
    (void)unused;
    lmb_context *c = lmb_context_new(), *other = lmb_context_new();
    run_out();
    assert_int_equal(lmb_fail_memory(c), LMB_SOLVER);
    assert_int_equal(lmb_final_status(other, LMB_OK), LMB_OK);
    lmb_messages_pass(other, c, true);
    assert_int_equal(lmb_final_status(other, LMB_OK), LMB_SOLVER);
    lmb_context_free(c);
    lmb_context_free(other);
}

static void work(void *data, int part)
{
    (void)data;
    if (part == 63)
        run_out();
}

/* Threads that help tell who waits for them. */
static void helpers_tell_it(void **unused)
{
    (void)unused;
    lmb_context *c = lmb_context_new();
    lmb_workers *workers = lmb_workers_new(3);
    for (int i = 0; i < 50; i++) {
        lmb_workers_run(workers, work, NULL, 64);
        assert_true(lmb_out_of_memory(c));
        lmb_messages_clear(c);
    }
    lmb_workers_free(workers);
    lmb_context_free(c);
}

/* Behind the messages there are none, as programs may count wrongly. */
static void messages_end(void **unused)
{
    (void)unused;
    lmb_context *c = lmb_context_new();
    assert_null(lmb_message_at(c, 0));
    lmb_warn(c, "one");
    assert_string_equal(lmb_message_at(c, 0)->text, "one");
    assert_null(lmb_message_at(c, 1));
    lmb_fail_memory(c);
    assert_string_equal(lmb_message_at(c, 1)->text, "out of memory");
    assert_null(lmb_message_at(c, 2));
    lmb_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_more_than_other_failures), cmocka_unit_test(it_is_never_a_success),
        cmocka_unit_test(messages_end), cmocka_unit_test(one_context_tells_it),
        cmocka_unit_test(helpers_tell_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
