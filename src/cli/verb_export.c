/* limber export: a result for other programs: tables and moving meshes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/frames.h"
#include "cli/options.h"
#include "cli/print.h"
#include "result/series.h"
#include "cli/templates.h"
#include "cli/verb.h"
#include "export/load_cases.h"
#include "export/mat.h"
#include "result/read.h"
#include "export/scene.h"

/* The columns of a table: the channels, read into memory, and what stands in front of their
 * names. */
typedef struct table {
    lmb_context *context;
    lmb_result *result;
    int count;
    lmb_series *series;
    const char **prefixes; /* "swing/", where the user wrote it, else "" */
    lmb_arena *arena;
} table;

/* Reads a channel as the next column(s); its instants must be those of the first. */
static lmb_status add_channel(table *t, const char *name, const char *prefix)
{
    lmb_series *s = &t->series[t->count];
    lmb_status status = lmb_result_read(t->result, t->context, name, s);
    if (status != LMB_OK)
        return status;
    t->prefixes[t->count++] = prefix;
    const lmb_series *first = &t->series[0];
    if (s->count != first->count ||
        (s->count > 0 && memcmp(s->time, first->time, (size_t)s->count * sizeof *s->time) != 0))
        return lmb_fail(t->context, LMB_BAD_INPUT,
                        "'%s' was stored at other instants than '%s%s', so they do not fit into "
                        "one table",
                        name, t->prefixes[0], first->channel.name);
    return LMB_OK;
}

/* The analysis that --analysis names, or the last one; -1 when there is none. */
static int find_analysis(const table *t, const char *name)
{
    int last = lmb_result_analysis_count(t->result) - 1;
    for (int i = 0; name && i <= last; i++)
        if (strcmp(lmb_result_analysis_name(t->result, i), name) == 0)
            return i;
    if (!name && last < 0)
        lmb_fail(t->context, LMB_BAD_INPUT, "there are no results in the file yet");
    if (!name)
        return last;
    lmb_fail(t->context, LMB_BAD_INPUT, "there is no analysis '%s' in the result", name);
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; i <= last; i++)
        lmb_nearest_try(&near, lmb_result_analysis_name(t->result, i));
    lmb_nearest_hint(t->context, &near);
    return -1;
}

/* Reads the named channels, or all of the analysis. */
static lmb_status read_table(table *t, const lmb_arguments *arguments)
{
    int analysis = find_analysis(t, lmb_option_value(arguments, "--analysis"));
    if (analysis < 0)
        return LMB_BAD_INPUT;
    int named = arguments->count - 1;
    int own = lmb_result_channel_count(t->result, analysis);
    size_t room = (size_t)(named > 0 ? named : own) + 1;
    t->series = lmb_arena_alloc(t->arena, room, sizeof *t->series);
    t->prefixes = lmb_arena_alloc(t->arena, room, sizeof *t->prefixes);
    if (!t->series || !t->prefixes)
        return lmb_fail_memory(t->context);
    lmb_status status = LMB_OK;
    for (int i = 0; status == LMB_OK && i < (named > 0 ? named : own); i++) {
        const char *word =
            named > 0 ? arguments->words[i + 1] : lmb_result_channel(t->result, analysis, i)->name;
        const char *slash = strchr(word, '/');
        const char *prefix = slash ? lmb_text_copy(t->arena, word, (size_t)(slash - word) + 1) : "";
        const char *name =
            slash ? word
                  : lmb_text_format(t->arena, "%s/%s",
                                    lmb_result_analysis_name(t->result, analysis), word);
        status = prefix && name ? add_channel(t, name, prefix) : lmb_fail_memory(t->context);
    }
    return status;
}

static void write_table(const table *t, FILE *out)
{
    char text[16];
    fputs(t->count > 0 ? t->series[0].over.name : "time", out);
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->series[i].size; k++)
            fprintf(out, ",%s%s%s", t->prefixes[i], t->series[i].channel.name,
                    lmb_component_name(&t->series[i].channel, k, text));
    putc('\n', out);
    int rows = t->count > 0 ? t->series[0].count : 0;
    for (int row = 0; row < rows && !ferror(out); row++) {
        lmb_print_number(out, t->series[0].time[row]);
        for (int i = 0; i < t->count; i++)
            for (int k = 0; k < t->series[i].size; k++) {
                putc(',', out);
                lmb_print_number(out, t->series[i].values[row * t->series[i].size + k]);
            }
        putc('\n', out);
    }
}

/* Opens a file, has it written by one of the two, and closes it. */
static lmb_status write_path(lmb_context *context, const char *path, const table *t,
                             const lmb_load_cases *cases, bool displacements)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(errno));
    errno = 0;
    if (cases)
        lmb_load_writer_of(path)(cases, displacements, out);
    else
        write_table(t, out);
    bool failed = ferror(out) != 0;
    int error = errno;
    if (fclose(out) != 0) {
        error = failed ? error : errno;
        failed = true;
    }
    if (failed)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
    return LMB_OK;
}

