/* What a model from a stranger has run: geometry scripts only with --trust or by the user's own
 * configuration; and how gmsh runs: with a time limit, in a scratch folder, with an empty home, and
 * no other file open. A script of that name takes the place of gmsh and notes what it sees. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

/* A text that a stand-in has left, or "" for none; the string stays until the next call. */
static const char *read_note(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(scratch_path(name), "r");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = 0;
    if (file)
        fclose(file);
    return text;
}

/* A cube of one element with the set `left`. */
static const char cube[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n3 2 \"all\"\n"
    "$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n"
    "8 0 1 1\n$EndNodes\n$Elements\n2\n1 3 2 1 1 1 4 8 5\n2 5 2 2 1 1 2 3 4 5 6 7 8\n"
    "$EndElements\n";

/* Puts a program `gmsh` first in PATH: lines that run in a shell, in which $notes is this test's
 * folder and $out the mesh to be made. */
static void install(const char *lines)
{
    char script[8192], folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_path("bin/gmsh"));
    *strrchr(folder, '/') = 0;
    snprintf(script, sizeof script,
             "#!/bin/sh\nnotes=$(dirname \"$0\")/..\nfor out; do :; done\necho run >> "
             "$notes/runs\n%s",
             lines);
    chmod(scratch_text("bin/gmsh", script), 0755);
    char path[2048];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    remove(scratch_path("runs"));
}

/* A model with a body of this geometry; each has a content of its own, so that no cache knows it.
 */
static const char *write_model(const char *name, const char *geometry)
{
    static int number;
    char text[1024], file[64];
    snprintf(text, sizeof text, "// %d of %d\nSystemCall \"touch pwned\";\n", ++number,
             (int)getpid());
    scratch_text(geometry, text);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  cube:\n    mesh: {file: %s, material: steel}\n"
             "    interfaces: {a: {point: [0, 0.5, 0.5], nodes: left}}\n"
             "    reduction: {modes: 2}\n"
             "joints: {hold: {type: fixed, between: [ground, cube.a]}}\n"
             "analyses: {rest: {type: statics}}\n",
             geometry);
    snprintf(file, sizeof file, "%s.yaml", name);
    return scratch_text(file, text);
}

static void configure(const char *text)
{
    scratch_text("config/limber/config.yaml", text);
}

static const char good[] = "cat $notes/cube.msh > \"$out\"\n";

/* --- scripts ---------------------------------------------------------------------------------- */

static void scripts_need_trust(void **unused)
{
    (void)unused;
    install(good);
    const char *model = write_model("script", "part.geo");
    static const char *const verbs[] = {"check",    "run -o /dev/null", "modes", "reduce",
                                        "matrices", "gradient",         "rotor", "sweep"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        lmb_run_result run = run_limber("%s %s", verbs[i], model);
        assert_non_null(strstr(run.err, "is a geometry script, which can run any command"));
        assert_non_null(strstr(run.err, "--trust"));
        check_run(run, LMB_BAD_INPUT, "script.yaml:5:");
    }
    assert_string_equal(read_note("runs"), "");
    check_run(run_limber("check %s --trust", model), 0, "");
    assert_string_equal(read_note("runs"), "run\n");
    assert_int_equal(access("pwned", F_OK), -1);
}

