/* Sweeps and tolerances: the numbers do not depend on threads or interruptions, failures are
 * recorded, statistics and effects are those of closed forms, and samples agree with the
 * first-order budget within their errors by chance. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "result/read.h"
#include "support.h"

/* A slider on the x axis and a rod of length l to the height y: x = sqrt(l^2 - y^2), and nothing
 * where y > l. It moves nowhere for a second. */
#define ROD                                                                                        \
    "limber: 1\n"                                                                                  \
    "dimension: 2\n"                                                                               \
    "parameters: {y: 0.3, l: 1}\n"                                                                 \
    "bodies: {s: {type: particle, mass: 1, position: [0.9, 0]}}\n"                                 \
    "joints:\n"                                                                                    \
    "  guide: {type: slot, between: [ground, s], axis: [1, 0]}\n"                                  \
    "  rod: {type: distance, between: [[0, y], s], length: l}\n"                                   \
    "analyses: {wait: {type: kinematics, duration: 1, output_step: 0.1}}\n"                        \
    "objectives: {reach: {final: s.position.x}, square: {final: s.position.x^2}}\n"                \
    "studies:\n"

static const char rod[] = ROD
    "  grid: {type: sweep, vary: {y: {from: 0, to: 1.5, points: 16}, l: [1, 1.25, 2]}}\n"
    "  spread: {type: sweep, vary: {y: {uniform: [0, 1.2]}, l: {normal: [1.1, 0.05]}}, sampling: "
    "latin-hypercube, samples: 60}\n"
    "  drawn: {type: sweep, vary: {y: {uniform: [0, 1.2]}, l: {normal: [1.1, 0.05]}}, samples: "
    "40}\n"
    "  beyond: {type: sweep, vary: {y: [3, 4]}}\n"
    "  play: {type: tolerance, vary: {y: {normal: [0.6, 0.01]}, l: {normal: [1, 0.01]}}, samples: "
    "50}\n";

/* --- files and interruptions ------------------------------------------------------------------ */

/* Asked to stop once a part of all runs, or so many of them, are done. */
typedef struct stopper {
    double part;
    int runs;
} stopper;

static bool stop_there(void *user, const char *what, double fraction)
{
    const stopper *s = user;
    const char *runs = strchr(what, ':');
    return isnan(fraction) ? runs && atoi(runs + 1) >= s->runs : fraction >= s->part;
}

typedef lmb_status make_sweep(lmb_swept **, lmb_context *, const lmb_spec *,
                              const lmb_study_options *);

/* A sweep with a file; stop: when it is to be interrupted, or NULL. */
static lmb_swept *sweep_kept(make_sweep *make, const char *text, lmb_study_options options,
                             stopper *stop)
{
    lmb_spec *spec = study_spec(text, NULL);
    lmb_swept *out;
    options.unshown = true;
    if (stop)
        lmb_context_on_progress(context, stop_there, stop);
    lmb_status status = make(&out, context, spec, &options);
    lmb_context_on_progress(context, NULL, NULL);
    lmb_spec_free(spec);
    if (stop) {
        assert_int_equal(status, LMB_SOLVER);
        assert_null(out);
        assert_true(was_said("interrupted"));
    } else {
        assert_ok(status);
    }
    return out;
}

/* All numbers of a file, to be freed; and its failures. */
typedef struct contents {
    int rows;
    size_t count;
    double *numbers;
    char *failures, *names;
    bool complete;
} contents;

static contents read_contents(const char *path)
{
    lmb_result *r;
    assert_ok(lmb_result_open(&r, context, path));
    contents c = {.rows = lmb_result_row_count(r, 0)};
    c.count = (size_t)c.rows * lmb_result_width(r, 0);
    c.numbers = malloc((c.count + 1) * sizeof *c.numbers);
    assert_non_null(c.numbers);
    assert_ok(lmb_result_rows(r, context, 0, 0, c.rows, c.numbers));
    const char *failures = lmb_result_text(r, "failures");
    c.failures = strdup(failures ? failures : "");
    c.names = calloc(1, 4000);
    for (int i = 0; i < lmb_result_channel_count(r, 0); i++) {
        strncat(c.names, lmb_result_channel(r, 0, i)->name, 60);
        strcat(c.names, " ");
    }
    c.complete = lmb_history_is_complete(r);
    lmb_result_close(r);
    return c;
}

