/* limber export: a result for other programs: tables, moving meshes, frames and load cases. */
#include <stdio.h>
#include <string.h>

#include "cli/export_loads.h"
#include "cli/print.h"
#include "cli/typed.h"
#include "export/channel_table.h"
#include "export/scene.h"
#include "report/report.h"
#include "result/read.h"

/* --- tables ----------------------------------------------------------------------------------- */

/* Writes the channels that were named, or all of the analysis, to the files that were. */
static lmb_status write_tables(const lmb_arguments *a, lmb_result *result, int analysis)
{
    const char *csv = lmb_option_value(a, "--csv"), *mat = lmb_option_value(a, "--mat");
    lmb_channel_table t;
    lmb_status status = lmb_channel_table_read(&t, a->arena, a->context, result, analysis,
                                               a->count - 1, a->words + 1, lmb_typed_span(a));
    if (!status && csv && strcmp(csv, "-") == 0) {
        lmb_channel_table_csv(&t, stdout); /* the program checks that output itself */
    } else if (!status && csv) {
        status = lmb_channel_table_csv_file(&t, a->context, csv);
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
    return lmb_fail_hint(context, "--analysis NAME takes another one; the report shows modes",
                         "the analysis '%s' is over %s, not over time, and has no motion to draw",
                         lmb_result_analysis_name(result, analysis), over);
}

/* What moves: meshes and frames. */
static lmb_status write_motion(const lmb_arguments *a, lmb_result *result, double step,
                               const lmb_frame_style *style)
{
    const char *vtk = lmb_option_value(a, "--vtk"), *gltf = lmb_option_value(a, "--gltf");
    const char *frames = lmb_option_value(a, "--frames");
    const char *name = lmb_name_after(a, a->words[0], "");
    lmb_scene *scene = NULL;
    lmb_status status = *a->status;
    if (!status && frames)
        status = check_motion(a->context, result, style->analysis);
    if (status)
        return status;
    lmb_progress_start(a->context, false);
    if (vtk || gltf)
        status = lmb_scene_read(&scene, a->context, result, style->analysis, step);
    if (vtk && !status)
        status = lmb_write_vtk(a->context, scene, vtk, name);
    if (gltf && !status)
        status = lmb_write_gltf(a->context, scene, gltf);
    if (frames && !status)
        status = lmb_frames_write(a->context, result, style, step, frames);
    if (scene)
        lmb_arena_free(scene->arena);
    lmb_progress_done(a->context);
    return status;
}

/* --- what was typed --------------------------------------------------------------------------- */

static void read_view(const lmb_arguments *a, lmb_frame_style *style)
{
    static const char *const names[] = {"iso", "front", "side", "top"};
    const char *word = lmb_option_value(a, "--view");
    vec3 *from = &style->from;
    int used = 0;
    for (size_t i = 0; word && i < sizeof names / sizeof *names; i++)
        style->view = strcmp(word, names[i]) == 0 ? names[i] : style->view;
    if (!word || style->view)
        return;
    bool direction = sscanf(word, "%lf,%lf,%lf%n", &from->x, &from->y, &from->z, &used) == 3 &&
                     !word[used] && isfinite(v3_norm(*from)) && v3_norm(*from) > 0;
    if (lmb_refuse(a, !direction, "the view '%s' is not one", word))
        lmb_hint(a->context,
                 "iso, front, side or top, or the direction of the camera: --view 1,-2,0.5");
}

/* Reads what was typed about frames; some without --frames are wrong. */
static lmb_frame_style read_frames(const lmb_arguments *a)
{
    enum { WIDTH = 1280, HEIGHT = 800, MOST_PIXELS = 4096 }; /* the default; the most each way */
    static const char *const own[] = {"--size", "--view", "--exaggerate", "--stress", "--dark"};
    lmb_frame_style style = {.width = WIDTH,
                             .height = HEIGHT,
                             .exaggerate = 1,
                             .stress = lmb_option_value(a, "--stress") != NULL,
                             .dark = lmb_option_value(a, "--dark") != NULL};
    for (size_t i = 0; !lmb_option_value(a, "--frames") && i < sizeof own / sizeof *own; i++)
        lmb_refuse(a, lmb_option_value(a, own[i]), "%s is for --frames", own[i]);
    lmb_typed_size(a, MOST_PIXELS, &style.width, &style.height);
    read_view(a, &style);
    lmb_typed_number(a, "--exaggerate", 0, &style.exaggerate);
    return style;
}

/* The channels and options that were typed belong to what is written. */
static void check_options(const lmb_arguments *a, bool columns, bool meshes)
{
    static const char *const of_loads[] = {"--output", "--as", "--at", "--peak", "--every"};
    for (size_t i = 0; i < sizeof of_loads / sizeof *of_loads; i++)
        lmb_refuse(a, lmb_option_value(a, of_loads[i]), "%s is for --loads",
                   strcmp(of_loads[i], "--output") ? of_loads[i] : "-o");
    if (lmb_refuse(a, !columns && !meshes, "where to is missing"))
        lmb_hint(a->context, "--csv FILE, or --csv - for the standard output; --mat, --vtk, "
                             "--gltf, --frames or --loads");
    lmb_refuse(a, !columns && a->count > 1, "channels ('%s') are for --csv and --mat",
               a->words[a->count > 1]);
    lmb_refuse(a, meshes && !lmb_span_is_all(lmb_typed_span(a)),
               "--from and --to are for --csv, --mat and --loads");
    lmb_refuse(a, !meshes && lmb_option_value(a, "--step"),
               "--step is for --vtk, --gltf and --frames");
}

static lmb_status run(const lmb_arguments *a)
{
    bool tables = lmb_option_value(a, "--csv") || lmb_option_value(a, "--mat");
    bool moving = lmb_option_value(a, "--vtk") || lmb_option_value(a, "--gltf") ||
                  lmb_option_value(a, "--frames");
    bool loads = lmb_option_value(a, "--loads");
    double step = 0;
    lmb_frame_style frames = read_frames(a);
    lmb_typed_loads typed = {0};
    if (loads)
        typed = lmb_typed_loads_read(a);
    else
        check_options(a, tables, moving);
    lmb_typed_number(a, "--step", LMB_ABOVE_ZERO, &step);
    lmb_typed_span(a); /* refuses what makes no sense */
    lmb_result *result = NULL;
    lmb_status status = *a->status;
    if (status || (status = lmb_result_open(&result, a->context, a->words[0])))
        return status;
    frames.analysis =
        lmb_result_find_analysis(result, a->context, lmb_option_value(a, "--analysis"));
    status = frames.analysis < 0 ? LMB_BAD_INPUT : LMB_OK;
    if (!status && loads)
        status = lmb_export_loads(a, result, frames.analysis, &typed);
    if (!status && !loads && tables)
        status = write_tables(a, result, frames.analysis);
    if (!status && !loads && moving)
        status = write_motion(a, result, step, &frames);
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {
    {"--csv FILE", "Writes comma-separated values; - is the standard output."},
    {"--mat FILE", "Writes a MAT-file of MATLAB with one matrix per channel."},
    {"--vtk DIR", "Writes files for ParaView: one mesh per instant (.vtu) and their list (.pvd)."},
    {"--gltf FILE",
     "Writes binary glTF with the animation, and modes of flexible bodies as morph targets."},
    {"--frames DIR",
     "Writes the animation as pictures: DIR/frame-0001.png and so on, an instant each."},
    {"--step S", "For --vtk, --gltf and --frames: seconds between instants (default: at most 300 "
                 "of those stored)."},
    {"--size WxH", "With --frames: width and height in pixels (default: 1280x800)."},
    {"--view VIEW", "With --frames: iso, front, side or top, or where the camera is as a direction "
                    "X,Y,Z (default: iso; front in models of the plane)."},
    {"--exaggerate F", "With --frames: draws deformations F times as large."},
    {"--stress", "With --frames: draws flexible bodies in the colours of von Mises' stress."},
    {"--dark", "With --frames: draws on a dark background instead of white."},
    LMB_SPAN_OPTIONS("For --csv, --mat and --loads: writes the instants"),
    {"--analysis NAME", "Takes this analysis instead of the last one."},
    {"--loads BODY",
     "Instead of channels: the loads of a flexible body as load cases for an FE program."},
    {"-o, --output FILE", "With --loads: FILE.inp for CalculiX and Abaqus, FILE.mac for Ansys, "
                          "FILE.bdf for Nastran, FILE.vtu for ParaView, or FILE.csv."},
    {"--at T ...", "With --loads: writes the stored instant T; may be given several times."},
    {"--peak", "With --loads: writes the instant of the largest stress of the body (default, but "
               "all instants for FILE.csv)."},
    {"--every N", "With --loads: writes every N-th instant, from --from to --to."},
    {"--as KIND", "With --loads: load the interface points by 'forces' (the default), or move them "
                  "by 'displacements'."},
    {0}};

const lmb_verb lmb_verb_export = {
    .name = "export",
    .usage = "RESULT (--csv FILE | --mat FILE | --vtk DIR | --gltf FILE | --frames DIR | "
             "--loads BODY -o FILE) [--step S] [--size WxH] [--view VIEW] [--exaggerate F] "
             "[--stress] [--dark] [--at T]... [--peak] [--every N] [--as KIND] [--from T] [--to T] "
             "[--analysis NAME] [CHANNEL...]",
    .summary = "Writes a result for other programs.",
    .doc = "As a table (CSV, MAT) it has one line per instant: the time (or what the analysis is "
           "over) and the channels, or all of them if none is named. The first line of CSV has "
           "their names. Numbers have all 17 digits.\n\nAs meshes (VTK for ParaView, glTF for "
           "Blender and other viewers) it has the bodies with their motion; flexible ones also "
           "with deformation and, in VTK, stresses.\n\nWith --frames it has the animation drawn by "
           "Chromium (LIMBER_CHROMIUM names another program), as PNG files for a video encoder: "
           "with --step 0.04 there are 25 frames per second, so that a video of 25 frames per "
           "second runs in real time. The camera frames the whole motion.\n\nWith --loads it "
           "writes one load step for each chosen instant, in the units and with the node numbers "
           "of the mesh: loads on a reference node for each interface point with its coupling "
           "cards, and the inertia forces on all nodes. The loads are in equilibrium on the "
           "undeformed mesh: a rigid acceleration removes the small resultant that is left, which "
           "is printed. Statically determinate supports hold the body, with reactions of 0. "
           "Include the file behind the mesh in the program. The mesh files must be those of the "
           "run. A .csv file has the loads and displacements of the interface points and the "
           "motion of the frame for all instants, in SI units.",
    .examples = "limber export slider-crank.h5 --csv slider-crank.csv\n"
                "limber export slider-crank.h5 --csv - slider.position main.torque\n"
                "limber export ride.h5 --vtk ride --step 0.05\n"
                "limber export ride.h5 --gltf ride.glb\n"
                "limber export ride.h5 --frames ride --step 0.04 && "
                "ffmpeg -framerate 25 -i ride/frame-%04d.png -pix_fmt yuv420p ride.mp4\n"
                "limber export crane.h5 --frames crane --stress --exaggerate 20 --view 1,-1,0.3\n"
                "limber export crane.h5 --loads boom -o boom-loads.inp\n"
                "limber export crane.h5 --loads boom --at 6 --at 8 -o boom-loads.bdf\n",
    .words = {1, -1},
    .options = options,
    .shows_results = true,
    .run = run,
};
