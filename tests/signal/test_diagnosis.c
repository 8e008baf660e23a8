/* Faults of bearings found in made vibrations: how often rightly, how often for nothing. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "signal/bearing.h"
#include "signals.h"

enum { SIGNALS = 200 };

/* Of so many signals: those with the right fault first, those of them with an alarm, and alarms of
 * as many healthy signals. */
typedef struct tally {
    int right, alarms, false_alarms;
} tally;

static void diagnose(lmb_context *c, const signal_plan *p, const double *x, bool given, tally *t)
{
    lmb_bearing_lines lines = lmb_bearing_find_lines(&p->bearing, p->shaft);
    lmb_diagnosis_options o = lmb_diagnosis_defaults;
    lmb_diagnosis d;
    if (given) {
        o.from = p->from;
        o.to = p->to;
    }
    assert_int_equal(lmb_diagnose(c, p->count, x, p->rate, &lines, &o, &d), LMB_OK);
    bool right = p->fault >= 0 && (int)d.scores[0].fault == p->fault;
    t->right += right;
    t->alarms += right && d.alarm;
    t->false_alarms += p->fault < 0 && d.alarm;
}

/* Four faults in turn with 1 to 2 % slip, jitter, harmonics of the shaft and a resonance, at -10 dB
 * in the band of a quarter on either side of the resonance, and as many healthy signals; with this
 * band told and without. The bounds are those that are asked for: 95 and 2 %; the documentation
 * states what is reached. */
static void faults_are_found_in_noise(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    double *x = malloc(SIGNAL_COUNT * sizeof *x);
    tally tallies[2] = {{0}};
    uint64_t seed = 2024;
    for (int i = 0; i < 2 * SIGNALS; i++) {
        signal_plan p = signal_random_plan(&seed, i % 2 ? -1 : i / 2 % LMB_FAULTS);
        assert_true(signal_make(&p, &seed, x));
        for (int given = 0; given < 2; given++)
            diagnose(c, &p, x, given, &tallies[given]);
    }
    free(x);
    lmb_context_free(c);
    for (int given = 0; given < 2; given++) {
        tally t = tallies[given];
        print_message("band %s: right first %d, with alarm %d, false alarms %d of %d\n",
                      given ? "given" : "found", t.right, t.alarms, t.false_alarms, SIGNALS);
        assert_true(t.right >= 0.95 * SIGNALS);
        assert_true(t.alarms >= 0.9 * SIGNALS);
        assert_true(t.false_alarms <= 0.02 * SIGNALS);
    }
}

/* Tails of whole shapes: exp(-x) sum x^k / k!. */
static void gamma_tails(void **state)
{
    (void)state;
    assert_close(lmb_log_gamma_tail(1, 3), -3 / log(10), 1e-13);
    assert_close(lmb_log_gamma_tail(1, 0.2), -0.2 / log(10), 1e-13);
    assert_close(lmb_log_gamma_tail(3, 7.5), log10(exp(-7.5) * (1 + 7.5 + 7.5 * 7.5 / 2)), 1e-13);
    assert_close(lmb_log_gamma_tail(3, 1.5), log10(exp(-1.5) * (1 + 1.5 + 1.5 * 1.5 / 2)), 1e-13);
    assert_close(lmb_log_gamma_tail(2, 2000), -2000 / log(10) + log10(2001), 1e-13);
}

static void records_that_will_not_do(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    lmb_bearing b = {39, 8, 9, 0, false};
    lmb_bearing_lines l = lmb_bearing_find_lines(&b, 25);
    double *x = calloc(20000, sizeof *x);
    lmb_diagnosis d;
    assert_int_equal(lmb_diagnose(c, 1000, x, 12800, &l, &lmb_diagnosis_defaults, &d),
                     LMB_BAD_INPUT);
    assert_message(c, "too short");
    assert_int_equal(lmb_diagnose(c, 20000, x, 400, &l, &lmb_diagnosis_defaults, &d),
                     LMB_BAD_INPUT);
    assert_message(c, "too low");
    /* nothing at all is no fault */
    assert_int_equal(lmb_diagnose(c, 20000, x, 12800, &l, &lmb_diagnosis_defaults, &d), LMB_OK);
    assert_false(d.alarm);
    free(x);
    lmb_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found_in_noise),
        cmocka_unit_test(gamma_tails),
        cmocka_unit_test(records_that_will_not_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