static void free_contents(contents *c)
{
    free(c->numbers);
    free(c->failures);
    free(c->names);
}

/* To the last bit, and NaN where there is one. */
static void assert_same_contents(const char *a, const char *b)
{
    contents x = read_contents(a), y = read_contents(b);
    assert_int_equal(x.rows, y.rows);
    assert_int_equal(x.count, y.count);
    assert_memory_equal(x.numbers, y.numbers, x.count * sizeof *x.numbers);
    assert_string_equal(x.failures, y.failures);
    assert_string_equal(x.names, y.names);
    assert_true(x.complete && y.complete);
    free_contents(&x);
    free_contents(&y);
}

static void assert_same_sweeps(const lmb_swept *a, const lmb_swept *b)
{
    size_t n = (size_t)a->variable_count, m = (size_t)a->objective_count, k = (size_t)a->count;
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->x, b->x, k * n * sizeof *a->x);
    assert_memory_equal(a->values, b->values, k * m * sizeof *a->values);
    assert_memory_equal(a->scatters, b->scatters, m * sizeof *a->scatters);
    assert_memory_equal(a->effects, b->effects, m * n * sizeof *a->effects);
    assert_memory_equal(a->slopes, b->slopes, m * n * sizeof *a->slopes);
    assert_memory_equal(a->budget, b->budget, m * sizeof *a->budget);
    assert_int_equal(a->failure_count, b->failure_count);
    for (size_t i = 0; i < k; i++) {
        assert_true(!a->failures[i] == !b->failures[i]);
        if (a->failures[i])
            assert_string_equal(a->failures[i], b->failures[i]);
    }
}

static const struct {
    const char *study;
    make_sweep *make;
} kinds[] = {
    {"grid", lmb_sweep}, {"spread", lmb_sweep}, {"drawn", lmb_sweep}, {"play", lmb_tolerance}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void numbers_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        lmb_study_options one = {.name = kinds[i].study, .path = scratch_path("1.h5"), .jobs = 1};
        lmb_study_options two = {.name = kinds[i].study, .path = scratch_path("2.h5"), .jobs = 2};
        lmb_swept *a = sweep_kept(kinds[i].make, rod, one, NULL);
        lmb_swept *b = sweep_kept(kinds[i].make, rod, two, NULL);
        assert_same_sweeps(a, b);
        assert_int_equal(a->run_count, b->run_count);
        assert_same_contents(one.path, two.path);
        lmb_swept_free(a);
        lmb_swept_free(b);
    }
}

/* A study that was interrupted runs what is missing, whoever ran the first part. */
static void a_sweep_goes_on(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++)
        for (int jobs = 1; jobs <= 2; jobs++) {
            lmb_study_options whole = {
                .name = kinds[i].study, .path = scratch_path("whole.h5"), .jobs = 1};
            lmb_study_options part = {
                .name = kinds[i].study, .path = scratch_path("part.h5"), .jobs = jobs};
            lmb_swept *a = sweep_kept(kinds[i].make, rod, whole, NULL);
            stopper stops[] = {{.part = 0.3}, {.part = 0.7}};
            sweep_kept(kinds[i].make, rod, part, &stops[0]);
            contents c = read_contents(part.path);
            int first = c.rows;
            /* 0.3 of them have ended, and one or two more by then */
            assert_in_range(first, (int)(0.3 * a->count) - 1, a->run_count / 2);
            assert_false(c.complete);
            free_contents(&c);
            part.resume = true;
            sweep_kept(kinds[i].make, rod, part, &stops[1]); /* twice */
            c = read_contents(part.path);
            int second = c.rows;
            assert_true(second > first);
            free_contents(&c);
            lmb_swept *b = sweep_kept(kinds[i].make, rod, part, NULL);
            assert_int_equal(b->run_count, a->run_count - second);
            assert_same_sweeps(a, b);
            assert_same_contents(whole.path, part.path);
            lmb_swept_free(a);
            lmb_swept_free(b);
        }
}

