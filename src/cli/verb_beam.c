/* limber beam: deflection, slope and stiffness of the standard beam cases. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fe/beam_cases.h"
#include "base/text.h"
#include "base/json.h"
#include "cli/options.h"
#include "fe/section.h"

/* What was typed. */
typedef struct work {
    lmb_beam beam;
    double modulus, inertia;
    double depth; /* of the section, m; 0: not known */
    bool placed;  /* --x was given */
    double x;
} work;

/* The second moment of area: given, of a round section or tube, or of a rectangle. */
static lmb_status read_section(const lmb_arguments *a, work *w)
{
    enum { INERTIA, DIAMETER, BORE, WIDTH, HEIGHT, COUNT };
    static const char *const names[] = {"--inertia", "--diameter", "--bore", "--width", "--height"};
    double v[COUNT] = {0}, nu = 0;
    bool has[COUNT];
    lmb_section s = {0};
    lmb_status status = LMB_OK;
    for (int i = 0; i < COUNT && !status; i++)
        status = lmb_typed_option(a, names[i], &v[i], &has[i]);
    if (status)
        return status;
    if (has[INERTIA] + has[DIAMETER] + (has[WIDTH] || has[HEIGHT]) != 1 ||
        has[WIDTH] != has[HEIGHT] || (has[BORE] && !has[DIAMETER]))
        return lmb_fail(a->context, LMB_USAGE,
                        "give the section: --diameter (with --bore for a tube), --width and "
                        "--height, or --inertia");
    if (has[DIAMETER] && (!(v[DIAMETER] > 0) || v[BORE] < 0 || !(v[BORE] < v[DIAMETER])))
        return lmb_fail(a->context, LMB_USAGE,
                        "a diameter is positive, and that of the bore smaller");
    if (has[WIDTH] && (!(v[WIDTH] > 0) || !(v[HEIGHT] > 0)))
        return lmb_fail(a->context, LMB_USAGE, "--width and --height must be positive");
    if (v[BORE] > 0)
        status = lmb_section_tube(&s, a->context, v[DIAMETER], (v[DIAMETER] - v[BORE]) / 2, nu);
    else if (has[DIAMETER])
        status = lmb_section_circle(&s, a->context, v[DIAMETER], nu);
    else if (has[WIDTH])
        status = lmb_section_rectangle(&s, a->context, v[WIDTH], v[HEIGHT], nu);
    w->depth = 2 * s.z_max;
    w->inertia = has[INERTIA] ? v[INERTIA] : s.Iy;
    return status;
}

static lmb_status read_case(const lmb_arguments *a, lmb_beam *beam)
{
    lmb_nearest near = lmb_nearest_start(a->words[0]);
    for (int i = 0; i < LMB_BEAM_CASES; i++) {
        if (strcmp(a->words[0], lmb_beam_types[i].name) == 0) {
            beam->kind = (lmb_beam_case)i;
            return LMB_OK;
        }
        lmb_nearest_try(&near, lmb_beam_types[i].name);
    }
    lmb_fail(a->context, LMB_USAGE, "there is no beam case '%s'", a->words[0]);
    if (near.best)
        lmb_nearest_hint(a->context, &near);
    else
        lmb_hint(a->context, "simple, fixed, propped, cantilever or overhang");
    return LMB_USAGE;
}

