/* Critical speeds, directly.
 *
 * A motion whose frequency is r times the speed W, without damping, has s = i r W, so that
 *
 *   K x = W^2 (r^2 M - i r G) x
 *
 * is an eigenvalue problem of its own for W^2. With complex unknowns r > 0 gives forward and r < 0
 * backward whirl. Where bearings depend on speed, speeds are scanned for those at which K(W) gives
 * W again. The damped critical speed, Im s(W) = r W, is followed from there while damping grows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rotor/rotor.h"

static bool bearings_depend(const lmb_rotor *r)
{
    bool depends = false;
    for (int i = 0; i < r->bearing_count; i++) {
        const lmb_rotor_bearing *b = &r->bearings[i];
        const lmb_rotor_law *const laws[] = {&b->stiffness, &b->mass, &b->support_stiffness};
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < laws[k]->size; n++)
                depends = depends || !lmb_expr_is_constant(laws[k]->of[n]);
    }
    return depends;
}

/* The critical speeds with the stiffness at a speed, ascending; returns how many or below 0. */
static int solve(lmb_rotor_system *s, lmb_arena *arena, double speed, double ratio, int count,
                 double *speeds, lmb_complex *vectors)
{
    size_t n = (size_t)s->n;
    lmb_band right; /* r^2 M - i r G */
    int want = s->isotropic ? 2 * count + 2 : 2 * count + 4;
    want = want < s->n ? want : s->n;
    lmb_complex *values = lmb_arena_alloc(arena, (size_t)want + 1, sizeof *values);
    lmb_complex *x = lmb_arena_alloc(arena, (size_t)want * n + 1, sizeof *x);
    lmb_band_new(&right, arena, s->n, s->K.width);
    if (!lmb_arena_fine(arena))
        return -1;
    lmb_rotor_set_speed(s, speed);
    lmb_band_sum(&right, CMPLX(0, -ratio), &s->gyroscopic);
    lmb_rotor_hold_band(s, &right, 0);
    lmb_band_sum(&right, ratio * ratio, &s->M);
    if (!lmb_band_factorise(&s->factor, &s->symmetric))
        return -3;
    int found = lmb_rotor_largest(s, arena, &right, want, values, x), used = 0;
    double largest = found > 0 ? cabs(values[0]) : 0;
    for (int k = 0; k < found && used < count; k++) {
        /* a negative one belongs to discs so flat that they never whirl forward at their speed */
        if (creal(values[k]) < 1e-13 * largest || fabs(cimag(values[k])) > 1e-6 * cabs(values[k]))
            continue;
        speeds[used] = 1 / sqrt(creal(values[k]));
        memcpy(vectors + (size_t)used++ * n, x + (size_t)k * n, n * sizeof *x);
    }
    return found < 0 ? found : used;
}

/* --- bearings that depend on speed ---------------------------------------------------------------
 *
 * With the stiffness at a speed W, critical speed number k would be f_k(W); it is one where
 * f_k(W) = W, which a bearing that gets stiffer or softer may meet several times. */

typedef struct scan {
    lmb_rotor_system *s;
    double ratio;
    int count;
    double speed, *would; /* W, and f_k(W); INFINITY where there is none */
    lmb_complex *vectors; /* count x n */
} scan;

/* All f_k at a speed; below 0: an error. */
static int look(scan *c, double speed)
{
    lmb_arena *room = lmb_arena_new();
    int found = solve(c->s, room, speed, c->ratio, c->count, c->would, c->vectors);
    lmb_arena_free(room);
    c->speed = speed;
    for (int k = found < 0 ? 0 : found; k < c->count; k++)
        c->would[k] = INFINITY;
    return found;
}

/* f_k(W) = W between two speeds where f_k(W) - W has different signs, by false position (Illinois);
 * leaves the scan there. 1: found, 0: it jumps, below 0: an error. */
static int settle(scan *c, int k, double low, double off_low, double high, double off_high)
{
    int side = 0;
    for (int i = 0; i < 100; i++) {
        double at = (low * off_high - high * off_low) / (off_high - off_low);
        int found = look(c, isfinite(at) ? at : (low + high) / 2);
        if (found < 0)
            return found;
        double off = c->would[k] - c->speed;
        if (fabs(off) <= 1e-12 * c->speed || high - low <= 1e-13 * c->speed)
            return fabs(off) <= 1e-6 * c->speed;
        if ((off > 0) == (off_low > 0)) {
            low = c->speed;
            off_low = off;
            off_high = side == 1 ? off_high / 2 : off_high;
            side = 1;
        } else {
            high = c->speed;
            off_high = off;
            off_low = side == -1 ? off_low / 2 : off_low;
            side = -1;
        }
    }
    return 0;
}

/* The next speed of a scan: even steps through the speeds of interest, then longer and longer ones
 * until all f_k are below; 0: done. */
