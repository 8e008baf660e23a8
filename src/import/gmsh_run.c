/* Runs the program gmsh with a temporary folder for the mesh and for what it says. */
#include "import/gmsh_run.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "import/scan.h"

extern char **environ;

typedef struct run {
    lmb_context *context;
    lmb_arena *arena;
    const char *path;
    char *folder, *mesh, *log;
} run;

bool lmb_is_geometry(const char *path)
{
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs", ".brep", ".geo"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (lmb_word_is((lmb_word){dot, (int)strlen(dot)}, endings[i]))
            return true;
    return false;
}

static lmb_status make_folder(run *r)
{
    char folder[LMB_FOLDER_ROOM];
    if (lmb_temporary_folder(r->context, folder))
        return LMB_IO;
    r->folder = lmb_text_copy(r->arena, folder, strlen(folder));
    r->mesh = lmb_text_format(r->arena, "%s/mesh.msh", folder);
    r->log = lmb_text_format(r->arena, "%s/log.txt", folder);
    return lmb_check_memory(r->context, r->arena);
}

static void remove_folder(const run *r)
{
    if (r->mesh)
        remove(r->mesh);
    if (r->log)
        remove(r->log);
    if (r->folder)
        rmdir(r->folder);
}

/* The first line in which gmsh complains, for the message. */
static const char *find_complaint(const run *r)
{
    lmb_scan log;
    const char *found = "";
    if (lmb_scan_open(&log, r->context, r->log))
        return found;
    while (!*found && lmb_scan_line(&log)) {
        lmb_word line = {log.line, (int)(log.end - log.line)};
        if (lmb_word_begins(line, "Error")) {
            const char *copy = lmb_text_copy(r->arena, line.start, (size_t)line.length);
            found = copy ? copy : "";
        }
    }
    lmb_scan_close(&log);
    return found;
}

/* Starts the program and waits for its end; errno of what went wrong, or -1 for its own failure. */
static int run_program(const run *r, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int result;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    result = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, r->log, flags, 0600);
    if (!result)
        result = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (!result)
        result = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (result)
        return result;
    int ended;
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? 0 : -1;
}

static lmb_status make_mesh(run *r, double size, int order)
{
    char *largest = lmb_text_format(r->arena, "%.17g", size > 0 ? size : 1e22);
    char *path = lmb_text_format(r->arena, "%s%s", *r->path == '-' ? "./" : "", r->path);
    if (!largest || !path)
        return lmb_fail_memory(r->context);
    char *arguments[] = {"gmsh",   path,    "-3",      "-order", order == 2 ? "2" : "1",
                         "-clmax", largest, "-format", "msh41",  "-bin",
                         "-o",     r->mesh, NULL};
    int result = run_program(r, arguments);
    if (result == ENOENT) {
        lmb_fail(r->context, LMB_IO,
                 "'%s' is geometry, and gmsh, which would mesh it, is not "
                 "installed",
                 r->path);
        return lmb_hint(r->context, "install gmsh, or mesh it elsewhere and give the mesh");
    }
    if (result > 0)
        return lmb_fail(r->context, LMB_IO, "cannot run gmsh: %s", strerror(result));
    if (result < 0 || access(r->mesh, R_OK) != 0) {
        const char *complaint = find_complaint(r);
        return lmb_fail(r->context, LMB_BAD_INPUT, "gmsh could not mesh '%s'%s%s", r->path,
                        *complaint ? ": " : "", complaint);
    }
    return LMB_OK;
}

lmb_status lmb_gmsh_run(lmb_mesh **out, lmb_context *context, lmb_arena *arena, const char *path,
                        double size, int order, const lmb_units *units)
{
    run r = {.context = context, .arena = arena, .path = path};
    *out = NULL;
    if (access(path, R_OK) != 0)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    lmb_status status = make_folder(&r);
    if (!status)
        status = make_mesh(&r, size, order);
    if (!status)
        status = lmb_mesh_read(out, context, arena, r.mesh, units);
    remove_folder(&r);
    if (status)
        return status;
    (*out)->file = lmb_text_copy(arena, path, strlen(path));
    return lmb_check_memory(context, arena);
}
