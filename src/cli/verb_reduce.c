/* limber reduce: a flexible body of a model to a body file. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "cli/load.h"
#include "cli/print.h"

/* What is only rounding against a size of its kind is shown as nothing. */
static double without_noise(double value, double size)
{
    return fabs(value) <= 1e-9 * size ? 0 : value;
}

static void print_vector(const char *title, vec3 v)
{
    double size = v3_norm(v);
    printf("  %-24s(%.9g, %.9g, %.9g) m\n", title, without_noise(v.x, size),
           without_noise(v.y, size), without_noise(v.z, size));
}

/* Frequencies with held points, and what part of the mass moves in each. */
static void tell_fixed(lmb_sheet *sheet, const lmb_reduced *b)
{
    const mat3 *J = &b->inertia;
    double inertia = J->c[0].x + J->c[1].y + J->c[2].z;
    lmb_sheet_table_add(sheet, "fixed-interface modes and effective modal masses (kg, kg m^2)",
                        b->dimension == 3
                            ? "mode|frequency (Hz)|x|y|z|rotation.x|rotation.y|rotation.z"
                            : "mode|frequency (Hz)|x|y|rotation.z");
    for (int i = 0; i < b->fixed_count; i++) {
        lmb_sheet_row(sheet, "%d|%.9g", i + 1, b->fixed_frequency[i]);
        for (int k = 0; k < LMB_DIRECTIONS; k++)
            if (b->dimension == 3 || k == LMB_UX || k == LMB_UY || k == LMB_RZ)
                lmb_sheet_cells(
                    sheet, "%.6g",
                    without_noise(b->effective[i].of[k], k < LMB_RX ? b->mass : inertia));
    }
}

static lmb_status print_text(const lmb_arguments *a, const lmb_body_data *d)
{
    const lmb_reduced *b = d->reduced;
    printf("%s\n", d->name);
    printf("  %-24s%.9g kg\n", "mass", b->mass);
    print_vector("centre", b->centre);
    print_vector("origin of its frame", b->origin);
    printf("  %-24s%d\n", "nodes", b->node_count);
    printf("  %-24s%d\n", "interface points", b->point_count);
    printf("  %-24s%d of %d\n", "modes kept", b->mode_count, b->all_count);
    lmb_sheet sheet = lmb_sheet_start(a->arena, "Body");
    if (b->fixed_count)
        tell_fixed(&sheet, b);
    lmb_sheet_table_add(&sheet, "modes kept, in the frame of the body", "mode|frequency (Hz)");
    for (int i = 0; i < b->mode_count; i++)
        lmb_sheet_row(&sheet, "%d|%.9g", i + 1, b->frequency[i]);
    return lmb_sheet_print(a, &sheet);
}

static void vector_json(lmb_json *json, const char *key, vec3 v)
{
    lmb_json_numbers(json, key, 3, (double[]){v.x, v.y, v.z});
}

static void print_json(const lmb_body_data *d, const char *path, bool cached)
{
    const lmb_reduced *b = d->reduced;
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(&json, "body %s, file %s, cached %hhd, mass %g", d->name, path, cached, b->mass);
    vector_json(&json, "centre", b->centre);
    lmb_json_open(&json, "inertia", '[');
    for (int i = 0; i < 3; i++)
        vector_json(&json, NULL, b->inertia.c[i]);
    lmb_json_close(&json);
    vector_json(&json, "origin", b->origin);
    lmb_json_integer(&json, "nodes", b->node_count);
    lmb_json_open(&json, "points", '{');
    for (int i = 0; i < b->point_count; i++)
        vector_json(&json, b->point_name[i], b->point[i]);
    lmb_json_close(&json);
    lmb_json_open(&json, "fixed", '[');
    for (int i = 0; i < b->fixed_count; i++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_number(&json, "frequency", b->fixed_frequency[i]);
        lmb_json_numbers(&json, "effective_mass", (size_t)LMB_DIRECTIONS, b->effective[i].of);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_numbers(&json, "all", (size_t)b->all_count, b->all_frequency);
    lmb_json_numbers(&json, "kept", (size_t)b->mode_count, b->frequency);
    lmb_json_close(&json);
}

static lmb_status write_body(const lmb_arguments *a, const lmb_body_data *d, const char *path)
{
    unsigned char *bytes = NULL;
    size_t size;
    if (lmb_refuse(a, lmb_file_kind_of(a->context, path) == LMB_FILE_RESULT,
                   "'%s' has results, which a body would replace", path))
        lmb_hint(a->context, "choose another name with -o");
    lmb_status status = *a->status ? *a->status : lmb_body_image(d, a->context, &bytes, &size);
    if (!status)
        status = lmb_file_write(a->context, path, bytes, size);
    free(bytes);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    const char *given = lmb_option_value(a, "-o");
    bool quiet = lmb_option_value(a, "--quiet") != NULL, cached;
    lmb_body_data *d;
    if (lmb_is_body_file(a->words[0]))
        return lmb_fail(a->context, LMB_USAGE, "'%s' is not a model file", a->words[0]);
    lmb_status status = lmb_load_body(a, quiet, &d, &cached);
    if (status)
        return status;
    const char *path = given ? given : lmb_text_format(a->arena, "%s.h5", d->name);
    status = path ? write_body(a, d, path) : lmb_fail_memory(a->context);
    if (!status && a->json)
        print_json(d, path, cached);
    else if (!status)
        status = print_text(a, d);
    if (!status && !quiet)
        fprintf(stderr, "The reduced body is in %s%s.\n", path, cached ? ", from the cache" : "");
    lmb_body_free(d);
    return status;
}

static const lmb_option options[] = {
    {"--body NAME", "The body to reduce, if the model has several flexible ones."},
    {"-o, --output BODY",
     "Where the reduced body goes (default: its name with .h5, in this folder)."},
    {LMB_SET_OPTION},
    {LMB_CACHE_OPTION},
    {"--json", "Print JSON."},
    {"--quiet", "Show no progress; errors and warnings are still shown."},
    {0},
};

const lmb_verb lmb_verb_reduce = {
    .name = "reduce",
    .usage = "MODEL [--body NAME] [-o BODY] [--set NAME=VALUE]... [--no-cache] [--json] [--quiet]",
    .summary = "Reduces a flexible body of a model to few modes.",
    .doc =
        "Assembles the finite element model of a flexible body (or reads its matrices), reduces it "
        "by the method of Craig and Bampton to its interface points and some modes, and writes a "
        "file with the reduced body: matrices, invariants, mode shapes, surface and stresses. "
        "Prints mass, centre of mass, and the fixed-interface frequencies with their effective "
        "modal masses.\n\nReduced bodies are kept in the folder .limber-cache beside the model: as "
        "long as neither the body nor its files change, nothing is computed again.",
    .examples = "limber reduce cantilever.yaml\n"
                "limber reduce mill.yaml --body rotor -o rotor.h5 --set wall=0.012\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