/* A sweep that stops before it reaches the samples of its file keeps all of them, each once. Two
 * threads leave a gap between their samples when they stop. */
static void a_sweep_that_stops_twice_keeps_its_samples(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++)
        for (int jobs = 1; jobs <= 2; jobs++) {
            lmb_study_options part = {
                .name = kinds[i].study, .path = scratch_path("part.h5"), .jobs = 2};
            stopper stops[] = {{.part = 0.5}, {.part = 0}};
            sweep_kept(kinds[i].make, rod, part, &stops[0]);
            contents c = read_contents(part.path);
            int first = c.rows;
            free_contents(&c);
            part.resume = true;
            part.jobs = jobs;
            sweep_kept(kinds[i].make, rod, part, &stops[1]);
            c = read_contents(part.path);
            int second = c.rows;
            free_contents(&c);
            assert_in_range(second, first, first + 2);
            lmb_swept *b = sweep_kept(kinds[i].make, rod, part, NULL);
            lmb_study_options whole = {
                .name = kinds[i].study, .path = scratch_path("whole.h5"), .jobs = 1};
            lmb_swept *a = sweep_kept(kinds[i].make, rod, whole, NULL);
            assert_int_equal(b->run_count, a->run_count - second);
            assert_same_contents(whole.path, part.path);
            lmb_swept_free(a);
            lmb_swept_free(b);
        }
}

/* More samples are drawn behind those that there are. */
static void a_study_may_be_made_longer(void **unused)
{
    (void)unused;
    static const char few
        [] = ROD "  s: {type: sweep, vary: {y: {uniform: [0, 1.2]}, l: {normal: [1.1, 0.05]}}, "
                 "samples: 12}\n",
     many[] = ROD
     "  s: {type: sweep, vary: {y: {uniform: [0, 1.2]}, l: {normal: [1.1, 0.05]}}, samples: 30}\n";
    lmb_study_options kept = {.path = scratch_path("few.h5"), .jobs = 1};
    lmb_study_options whole = {.path = scratch_path("many.h5"), .jobs = 1};
    lmb_swept_free(sweep_kept(lmb_sweep, few, kept, NULL));
    kept.resume = true;
    lmb_swept *a = sweep_kept(lmb_sweep, many, kept, NULL);
    lmb_swept *b = sweep_kept(lmb_sweep, many, whole, NULL);
    assert_int_equal(a->run_count, 18);
    assert_int_equal(b->run_count, 30);
    assert_same_sweeps(a, b);
    assert_same_contents(kept.path, whole.path);
    lmb_swept_free(a);
    lmb_swept_free(b);
}