/* Writes the table to a file, or to the standard output for "-". */
static lmb_status write_file(const table *t, const char *path)
{
    if (strcmp(path, "-") != 0)
        return write_path(t->context, path, t, NULL, false);
    write_table(t, stdout);
    return LMB_OK; /* the program checks that output itself */
}

/* --- load cases ------------------------------------------------------------------------------- */

/* What was typed about load cases makes sense. */
static lmb_status check_loads(const lmb_arguments *a, const char *path, bool *displacements)
{
    const char *as = lmb_option_value(a, "--as");
    *displacements = as && strcmp(as, "displacements") == 0;
    if (as && !*displacements && strcmp(as, "forces") != 0)
        return lmb_fail(a->context, LMB_USAGE, "--as must be forces or displacements, not '%s'",
                        as);
    static const char *const others[] = {"--csv", "--mat", "--vtk", "--gltf", "--frames"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lmb_option_value(a, others[i]))
            return lmb_fail(a->context, LMB_USAGE, "--loads takes no %s; its file is that of -o",
                            others[i]);
    if (a->count > 1)
        return lmb_fail(a->context, LMB_USAGE, "--loads takes no channels");
    if (path && lmb_load_writer_of(path))
        return LMB_OK;
    lmb_fail(a->context, LMB_USAGE,
             path ? "'%s' has none of the endings of load cases" : "where to is missing",
             path ? path : "");
    lmb_hint(a->context, "-o FILE.inp for CalculiX and Abaqus, FILE.mac for Ansys, or FILE.csv");
    return LMB_USAGE;
}

static lmb_status export_loads(const lmb_arguments *a)
{
    const char *path = lmb_option_value(a, "--output");
    bool displacements;
    lmb_load_cases *cases = NULL;
    table t = {.context = a->context};
    lmb_status status = check_loads(a, path, &displacements);
    if (status || (status = lmb_result_open(&t.result, a->context, a->words[0])))
        return status;
    int analysis = find_analysis(&t, lmb_option_value(a, "--analysis"));
    status = analysis < 0 ? LMB_BAD_INPUT
                          : lmb_load_cases_read(&cases, a->context, t.result,
                                                lmb_result_analysis_name(t.result, analysis),
                                                lmb_option_value(a, "--loads"));
    if (!status) {
        status = write_path(a->context, path, NULL, cases, displacements);
        lmb_arena_free(cases->arena);
    }
    lmb_result_close(t.result);
    return status;
}

/* --- MAT-files -------------------------------------------------------------------------------- */

/* "time" or what they are over, the channels as matrices with an instant a row, and their names and
 * units. Dots are no part of names there and become underscores. */
static lmb_status write_mat(const table *t, const char *path)
{
    lmb_mat *mat;
    lmb_status status = lmb_mat_new(&mat, t->context, path);
    if (status)
        return status;
    char **names = lmb_arena_alloc(t->arena, (size_t)t->count + 1, sizeof *names);
    char **units = lmb_arena_alloc(t->arena, (size_t)t->count + 1, sizeof *units);
    if (t->count > 0)
        lmb_mat_matrix(mat, t->series[0].over.name, t->series[0].count, 1, t->series[0].time);
    for (int i = 0; i < t->count && names && units && !status; i++) {
        const lmb_series *s = &t->series[i];
        size_t rows = (size_t)s->count, size = (size_t)s->size;
        double *columns = malloc((rows * size + 1) * sizeof *columns);
        names[i] = lmb_text_format(t->arena, "%s%s", t->prefixes[i], s->channel.name);
        units[i] = lmb_text_copy(t->arena, s->channel.unit, strlen(s->channel.unit));
        char *name = names[i] ? lmb_text_copy(t->arena, names[i], strlen(names[i])) : NULL;
        for (char *c = name; c && *c; c++)
            *c = strchr("./-", *c) ? '_' : *c;
        for (size_t row = 0; columns && row < rows; row++)
            for (size_t k = 0; k < size; k++)
                columns[k * rows + row] = s->values[row * size + k];
        if (!columns || !name || !units[i])
            status = lmb_fail_memory(t->context);
        else
            lmb_mat_matrix(mat, name, s->count, s->size, columns);
        free(columns);
    }
    if (!names || !units)
        status = lmb_fail_memory(t->context);
    if (!status) {
        lmb_mat_texts(mat, "channels", t->count, names);
        lmb_mat_texts(mat, "units", t->count, units);
    }
    lmb_status closed = lmb_mat_close(mat, t->context);
    return status ? status : closed;
}

