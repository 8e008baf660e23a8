/* limber reduce: a flexible body of a model to a body file. */
#include <stdio.h>

#include "cli/load.h"
#include "cli/print.h"

/* What is only rounding against a size of its kind is shown as nothing. */
static double without_noise(double value, double size)
{
    return fabs(value) <= 1e-9 * size ? 0 : value;
}

static void print_vector(const char *title, const double v[3])
{
    double size = v3_norm(v3(v[0], v[1], v[2]));
    printf("  %-24s(%.9g, %.9g, %.9g) m\n", title, without_noise(v[0], size),
           without_noise(v[1], size), without_noise(v[2], size));
}

static const char *const directions[LMB_DIRECTIONS] = {"x",          "y",          "z",
                                                       "rotation.x", "rotation.y", "rotation.z"};

static bool has_direction(const lmb_reduced_body *b, int k)
{
    return b->dimension == 3 || k == LMB_UX || k == LMB_UY || k == LMB_RZ;
}

/* Frequencies with held points, and what part of the mass moves in each. */
static void tell_fixed(lmb_sheet *sheet, const lmb_reduced_body *b)
{
    double inertia = b->inertia[0] + b->inertia[4] + b->inertia[8];
    lmb_sheet_table_add(sheet, "fixed-interface modes and effective modal masses (kg, kg m^2)",
                        b->dimension == 3
                            ? "mode|frequency (Hz)|x|y|z|rotation.x|rotation.y|rotation.z"
                            : "mode|frequency (Hz)|x|y|rotation.z");
    for (int i = 0; i < b->fixed_count; i++) {
        lmb_sheet_row(sheet, "%d|%.9g", i + 1, b->fixed_frequency[i]);
        for (int k = 0; k < LMB_DIRECTIONS; k++)
            if (has_direction(b, k))
                lmb_sheet_cells(sheet, "%.6g",
                                without_noise(b->effective_mass[i * LMB_DIRECTIONS + k],
                                              k < LMB_RX ? b->mass : inertia));
    }
}

/* Print the points with the extents and the fitted cylinder of their tied nodes. */
static void print_points(lmb_sheet *sheet, const lmb_reduced_body *b)
{
    lmb_sheet_table_add(sheet,
                        "interface points, extents of their nodes and cylinder through them (m)",
                        "point|x|y|z|tie|nodes|along x|along y|along z|radius|fit error");
    for (int i = 0; i < b->point_count; i++) {
        const lmb_reduced_point *p = &b->point_ties[i];
        double size = v3_norm(v3_of(p->position));
        lmb_sheet_row(sheet, "%s", b->point_names[i]);
        for (int k = 0; k < 3; k++)
            lmb_sheet_cells(sheet, "%.6g", without_noise(p->position[k], size));
        lmb_sheet_cells(sheet, "%s|%d", p->tie, p->node_count);
        for (int k = 0; k < 3; k++)
            lmb_sheet_cells(sheet, "%.4g", p->high[k] - p->low[k]);
        if (p->radius > 0)
            lmb_sheet_cells(sheet, "%.6g|%.2g", p->radius, p->fit_error);
        else
            lmb_sheet_cells(sheet, "|");
    }
}

static void print_free(lmb_sheet *sheet, const lmb_reduced_body *b)
{
    lmb_sheet_table_add(sheet, "first modes of the free body (Hz)", "mode|with ties|without ties");
    for (int i = 0; i < b->free_count; i++)
        lmb_sheet_row(sheet, "%d|%.6g|%.6g", i + 1, b->free_tied[i], b->free_untied[i]);
}

/* Print the share of the static flexibility that the kept modes represent, for each load on each
 * point. */
