/* What a run is watched for, and warned of once.
 *
 * Sensors that are not finite numbers.
 *
 * Energy that is not accounted for. The balance B = total + dissipated - supplied is constant but
 * for errors of integration. Its largest change is compared with the largest energy that was
 * exchanged: the largest range of the five parts that B consists of, over the output, and of
 * kinetic energy and work also over the steps, as the output may show the same phase of a vibration
 * always.
 *
 * Output that is too coarse. The mean square frequency of a number x that varies is
 *
 *   w^2 = sum (xdot - mean xdot)^2 / sum (x - mean x)^2
 *
 * over the instants of the output, however far apart these are: that of a vibration, and where
 * motions of several frequencies mix, one nearer to those that x mostly consists of. x is a
 * velocity, and of modes the modal coordinate itself, which stresses go with. The output may always
 * show the same phase; so turns of x, by more than a quarter of its range, are counted over the
 * steps too: half a period lies between two. At half a period between two instants,
 * w output_step = pi, the output shows another motion than there was. An angle that goes on by half
 * a turn may as well have gone back by half a turn.
 *
 * Instants that rounding moves: the spacing of numbers near t against the length of the steps. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "run/run.h"
#include "system/state.h"

enum { KINETIC, POTENTIAL, ELASTIC, SUPPLIED, DISSIPATED, PARTS, BALANCE = PARTS, ENERGIES };
static const char *const energy_names[] = {"energy.kinetic",    "energy.potential",
                                           "energy.elastic",    "energy.supplied",
                                           "energy.dissipated", "energy.balance"};

/* A coordinate so far. */
typedef struct coordinate {
    int mode; /* index in q of a modal coordinate, or -1 */

    /* over the instants of the output: sums of x, its square, its rate, the square of that; the
     * largest of these, as one impact is no vibration; and the number of instants at which it is
     * the rate of an angle that turns too fast */
    double x, xx, d, dd, jolt;
    int fast;

    /* over the steps */
    double low, high, extreme; /* the range of x, and the furthest since it turned */
    double counted;            /* the range from which on turns were counted */
    bool rises;
    int turns;
    double first, last; /* instants of turns */
} coordinate;

struct lmb_watch {
    lmb_context *context;
    const lmb_model *model;
    const lmb_analysis *analysis;

    int *undefined;               /* rows in which a sensor is not a finite number */
    int *sensor_at, *sensor_size; /* where they are in a row; 0 numbers for one that was reported */

    bool accounts; /* the energies are known */
    int energy_at[ENERGIES];
    double low[PARTS], high[PARTS], largest; /* ranges, and the largest magnitude of a part */
    double balance0, off, off_at;            /* the largest change of the balance, and when */
    int rows;

    coordinate *coordinates; /* nv */
    int states;              /* in the sums */
    long observed;           /* steps */
    double seen;             /* the end of the last one */

    bool rounding; /* was reported */
    double last;   /* the last instant */
    long steps;    /* and the steps up to it */
};

/* --- rounding --------------------------------------------------------------------------------- */

/* Whether steps of a length are moved by more than a thousandth. */
static void check_rounding(lmb_watch *w, double t, double step)
{
    double spacing = nextafter(fabs(t), INFINITY) - fabs(t);
    if (w->rounding || !(step > 0) || spacing < 1e-3 * step)
        return;
    w->rounding = true;
    lmb_warn_at(
        w->context, w->analysis->place,
        "analysis '%s': near t = %.6g numbers are %.2g s apart, and steps of %.2g s are lost "
        "in rounding",
        w->analysis->name, t, spacing, step);
    lmb_hint(w->context, "let it begin near t = 0, with laws that count time from there");
}

/* --- sensors ---------------------------------------------------------------------------------- */

static void warn_of_sensor(const lmb_watch *w, int sensor, double t)
{
    const lmb_sensor *x = &w->model->sensors[sensor];
    const char *over = w->analysis->kind->over ? w->analysis->kind->over : "t";
    lmb_warn_at(w->context, x->place,
                "sensor '%s' is not a finite number in analysis '%s' at %s = %.10g", x->name,
                w->analysis->name, over, t);
}

/* Sensors must be finite at all instants and loads. Where nothing moves in a mode, a ratio of
 * velocities is not: such a sensor must be finite in another mode. */
static void check_sensors(lmb_watch *w, double t, const double *row)
{
    for (int i = 0; i < w->model->sensor_count; i++)
        for (int k = 0; k < w->sensor_size[i]; k++) {
            if (isfinite(row[w->sensor_at[i] + k]))
                continue;
            w->undefined[i]++;
            if (w->analysis->kind->known & LMB_KNOWN_MODES)
                break;
            w->sensor_size[i] = 0;
            warn_of_sensor(w, i, t);
        }
}

static void check_modes(const lmb_watch *w)
{
    for (int i = 0; i < w->model->sensor_count && w->rows > 0; i++)
        if (w->sensor_size[i] > 0 && w->undefined[i] == w->rows)
            warn_of_sensor(w, i, 1);
}

/* --- energy ----------------------------------------------------------------------------------- */

