#include "bars.h"

#include <math.h>
#include <stdio.h>

#include "program.h"
#include "support.h"

static void write_set(FILE *out, const char *name, const lmb_mesh *mesh, double x)
{
    fprintf(out, "*NSET, NSET=%s\n", name);
    for (int i = 0; i < mesh->node_count; i++)
        if (fabs(mesh->x[i].x - x) < 1e-9)
            fprintf(out, "%d\n", mesh->number[i]);
}

void put_inp_elements(FILE *out, const lmb_mesh *mesh, double length, int digits)
{
    fputs("*NODE\n", out);
    for (int i = 0; i < mesh->node_count; i++)
        fprintf(out, "%d, %.*g, %.*g, %.*g\n", mesh->number[i], digits, mesh->x[i].x * length,
                digits, mesh->x[i].y * length, digits, mesh->x[i].z * length);
    fputs("*ELEMENT, TYPE=C3D20, ELSET=all\n", out);
    for (int e = 0; e < mesh->element_count; e++) {
        assert_int_equal(mesh->elements[e].kind, LMB_HEX20);
        fprintf(out, "%d", e + 1);
        for (int k = 0; k < 20; k++)
            fprintf(out, ",%s%d", k == 10 ? "\n" : " ",
                    mesh->number[mesh->connections[mesh->elements[e].first + k]]);
        fprintf(out, "\n");
    }
}

void write_bar(const lmb_mesh *mesh, double length, const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    put_inp_elements(out, mesh, 1, 17);
    write_set(out, "root", mesh, 0);
    write_set(out, "end", mesh, length);
    assert_int_equal(fclose(out), 0);
}

static char messages[8192];

const char *last_messages(void)
{
    return messages;
}

lmb_result *run_text(lmb_context *context, const char *name, const char *format, ...)
{
    char file[256], path[512];
    snprintf(file, sizeof file, "%s.yaml", name);
    snprintf(path, sizeof path, "%s", scratch_path(file));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    va_list args;
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    assert_int_equal(fclose(out), 0);
    snprintf(file, sizeof file, "%s.h5", name);
    lmb_run_result run = run_limber("run %s -o %s --quiet", path, scratch_path(file));
    if (run.code != 0)
        fail_msg("%s", run.err);
    snprintf(messages, sizeof messages, "%s", run.err);
    free_run(&run);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, scratch_path(file)), LMB_OK);
    return result;
}

lmb_series series_of(lmb_context *context, lmb_result *result, const char *channel)
{
    lmb_series s;
    if (lmb_result_read(result, context, channel, &s) != LMB_OK)
        fail_msg("there is no channel %s", channel);
    return s;
}

double final_of(lmb_context *context, lmb_result *result, const char *channel)
{
    lmb_series s = series_of(context, result, channel);
    double value = s.values[(size_t)(s.count - 1) * (size_t)s.size];
    lmb_series_free(&s);
    return value;
}