/* --- meshes ----------------------------------------------------------------------------------- */

/* The name of a file without folder and ending. */
static const char *stem_of(table *t, const char *path)
{
    const char *name = lmb_file_name(path);
    return lmb_text_copy(t->arena, name, (size_t)lmb_file_stem(name));
}

/* Frames are of a motion: the instants of modes are numbers of modes, those of rotors speeds. */
static lmb_status check_motion(table *t, int analysis)
{
    const char *over = lmb_result_over(t->result, analysis)->name;
    if (strcmp(over, "time") == 0)
        return LMB_OK;
    lmb_fail(t->context, LMB_BAD_INPUT,
             "the analysis '%s' is over %s, not over time, and has no motion to draw",
             lmb_result_analysis_name(t->result, analysis), over);
    lmb_hint(t->context, "--analysis NAME takes another one; the report shows modes");
    return LMB_BAD_INPUT;
}

static lmb_status write_meshes(table *t, int analysis, double step, const char *vtk,
                               const char *gltf, const char *name)
{
    lmb_scene *scene;
    if (!name)
        return lmb_fail_memory(t->context);
    lmb_status status = lmb_scene_read(&scene, t->context, t->result, analysis, step);
    if (status)
        return status;
    if (vtk)
        status = lmb_write_vtk(t->context, scene, vtk, name);
    if (gltf && !status)
        status = lmb_write_gltf(t->context, scene, gltf);
    lmb_scene_free(scene);
    return status;
}

/* What moves: meshes and frames. */
static lmb_status write_motion(table *t, const lmb_arguments *arguments, lmb_frame_style *style)
{
    const char *vtk = lmb_option_value(arguments, "--vtk");
    const char *gltf = lmb_option_value(arguments, "--gltf");
    const char *frames = lmb_option_value(arguments, "--frames");
    const char *word = lmb_option_value(arguments, "--step");
    double step = 0;
    if (word && lmb_typed_number(t->context, "--step", word, &step))
        return LMB_USAGE;
    if (word && !(step > 0))
        return lmb_fail(t->context, LMB_USAGE, "--step must be positive");
    int analysis = find_analysis(t, lmb_option_value(arguments, "--analysis"));
    if (analysis < 0 || (frames && check_motion(t, analysis)))
        return LMB_BAD_INPUT;
    lmb_status status = LMB_OK;
    lmb_progress_display display = lmb_progress_start(false);
    lmb_context_on_progress(t->context, lmb_progress_show, &display);
    if (vtk || gltf)
        status = write_meshes(t, analysis, step, vtk, gltf, stem_of(t, arguments->words[0]));
    style->analysis = analysis;
    if (frames && !status)
        status = lmb_frames_write(t->context, t->result, lmb_viewer[0].text, style, step, frames);
    lmb_progress_done(&display);
    lmb_context_on_progress(t->context, NULL, NULL);
    return status;
}

/* The channels and options that were typed belong to what is written. */
static lmb_status check_options(const lmb_arguments *a, bool columns, bool meshes)
{
    if (lmb_option_value(a, "--output") || lmb_option_value(a, "--as"))
        return lmb_fail(a->context, LMB_USAGE, "-o and --as are for --loads");
    if (!columns && !meshes) {
        lmb_fail(a->context, LMB_USAGE, "where to is missing");
        lmb_hint(a->context, "--csv FILE, or --csv - for the standard output; --mat, --vtk, "
                             "--gltf, --frames or --loads");
        return LMB_USAGE;
    }
    if (!columns && a->count > 1)
        return lmb_fail(a->context, LMB_USAGE, "channels ('%s') are for --csv and --mat",
                        a->words[1]);
    if (!meshes && lmb_option_value(a, "--step"))
        return lmb_fail(a->context, LMB_USAGE, "--step is for --vtk, --gltf and --frames");
    return LMB_OK;
}

static lmb_status run(const lmb_arguments *arguments)
{
    table t = {.context = arguments->context};
    const char *csv = lmb_option_value(arguments, "--csv");
    const char *mat = lmb_option_value(arguments, "--mat");
    lmb_frame_style frames;
    lmb_status status = lmb_frame_options_read(arguments, &frames);
    if (status)
        return status;
    if (lmb_option_value(arguments, "--loads"))
        return export_loads(arguments);
    bool moving = lmb_option_value(arguments, "--vtk") || lmb_option_value(arguments, "--gltf") ||
                  lmb_option_value(arguments, "--frames");
    status = check_options(arguments, csv || mat, moving);
    if (status)
        return status;
    t.arena = lmb_arena_new();
    if (!t.arena)
        return lmb_fail_memory(t.context);
    status = lmb_result_open(&t.result, t.context, arguments->words[0]);
    if (status == LMB_OK && (csv || mat))
        status = read_table(&t, arguments);
    if (status == LMB_OK && csv)
        status = write_file(&t, csv);
    if (status == LMB_OK && mat)
        status = write_mat(&t, mat);
    if (status == LMB_OK && moving)
        status = write_motion(&t, arguments, &frames);
    for (int i = 0; i < t.count; i++)
        lmb_series_free(&t.series[i]);
    lmb_result_close(t.result);
    lmb_arena_free(t.arena);
    return status;
}

