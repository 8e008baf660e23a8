/* limber beam: deflection, slope and stiffness of the standard beam cases. */
#include <stdio.h>

#include "fe/beam_cases.h"
#include "base/json.h"
#include "cli/typed.h"
#include "fe/properties.h"

/* What was typed. */
typedef struct work {
    lmb_beam beam;
    double modulus, inertia;
    double depth; /* of the section, m; 0: not known */
    bool placed;  /* --x was given */
    double x;
} work;

/* The second moment of area: given, of a round section or tube, or of a rectangle. */
static void read_section(const lmb_arguments *a, work *w)
{
    enum { INERTIA, DIAMETER, BORE, WIDTH, HEIGHT, COUNT };
    static const char *const names[] = {"--inertia", "--diameter", "--bore", "--width", "--height"};
    double v[COUNT] = {0}, nu = 0;
    bool has[COUNT];
    lmb_section s = {0};
    for (int i = 0; i < COUNT; i++)
        has[i] = lmb_typed_number(a, names[i], LMB_ANY_NUMBER, &v[i]);
    lmb_refuse(a,
               has[INERTIA] + has[DIAMETER] + (has[WIDTH] || has[HEIGHT]) != 1 ||
                   has[WIDTH] != has[HEIGHT] || (has[BORE] && !has[DIAMETER]),
               "give the section: --diameter (with --bore for a tube), --width and --height, or "
               "--inertia");
    lmb_refuse(a, has[DIAMETER] && (!(v[DIAMETER] > 0) || v[BORE] < 0 || !(v[BORE] < v[DIAMETER])),
               "a diameter is positive, and that of the bore smaller");
    lmb_refuse(a, has[WIDTH] && (!(v[WIDTH] > 0) || !(v[HEIGHT] > 0)),
               "--width and --height must be positive");
    if (*a->status)
        return;
    if (v[BORE] > 0)
        *a->status = lmb_section_tube(&s, a->context, v[DIAMETER], (v[DIAMETER] - v[BORE]) / 2, nu);
    else if (has[DIAMETER])
        *a->status = lmb_section_circle(&s, a->context, v[DIAMETER], nu);
    else if (has[WIDTH])
        *a->status = lmb_section_rectangle(&s, a->context, v[WIDTH], v[HEIGHT], nu);
    w->depth = 2 * s.z_max;
    w->inertia = has[INERTIA] ? v[INERTIA] : s.Iy;
}

static lmb_status read_work(const lmb_arguments *a, work *w)
{
    lmb_beam *beam = &w->beam;
    *w = (work){.modulus = 2.1e11, .beam = {.force = 1}};
    lmb_nearest near;
    int kind =
        lmb_find_name(lmb_beam_types, sizeof *lmb_beam_types, LMB_BEAM_CASES, a->words[0], &near);
    if (kind < 0)
        return lmb_fail_choice(a->context, "beam case", &near,
                               "simple, fixed, propped, cantilever or overhang");
    beam->kind = (lmb_beam_case)kind;
    bool length = lmb_typed_number(a, "--length", LMB_ANY_NUMBER, &beam->length);
    lmb_refuse(a, !length, "give the --length, in m");
    bool at = lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &beam->at);
    lmb_refuse(a, !at && beam->kind == LMB_BEAM_OVERHANG, "give the length of the overhang: --at");
    if (!at)
        beam->at = beam->kind == LMB_BEAM_CANTILEVER ? beam->length : beam->length / 2;
    lmb_typed_number(a, "--force", LMB_ANY_NUMBER, &beam->force);
    lmb_refuse(a, beam->force == 0, "--force must not be zero");
    lmb_typed_number(a, "--modulus", LMB_ANY_NUMBER, &w->modulus);
    read_section(a, w);
    beam->stiffness = w->modulus * w->inertia;
    if (!*a->status)
        *a->status = lmb_beam_check(a->context, beam);
    if (!*a->status && w->depth > beam->length / 5)
        lmb_warn(
            a->context,
            "the section is %g m deep and the beam %g m long: lengths are in m, and shear, which "
            "is left out, counts where a beam is shorter than five times its depth",
            w->depth, beam->length);
    w->placed = lmb_typed_number(a, "--x", LMB_ANY_NUMBER, &w->x);
    lmb_refuse(a, w->placed && !(w->x >= 0 && w->x <= lmb_beam_end(beam)),
               "the beam goes from 0 to %g: not to --x %g", lmb_beam_end(beam), w->x);
    return *a->status;
}

/* --- what is printed -------------------------------------------------------------------------- */

