/* Which format a mesh has, tables of nodes, and meshes of geometry, which the program gmsh makes.
 */
#include "import/mesh_read.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "import/mesh_draft.h"

typedef lmb_status read_function(lmb_mesh_draft *draft);

/* The function for the ending of a name, or NULL. */
static read_function *find_format(const char *path)
{
    static const struct {
        const char *ending;
        read_function *read;
    } formats[] = {{".msh", lmb_read_gmsh},         {".inp", lmb_read_inp},
                   {".cdb", lmb_read_cdb},          {".node", lmb_read_nwrite},
                   {".csv", lmb_read_node_table},   {".txt", lmb_read_node_table},
                   {".nodes", lmb_read_node_table}, {".dat", lmb_read_node_table}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (lmb_word_is(lmb_file_ending(path), formats[i].ending))
            return formats[i].read;
    return NULL;
}

lmb_status lmb_mesh_read(lmb_mesh **out, lmb_context *context, lmb_arena *arena, const char *path,
                         const lmb_units *units)
{
    *out = NULL;
    read_function *read = find_format(path);
    if (!read)
        return lmb_fail_hint(
            context,
            "names of meshes end with .msh (Gmsh), .inp (Abaqus, CalculiX) or .cdb "
            "(Ansys); tables of nodes with .node or .csv",
            "'%s': the format of the mesh is not known", path);
    const char *file = lmb_text_copy(arena, path, strlen(path));
    lmb_scan scan;
    lmb_status status = file ? lmb_scan_open(&scan, context, file) : lmb_fail_memory(context);
    if (status)
        return status;
    lmb_mesh_draft draft = {context, &scan, arena, lmb_arena_new(), .file = file};
    status = read(&draft);
    if (!status)
        status = lmb_draft_finish(&draft, out);
    if (!status && units)
        lmb_units_mesh(units, *out);
    lmb_draft_free(&draft);
    lmb_scan_close(&scan);
    return status;
}

/* --- Tables of nodes: number, x, y, z --- */

/* Numbers with decimal commas are separated by tabulators or semicolons. Lines that do not begin
 * with a digit are titles. A carriage return within a line is no blank, but a mistake. */
lmb_status lmb_read_node_table(lmb_mesh_draft *draft)
{
    lmb_scan *scan = draft->scan;
    while (lmb_scan_line(scan)) {
        lmb_word first;
        if (!lmb_scan_word(scan, &first) || first.length == 0 ||
            !strchr("0123456789", *first.start))
            continue;
        char copy[1000];
        size_t length = (size_t)(scan->end - scan->line);
        length = length < sizeof copy ? length : sizeof copy;
        bool comma = memchr(scan->line, '\t', length) || memchr(scan->line, ';', length);
        for (size_t i = 0; i < length; i++) {
            char c = scan->line[i];
            copy[i] = (char)(c == '\r' ? '?' : !comma ? c : c == ',' ? '.' : c == ';' ? ',' : c);
        }
        scan->now = copy;
        scan->end = copy + length;
        int number = lmb_scan_integer(scan, "the number of a node");
        double x[3];
        lmb_scan_numbers(scan, "a coordinate", x, 3);
        lmb_draft_add_node(draft, number, x);
    }
    return scan->status;
}

/* --- Nodes of NWRITE --- */

/* The number ends in column 8 or 9, and coordinates have 20 or 21 columns. Zeros are left out,
 * so that a line of fewer than four words is read by columns. */
lmb_status lmb_read_nwrite(lmb_mesh_draft *draft)
{
    lmb_scan *scan = draft->scan;
    while (lmb_scan_line(scan)) {
        lmb_word words[4] = {{0}};
        int count = lmb_scan_words(scan, words, 4);
        if (count == 0)
            continue;
        int width = (int)(words[0].start + words[0].length - scan->line);
        bool columns = count < 4 && (width == 8 || width == 9);
        double x[3] = {0};
        int number = lmb_scan_integer_of(scan, words[0], "the number of a node");
        for (int i = 0; i < 3; i++) {
            lmb_word word = words[i + 1];
            if (columns)
                word = lmb_scan_columns(scan, width + (width + 12) * i, width + 12);
            lmb_scan_optional(scan, word, "a coordinate", &x[i]);
        }
        lmb_draft_add_node(draft, number, x);
    }
    return scan->status;
}

/* --- Geometry: gmsh with a temporary folder for the mesh and for what it says --- */

extern char **environ;

typedef struct run {
    lmb_context *context;
    lmb_arena *arena;
    const char *path;
    char *mesh, *log;
} run;

bool lmb_is_geometry(const char *path)
{
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs", ".brep", ".geo"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lmb_word_is(lmb_file_ending(path), endings[i]))
            return true;
    return false;
}

/* The first line in which gmsh complains, for the message. */
static const char *find_complaint(const run *r)
{
    lmb_scan log;
    const char *found = NULL;
    if (lmb_scan_open(&log, r->context, r->log))
        return "";
    while (!found && lmb_scan_line(&log))
        if (lmb_word_begins(lmb_scan_text(&log), "Error"))
            found = lmb_scan_copy(&log, r->arena, lmb_scan_text(&log));
    lmb_scan_close(&log);
    return found ? found : "";
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

static lmb_status make_mesh(const run *r, double size, int order)
{
    char *largest = lmb_text_format(r->arena, "%.17g", size > 0 ? size : 1e22);
    char *path = lmb_text_format(r->arena, "%s%s", *r->path == '-' ? "./" : "", r->path);
    if (!lmb_arena_fine(r->arena))
        return lmb_fail_memory(r->context);
    char *arguments[] = {"gmsh",   path,    "-3",      "-order", order == 2 ? "2" : "1",
                         "-clmax", largest, "-format", "msh41",  "-bin",
                         "-o",     r->mesh, NULL};
    int result = run_program(r, arguments);
    if (result == ENOENT) {
        lmb_fail(r->context, LMB_IO,
                 "'%s' is geometry, and gmsh, which would mesh it, is not installed", r->path);
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
    char folder[LMB_FOLDER_ROOM];
    *out = NULL;
    if (access(path, R_OK) != 0)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    if (lmb_temporary_folder(context, folder))
        return LMB_IO;
    run r = {context, arena, path, lmb_text_format(arena, "%s/mesh.msh", folder),
             lmb_text_format(arena, "%s/log.txt", folder)};
    lmb_status status = make_mesh(&r, size, order);
    if (!status)
        status = lmb_mesh_read(out, context, arena, r.mesh, units);
    if (lmb_arena_fine(arena)) {
        remove(r.mesh);
        remove(r.log);
    }
    rmdir(folder);
    if (status)
        return status;
    (*out)->file = lmb_text_copy(arena, path, strlen(path));
    return lmb_check_memory(context, arena);
}