static const lmb_option options[] = {
    {"--csv", NULL, "FILE", false, "Writes comma-separated values; - is the standard output."},
    {"--mat", NULL, "FILE", false, "Writes a MAT-file of MATLAB, a matrix a channel."},
    {"--vtk", NULL, "DIR", false,
     "Writes files for ParaView: a mesh an instant (.vtu) and their list (.pvd)."},
    {"--gltf", NULL, "FILE", false,
     "Writes binary glTF with the animation, and modes of flexible bodies as morph targets."},
    {"--frames", NULL, "DIR", false,
     "Writes the animation as pictures: DIR/frame-0001.png and so on, an instant each."},
    {"--step", NULL, "S", false,
     "For --vtk, --gltf and --frames: seconds between instants (default: at most 300 of those "
     "stored)."},
    {"--size", NULL, "WxH", false,
     "With --frames: width and height in pixels (default: 1280x800)."},
    {"--view", NULL, "VIEW", false,
     "With --frames: iso, front, side or top, or where the camera is as a direction X,Y,Z "
     "(default: iso; front in models of the plane)."},
    {"--exaggerate", NULL, "F", false, "With --frames: draws deformations F times as large."},
    {"--stress", NULL, NULL, false,
     "With --frames: draws flexible bodies in the colours of von Mises' stress."},
    {"--dark", NULL, NULL, false, "With --frames: draws on a dark background instead of white."},
    {"--analysis", NULL, "NAME", false, "Takes this analysis instead of the last one."},
    {"--loads", NULL, "BODY", false,
     "Instead of channels: the loads of a flexible body as load cases for an FE program."},
    {"--output", "-o", "FILE", false,
     "With --loads: FILE.inp for CalculiX and Abaqus, FILE.mac for Ansys, or FILE.csv."},
    {"--as", NULL, "KIND", false,
     "With --loads: load the interface points by 'forces' (the default), or move them by "
     "'displacements'."},
    {0}};

const lmb_verb lmb_verb_export = {
    .name = "export",
    .usage = "RESULT (--csv FILE | --mat FILE | --vtk DIR | --gltf FILE | --frames DIR | "
             "--loads BODY -o FILE) [--step S] [--size WxH] [--view VIEW] [--exaggerate F] "
             "[--stress] [--dark] [--as KIND] [--analysis NAME] [CHANNEL...]",
    .summary = "Writes a result for other programs.",
    .doc =
        "As a table (CSV, MAT) it has one line an instant: the time (or what the analysis is over) "
        "and the channels, or all of them if none is named. The first line of CSV has their names. "
        "Numbers have all 17 digits.\n\n"
        "As meshes (VTK for ParaView, glTF for Blender and other viewers) it has the bodies with "
        "their motion; flexible ones also with deformation and, in VTK, stresses.\n\n"
        "With --frames it has the animation drawn by Chromium (LIMBER_CHROMIUM names another "
        "program), as PNG files that a program for videos puts together: with --step 0.04 there "
        "are 25 frames a second, so that a video of 25 frames a "
        "second shows the motion as fast as it is. The camera has all of the motion in view.\n\n"
        "With --loads it writes what acts on the interface points of a flexible body over time (or "
        "how they are displaced), in the axes of its mesh: as amplitudes with *CLOAD or *BOUNDARY "
        "cards, as tables of APDL, or as a table. With it go the loads of inertia: the "
        "acceleration less gravity, angular velocity and angular acceleration of the body frame, "
        "for the point of it that is the origin of the mesh. The forces of inertia of the "
        "vibrations themselves are not among them.",
    .examples = "limber export slider-crank.h5 --csv slider-crank.csv\n"
                "limber export slider-crank.h5 --csv - slider.position main.torque\n"
                "limber export ride.h5 --vtk ride --step 0.05\n"
                "limber export ride.h5 --gltf ride.glb\n"
                "limber export ride.h5 --frames ride --step 0.04 && "
                "ffmpeg -framerate 25 -i ride/frame-%04d.png -pix_fmt yuv420p ride.mp4\n"
                "limber export crane.h5 --frames crane --stress --exaggerate 20 --view 1,-1,0.3\n"
                "limber export crane.h5 --loads boom -o boom.inp\n",
    .least = 1,
    .most = -1,
    .options = options,
    .run = run,
};
