/* The model is compiled anew for each value of the parameter. */
#include "cli/modes_over.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/linear.h"
#include "cli/load.h"
#include "report/plot.h"

enum { USUAL = 101, MOST = 10000 };

typedef struct sweep {
    const char *name;
    double from, to;
    int count;
    int wanted;           /* modes of each value; 0: as many as usual */
    lmb_mode_list *modes; /* count */
} sweep;

static double value_at(const sweep *s, int i)
{
    return s->count > 1 ? s->from + (s->to - s->from) * i / (s->count - 1) : s->from;
}

/* NAME=FROM:TO or NAME=FROM:TO:COUNT */
static lmb_status read_range(const lmb_arguments *a, const char *range, sweep *s)
{
    const char *equals = strchr(range, '=');
    char *end = NULL;
    bool fine = equals && equals > range;
    s->count = USUAL;
    s->name = fine ? lmb_text_copy(a->arena, range, (size_t)(equals - range)) : "";
    if (fine) {
        s->from = strtod(equals + 1, &end);
        fine = end > equals + 1 && *end == ':';
    }
    if (fine) {
        const char *second = end + 1;
        s->to = strtod(second, &end);
        fine = end > second && isfinite(s->from) && isfinite(s->to);
    }
    if (fine && *end == ':') {
        long count = strtol(end + 1, &end, 10);
        fine = count >= 1 && count <= MOST;
        s->count = (int)count;
    }
    if (lmb_refuse(a, !fine || *end, "'--over %s' is not of the form NAME=FROM:TO:COUNT", range))
        lmb_hint(a->context, "for example --over speed=0:10:101, with up to %d values", MOST);
    return *a->status ? *a->status : s->name ? LMB_OK : lmb_fail_memory(a->context);
}

/* The modes with one value. */
static lmb_status find_modes(const lmb_arguments *a, const sweep *s, int i)
{
    lmb_model *m;
    lmb_linearised *linear = NULL;
    char value[40];
    snprintf(value, sizeof value, "%.17g", value_at(s, i));
    lmb_status status = lmb_load_model_with(a, s->name, value, &m);
    if (!status && !(status = lmb_typed_linear(a, m, &linear)))
        status = lmb_linearised_modes(linear, s->wanted, &s->modes[i]);
    lmb_linearised_free(linear);
    return status;
}

static void print_text(const sweep *s)
{
    printf("%-24s %6s %24s %24s\n", s->name, "mode", "real part (1/s)", "imaginary part (1/s)");
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < s->modes[i].count; k++)
            printf("%-24.17g %6d %24.17g %24.17g\n", value_at(s, i), k + 1,
                   s->modes[i].modes[k].real, s->modes[i].modes[k].imaginary);
}

static void print_json(const sweep *s)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_text(&json, "over", s->name);
    lmb_json_open(&json, "points", '[');
    for (int i = 0; i < s->count; i++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_number(&json, "value", value_at(s, i));
        lmb_json_open(&json, "eigenvalues", '[');
        for (int k = 0; k < s->modes[i].count; k++)
            lmb_json_numbers(&json, NULL, 2,
                             (double[]){s->modes[i].modes[k].real, s->modes[i].modes[k].imaginary});
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_close(&json);
}

/* Puts real or imaginary parts of the modes that are not rigid, those that oscillate or those that
 * do not, into a curve; counts them where that is NULL. */
static int put_points(const sweep *s, bool oscillating, bool imaginary, lmb_curve *curve)
{
    int n = 0;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < s->modes[i].count; k++) {
            const lmb_mode *mode = &s->modes[i].modes[k];
            if (mode->rigid || (mode->imaginary != 0) != oscillating)
                continue;
            if (curve && n < curve->count) {
                curve->x[n] = value_at(s, i);
                curve->y[n] = imaginary ? mode->imaginary : mode->real;
            }
            n++;
        }
    return n;
}

static void add_points(const sweep *s, lmb_plot *plot, bool oscillating, bool imaginary)
{
    int count = put_points(s, oscillating, imaginary, NULL);
    put_points(s, oscillating, imaginary,
               lmb_plot_add_curve(plot, oscillating ? "oscillating" : "not oscillating", count,
                                  LMB_CURVE_POINTS));
}

static lmb_status write_plot(const lmb_arguments *a, const sweep *s, const char *path)
{
    lmb_plot plot = lmb_plot_start(a->arena, "Eigenvalues", s->name, 700);
    plot.legend = true;
    lmb_plot_add_panel(&plot, "real part (1/s)");
    add_points(s, &plot, true, false);
    add_points(s, &plot, false, false);
    lmb_plot_add_panel(&plot, "imaginary part (1/s)");
    add_points(s, &plot, true, true);
    lmb_status status = lmb_check_memory(a->context, a->arena);
    return status ? status : lmb_plot_write(a->context, &plot, path);
}

lmb_status lmb_modes_over(const lmb_arguments *a, const char *range)
{
    sweep s = {0};
    const char *path = lmb_option_value(a, "--plot");
    double wanted = 0;
    lmb_typed_number(a, "--modes", 1, &wanted);
    s.wanted = (int)fmin(wanted, 1e6);
    lmb_status status = read_range(a, range, &s);
    if (!status &&
        lmb_refuse(a, path && !lmb_plot_file(path), "'%s' is not the name of a plot", path))
        status = lmb_hint(a->context, "call it FILE.svg, FILE.pdf or FILE.png");
    if (!status && !(s.modes = lmb_arena_alloc(a->arena, (size_t)s.count, sizeof *s.modes)))
        status = lmb_fail_memory(a->context);
    for (int i = 0; i < s.count && !status; i++)
        status = find_modes(a, &s, i);
    if (!status && path)
        status = write_plot(a, &s, path);
    if (!status && a->json)
        print_json(&s);
    else if (!status && !path)
        print_text(&s);
    for (int i = 0; s.modes && i < s.count; i++)
        lmb_mode_list_free(&s.modes[i]);
    return status;
}