static double next_speed(const scan *c, int step)
{
    enum { STEPS = 60, MORE = 60 };
    const lmb_rotor *r = c->s->rotor;
    double top = fmax(r->to, r->speed), largest = 0;
    for (int k = 0; k < c->count; k++)
        largest = isfinite(c->would[k]) ? fmax(largest, c->would[k]) : largest;
    if (!(top > 0))
        top = 2 * c->s->scale;
    if (step <= STEPS)
        return top * step / STEPS;
    return step <= STEPS + MORE && c->speed < largest ? 1.1 * c->speed : 0;
}

/* Critical speeds with their vectors (n each), ascending up to the last step; how many, or below 0.
 */
static int solve_with_speed(lmb_rotor_system *s, lmb_arena *arena, double ratio, int most,
                            double *speeds, lmb_complex *vectors)
{
    size_t n = (size_t)s->n, room = (size_t)most;
    double *before = lmb_arena_numbers(arena, 3 * room + 1), speed_before = 0;
    lmb_complex *x = lmb_arena_alloc(arena, 2 * room * n + 1, sizeof *x);
    if (!lmb_arena_fine(arena))
        return -1;
    scan all = {s, ratio, most, 0, before + room, x};
    scan refined = {s, ratio, most, 0, before + 2 * room, x + room * n};
    int count = 0, found = look(&all, 0);
    for (int step = 1; found >= 0 && count < most; step++) {
        double speed = next_speed(&all, step);
        if (!(speed > 0))
            break;
        memcpy(before, all.would, room * sizeof *before);
        found = look(&all, speed);
        for (int k = 0; k < most && found >= 0 && count < most; k++) {
            double off_before = before[k] - speed_before, off = all.would[k] - speed;
            if (!isfinite(off_before) || !isfinite(off) || (off_before > 0) == (off > 0))
                continue;
            int settled = settle(&refined, k, speed_before, off_before, speed, off);
            if (settled < 0)
                return settled;
            if (!settled)
                continue;
            speeds[count] = refined.speed;
            memcpy(vectors + (size_t)count++ * n, refined.vectors + (size_t)k * n,
                   n * sizeof *vectors);
        }
        speed_before = speed;
    }
    return found < 0 ? found : count;
}

/* --- with damping ----------------------------------------------------------------------------- */

/* A vibration is known again by a shape as much alike as this. */
static const double alike = 0.9;

/* A vibration whose frequency is r times the speed. */
typedef struct crossing {
    double speed;
    lmb_complex value; /* s */
    lmb_complex *shape;
} crossing;

/* Sets the speed, with a part of all that is not conservative: 0 is the undamped rotor. */
static void set_part(lmb_rotor_system *s, double speed, double part)
{
    lmb_rotor_set_speed(s, speed);
    if (part == 1)
        return;
    lmb_band_copy(&s->work, &s->gyroscopic);
    lmb_rotor_hold_band(s, &s->work, 0);
    lmb_band_sum(&s->C, part - 1, &s->C);
    lmb_band_sum(&s->C, (1 - part) * speed, &s->work);
    lmb_band_sum(&s->K, part - 1, &s->K);
    lmb_band_sum(&s->K, 1 - part, &s->symmetric);
}

/* The vibration at a speed that is most like another one; 1, or 0 where there is none, or below 0.
 */
static int most_similar(lmb_rotor_system *s, lmb_arena *arena, double speed, double part,
                        const crossing *of, crossing *out)
{
    enum { NEAR = 4 };
    size_t n = (size_t)s->n;
    lmb_complex values[NEAR];
    lmb_complex *x = lmb_arena_alloc(arena, NEAR * n + 1, sizeof *x);
    set_part(s, speed, part);
    /* a little off, or the vibration itself would make it singular */
    lmb_complex shift = of->value + CMPLX(1e-4, 1e-3 * cimag(of->value) / speed) * speed;
    int found = lmb_rotor_nearest(s, arena, shift, NEAR, values, x);
    double best = 0;
    for (int k = 0; k < found; k++) {
        const lmb_complex *shape = x + (size_t)k * n;
        double fit = lmb_rotor_mac(s->n, of->shape, shape) /
                     (1 + cabs(values[k] - of->value) / cabs(of->value));
        if (fit > best && cimag(values[k]) * cimag(of->value) > 0) {
            best = fit;
            out->value = values[k];
            memcpy(out->shape, shape, n * sizeof *shape);
        }
    }
    return found < 0 ? found : best > 0;
}

/* The speed at which Im s = r W of a vibration like another one, by secants; 1, or 0 where there is
 * none, or below 0. */