/* Places of the beam with deflection and slope, as text with the formula of the first, or JSON. */
static void print_places(lmb_json *json, const work *w)
{
    static const double nowhere = -1;
    const lmb_beam *b = &w->beam;
    bool overhang = b->kind == LMB_BEAM_OVERHANG; /* the beam bends the other way inside */
    const struct {
        const char *key, *name;
        double x;
        const char *formula;
    } places[] = {
        {"at_force", "at the force", lmb_beam_force_place(b), lmb_beam_deflection_formula(b)},
        {"largest", "largest deflection", lmb_beam_largest(b), NULL},
        {"between_supports", "between the supports",
         overhang ? lmb_beam_extreme(b, 0, b->length) : nowhere, "-P a L^2 / (9 sqrt(3) E I)"},
        {"at_x", "at --x", w->placed ? w->x : nowhere, NULL},
        {"at_0", "at x = 0", 0, NULL},
        {"at_L", "at x = L", b->length, NULL},
    };
    /* what rounding leaves of zero, against a beam bent by the force over its length */
    double size = 1e-14 * fabs(b->force) * b->length * b->length / b->stiffness;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        double x = places[i].x, deflection, slope;
        const char *formula = places[i].formula;
        if (x == nowhere)
            continue;
        lmb_beam_at(b, x, &deflection, &slope);
        if (json)
            lmb_json_object(json, places[i].key, "x %g, deflection %g, slope %g", x, deflection,
                            slope);
        else
            printf("%-22s %12.6g %16.8g %16.8g%s%s\n", places[i].name, x,
                   fabs(deflection) < size * b->length ? 0 : deflection,
                   fabs(slope) < size ? 0 : slope, formula ? "   w = " : "",
                   formula ? formula : "");
    }
}

static void print_text(const work *w, const lmb_beam_type *type, double stiffness,
                       lmb_beam_support s)
{
    const lmb_beam *beam = &w->beam;
    printf("%s: %s\n", type->name, type->doc);
    printf("L = %g m, a = %g m, P = %g N, E = %g Pa, I = %.6g m^4, E I = %.6g N m^2\n\n",
           beam->length, beam->at, beam->force, w->modulus, w->inertia, beam->stiffness);
    printf("%-22s %12s %16s %16s\n", "", "x (m)", "deflection (m)", "slope (rad)");
    print_places(NULL, w);
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

static void print_json(const work *w, const lmb_beam_type *type, double stiffness,
                       lmb_beam_support s)
{
    const lmb_beam *beam = &w->beam;
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(&json,
                 "case %s, formula %s, stiffness_formula %s, slope_0_formula %s, "
                 "slope_L_formula %s, length %g, at %g, force %g, modulus %g, inertia %g, "
                 "deflection %g, stiffness %g",
                 type->name, lmb_beam_deflection_formula(beam), lmb_beam_stiffness_formula(beam),
                 type->slope0, type->slope_L, beam->length, beam->at, beam->force, w->modulus,
                 w->inertia, beam->force / stiffness, stiffness);
    print_places(&json, w);
    lmb_json_object(&json, "supports", "force_0 %g, force_L %g, moment_0 %g, moment_L %g", s.force0,
                    beam->kind == LMB_BEAM_CANTILEVER ? 0 : s.force_L, s.moment0, s.moment_L);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    work w;
    lmb_status status = read_work(a, &w);
    if (!status)
        (a->json ? print_json : print_text)(&w, &lmb_beam_types[w.beam.kind],
                                            lmb_beam_spring(&w.beam),
                                            lmb_beam_find_support(&w.beam));
    return status;
}

static const lmb_option options[] = {
    {"--length L", "Length, m; of an overhang, that between the supports."},
    {"--at A",
     "Place of the force, m (default: the middle, or the free end); the length of an overhang."},
    {"--force P", "Force, N, downwards (default: 1)."},
    {"--modulus E", "Young's modulus, Pa (default: 2.1e11, steel)."},
    {"--diameter D", "A round section of this diameter, m."},
    {"--bore D", "Its inner diameter, m, where it is a tube."},
    {"--width B", "A rectangular section: its width, m."},
    {"--height H", "And its height, m, in the direction of the force."},
    {"--inertia I", "The second moment of area, m^4, of any other section."},
    {"--x X", "Deflection and slope at this place too, m."},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_beam = {
    .name = "beam",
    .usage = "simple|fixed|propped|cantilever|overhang --length L [--at A] [--force P] [--modulus "
             "E] --diameter D [--bore D] | --width B --height H | --inertia I [--x X] [--json]",
    .summary = "Prints deflection and stiffness of standard beams.",
    .doc =
        "Prints deflection, slope and stiffness of a beam under one force, as numbers and as the "
        "formula of the handbooks (bending after Euler and Bernoulli, small deflections, "
        "uniform section). Cases: simple (supports at both ends), fixed (both ends), propped (a "
        "support at x = 0, fixed at the other end), cantilever (fixed at x = 0), overhang "
        "(supports at 0 and L, the force at A behind L). Deflections count downwards.",
    .examples = "limber beam simple --length 0.8 --at 0.25 --diameter 0.015 --force 118\n"
                "limber beam cantilever --length 1 --width 0.02 --height 0.05 --json\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