static lmb_status read_work(const lmb_arguments *a, work *w)
{
    bool given;
    *w = (work){.modulus = 2.1e11, .beam = {.force = 1}};
    lmb_status status = read_case(a, &w->beam);
    if (!status)
        status = lmb_typed_option(a, "--length", &w->beam.length, &given);
    if (!status && !given)
        status = lmb_fail(a->context, LMB_USAGE, "give the --length, in m");
    if (!status)
        status = lmb_typed_option(a, "--at", &w->beam.at, &given);
    if (!status && !given && w->beam.kind == LMB_BEAM_OVERHANG)
        status = lmb_fail(a->context, LMB_USAGE, "give the length of the overhang: --at");
    if (!status && !given)
        w->beam.at = w->beam.kind == LMB_BEAM_CANTILEVER ? w->beam.length : w->beam.length / 2;
    if (!status)
        status = lmb_typed_option(a, "--force", &w->beam.force, NULL);
    if (!status && w->beam.force == 0)
        status = lmb_fail(a->context, LMB_USAGE, "--force must not be zero");
    if (!status)
        status = lmb_typed_option(a, "--modulus", &w->modulus, NULL);
    if (!status)
        status = read_section(a, w);
    w->beam.stiffness = w->modulus * w->inertia;
    if (!status)
        status = lmb_beam_check(a->context, &w->beam);
    if (!status && w->depth > w->beam.length / 5)
        lmb_warn(
            a->context,
            "the section is %g m deep and the beam %g m long: lengths are in m, and shear, which "
            "is left out, counts where a beam is shorter than five times its depth",
            w->depth, w->beam.length);
    if (!status)
        status = lmb_typed_option(a, "--x", &w->x, &w->placed);
    if (!status && w->placed && !(w->x >= 0 && w->x <= lmb_beam_end(&w->beam)))
        status = lmb_fail(a->context, LMB_USAGE, "the beam goes from 0 to %g: not to --x %g",
                          lmb_beam_end(&w->beam), w->x);
    return status;
}

/* --- what is printed -------------------------------------------------------------------------- */

/* One row: a place of the beam, with a formula of its deflection or NULL. */
typedef struct place {
    const char *key, *name;
    double x;
    const char *formula;
} place;

enum { PLACES = 6 };

/* The places that are printed; returns their number. */
static int list_places(const work *w, place places[PLACES])
{
    const lmb_beam *b = &w->beam;
    int n = 0;
    places[n++] = (place){"at_force", "at the force", lmb_beam_force_place(b),
                          lmb_beam_deflection_formula(b)};
    places[n++] = (place){"largest", "largest deflection", lmb_beam_largest(b), NULL};
    if (b->kind == LMB_BEAM_OVERHANG) /* there the beam bends the other way */
        places[n++] = (place){"between_supports", "between the supports",
                              lmb_beam_extreme(b, 0, b->length), "-P a L^2 / (9 sqrt(3) E I)"};
    if (w->placed)
        places[n++] = (place){"at_x", "at --x", w->x, NULL};
    places[n++] = (place){"at_0", "at x = 0", 0, NULL};
    places[n++] = (place){"at_L", "at x = L", b->length, NULL};
    return n;
}

static void print_place(const lmb_beam *beam, const place *p)
{
    double deflection, slope;
    lmb_beam_at(beam, p->x, &deflection, &slope);
    /* what rounding leaves of zero, against a beam bent by the force over its length */
    double size = 1e-14 * fabs(beam->force) * beam->length * beam->length / beam->stiffness;
    deflection = fabs(deflection) < size * beam->length ? 0 : deflection;
    slope = fabs(slope) < size ? 0 : slope;
    printf("%-22s %12.6g %16.8g %16.8g%s%s\n", p->name, p->x, deflection, slope,
           p->formula ? "   w = " : "", p->formula ? p->formula : "");
}

static void print_text(const work *w, double stiffness)
{
    const lmb_beam *beam = &w->beam;
    const lmb_beam_type *type = &lmb_beam_types[beam->kind];
    lmb_beam_support s = lmb_beam_find_support(beam);
    place places[PLACES];
    int count = list_places(w, places);
    printf("%s: %s\n", type->name, type->doc);
    printf("L = %g m, a = %g m, P = %g N, E = %g Pa, I = %.6g m^4, E I = %.6g N m^2\n\n",
           beam->length, beam->at, beam->force, w->modulus, w->inertia, beam->stiffness);
    printf("%-22s %12s %16s %16s\n", "", "x (m)", "deflection (m)", "slope (rad)");
    for (int i = 0; i < count; i++)
        print_place(beam, &places[i]);
    printf("\nslope at x = 0         %s\nslope at x = L         %s\n", type->slope0, type->slope_L);
    printf("stiffness at the force %.8g N/m   k = %s\n", stiffness,
           lmb_beam_stiffness_formula(beam));
    printf("supports               %.8g N at x = 0", s.force0);
    if (beam->kind != LMB_BEAM_CANTILEVER)
        printf(", %.8g N at x = L", s.force_L);
    if (s.moment0 != 0 || s.moment_L != 0)
        printf("; moments %.8g and %.8g N m", s.moment0, s.moment_L);
    putchar('\n');
}