/* Takes a part of the energy into its range. */
static void widen(lmb_watch *w, int part, double x)
{
    w->low[part] = fmin(w->low[part], x);
    w->high[part] = fmax(w->high[part], x);
}

static void take_energy(lmb_watch *w, double t, const double *row)
{
    for (int i = 0; i < PARTS; i++) {
        widen(w, i, row[w->energy_at[i]]);
        w->largest = fmax(w->largest, fabs(row[w->energy_at[i]]));
    }
    double balance = row[w->energy_at[BALANCE]];
    if (w->rows == 0)
        w->balance0 = balance;
    if (fabs(balance - w->balance0) > fabs(w->off)) {
        w->off = balance - w->balance0;
        w->off_at = t;
    }
}

static void check_energy(lmb_watch *w)
{
    const lmb_integration *x = &w->analysis->integration;
    const double much = 0.05; /* of what was exchanged, with steps of a given length */
    bool controlled = x->integrator->controlled || (x->integrator->may_control && x->tolerance > 0);
    double exchanged = 0;
    for (int i = 0; i < PARTS; i++)
        exchanged = fmax(exchanged, w->high[i] - w->low[i]);
    double part = controlled ? fmax(much, 10 * x->tolerance) : much;
    /* what is small against all energies is rounding, or a motion that the tolerance passes over;
     * as is the energy of a body that moves by a millionth of the model's length in all the time */
    double slow = 1e-6 * w->model->length / w->analysis->duration;
    double small = fmax(1e-6 * w->largest, w->model->heaviest * slow * slow);
    if (!(fabs(w->off) > part * exchanged) || exchanged < small)
        return;
    lmb_warn_at(w->context, w->analysis->place,
                "analysis '%s': %.3g J %s by t = %g that no force accounts for, %.3g %% of the "
                "largest energy exchanged",
                w->analysis->name, fabs(w->off), w->off > 0 ? "have appeared" : "are lost",
                w->off_at, 100 * fabs(w->off) / exchanged);
    if (controlled)
        lmb_hint(w->context, "take a smaller 'tolerance' than %g", x->tolerance);
    else if (x->integrator->implicit)
        lmb_hint(w->context, "take shorter steps than %g s: give a smaller 'step'", x->step);
    else
        lmb_hint(w->context,
                 "take shorter steps than %g s, or 'integrator: rk45', which chooses them",
                 x->step);
}

/* --- output ----------------------------------------------------------------------------------- */

/* Looks at whether a coordinate has turned back at an instant. Turns in a far smaller range, as of
 * rounding while nothing moves, do not count. */
static void count_turn(coordinate *c, double t, double x)
{
    c->low = fmin(c->low, x);
    c->high = fmax(c->high, x);
    if (c->high - c->low > 4 * c->counted) {
        c->counted = c->high - c->low;
        c->turns = 0;
    }
    if (c->rises ? x >= c->extreme : x <= c->extreme) {
        c->extreme = x;
    } else if (fabs(x - c->extreme) > (c->high - c->low) / 4) {
        c->extreme = x;
        c->rises = !c->rises;
        c->first = c->turns++ ? c->first : t;
        c->last = t;
    }
}

static void take_motion(lmb_watch *w, const lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int j = 0; j < m->nv; j++) {
        coordinate *c = &w->coordinates[j];
        double x = c->mode < 0 ? s->v[j] : s->q[c->mode], d = c->mode < 0 ? s->a[j] : s->v[j];
        if (w->states == 0)
            c->low = c->high = c->extreme = x;
        c->x += x;
        c->xx += x * x;
        c->d += d;
        c->dd += d * d;
        c->jolt = fmax(c->jolt, d * d);
        c->fast +=
            lmb_class_turns(m->columns[j].class) && fabs(x) * w->analysis->output_step > LMB_PI;
    }
    w->states++;
}

/* Take a step. Steps that an event has taken back are not counted twice. */
static void take_step(void *user, const lmb_motion *motion)
{
    enum { EVERY = 8 };
    lmb_watch *w = user;
    const lmb_state *s = motion->solver->state;
    if (!(s->t > w->seen))
        return;
    w->seen = s->t;
    for (int j = 0; j < s->model->nv; j++) {
        coordinate *c = &w->coordinates[j];
        double x = c->mode < 0 ? s->v[j] : s->q[c->mode];
        count_turn(c, s->t, x);
    }
    if (w->observed++ % EVERY || !w->accounts)
        return;
    widen(w, KINETIC, lmb_total_balance(s).kinetic);
    widen(w, SUPPLIED, s->work[LMB_WORK_SUPPLIED]);
    widen(w, DISSIPATED, s->work[LMB_WORK_DISSIPATED]);
}

/* Return how far a coordinate varies, in m/s or for modes in m, and its frequency in rad/s. The
 * frequency is that of its turns if they last for a third of the time. The output counts if it
 * shows the range. */
