/* Laws are compared at instants t and t + T: those of drivers with their first two derivatives, an
 * angle up to whole turns; forces at the present position and velocity, which leaves what depends
 * on time. */
#include "analysis/period.h"

#include <math.h>

#include "analysis/dynamics.h"
#include "base/message.h"

enum { INSTANTS = 16 };

/* Laws repeat themselves up to rounding: of a period that is an expression, and of T omega where
 * they are functions of large phases. */
static const double rounding = 1e-9;

static bool acts(const lmb_state *s, const lmb_driver *d)
{
    return !s->row_off[d->row];
}

static lmb_jet law_at(lmb_state *s, const lmb_driver *d, double t)
{
    lmb_set_time(s, t);
    return s->laws[d->law];
}

/* The force at its pairs, added up with uneven factors, so that what changes does not cancel. */
static lmb_frame force_at(lmb_state *s, const lmb_force *f, double t)
{
    lmb_update(s, t);
    lmb_force_at at = lmb_force_input(s, f);
    lmb_frame sum = frame_zero();
    for (int k = 0; k < f->pair_count; k++) {
        lmb_force_go_to(s, f, k, &at);
        lmb_frame on_B = lmb_force_on_B(f, &at);
        frame_add(&sum, 1 + fmod(0.6180339887 * k, 1), &on_B);
    }
    return sum;
}

/* The instants at which laws are compared lie at no simple fractions of the period. */
static double instant(double start, double period, int i)
{
    return start + period * (i + 0.31830988618) / INSTANTS;
}

/* How far a driver's law is off after a period, relative to what it does in it. */
static double driver_misses(lmb_state *s, const lmb_driver *d, double start, double period)
{
    double off = 0, size[3] = {0}, miss[3] = {0};
    bool angle = s->model->parts.coordinates[d->coordinate].kind == LMB_COORDINATE_ANGLE;
    for (int i = 0; i < INSTANTS; i++) {
        double t = instant(start, period, i);
        lmb_jet now = law_at(s, d, t), then = law_at(s, d, t + period);
        double moved = then.f - now.f;
        moved -= angle ? 2 * LMB_PI * round(moved / (2 * LMB_PI)) : 0;
        const double sizes[3] = {fabs(now.f) + fabs(now.d) * period, fabs(now.d), fabs(now.dd)};
        const double misses[3] = {fabs(moved), fabs(then.d - now.d), fabs(then.dd - now.dd)};
        for (int k = 0; k < 3; k++) {
            size[k] = fmax(size[k], sizes[k]);
            miss[k] = fmax(miss[k], misses[k]);
        }
    }
    size[1] = fmax(size[1], size[0] / period);
    size[2] = fmax(size[2], size[1] / period);
    for (int k = 0; k < 3; k++)
        off = fmax(off, size[k] > 0 ? miss[k] / size[k] : 0);
    return off;
}

/* The square of the difference of two forces. */
static double apart(const lmb_frame *a, const lmb_frame *b)
{
    double sum = v3_dot(v3_sub(a->p, b->p), v3_sub(a->p, b->p));
    for (int i = 0; i < 3; i++)
        sum += v3_dot(v3_sub(a->e[i], b->e[i]), v3_sub(a->e[i], b->e[i]));
    return sum;
}

/* The largest difference of a force at instants t and t + later, relative to the largest force. */
static double force_changes(lmb_state *s, const lmb_force *f, double start, double span,
                            double later)
{
    double largest = 0, off = 0;
    for (int i = 0; i < INSTANTS; i++) {
        double t = instant(start, span, i);
        lmb_frame now = force_at(s, f, t), then = force_at(s, f, t + later);
        largest = fmax(largest, frame_dot(&now, &now));
        off = fmax(off, apart(&then, &now));
    }
    return largest > 0 ? sqrt(off / largest) : 0;
}

/* Names what does not repeat itself after a period; NULL: all does. */
static const char *find_miss(lmb_state *s, double start, double period, const char **kind)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->driver_count; i++)
        if (acts(s, &m->drivers[i]) &&
            !(driver_misses(s, &m->drivers[i], start, period) <= rounding)) {
            *kind = "driver";
            return m->drivers[i].name;
        }
    for (int i = 0; i < m->force_count; i++)
        if (!s->force_off[i] &&
            !(force_changes(s, &m->forces[i], start, period, period) <= rounding)) {
            *kind = "force";
            return m->forces[i].name;
        }
    return NULL;
}

/* Whether something depends on time, as seen over a span. Pulses may lie between the instants. */
static bool is_driven(lmb_state *s, double start, double span)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->driver_count; i++)
        for (int k = 0; k < INSTANTS && acts(s, &m->drivers[i]); k++)
            if (law_at(s, &m->drivers[i], instant(start, span, k)).d != 0)
                return true;
    for (int i = 0; i < m->force_count; i++)
        if (!s->force_off[i] &&
            !(force_changes(s, &m->forces[i], start, span, 0.2360679775 * span) <= rounding))
            return true;
    return lmb_laws_break(s, start, start + span);
}

/* The slowest driver that turns at constant speed; 0: there is none. */
static double slowest_turning(lmb_state *s, double start)
{
    const lmb_model *m = s->model;
    double slowest = 0;
    for (int i = 0; i < m->driver_count; i++) {
        const lmb_driver *d = &m->drivers[i];
        if (!acts(s, d) || m->parts.coordinates[d->coordinate].kind != LMB_COORDINATE_ANGLE)
            continue;
        lmb_jet law = law_at(s, d, start);
        if (law.dd == 0 && law.d != 0 && (slowest == 0 || fabs(law.d) < slowest))
            slowest = fabs(law.d);
    }
    return slowest;
}

/* A few turns of the slowest driver after which all is as before; 0: none is found. */
static double find_turns(lmb_state *s, double start)
{
    enum { MOST_TURNS = 12 };
    double speed = slowest_turning(s, start);
    const char *kind;
    for (int k = 1; speed > 0 && k <= MOST_TURNS; k++)
        if (!find_miss(s, start, k * 2 * LMB_PI / speed, &kind))
            return k * 2 * LMB_PI / speed;
    return 0;
}

lmb_status lmb_find_period(lmb_state *s, lmb_context *context, double *period)
{
    double start = s->t, span = *period > 0 ? *period : 1;
    lmb_status status = LMB_OK;
    const char *kind, *name = NULL;
    if (!is_driven(s, start, span)) {
        lmb_fail(context, LMB_BAD_INPUT,
                 "'begin: periodic' needs something that is driven, and no law depends on time");
        status = lmb_hint(context, "a driver or a force with a law such as 'angle: omega*t'");
    } else if (*period == 0 && (*period = find_turns(s, start)) == 0) {
        lmb_fail(context, LMB_BAD_INPUT,
                 "the period of the laws is not known: no driver turns at constant speed");
        status = lmb_hint(context, "give it, for example 'period: 2*pi/omega'");
    } else if ((name = find_miss(s, start, *period, &kind))) {
        lmb_fail(context, LMB_BAD_INPUT, "the law of %s '%s' does not repeat itself after %.10g s",
                 kind, name, *period);
        status = lmb_hint(context, "'period' must be that of all laws, such as '2*pi/omega', in "
                                   "which a driven angle may make whole turns");
    }
    lmb_update(s, start);
    return status;
}