static int cross(lmb_rotor_system *s, lmb_arena *room, double ratio, double part,
                 const crossing *from, crossing *out)
{
    double at = from->speed, before = NAN, off_before = NAN;
    for (int i = 0; i < 20; i++) {
        lmb_arena_clear(room);
        int found = most_similar(s, room, at, part, from, out);
        if (found <= 0)
            return found == -1 ? -1 : 0;
        if (lmb_rotor_mac(s->n, from->shape, out->shape) < alike)
            return 0;
        double off = cimag(out->value) - ratio * at;
        out->speed = at;
        /* good, or as good as rounding lets it be */
        double size = fabs(off) / (at * fabs(ratio));
        if (size <= 1e-10 || (size <= 1e-6 && fabs(off) > 0.3 * fabs(off_before)))
            return 1;
        double next = at + off / ratio;
        if (i > 0 && off != off_before)
            next = at - off * (at - before) / (off - off_before);
        if (!(next > 0.3 * at) || !(next < 3 * at))
            next = at * (off * ratio > 0 ? 1.1 : 0.9);
        before = at;
        off_before = off;
        at = next;
    }
    return 0;
}

/* Sense, damping and decrement of the vibration at a critical speed. */
static lmb_status set_mode(const lmb_rotor_system *s, lmb_arena *arena, lmb_complex value,
                           const lmb_complex *shape, lmb_critical *c)
{
    lmb_whirl mode;
    lmb_set_whirl(s, arena, value, shape, &mode);
    c->ratio = mode.ratio;
    c->decrement = mode.decrement;
    c->sense = mode.sense;
    c->mixed = mode.mixed;
    return lmb_check_memory(s->context, arena);
}

/* Follows an undamped critical speed while the damping grows from nothing to its own amount: at
 * once, or in as many steps as it takes to know the vibration again. Strong dampers leave some
 * without a damped one. */
static lmb_status set_damped(lmb_rotor_system *s, double ratio, const lmb_complex *shape,
                             lmb_critical *c)
{
    const double least_step = 1.0 / 64;
    lmb_arena *arena = lmb_arena_new();
    lmb_status status = lmb_check_memory(s->context, arena);
    crossing now = {c->undamped, CMPLX(0, ratio * c->undamped), s->vector[0]};
    crossing next = {.shape = s->vector[1]};
    double part = 0;
    c->damped = c->ratio = c->decrement = NAN;
    memcpy(now.shape, shape, (size_t)s->n * sizeof *shape);
    for (double step = 1; !status && part < 1 && step >= least_step;) {
        int found = cross(s, arena, ratio, part + step, &now, &next);
        if (found < 0)
            status = lmb_fail_memory(s->context);
        if (found <= 0) {
            step /= 2;
            continue;
        }
        part += step;
        step = fmin(2 * step, 1 - part);
        crossing other = now;
        now = next;
        next = other;
    }
    if (!status && part == 1) {
        c->damped = now.speed;
        status = set_mode(s, arena, now.value, now.shape, c);
    }
    lmb_arena_free(arena);
    return status;
}

/* Those of one direction of the ratio, added to a list. */
static lmb_status add_criticals(lmb_rotor_system *s, lmb_arena *arena, int count, double ratio,
                                lmb_critical_list *out)
{
    size_t n = (size_t)s->n;
    bool depends = bearings_depend(s->rotor);
    lmb_arena *room = lmb_arena_new();
    double *speeds = lmb_arena_numbers(room, (size_t)count + 1);
    lmb_complex *x = lmb_arena_alloc(room, (size_t)count * n + 1, sizeof *x);
    int found = !lmb_arena_fine(room) ? -1
                : depends             ? solve_with_speed(s, room, ratio, count, speeds, x)
                                      : solve(s, room, 0, ratio, count, speeds, x);
    lmb_status status = found >= 0 ? LMB_OK : lmb_fail_whirl(s, found, 0);
    for (int k = 0; k < found && !status; k++) {
        const lmb_complex *shape = x + (size_t)k * n;
        lmb_critical *c = &out->of[out->count++];
        *c = (lmb_critical){.undamped = speeds[k]};
        lmb_rotor_set_speed(s, speeds[k]);
        status = set_mode(s, arena, CMPLX(0, ratio * speeds[k]), shape, c);
        if (!status)
            status = set_damped(s, ratio, shape, c);
    }
    lmb_arena_free(room);
    return status;
}

static int by_speed(const void *a, const void *b)
{
    const lmb_critical *x = a, *y = b;
    if (fabs(x->undamped - y->undamped) <= 1e-9 * x->undamped)
        return (x->sense > y->sense) - (x->sense < y->sense);
    return x->undamped > y->undamped ? 1 : -1;
}

lmb_status lmb_find_criticals(lmb_rotor_system *s, lmb_arena *arena, int count, double ratio,
                              lmb_critical_list *out)
{
    *out = (lmb_critical_list){0};
    out->of = lmb_arena_alloc(arena, 2 * (size_t)count + 1, sizeof *out->of);
    lmb_status status = lmb_check_memory(s->context, arena);
    if (status || s->rotor->bearing_count == 0)
        return status;
    status = add_criticals(s, arena, count, ratio, out);
    if (!status && s->isotropic)
        status = add_criticals(s, arena, count, -ratio, out);
    qsort(out->of, (size_t)out->count, sizeof *out->of, by_speed);
    out->count = out->count < count ? out->count : count;
    return status;
}
