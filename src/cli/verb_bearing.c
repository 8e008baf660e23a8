/* limber bearing: the fault frequencies of a rolling bearing and its shaft. */
#include <stdio.h>

#include "base/json.h"
#include "cli/typed.h"

/* One line of the table. */
typedef struct line {
    const char *key, *name;
    double frequency;
} line;

enum { LINES = 5 };

static void print_text(const lmb_bearing_lines *l, const line *lines)
{
    printf("%-34s %14s %10s\n", "line", "frequency (Hz)", "order");
    for (int i = 0; i < LMB_SHAFT_FAULTS; i++) {
        char name[64];
        snprintf(name, sizeof name, "shaft %dx: %s", i + 1, lmb_shaft_faults[i]);
        printf("%-34s %14.6g %10.6g\n", name, (i + 1) * l->shaft, i + 1.0);
    }
    for (int i = 0; i < LINES; i++)
        printf("%-34s %14.6g %10.6g\n", lines[i].name, lines[i].frequency,
               lines[i].frequency / l->shaft);
    printf("Sample above %.6g Hz, better at %.6g Hz or more; harmonics of these lines need more.\n",
           l->sampling_limit, l->sampling_advice);
}

static void print_json(const lmb_bearing *b, const lmb_bearing_lines *l, const line *lines)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(
        &json, "pitch_diameter %g, ball_diameter %g, balls %d, angle %g, rotating %s, shaft %g",
        b->pitch, b->ball, b->balls, b->angle, l->outer_turns ? "outer" : "inner", l->shaft);
    for (int i = 0; i < LINES; i++)
        lmb_json_number(&json, lines[i].key, lines[i].frequency);
    lmb_json_open(&json, "harmonics", '[');
    for (int i = 0; i < LMB_SHAFT_FAULTS; i++)
        lmb_json_object(&json, NULL, "order %d, frequency %g, fault %s", i + 1, (i + 1) * l->shaft,
                        lmb_shaft_faults[i]);
    lmb_json_close(&json);
    lmb_json_put(&json, "sampling_above %g, sampling_recommended %g", l->sampling_limit,
                 l->sampling_advice);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_bearing bearing;
    bool given = lmb_typed_bearing(a, &bearing);
    lmb_refuse(a, !given, "give the bearing: --inner, --outer and --balls");
    double shaft = lmb_typed_shaft(a);
    lmb_refuse(a, shaft == 0, "give the speed of the shaft: --rpm");
    if (*a->status)
        return *a->status;
    lmb_bearing_lines l = lmb_bearing_find_lines(&bearing, shaft);
    const line lines[LINES] = {
        {"cage", "cage: wear, early", l.cage},
        {"outer", "ball pass, outer race", l.outer},
        {"inner", "ball pass, inner race", l.inner},
        {"spin", "ball spin", l.spin},
        {"rolling_element", "rolling element, twice the spin", l.rolling_element},
    };
    if (a->json)
        print_json(&bearing, &l, lines);
    else
        print_text(&l, lines);
    return LMB_OK;
}

static const lmb_option options[] = {
    LMB_BEARING_OPTIONS,
    {"--json", "Print JSON; its angle is in radians."},
    {0},
};

const lmb_verb lmb_verb_bearing = {
    .name = "bearing",
    .usage = "--inner D --outer D --balls N --rpm N [--angle A] [--rotating RACE] [--json]",
    .summary = "Prints the fault frequencies of a rolling bearing.",
    .doc = "Prints the fault frequencies of a bearing and its shaft: cage, ball pass of the inner "
           "and outer race, ball spin and rolling element (twice the spin), for rolling without "
           "slip; and the first three harmonics of the shaft, which healthy machines show too: "
           "compare with an earlier record (`limber spectrum --baseline`). The sampling rate must "
           "be above twice the highest of them.",
    .examples = "limber bearing --inner 18 --outer 24 --balls 8 --rpm 1000\n"
                "limber bearing --pitch 39.04 --ball 7.94 --balls 9 --angle 15 --rpm 1797 --json\n",
    .words = {0, 0},
    .options = options,
    .run = run,
};