/* A file of another study, of another model, or with other parameters is not gone on with. */
static void a_file_of_something_else_is_refused(void **unused)
{
    (void)unused;
    static const char other[] =
        ROD "  grid: {type: sweep, vary: {y: [0.1, 0.2]}}\n"
            "  drawn: {type: sweep, vary: {y: [0.1, 0.2]}, results: [reach]}\n";
    char *changed = strdup(rod);
    memcpy(strstr(changed, "l: 1}"), "l: 3}", 5);
    const char *path = scratch_path("drawn.h5");
    lmb_study_options first = {.name = "drawn", .path = path, .jobs = 1};
    lmb_swept_free(sweep_kept(lmb_sweep, rod, first, NULL));
    contents before = read_contents(path);
    const struct {
        const char *text, *study, *settings, *said;
    } cases[] = {{rod, "grid", NULL, "it is of 'drawn'"},
                 {changed, "drawn", NULL, "the model was different then"},
                 {rod, "drawn", "l=1.5", ""},
                 {other, "drawn", NULL, "it has other variables or objectives"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_spec *spec = study_spec(cases[i].text, cases[i].settings);
        lmb_swept *out;
        lmb_study_options again = {
            .name = cases[i].study, .path = path, .jobs = 1, .resume = true, .unshown = true};
        assert_int_not_equal(lmb_sweep(&out, context, spec, &again), LMB_OK);
        if (!was_said(cases[i].said))
            fail_msg("case %d: %s", (int)i, lmb_message_at(context, 0)->text);
        lmb_spec_free(spec);
        contents after = read_contents(path); /* and it stays what it was */
        assert_int_equal(after.count, before.count);
        assert_memory_equal(after.numbers, before.numbers, before.count * sizeof *before.numbers);
        free_contents(&after);
    }
    free_contents(&before);
    free(changed);
}

/* An optimisation that is interrupted makes the same search again, with the trials that it has. */
static void an_optimisation_goes_on(void **unused)
{
    (void)unused;
    static const char text[] = ROD
        "  s: {type: optimise, minimise: \"-y + 0.02/reach\", design: {y: [0, 3]}, starts: 3}\n";
    lmb_spec *spec = study_spec(text, NULL);
    lmb_optimum *whole, *part;
    lmb_study_options options = {.path = scratch_path("o.h5"), .jobs = 1, .unshown = true};
    assert_ok(lmb_optimise(&whole, context, spec, &options));
    int runs = whole->run_count;
    assert_true(whole->failure_count > 0);
    stopper stop = {.runs = runs / 2};
    options.path = scratch_path("p.h5");
    lmb_context_on_progress(context, stop_there, &stop);
    assert_int_equal(lmb_optimise(&part, context, spec, &options), LMB_SOLVER);
    assert_null(part);
    lmb_context_on_progress(context, NULL, NULL);
    contents c = read_contents(options.path);
    assert_in_range(c.rows, runs / 2, runs / 2 + 1);
    assert_false(c.complete);
    options.resume = true;
    assert_ok(lmb_optimise(&part, context, spec, &options));
    assert_int_equal(part->run_count, runs - c.rows);
    free_contents(&c);
    assert_memory_equal(part->x, whole->x, sizeof *part->x);
    assert_memory_equal(part->values, whole->values, sizeof *part->values);
    assert_true(part->optimality == whole->optimality);
    assert_int_equal(part->failure_count, whole->failure_count);
    assert_string_equal(part->last_failure, whole->last_failure);
    assert_same_contents(scratch_path("o.h5"), options.path);
    lmb_optimum_free(part);
    lmb_optimum_free(whole);
    lmb_spec_free(spec);
}

/* Searches from several starts are the same ones, whichever thread makes them. */
static void searches_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    static const char text[] = ROD
        "  s: {type: optimise, minimise: \"-y + 0.02/reach\", design: {y: [0, 3], l: [0.5, 1]}, "
        "starts: 6, subject_to: {reach: {at_least: 0.3}}}\n";
    lmb_spec *spec = study_spec(text, NULL);
    lmb_optimum *o[2];
    for (int i = 0; i < 2; i++)
        assert_ok(lmb_optimise(&o[i], context, spec, &(lmb_study_options){.jobs = 1 + i}));
    assert_int_equal(o[0]->best, o[1]->best);
    assert_memory_equal(o[0]->x, o[1]->x, 2 * sizeof *o[0]->x);
    for (int k = 0; k < 6; k++) {
        const lmb_search_end *a = &o[0]->searches[k], *b = &o[1]->searches[k];
        assert_memory_equal(a->x, b->x, 2 * sizeof *a->x);
        assert_memory_equal(&a->objective, &b->objective, sizeof a->objective);
        assert_int_equal(a->trials, b->trials);
        assert_int_equal(a->end, b->end);
    }
    lmb_optimum_free(o[0]);
    lmb_optimum_free(o[1]);
    lmb_spec_free(spec);
}

/* --- failures --------------------------------------------------------------------------------- */

