/* Meshes of geometry, which the program gmsh makes.
 *
 * gmsh gets a folder of its own, with an empty home (base/process.h). Geometry that is data, of
 * STEP, IGES and BREP, is copied into it under a plain name: beside a file, gmsh looks for one of
 * its name with .opt behind it and obeys what it says, and a file whose ending it does not know it
 * takes for a script. Scripts (.geo), which may have gmsh run any command, stay where they are, as
 * they name other files beside them; whoever calls this has seen to it that they are trusted. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "import/mesh_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "import/scan.h"

typedef struct run {
    lmb_context *context;
    lmb_arena *arena;
    const lmb_meshing *meshing;
    const char *folder;
    char *input, *mesh, *log, *home;
} run;

/* The ending of a name of geometry, in small letters; NULL: it is none. */
static const char *geometry_ending(const char *path)
{
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs", ".brep", ".geo"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lmb_word_is(lmb_file_ending(path), endings[i]))
            return endings[i];
    return NULL;
}

bool lmb_is_geometry(const char *path)
{
    return geometry_ending(path) != NULL;
}

bool lmb_is_geometry_script(const char *path)
{
    const char *ending = geometry_ending(path);
    return ending && strcmp(ending, ".geo") == 0;
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

/* Puts data into the folder, and finds out where a script is. */
static lmb_status place_input(run *r)
{
    const char *path = r->meshing->path;
    if (lmb_is_geometry_script(path)) {
        char *real = realpath(path, NULL);
        if (!real)
            return lmb_fail_read(r->context, path, errno);
        r->input = lmb_text_copy(r->arena, real, strlen(real));
        free(real);
        return lmb_check_memory(r->context, r->arena);
    }
    char *bytes;
    size_t size;
    lmb_status status = lmb_read_file(&bytes, &size, r->context, path);
    if (!status)
        status = lmb_file_write(r->context, r->input, bytes, size);
    free(bytes);
    return status;
}

static lmb_status not_begun(const run *r, int error)
{
    if (error != ENOENT)
        return lmb_fail(r->context, LMB_IO, "cannot run gmsh: %s", strerror(error));
    lmb_fail(r->context, LMB_IO,
             "'%s' is geometry, and gmsh, which would mesh it, is not installed", r->meshing->path);
    return lmb_hint(r->context, "install gmsh, or mesh it elsewhere and give the mesh");
}

static lmb_status too_late(const run *r)
{
    char limit[32];
    lmb_text_duration(limit, r->meshing->seconds);
    lmb_fail(r->context, LMB_BAD_INPUT, "gmsh has not meshed '%s' within %s, and was ended",
             r->meshing->path, limit);
    return lmb_hint(r->context, "'size' makes elements larger; 'meshing_time' of the configuration "
                                "gives it more seconds; or mesh it elsewhere and give the mesh");
}

static lmb_status make_mesh(const run *r)
{
    const lmb_meshing *m = r->meshing;
    char *largest = lmb_text_format(r->arena, "%.17g", m->size > 0 ? m->size : 1e22);
    if (!largest)
        return lmb_fail_memory(r->context);
    char *words[] = {"gmsh",   r->input, "-3",      "-order", m->order == 2 ? "2" : "1",
                     "-clmax", largest,  "-format", "msh41",  "-bin",
                     "-o",     r->mesh,  NULL};
    lmb_process process = {words, r->folder, r->home, r->log, m->seconds};
    lmb_ended ended;
    lmb_status status = lmb_process_run(r->context, &process, &ended);
    int error = errno;
    if (status)
        return status;
    if (ended == LMB_ENDED_NOT_BEGUN)
        return not_begun(r, error);
    if (ended == LMB_ENDED_LATE)
        return too_late(r);
    if (ended == LMB_ENDED_BADLY || access(r->mesh, R_OK) != 0) {
        const char *complaint = find_complaint(r);
        return lmb_fail(r->context, LMB_BAD_INPUT, "gmsh could not mesh '%s'%s%s", m->path,
                        *complaint ? ": " : "", complaint);
    }
    return LMB_OK;
}

/* In a folder that is there. */
static lmb_status mesh_in(run *r, lmb_mesh **out, const lmb_units *units)
{
    r->input =
        lmb_text_format(r->arena, "%s/geometry%s", r->folder, geometry_ending(r->meshing->path));
    r->mesh = lmb_text_format(r->arena, "%s/mesh.msh", r->folder);
    r->log = lmb_text_format(r->arena, "%s/log.txt", r->folder);
    r->home = lmb_text_format(r->arena, "%s/home", r->folder);
    lmb_status status = lmb_check_memory(r->context, r->arena);
    if (!status && mkdir(r->home, 0700) != 0)
        status = lmb_fail(r->context, LMB_IO, "cannot make the folder '%s': %s", r->home,
                          strerror(errno));
    if (!status)
        status = place_input(r);
    if (!status)
        status = make_mesh(r);
    return status ? status : lmb_mesh_read(out, r->context, r->arena, r->mesh, units);
}

lmb_status lmb_gmsh_run(lmb_mesh **out, lmb_context *context, lmb_arena *arena,
                        const lmb_meshing *meshing, const lmb_units *units)
{
    char folder[LMB_FOLDER_ROOM];
    *out = NULL;
    if (access(meshing->path, R_OK) != 0)
        return lmb_fail_read(context, meshing->path, errno);
    if (lmb_temporary_folder(context, "mesh", folder))
        return LMB_IO;
    run r = {context, arena, meshing, folder, .input = NULL};
    lmb_status status = mesh_in(&r, out, units);
    lmb_folder_remove(folder);
    if (status)
        return status;
    (*out)->file = lmb_text_copy(arena, meshing->path, strlen(meshing->path));
    return lmb_check_memory(context, arena);
}
