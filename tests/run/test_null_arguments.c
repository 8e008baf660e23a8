/* Every public function is called with each of its pointers NULL, and with all of them: no call
 * crashes, and a call that fails says why. The calls are made of the public headers by
 * null_calls.awk, so a new function is tested by itself. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limber/limber.h"
#include "program.h"
#include "support.h"

typedef struct null_call {
    const char *function, *missing; /* the argument that is NULL, or "all" */
    void (*call)(void);
} null_call;

static lmb_status status;

static const char text[] =
    "limber: 1\ndimension: 2\nparameters: {l: 1}\n"
    "bodies: {bob: {mass: 2, inertia: 0.1, position: [l, 0], points: {O: [-l, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.O]}}\n"
    "forces: {motor: {type: motor, joint: pin, effort: -angle}}\n"
    "analyses: {swing: {type: dynamics, duration: 0.1, output_step: 0.1}}\n"
    "objectives: {far: {max: bob.position.x}}\n"
    "studies: {s: {type: sweep, vary: {l: [1, 2]}}}\n";

/* What functions are given. A struct without an object of its own is one of zeros. */
static struct {
    lmb_context *context;
    lmb_spec *spec;
    lmb_model *model;
    lmb_result *result;
    lmb_simulation *simulation;
    lmb_snapshot *snapshot;
    lmb_linearised *linear;
    lmb_gradient *gradient;
    void *out[2];
    _Alignas(max_align_t) char zeros[2000], room[2000];
} all;

/* Names by function and argument; other texts are paths of files. */
static const struct {
    const char *function, *argument, *text;
} names[] = {
    {"lmb_simulation_channel", "name", "pin.angle"},
    {"lmb_simulation_input", "name", "motor"},
    {"lmb_simulation_point", "name", "bob.O"},
    {"lmb_linearised_response", "input", "motor"},
    {"lmb_linearised_response", "output", "angle"},
    {"lmb_result_read", "name", "pin.angle"},
    {"lmb_result_text", "name", "title"},
    {"lmb_spec_set", "parameter", "l"},
    {"lmb_spec_set", "value", "2"},
    {"lmb_spec_parse", "text", text},
    {"lmb_simulation_new", "analysis", "swing"},
    {"lmb_redundancy_find", "analysis", "swing"},
};

static void *given_text(const char *function, const char *argument)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].function, function) == 0 && strcmp(names[i].argument, argument) == 0)
            return (void *)names[i].text;
    bool input = strcmp(function, "lmb_result_open") == 0 || strcmp(function, "lmb_resume") == 0;
    return (void *)scratch_path(input ? "result.h5" : "other.h5");
}

/* The argument of a function by its type. */
static void *given(const char *function, const char *type, const char *argument)
{
    const struct {
        const char *type;
        void *object;
    } objects[] = {
        {"lmb_context *", all.context},   {"lmb_spec *", all.spec},
        {"lmb_model *", all.model},       {"lmb_result *", all.result},
        {"lmb_snapshot *", all.snapshot}, {"lmb_simulation *", all.simulation},
        {"lmb_gradient *", all.gradient}, {"lmb_linearised *", all.linear},
    };
    const char *plain = strncmp(type, "const ", 6) == 0 ? type + 6 : type;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (strcmp(plain, objects[i].type) == 0)
            return objects[i].object;
    if (strcmp(type, "const char *") == 0)
        return given_text(function, argument);
    if (strncmp(type, "const ", 6) == 0)
        return all.zeros;
    return strstr(type, "**") ? (void *)all.out : (void *)all.room;
}

/* A number: room for texts, one mode, and else zero, which is the first of a list. */
static int number(const char *argument)
{
    return strcmp(argument, "size") == 0 ? 16 : strcmp(argument, "count") == 0;
}

#include "null_calls.inc"

static int make_objects(void **unused)
{
    (void)unused;
    const char *path = scratch_path("result.h5");
    all.context = lmb_context_new();
    lmb_snapshot **kept = &all.snapshot;
    bool fine = !lmb_spec_parse(&all.spec, all.context, "model", text) &&
                !lmb_model_compile(&all.model, all.context, all.spec) &&
                !lmb_run(all.context, all.model, NULL, path) &&
                !lmb_result_open(&all.result, all.context, path) &&
                !lmb_simulation_new(&all.simulation, all.context, all.model, NULL) &&
                !lmb_simulation_save(all.simulation, kept) &&
                !lmb_linearised_new(&all.linear, all.context, all.model, NULL) &&
                !lmb_gradient_find(&all.gradient, all.context, all.spec, NULL);
    if (!fine)
        fail_msg("%s", lmb_message_at(all.context, 0)->text);
    lmb_messages_clear(all.context);
    return 0;
}

static int free_objects(void **unused)
{
    (void)unused;
    lmb_gradient_free(all.gradient);
    lmb_linearised_free(all.linear);
    lmb_snapshot_free(all.snapshot);
    lmb_simulation_free(all.simulation);
    lmb_result_close(all.result);
    lmb_model_free(all.model);
    lmb_spec_free(all.spec);
    lmb_context_free(all.context);
    return 0;
}

enum { SILENT = 9 };

/* How a call in a process of its own ends: 0, SILENT (it fails without a message) or a crash. */
static int end_of(const null_call *c)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
        for (int i = 0; i < 4; i++)
            signal(crashes[i], SIG_DFL); /* cmocka catches them */
        status = LMB_OK;
        c->call();
        bool told = !status || lmb_message_count(all.context) > 0;
        bool without = strcmp(c->missing, "context") == 0 || strcmp(c->missing, "all") == 0 ||
                       strcmp(c->missing, "simulation") == 0 || strcmp(c->missing, "linear") == 0;
        _exit(told || without ? 0 : SILENT);
    }
    int end = 0;
    assert_true(child > 0 && waitpid(child, &end, 0) == child);
    return end;
}

static void test_null_is_refused(void **unused)
{
    (void)unused;
    size_t count = sizeof calls / sizeof *calls;
    int failures = 0;
    assert_true(count > 250); /* the headers were read */
    for (size_t i = 0; i < count; i++) {
        int end = end_of(&calls[i]);
        if (end)
            print_error("%s with %s = NULL %s\n", calls[i].function, calls[i].missing,
                        WIFEXITED(end) && WEXITSTATUS(end) == SILENT ? "fails without a message"
                                                                     : "crashes");
        failures += end != 0;
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_null_is_refused)};
    return cmocka_run_group_tests(tests, make_objects, free_objects);
}