/* The user's configuration trusts; a file beside the model does not. */
static void configuration_trusts(void **unused)
{
    (void)unused;
    install(good);
    const char *model = write_model("configured", "own.GEO");
    scratch_text("config.yaml", "trust: true\n");
    scratch_text(".config/limber/config.yaml", "trust: true\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "geometry script");
    configure("trust: false\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "geometry script");
    configure("trust: true\n");
    check_run(run_limber("check %s", model), 0, "");
    configure("trust: maybe\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "expected true or false");
    configure("meshing_time: -1\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "a number of seconds above 0");
    configure("trusted: true\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "there is no key 'trusted'");
    configure("{}\n");
}

/* --- gmsh ------------------------------------------------------------------------------------- */

/* Data need no trust; gmsh sees a copy, so that no file of options beside it counts. */
static void gmsh_has_little(void **unused)
{
    (void)unused;
    install("env > $notes/environment\npwd > $notes/where\nls -A > $notes/folder\n"
            "ls -A \"$HOME\" > $notes/home\nls -l /proc/$$/fd > $notes/files\n"
            "echo \"$@\" > $notes/arguments\ntouch litter\ncat $notes/cube.msh > \"$out\"\n");
    const char *model = write_model("data", "part.StEp");
    scratch_text("part.StEp.opt", "SystemCall \"touch pwned\";\n");
    setenv("SECRET", "key", 1);
    check_run(run_limber("check %s 7< %s", model, model), 0, "");
    unsetenv("SECRET");
    assert_string_equal(read_note("runs"), "run\n");
    /* what a shell adds itself: PWD, SHLVL, _, OLDPWD */
    char where[1024];
    snprintf(where, sizeof where, "%s", read_note("where"));
    where[strcspn(where, "\n")] = 0;
    const char *environment = read_note("environment");
    assert_null(strstr(environment, "SECRET"));
    assert_null(strstr(environment, "XDG_CONFIG_HOME"));
    char home[1100];
    snprintf(home, sizeof home, "HOME=%s/home\n", where);
    assert_non_null(strstr(environment, home));
    assert_string_equal(read_note("home"), "");
    assert_string_equal(read_note("folder"), "geometry.step\nhome\nlog.txt\n");
    assert_non_null(strstr(read_note("arguments"), "/geometry.step -3 "));
    /* 0, 1, 2, and 10 or 255, by which the shell reads its script */
    const char *files = read_note("files");
    assert_null(strstr(files, "data.yaml"));
    assert_null(strstr(files, " 3 -> "));
    assert_non_null(strstr(files, "0 -> /dev/null"));
    /* the folder is gone, with what was left in it */
    assert_int_equal(access(where, F_OK), -1);
}

/* Whether a process is there and no zombie, which nobody may have taken yet. */
static bool is_alive(pid_t child)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    if (file)
        fclose(file);
    return state != 'Z';
}

/* One that hangs is ended with all that it has started. */
static void gmsh_that_hangs(void **unused)
{
    (void)unused;
    install("sleep 300 &\necho $! > $notes/child\nwait\n");
    const char *model = write_model("hangs", "hangs.brep");
    configure("meshing_time: 0.5\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "gmsh has not meshed");
    configure("{}\n");
    pid_t child = (pid_t)atoi(read_note("child"));
    assert_true(child > 0);
    assert_false(is_alive(child));
}

/* Ctrl-C reaches it by way of the program, which removes the folder. */
static void gmsh_that_is_interrupted(void **unused)
{
    (void)unused;
    install("pwd > $notes/where\nsleep 300 &\necho $! > $notes/child\nwait\n");
    const char *model = write_model("stopped", "stopped.igs");
    check_run(run_limber("check %s & pid=$!\n"
                         "for i in $(seq 400); do [ -s %s ] && break; sleep 0.05; done; kill -INT "
                         "$pid; wait $pid",
                         model, scratch_path("child")),
              LMB_SOLVER, "interrupted");
    char where[1024];
    snprintf(where, sizeof where, "%s", read_note("where"));
    where[strcspn(where, "\n")] = 0;
    assert_int_equal(access(where, F_OK), -1);
}

/* One that writes where it should not, and not where it should. */
static void gmsh_that_fails(void **unused)
{
    (void)unused;
    install(
        "echo 'Error : no volume'\nln -s /etc/passwd link\nmkdir -p deep/er; touch deep/er/x\n");
    const char *model = write_model("fails", "fails.stp");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "Error : no volume");
    install("ln -s /dev/zero \"$out\"\n");
    check_run(run_limber("check %s", model), LMB_BAD_INPUT, "it is a device");
}

static int set_up(void **unused)
{
    (void)unused;
    scratch_text("cube.msh", cube);
    configure("{}\n");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_path("config/limber/config.yaml"));
    *strstr(folder, "/limber/config.yaml") = 0;
    setenv("XDG_CONFIG_HOME", folder, 1);
    remove(scratch_path("child"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(scripts_need_trust, set_up),
        cmocka_unit_test_setup(configuration_trusts, set_up),
        cmocka_unit_test_setup(gmsh_has_little, set_up),
        cmocka_unit_test_setup(gmsh_that_hangs, set_up),
        cmocka_unit_test_setup(gmsh_that_is_interrupted, set_up),
        cmocka_unit_test_setup(gmsh_that_fails, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