static void print_flexibility(lmb_sheet *sheet, const lmb_reduced_body *b)
{
    lmb_sheet_table_add(sheet, "share of static flexibility that the kept modes represent",
                        b->dimension == 3 ? "point|x|y|z|rotation.x|rotation.y|rotation.z"
                                          : "point|x|y|rotation.z");
    for (int i = 0; i < b->point_count; i++) {
        lmb_sheet_row(sheet, "%s", b->point_names[i]);
        for (int k = 0; k < LMB_DIRECTIONS; k++)
            if (has_direction(b, k))
                lmb_sheet_cells(sheet, "%.3f", b->flexibility[i * LMB_DIRECTIONS + k]);
    }
}

/* Warn of the load with the smallest share in the kept modes. */
static void warn_of_flexibility(lmb_context *context, const lmb_reduced_body *b)
{
    const double least = 0.95;
    int worst = -1, count = 0;
    for (int i = 0; b->flexibility && i < b->point_count * LMB_DIRECTIONS; i++) {
        if (!has_direction(b, i % LMB_DIRECTIONS) || b->flexibility[i] >= least)
            continue;
        count++;
        if (worst < 0 || b->flexibility[i] < b->flexibility[worst])
            worst = i;
    }
    if (count == 0)
        return;
    lmb_warn(
        context,
        "the kept modes of body '%s' represent %.3g of the static flexibility against a load on "
        "point '%s' along %s, less than %g; %d load%s below it",
        b->name, b->flexibility[worst], b->point_names[worst / LMB_DIRECTIONS],
        directions[worst % LMB_DIRECTIONS], least, count, count == 1 ? " is" : "s are");
    lmb_hint(context, "keep more modes, or increase 'modes' of its reduction");
}

static lmb_status print_text(const lmb_arguments *a, const lmb_reduced_body *b)
{
    lmb_print_line("", b->name);
    printf("  %-24s%.9g kg\n", "mass", b->mass);
    print_vector("centre", b->centre);
    print_vector("origin of its frame", b->origin);
    printf("  %-24s%d\n", "nodes", b->node_count);
    printf("  %-24s%d\n", "interface points", b->point_count);
    printf("  %-24s%d of %d\n", "modes kept", b->mode_count, b->all_count);
    lmb_sheet sheet = lmb_sheet_start(a->arena, "Body");
    if (b->point_ties)
        print_points(&sheet, b);
    if (b->fixed_count)
        tell_fixed(&sheet, b);
    lmb_sheet_table_add(&sheet, "modes kept, in the frame of the body", "mode|frequency (Hz)");
    for (int i = 0; i < b->mode_count; i++)
        lmb_sheet_row(&sheet, "%d|%.9g", i + 1, b->frequency[i]);
    if (b->free_count)
        print_free(&sheet, b);
    if (b->flexibility)
        print_flexibility(&sheet, b);
    return lmb_sheet_print(a, &sheet);
}

static void print_ties(lmb_json *json, const lmb_reduced_body *b)
{
    lmb_json_open(json, "ties", '{');
    for (int i = 0; b->point_ties && i < b->point_count; i++) {
        const lmb_reduced_point *p = &b->point_ties[i];
        vec3 extents = v3_sub(v3_of(p->high), v3_of(p->low));
        lmb_json_open(json, b->point_names[i], '{');
        lmb_json_text(json, "tie", p->tie);
        lmb_json_integer(json, "nodes", p->node_count);
        lmb_json_numbers(json, "position", 3, p->position);
        lmb_json_numbers(json, "extents", 3, &extents.x);
        lmb_json_number(json, "radius", p->radius > 0 ? p->radius : NAN);
        lmb_json_number(json, "fit_error", p->radius > 0 ? p->fit_error : NAN);
        lmb_json_close(json);
    }
    lmb_json_close(json);
    lmb_json_open(json, "free", '{');
    lmb_json_numbers(json, "with_ties", (size_t)b->free_count, b->free_tied);
    lmb_json_numbers(json, "without_ties", (size_t)b->free_count, b->free_untied);
    lmb_json_close(json);
}