static void print_json(const work *w, double stiffness)
{
    const lmb_beam *beam = &w->beam;
    const lmb_beam_type *type = &lmb_beam_types[beam->kind];
    lmb_beam_support s = lmb_beam_find_support(beam);
    place places[PLACES];
    int count = list_places(w, places);
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_put(&json,
                 "case %s, formula %s, stiffness_formula %s, slope_0_formula %s, "
                 "slope_L_formula %s",
                 type->name, lmb_beam_deflection_formula(beam), lmb_beam_stiffness_formula(beam),
                 type->slope0, type->slope_L);
    lmb_json_put(&json, "length %g, at %g, force %g, modulus %g, inertia %g", beam->length,
                 beam->at, beam->force, w->modulus, w->inertia);
    lmb_json_put(&json, "deflection %g, stiffness %g", beam->force / stiffness, stiffness);
    for (int i = 0; i < count; i++) {
        double deflection, slope;
        lmb_beam_at(beam, places[i].x, &deflection, &slope);
        lmb_json_object(&json, places[i].key, "x %g, deflection %g, slope %g", places[i].x,
                        deflection, slope);
    }
    lmb_json_object(&json, "supports", "force_0 %g, force_L %g, moment_0 %g, moment_L %g", s.force0,
                    beam->kind == LMB_BEAM_CANTILEVER ? 0 : s.force_L, s.moment0, s.moment_L);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    work w;
    lmb_status status = read_work(a, &w);
    if (!status)
        (a->json ? print_json : print_text)(&w, lmb_beam_spring(&w.beam));
    return status;
}

static const lmb_option options[] = {
    {"--length", NULL, "L", false, "Length, m; of an overhang, that between the supports."},
    {"--at", NULL, "A", false,
     "Place of the force, m (default: the middle, or the free end); the length of an overhang."},
    {"--force", NULL, "P", false, "Force, N, downwards (default: 1)."},
    {"--modulus", NULL, "E", false, "Young's modulus, Pa (default: 2.1e11, steel)."},
    {"--diameter", NULL, "D", false, "A round section of this diameter, m."},
    {"--bore", NULL, "D", false, "Its inner diameter, m, where it is a tube."},
    {"--width", NULL, "B", false, "A rectangular section: its width, m."},
    {"--height", NULL, "H", false, "And its height, m, in the direction of the force."},
    {"--inertia", NULL, "I", false, "The second moment of area, m^4, of any other section."},
    {"--x", NULL, "X", false, "Deflection and slope at this place too, m."},
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_beam = {
    .name = "beam",
    .usage = "simple|fixed|propped|cantilever|overhang --length L [--at A] [--force P] "
             "[--modulus E] --diameter D [--bore D] | --width B --height H | --inertia I "
             "[--x X] [--json]",
    .summary = "Prints deflection and stiffness of standard beams.",
    .doc =
        "Prints deflection, slope and stiffness of a beam under one force, as numbers and as the "
        "formula of the handbooks (bending after Euler and Bernoulli, small deflections, "
        "uniform section). Cases: simple (supports at both ends), fixed (both ends), propped (a "
        "support at x = 0, fixed at the other end), cantilever (fixed at x = 0), overhang "
        "(supports at 0 and L, the force at A behind L). Deflections count downwards.",
    .examples = "limber beam simple --length 0.8 --at 0.25 --diameter 0.015 --force 118\n"
                "limber beam cantilever --length 1 --width 0.02 --height 0.05 --json\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