static void failures_are_recorded(void **unused)
{
    (void)unused;
    lmb_swept *s = sweep_of(rod, "grid", NULL);
    static const double l[] = {1, 1.25, 2};
    int failed = 0;
    assert_int_equal(s->count, 48);
    for (int k = 0; k < 48; k++) {
        double y = 0.1 * (k / 3), rest = l[k % 3] * l[k % 3] - y * y;
        const double *value = s->values + 2 * (size_t)k;
        if (rest < -1e-9) {
            assert_non_null(s->failures[k]);
            assert_true(strlen(s->failures[k]) > 10 && isnan(value[0]) && isnan(value[1]));
            failed++;
        } else if (rest > 1e-3) { /* at y = l itself rounding decides */
            assert_null(s->failures[k]);
            assert_close(value[0], sqrt(rest), 1e-9);
            assert_close(value[1], rest, 1e-9);
        }
    }
    assert_in_range(s->failure_count, failed, failed + 1); /* y = l = 1 is the one of rounding */
    assert_int_equal(s->scatters[0].count, 48 - s->failure_count);
    assert_true(was_said("of 48 runs failed, the first (number "));
    lmb_swept_free(s);
    /* all of them */
    lmb_spec *spec = study_spec(rod, NULL);
    assert_int_equal(lmb_sweep(&s, context, spec, &(lmb_study_options){"beyond", .jobs = 1}),
                     LMB_SOLVER);
    assert_null(s);
    assert_true(was_said("all 2 runs failed, the first: "));
    lmb_spec_free(spec);
}

/* --- statistics ------------------------------------------------------------------------------- */

#define PARTICLE                                                                                   \
    "limber: 1\n"                                                                                  \
    "dimension: 2\n"                                                                               \
    "parameters: {x: 0.5, y: 0.25}\n"                                                              \
    "bodies: {p: {type: particle, mass: 1, position: [x, y]}}\n"                                   \
    "analyses: {place: {type: assembly}}\n"                                                        \
    "objectives:\n"                                                                                \
    "  one: {final: p.position.x}\n"                                                               \
    "  both: {final: 2 + 3*p.position.x + 5*p.position.x*p.position.y}\n"                          \
    "  plane: {final: 1 + 2*p.position.x - 3*p.position.y}\n"                                      \
    "studies:\n"

/* 5, 1, 4, 2, 3: the deviation is sqrt(10 / 4), quantiles lie on lines between sorted numbers,
 * 2.5 % at 1 + 0.1. The fourth moment is (16 + 1 + 0 + 1 + 16) / 5 = 6.8, so that the error of the
 * variance is sqrt((6.8 - 2.5^2 2/4) / 5). */
static void statistics_of_five_numbers(void **unused)
{
    (void)unused;
    lmb_swept *s =
        sweep_of(PARTICLE "  s: {type: sweep, vary: {x: [5, 1, 4, 2, 3]}}\n", NULL, NULL);
    const lmb_scatter *c = &s->scatters[0];
    assert_int_equal(c->count, 5);
    assert_close(c->mean, 3, 1e-15);
    assert_close(c->deviation, sqrt(2.5), 1e-15);
    assert_close(c->mean_error, sqrt(0.5), 1e-15);
    assert_close(c->deviation_error, sqrt((6.8 - 3.125) / 5) / (2 * sqrt(2.5)), 1e-14);
    assert_close(c->least, 1, 0);
    assert_close(c->largest, 5, 0);
    assert_close(c->median, 3, 1e-15);
    assert_close(c->low, 1.1, 1e-15);
    assert_close(c->high, 4.9, 1e-15);
    assert_true(s->listed);
    lmb_swept_free(s);
}

/* 2 + 3 x + 5 x y over x = 0, 1, 2 and y = -1, 0, 1, 4 with the means 1 and 1: the mean over y is
 * 2 + 8 x, that over x is 5 + 5 y. */