static void print_json(const lmb_reduced_body *b, const char *path)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(&json, "body %s, file %s, cached %hhd, mass %g", b->name, path, b->cached,
                 b->mass);
    lmb_json_numbers(&json, "centre", 3, b->centre);
    lmb_json_open(&json, "inertia", '[');
    for (int i = 0; i < 3; i++)
        lmb_json_numbers(&json, NULL, 3, b->inertia + 3 * (size_t)i);
    lmb_json_close(&json);
    lmb_json_numbers(&json, "origin", 3, b->origin);
    lmb_json_integer(&json, "nodes", b->node_count);
    lmb_json_open(&json, "points", '{');
    for (int i = 0; i < b->point_count; i++)
        lmb_json_numbers(&json, b->point_names[i], 3, b->points + 3 * (size_t)i);
    lmb_json_close(&json);
    print_ties(&json, b);
    lmb_json_open(&json, "fixed", '[');
    for (int i = 0; i < b->fixed_count; i++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_number(&json, "frequency", b->fixed_frequency[i]);
        lmb_json_numbers(&json, "effective_mass", (size_t)LMB_DIRECTIONS,
                         b->effective_mass + (size_t)i * LMB_DIRECTIONS);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_numbers(&json, "all", (size_t)b->all_count, b->all_frequency);
    lmb_json_numbers(&json, "kept", (size_t)b->mode_count, b->frequency);
    lmb_json_open(&json, "flexibility", '{');
    for (int i = 0; b->flexibility && i < b->point_count; i++)
        lmb_json_numbers(&json, b->point_names[i], LMB_DIRECTIONS,
                         b->flexibility + (size_t)i * LMB_DIRECTIONS);
    lmb_json_close(&json);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    const char *given = lmb_option_value(a, "-o");
    bool quiet = lmb_option_value(a, "--quiet") != NULL;
    lmb_reduced_body *b;
    if (lmb_is_body_file(a->words[0]))
        return lmb_fail(a->context, LMB_USAGE, "'%s' is not a model file", a->words[0]);
    lmb_status status = lmb_load_body(a, quiet, true, &b);
    if (status)
        return status;
    const char *path = given ? given : lmb_text_format(a->arena, "%s.h5", b->name);
    status = path ? lmb_reduced_body_save(a->context, b, path) : lmb_fail_memory(a->context);
    if (!status && a->json)
        print_json(b, path);
    else if (!status)
        status = print_text(a, b);
    if (!status && !quiet)
        fprintf(stderr, "The reduced body is in %s%s.\n", path,
                b->cached ? ", from the cache" : "");
    if (!status)
        warn_of_flexibility(a->context, b);
    lmb_reduced_body_free(b);
    return status;
}

static const lmb_option options[] = {
    {"--body NAME", "The body to reduce, if the model has several flexible ones."},
    {"-o, --output BODY",
     "Where the reduced body goes (default: its name with .h5, in this folder)."},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {LMB_CACHE_OPTION},
    {"--json", "Print JSON."},
    {"--quiet", "Show no progress; errors and warnings are still shown."},
    {0},
};

const lmb_verb lmb_verb_reduce = {
    .name = "reduce",
    .usage = "MODEL [--body NAME] [-o BODY] [--set NAME=VALUE]... [--trust] [--no-cache] [--json] "
             "[--quiet]",
    .summary = "Reduces a flexible body of a model to few modes.",
    .doc =
        "Assembles the finite element model of a flexible body (or reads its matrices), reduces it "
        "by the method of Craig and Bampton to its interface points and some modes, and writes a "
        "file with the reduced body: matrices, invariants, mode shapes, surface and stresses. "
        "Prints mass, centre of mass, the interface points with the nodes that they are tied to, "
        "the fixed-interface frequencies with their effective modal masses, free frequencies with "
        "and without ties, and how much of the static flexibility against loads on the points the "
        "kept modes "
        "represent.\n\nReduced bodies are kept in the folder .limber-cache beside the model: as "
        "long as neither the body nor its files change, nothing is computed again.",
    .examples = "limber reduce cantilever.yaml\n"
                "limber reduce mill.yaml --body rotor -o rotor.h5 --set wall=0.012\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