static double varying(const lmb_watch *w, int j, double *frequency)
{
    enum { FEW = 16 };
    const coordinate *c = &w->coordinates[j];
    double n = w->states, xx = fmax(0, c->xx - c->x * c->x / n) / n, time = c->last - c->first;
    double dd = fmax(0, c->dd - c->jolt - c->d * c->d / n) / n;
    double range = c->high - c->low, square = fmax(xx, range * range / 8);
    *frequency = xx > 0.1 * square ? sqrt(dd / xx) : 0;
    if (c->turns > FEW && 3 * time > w->seen - w->analysis->start)
        *frequency = fmax(*frequency, LMB_PI * (c->turns - 1) / time);
    return w->model->columns[j].size * sqrt(square);
}

/* The fastest of the coordinates that take part in the motion, or in the deformations: those with a
 * tenth of what varies most there. */
static double fastest(const lmb_watch *w, int *which)
{
    /* less than that is noise: lengths of the model per second, and of modes */
    double L = w->model->length, largest[2] = {1e-5 * L, 1e-8 * L}, fastest = 0, frequency;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < w->model->nv; j++) {
            const coordinate *c = &w->coordinates[j];
            bool mode = w->model->columns[j].class == LMB_CLASS_MODE;
            double size = varying(w, j, &frequency);
            if (pass == 0)
                largest[mode] = fmax(largest[mode], size);
            if (3 * c->fast > w->states) /* a spin: the rate itself */
                frequency = fmax(frequency, sqrt(c->xx / w->states));
            else if (size < 0.1 * largest[mode])
                continue;
            if (pass == 1 && frequency > fastest) {
                fastest = frequency;
                *which = j;
            }
        }
    return fastest;
}

static void check_output(lmb_watch *w)
{
    enum { FEW = 8 };
    int j = 0;
    double step = w->analysis->output_step, frequency = w->states > FEW ? fastest(w, &j) : 0;
    if (!(frequency * step > LMB_PI))
        return;
    char name[128];
    lmb_column_name(w->model, j, name, sizeof name);
    lmb_warn_at(w->context, w->analysis->place,
                "analysis '%s': an output every %.3g s does not show the motion of '%s', which has "
                "a frequency of about %.3g Hz",
                w->analysis->name, step, name, frequency / (2 * LMB_PI));
    lmb_hint(w->context, "it takes an 'output_step' of about %.1g s", 2 * LMB_PI / frequency / 10);
}

/* --- life ------------------------------------------------------------------------------------- */

lmb_status lmb_watch_new(lmb_watch **out, lmb_context *context, lmb_arena *arena,
                         const lmb_model *m, const lmb_analysis *a, const lmb_channels *channels)
{
    size_t sensors = (size_t)m->sensor_count + 1;
    lmb_watch *w = *out = lmb_arena_alloc(arena, 1, sizeof *w);
    int *at = lmb_arena_integers(arena, sensors), *size = lmb_arena_integers(arena, sensors);
    int *undefined = lmb_arena_integers(arena, sensors);
    coordinate *coordinates = lmb_arena_alloc(arena, (size_t)m->nv + 1, sizeof *coordinates);
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    *w = (lmb_watch){.context = context,
                     .model = m,
                     .analysis = a,
                     .undefined = undefined,
                     .sensor_at = at,
                     .sensor_size = size,
                     .coordinates = coordinates,
                     .accounts = a->kind->known & LMB_KNOWN_WORK,
                     .seen = a->start,
                     .last = a->start};
    for (int j = 0; j < m->nv; j++) {
        const lmb_node *node = lmb_column_node(m, j);
        bool mode = m->columns[j].class == LMB_CLASS_MODE;
        coordinates[j].mode = mode ? node->q + j - node->v : -1;
    }
    for (int i = 0; i < PARTS; i++) {
        w->low[i] = INFINITY;
        w->high[i] = -INFINITY;
    }
    lmb_place nowhere = {0};
    for (int i = 0; i < m->sensor_count; i++)
        if (m->sensors[i].kind == LMB_SENSOR_EXPRESSION &&
            lmb_channels_find(channels, context, m->sensors[i].name, nowhere, &at[i], &size[i]))
            return LMB_BAD_INPUT;
    int one;
    for (int i = 0; i < ENERGIES && w->accounts; i++)
        if (lmb_channels_find(channels, context, energy_names[i], nowhere, &w->energy_at[i], &one))
            return LMB_BAD_INPUT;
    if (!a->kind->timeless)
        check_rounding(w, fmax(fabs(a->start), fabs(a->start + a->duration)), a->output_step);
    return LMB_OK;
}

void lmb_watch_row(lmb_watch *w, double t, const double *row)
{
    check_sensors(w, t, row);
    if (w->accounts)
        take_energy(w, t, row);
    w->rows++;
}

void lmb_watch_state(lmb_watch *w, const lmb_state *s, lmb_motion *motion)
{
    long steps = motion ? motion->steps - w->steps : 0;
    if (steps > 0)
        check_rounding(w, s->t, (s->t - w->last) / (double)steps);
    w->steps = motion ? motion->steps : 0;
    w->last = s->t;
    if (motion) {
        motion->observe = take_step;
        motion->observer = w;
    }
    take_motion(w, s);
}

void lmb_watch_end(lmb_watch *w)
{
    check_modes(w);
    if (w->accounts && w->rows > 1)
        check_energy(w);
    check_output(w);
}
