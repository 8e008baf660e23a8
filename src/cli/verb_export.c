/* limber export: a result for other programs: tables and moving meshes. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/file_replace.h"
#include "base/text.h"
#include "cli/frames.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/templates.h"
#include "cli/verb.h"
#include "export/channel_table.h"
#include "export/load_cases.h"
#include "result/read.h"
#include "export/scene.h"

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
    lmb_result *result;
    lmb_status status = check_loads(a, path, &displacements);
    if (status || (status = lmb_result_open(&result, a->context, a->words[0])))
        return status;
    int analysis = lmb_result_find_analysis(result, a->context, lmb_option_value(a, "--analysis"));
    status = analysis < 0 ? LMB_BAD_INPUT
                          : lmb_load_cases_read(&cases, a->context, result,
                                                lmb_result_analysis_name(result, analysis),
                                                lmb_option_value(a, "--loads"));
    FILE *out = status ? NULL : lmb_file_create(a->context, path);
    if (out)
        lmb_load_writer_of(path)(cases, displacements, out);
    if (!status) {
        status = out ? lmb_file_close(a->context, out, path) : LMB_IO;
        lmb_arena_free(cases->arena);
    }
    lmb_result_close(result);
    return status;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Writes the channels that were named, or all of the analysis, to the files that were. */
static lmb_status write_tables(const lmb_arguments *a, lmb_result *result, int analysis,
                               lmb_arena *arena)
{
    const char *csv = lmb_option_value(a, "--csv"), *mat = lmb_option_value(a, "--mat");
    lmb_channel_table t;
    lmb_status status =
        lmb_channel_table_read(&t, arena, a->context, result, analysis, a->count - 1, a->words + 1);
    if (!status && csv && strcmp(csv, "-") == 0) {
        lmb_channel_table_csv(&t, stdout); /* the program checks that output itself */
    } else if (!status && csv) {
        FILE *out = lmb_file_create(a->context, csv);
        if (out)
            lmb_channel_table_csv(&t, out);
        status = out ? lmb_file_close(a->context, out, csv) : LMB_IO;
    }
    if (!status && mat)
        status = lmb_channel_table_mat(&t, a->context, mat);
    lmb_channel_table_free(&t);
    return status;
}

/* --- meshes ----------------------------------------------------------------------------------- */

/* Frames are of a motion: the instants of modes are numbers of modes, those of rotors speeds. */
static lmb_status check_motion(lmb_context *context, const lmb_result *result, int analysis)
{
    const char *over = lmb_result_over(result, analysis)->name;
    if (strcmp(over, "time") == 0)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT,
             "the analysis '%s' is over %s, not over time, and has no motion to draw",
             lmb_result_analysis_name(result, analysis), over);
    lmb_hint(context, "--analysis NAME takes another one; the report shows modes");
    return LMB_BAD_INPUT;
}

static lmb_status write_meshes(const lmb_arguments *a, lmb_result *result, int analysis,
                               double step, lmb_arena *arena)
{
    const char *vtk = lmb_option_value(a, "--vtk"), *gltf = lmb_option_value(a, "--gltf");
    const char *file = lmb_file_name(a->words[0]);
    const char *name = lmb_text_copy(arena, file, (size_t)lmb_file_stem(file));
    lmb_scene *scene;
    lmb_status status = name ? lmb_scene_read(&scene, a->context, result, analysis, step)
                             : lmb_fail_memory(a->context);
    if (status)
        return status;
    if (vtk)
        status = lmb_write_vtk(a->context, scene, vtk, name);
    if (gltf && !status)
        status = lmb_write_gltf(a->context, scene, gltf);
    lmb_scene_free(scene);
    return status;
}

/* What moves: meshes and frames. */
static lmb_status write_motion(const lmb_arguments *a, lmb_result *result, int analysis,
                               lmb_arena *arena, lmb_frame_style *style)
{
    const char *frames = lmb_option_value(a, "--frames");
    double step = 0;
    bool given;
    lmb_status status = lmb_typed_option(a, "--step", &step, &given);
    if (!status && given && !(step > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--step must be positive");
    if (!status && frames)
        status = check_motion(a->context, result, analysis);
    if (status)
        return status;
    lmb_progress_display display = lmb_progress_start(false);
    lmb_context_on_progress(a->context, lmb_progress_show, &display);
    if (lmb_option_value(a, "--vtk") || lmb_option_value(a, "--gltf"))
        status = write_meshes(a, result, analysis, step, arena);
    style->analysis = analysis;
    if (frames && !status)
        status = lmb_frames_write(a->context, result, lmb_viewer[0].text, style, step, frames);
    lmb_progress_done(&display);
    lmb_context_on_progress(a->context, NULL, NULL);
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

static lmb_status run(const lmb_arguments *a)
{
    bool tables = lmb_option_value(a, "--csv") || lmb_option_value(a, "--mat");
    bool moving = lmb_option_value(a, "--vtk") || lmb_option_value(a, "--gltf") ||
                  lmb_option_value(a, "--frames");
    lmb_frame_style frames;
    lmb_result *result = NULL;
    lmb_status status = lmb_frame_options_read(a, &frames);
    if (status)
        return status;
    if (lmb_option_value(a, "--loads"))
        return export_loads(a);
    status = check_options(a, tables, moving);
    if (status)
        return status;
    lmb_arena *arena = lmb_arena_new();
    status =
        arena ? lmb_result_open(&result, a->context, a->words[0]) : lmb_fail_memory(a->context);
    int analysis = -1;
    if (!status) {
        analysis = lmb_result_find_analysis(result, a->context, lmb_option_value(a, "--analysis"));
        status = analysis < 0 ? LMB_BAD_INPUT : LMB_OK;
    }
    if (!status && tables)
        status = write_tables(a, result, analysis, arena);
    if (!status && moving)
        status = write_motion(a, result, analysis, arena, &frames);
    lmb_result_close(result);
    lmb_arena_free(arena);
    return status;
}

static const lmb_option options[] = {
    {"--csv", NULL, "FILE", false, "Writes comma-separated values; - is the standard output."},
    {"--mat", NULL, "FILE", false, "Writes a MAT-file of MATLAB with one matrix per channel."},
    {"--vtk", NULL, "DIR", false,
     "Writes files for ParaView: one mesh per instant (.vtu) and their list (.pvd)."},
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
        "As a table (CSV, MAT) it has one line per instant: the time (or what the analysis is "
        "over) "
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