static void effects_of_a_bilinear_model(void **unused)
{
    (void)unused;
    lmb_swept *s = sweep_of(PARTICLE "  s: {type: sweep, vary: {x: [1, 0, 2], y: [0, 4, -1, 1]}, "
                                     "results: [both, \"-both\"]}\n",
                            NULL, NULL);
    const struct {
        double low, at_low, high, at_high;
    } expected[] = {{2, 0, 18, 2}, {0, -1, 25, 4}, {-18, 2, -2, 0}, {-25, 4, 0, -1}};
    for (int i = 0; i < 4; i++) {
        const lmb_main_effect *e = &s->effects[i];
        assert_close(e->low, expected[i].low, 1e-14);
        assert_close(e->high, expected[i].high, 1e-14);
        assert_true(e->at_low == expected[i].at_low && e->at_high == expected[i].at_high);
        assert_true(isnan(e->slope));
    }
    assert_int_equal(s->count, 12);
    assert_close(s->values[2 * 1], 2 + 3 * 1 + 5 * 1 * 4., 1e-14); /* the last runs fastest */
    lmb_swept_free(s);
}

/* A list may have a number twice; a grid would only run the same again. */
static void a_list_may_repeat_numbers(void **unused)
{
    (void)unused;
    lmb_swept *s =
        sweep_of(PARTICLE "  s: {type: sweep, sampling: list, vary: {x: [1, 1, 2, 1], y: "
                          "[3, 4, 4, 3]}, results: [plane]}\n",
                 NULL, NULL);
    static const double values[] = {-6, -9, -7, -6};
    for (int k = 0; k < 4; k++)
        assert_close(s->values[k], values[k], 1e-15);
    assert_int_equal(s->run_count, 3); /* the last is the first */
    lmb_swept_free(s);
}

/* A plane is its own regression: slopes 2 and -3, whatever the samples are, and effects of one
 * deviation of the samples to either side. */
static void the_regression_of_a_plane(void **unused)
{
    (void)unused;
    static const char *const samplings[] = {"monte-carlo", "latin-hypercube"};
    for (int i = 0; i < 2; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 PARTICLE "  s: {type: sweep, sampling: %s, samples: 40, vary: {x: {normal: [4, "
                          "0.3]}, y: {from: -2, to: 5}}, results: [plane]}\n",
                 samplings[i]);
        lmb_swept *s = sweep_of(text, NULL, NULL);
        assert_false(s->listed);
        assert_close(s->effects[0].slope, 2, 1e-12);
        assert_close(s->effects[1].slope, -3, 1e-12);
        for (int v = 0; v < 2; v++) {
            const lmb_main_effect *e = &s->effects[v];
            double mean = 0, square = 0;
            for (int k = 0; k < 40; k++)
                mean += s->x[2 * k + v] / 40;
            for (int k = 0; k < 40; k++)
                square += pow(s->x[2 * k + v] - mean, 2) / 39;
            assert_close(e->at_high - e->at_low, 2 * sqrt(square), 1e-12);
            assert_close(e->high - e->low, e->slope * (e->at_high - e->at_low), 1e-12);
            assert_close((e->high + e->low) / 2, s->scatters[0].mean, 1e-12);
        }
        lmb_swept_free(s);
    }
}

/* --- tolerances ------------------------------------------------------------------------------- */

/* A pendulum of length L under g has f = sqrt(g / L) / (2 pi), so that df/f = dg/(2 g) - dL/(2 L):
 * deviations of 1 % and 0.5 % make sqrt(0.5^2 + 0.25^2) % = 0.559 %. To second order the mean is
 * f (1 + 3/8 0.01^2 - 1/8 0.005^2). */
static const char pendulum[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {L: 0.7, g: 9.81, m: 2}\n"
    "bodies: {bob: {type: particle, mass: m, position: [0, -L]}}\n"
    "joints: {rod: {type: distance, between: [ground, bob], length: L}}\n"
    "analyses: {hum: {type: modes}}\n"
    "objectives: {f: {at: modes.frequency, mode: 1, of: hum}}\n"
    "studies:\n"
    "  play: {type: tolerance, vary: {L: {normal: [0.7, 0.007]}, g: {normal: [9.81, 0.04905]}, m: "
    "{uniform: [1, 3]}}, samples: %d}\n";

static void the_frequency_of_a_pendulum_scatters(void **unused)
{
    (void)unused;
    double f = sqrt(9.81 / 0.7) / (2 * acos(-1)), part = hypot(0.005, 0.0025);
    for (int samples = 0; samples <= 1000; samples += 1000) {
        char text[1500];
        snprintf(text, sizeof text, pendulum, samples);
        lmb_swept *s = tolerance_of(text, NULL, NULL);
        /* frequencies are exact to rounding, and so are derivatives to about 1e-9 */
        assert_close(s->nominal[0] / f, 1, 1e-10);
        assert_close(s->slopes[0] / (-f / 1.4), 1, 1e-8);
        assert_close(s->slopes[1] / (f / 19.62), 1, 1e-8);
        assert_close(s->slopes[2], 0, 1e-9); /* whatever the mass */
        assert_close(s->budget[0] / (part * f), 1, 1e-8);
        assert_close(s->deviations[2], 2 / sqrt(12), 1e-15);
        assert_int_equal(s->count, samples);
        assert_int_equal(s->run_count, samples + 1);
        if (samples) {
            const lmb_scatter *c = &s->scatters[0];
            double mean = f * (1 + 3. / 8 * 1e-4 - 1. / 8 * 2.5e-5);
            /* within 3 of their errors by chance, which themselves are known for normal scatter to
             * about 1 / sqrt(N) each: s / sqrt(N) and s / sqrt(2 N) */
            assert_true(fabs(c->mean - mean) <= 3 * c->mean_error);
            assert_true(fabs(c->deviation - s->budget[0]) <= 3 * c->deviation_error);
            assert_close(c->mean_error / (part * f / sqrt(samples)), 1, 0.1);
            assert_close(c->deviation_error / (part * f / sqrt(2. * samples)), 1, 0.2);
            /* 95 % lie within 1.96 deviations; the error of a quantile is sqrt(p (1 - p) / N) over
             * the density 0.0584 / s there: 0.0845 s */
            assert_true(fabs((c->high - mean) / (part * f) - 1.96) <= 3 * 0.0845);
            assert_true(fabs((c->low - mean) / (part * f) + 1.96) <= 3 * 0.0845);
        }
        if (warning_count())
            fail_msg("%s", lmb_message_at(context, 0)->text);
        lmb_swept_free(s);
    }
}

/* What does not depend on what is varied is told, and a model without a gradient at the means. */
static void what_tolerances_cannot_tell(void **unused)
{
    (void)unused;
    lmb_swept *s = tolerance_of(PARTICLE "  s: {type: tolerance, vary: {y: {normal: [1, 0.1]}}, "
                                         "results: [one], samples: 0}\n",
                                NULL, NULL);
    assert_true(was_said("objective 'one' does not depend on what is varied"));
    lmb_swept_free(s);
    lmb_spec *spec =
        study_spec(ROD "  s: {type: tolerance, vary: {y: {normal: [3, 0.1]}}}\n", NULL);
    assert_int_equal(lmb_tolerance(&s, context, spec, &(lmb_study_options){.jobs = 1}), LMB_SOLVER);
    assert_true(was_said("no gradient at the means"));
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_do_not_depend_on_threads),
        cmocka_unit_test(a_sweep_goes_on),
        cmocka_unit_test(a_sweep_that_stops_twice_keeps_its_samples),
        cmocka_unit_test(a_study_may_be_made_longer),
        cmocka_unit_test(a_file_of_something_else_is_refused),
        cmocka_unit_test(an_optimisation_goes_on),
        cmocka_unit_test(searches_do_not_depend_on_threads),
        cmocka_unit_test(failures_are_recorded),
        cmocka_unit_test(statistics_of_five_numbers),
        cmocka_unit_test(effects_of_a_bilinear_model),
        cmocka_unit_test(a_list_may_repeat_numbers),
        cmocka_unit_test(the_regression_of_a_plane),
        cmocka_unit_test(the_frequency_of_a_pendulum_scatters),
        cmocka_unit_test(what_tolerances_cannot_tell),
    };
    return cmocka_run_group_tests_name("sweeps", tests, open_models, close_models);
}
