/* Whirl of a rotor at a speed, and over speeds.
 *
 * The eigenvalues s of s^2 M + s C + K nearest to a shift p are the largest 1 / (s - p) of the
 * first-order form. One product with it is a solution with p^2 M + p C + K, a band matrix:
 *
 *   q = -(p^2 M + p C + K)^-1 (M b + C a + p M a),  r = a + p q,  for (a, b) -> (q, r)
 *
 * So all modes shown are those of the whole model; nothing is reduced. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rotor/rotor.h"
#include "math/eigen.h"
#include "math/vec.h"

/* --- eigenvalues near a shift ----------------------------------------------------------------- */

typedef struct pencil {
    lmb_rotor_system *s;
    lmb_complex shift;
    double scale; /* velocities are divided by it */
    lmb_complex *room;
} pencil;

static void apply(void *user, const lmb_complex *x, lmb_complex *y)
{
    pencil *p = user;
    lmb_rotor_system *s = p->s;
    int n = s->n;
    for (int i = 0; i < n; i++)
        p->room[i] = x[n + i] * p->scale + p->shift * x[i];
    lmb_band_multiply(&s->M, p->room, y);
    lmb_band_multiply(&s->C, x, p->room);
    for (int i = 0; i < n; i++)
        y[i] = -(y[i] + p->room[i]);
    lmb_band_solve(&s->factor, y);
    for (int i = 0; i < n; i++)
        y[n + i] = (x[i] + p->shift * y[i]) / p->scale;
}

/* The rounding of K q, to which many short elements add much: some units of |K| |q|. */
static double rounding_of(const lmb_band *K, const lmb_complex *q)
{
    double sum = 0;
    for (int i = 0; i < K->n; i++)
        for (int j = i - K->width < 0 ? 0 : i - K->width; j < K->n && j <= i + K->width; j++)
            sum += cabs(*lmb_band_at(K, i, j)) * cabs(q[j]);
    return 400 * DBL_EPSILON * sum;
}

/* Whether s^2 M q + s C q + K q is zero, up to a part of its terms or to rounding. */
static bool fits(const lmb_rotor_system *s, lmb_complex value, const lmb_complex *q,
                 lmb_complex *room)
{
    const lmb_band *const of[] = {&s->K, &s->C, &s->M};
    int n = s->n;
    double all = 0, off = 0;
    lmb_complex factor = 1;
    for (int k = 0; k < 3; k++, factor *= value) {
        double size = 0;
        lmb_band_multiply(of[k], q, room);
        for (int i = 0; i < n; i++) {
            room[n + i] = (k ? room[n + i] : 0) + factor * room[i];
            size += cabs(factor * room[i]);
        }
        all += size;
    }
    for (int i = 0; i < n; i++)
        off += cabs(room[n + i]);
    return off < 1e-6 * all || off < rounding_of(&s->K, q);
}

bool lmb_rotor_factorise(lmb_rotor_system *s, lmb_complex shift)
{
    lmb_band_copy(&s->work, &s->K);
    lmb_band_sum(&s->work, shift, &s->C);
    lmb_band_sum(&s->work, shift * shift, &s->M);
    return lmb_band_factorise(&s->factor, &s->work);
}

/* Inverse iteration from an eigenvalue that is too rough, as those that are much larger than the
 * smallest one are, or vectors that hardly move in bearings that hardly give way; x and y have 2 n
 * numbers. False where there is none nearby. */
static bool improve(pencil *p, lmb_complex *value, lmb_complex *x, lmb_complex *y)
{
    int n = p->s->n;
    lmb_complex first = *value;
    for (int round = 0; round < 3; round++) {
        p->shift = *value * (1 + 1e-6);
        if (!lmb_rotor_factorise(p->s, p->shift))
            return false;
        lmb_complex product = 0;
        double size = 0, length = 0;
        for (int i = 0; i < n; i++)
            x[n + i] = *value / p->scale * x[i];
        apply(p, x, y);
        for (int i = 0; i < 2 * n; i++) {
            product += conj(x[i]) * y[i];
            size += creal(conj(x[i]) * x[i]);
            length += creal(conj(y[i]) * y[i]);
        }
        *value = p->shift + size / product;
        for (int i = 0; i < n; i++)
            x[i] = y[i] / sqrt(length);
        if (!(cabs(*value - first) < 1e-2 * cabs(first)))
            return false;
        if (fits(p->s, *value, x, p->room))
            return true;
    }
    return false;
}

int lmb_rotor_nearest(lmb_rotor_system *s, lmb_arena *arena, lmb_complex shift, int count,
                      lmb_complex *values, lmb_complex *vectors)
{
    size_t n = (size_t)s->n;
    pencil p = {s, shift, s->scale, lmb_arena_alloc(arena, 2 * n + 1, sizeof *p.room)};
    lmb_complex *x = lmb_arena_alloc(arena, 2 * n * (size_t)(count + 1) + 1, sizeof *x);
    if (!lmb_arena_fine(arena))
        return -1;
    if (!lmb_rotor_factorise(s, shift))
        return -3;
    /* two planes of real unknowns and a real shift stay real */
    bool real = !s->isotropic && cimag(shift) == 0;
    int found = lmb_arnoldi(arena, 2 * s->n, apply, &p, count, real, values, x);
    int used = 0;
    for (int k = 0; k < found; k++) {
        /* infinite ones, of unknowns without inertia, come out as anything */
        lmb_complex value = shift + 1 / values[k], *of = x + (size_t)k * 2 * n;
        if (!fits(s, value, of, p.room) && !improve(&p, &value, of, x + (size_t)count * 2 * n))
            continue;
        values[used] = value;
        memcpy(vectors + (size_t)used++ * n, of, n * sizeof *x);
    }
    return found < 0 ? found : used;
}

/* --- one mode --------------------------------------------------------------------------------- */

static void set_sense(const lmb_rotor_system *s, lmb_whirl *m)
{
    double forward = 0, backward = 0, plus = 0, minus = 0;
    for (int i = 0; i < s->node_count; i++) {
        lmb_complex y = m->y[s->unknown[i]], z = m->z[s->unknown[i]] * CMPLX(0, 1);
        double f = cabs(y + z), b = cabs(y - z);
        forward += f * f;
        backward += b * b;
        plus += fmax(f * f - b * b, 0);
        minus += fmax(b * b - f * f, 0);
    }
    double all = forward + backward;
    m->sense = all > 0 ? (forward - backward) / all : 0;
    if (s->speed == 0 && s->isotropic)
        m->sense = m->sense > 0 ? 1 : -1;
    m->mixed = fmin(plus, minus) > 0.05 * all;
}

const char *lmb_whirl_word(double sense, bool mixed)
{
    return mixed ? "mixed" : fabs(sense) < 1e-6 ? "plane" : sense > 0 ? "forward" : "backward";
}

/* The largest deflection becomes 1. */
static void normalise(const lmb_rotor_system *s, lmb_whirl *m)
{
    lmb_complex most = 0;
    for (int i = 0; i < s->node_count; i++) {
        int u = s->unknown[i];
        most = cabs(m->y[u]) > cabs(most) * (1 + 1e-9) ? m->y[u] : most;
        most = cabs(m->z[u]) > cabs(most) * (1 + 1e-9) ? m->z[u] : most;
    }
    for (int a = 0; a < s->scalars && cabs(most) > 0; a++) {
        m->y[a] /= most;
        m->z[a] /= most;
    }
}

void lmb_set_whirl(const lmb_rotor_system *s, lmb_arena *arena, lmb_complex value,
                   const lmb_complex *q, lmb_whirl *m)
{
    double size = cabs(value);
    *m = (lmb_whirl){.real = creal(value), .frequency = fabs(cimag(value)), .natural = size};
    m->ratio = size > 0 ? -m->real / size : 0;
    m->decrement = m->frequency > 0 ? -2 * LMB_PI * m->real / m->frequency : INFINITY;
    m->y = lmb_arena_alloc(arena, 2 * (size_t)s->scalars + 1, sizeof *m->y);
    if (!m->y)
        return;
    m->z = m->y + s->scalars;
    lmb_rotor_planes(s, q, cimag(value) < 0, m->y, m->z);
    normalise(s, m);
    set_sense(s, m);
}

/* --- modes at a speed ------------------------------------------------------------------------- */

static int by_frequency(const void *a, const void *b)
{
    const lmb_whirl *x = a, *y = b;
    double tiny = 1e-9 * (x->frequency + y->frequency);
    if (fabs(x->frequency - y->frequency) <= tiny)
        return (x->sense > y->sense) - (x->sense < y->sense);
    return x->frequency > y->frequency ? 1 : -1;
}

lmb_status lmb_fail_whirl(const lmb_rotor_system *s, int found, double speed)
{
    if (found == -1)
        return lmb_fail_memory(s->context);
    lmb_fail(s->context, LMB_SOLVER, "the vibrations at %g rad/s were not found%s", speed,
             found == -3 ? ": the stiffness is singular" : "");
    if (found == -3)
        lmb_hint(s->context,
                 "the shaft must be held against all motions: two bearings, or one that "
                 "resists turning");
    return LMB_SOLVER;
}

/* Adds the vibrations among some eigenvalues to a list, and notes the largest growth. */
static void add_whirls(const lmb_rotor_system *s, lmb_arena *arena, int count,
                       const lmb_complex *values, const lmb_complex *vectors, lmb_whirl_list *out)
{
    for (int k = 0; k < count; k++) {
        double size = cabs(values[k]), tiny = 1e-7 * size, real = creal(values[k]);
        double frequency = fabs(cimag(values[k])) > tiny ? cimag(values[k]) : 0;
        if (size < 1e-5 * s->scale) /* a shaft that moves freely */
            continue;
        if (real > fmax(tiny, out->growth)) {
            out->growth = real;
            out->growth_frequency = fabs(frequency);
        }
        if (s->isotropic ? frequency != 0 : frequency > 0)
            lmb_set_whirl(s, arena, values[k], vectors + (size_t)k * (size_t)s->n,
                          &out->modes[out->count++]);
    }
}

lmb_status lmb_find_whirls(lmb_rotor_system *s, lmb_arena *arena, double speed, int count,
                           lmb_whirl_list *out)
{
    /* without bearings the shaft can move freely: the shift is then off zero */
    double shift = s->rotor->bearing_count > 0 ? 0 : 0.01 * s->scale;
    lmb_arena *room = lmb_arena_new();
    *out = (lmb_whirl_list){.speed = speed};
    lmb_rotor_set_speed(s, speed);
    out->modes = lmb_arena_alloc(arena, 2 * (size_t)s->n + 1, sizeof *out->modes);
    lmb_status status = lmb_check_memory(s->context, arena);
    int want = s->isotropic ? count + 2 : 2 * count + 2;
    for (bool enough = false; !status && !enough; want *= 2) {
        want = want < 2 * s->n ? want : 2 * s->n;
        lmb_complex *values = lmb_arena_alloc(room, (size_t)want + 1, sizeof *values);
        lmb_complex *vectors =
            lmb_arena_alloc(room, (size_t)want * (size_t)s->n + 1, sizeof *vectors);
        int found = lmb_rotor_nearest(s, room, shift, want, values, vectors);
        out->count = 0;
        add_whirls(s, arena, found, values, vectors, out);
        status = found < 0 ? lmb_fail_whirl(s, found, speed) : lmb_check_memory(s->context, arena);
        enough = out->count >= count || found < want || want == 2 * s->n;
    }
    lmb_arena_free(room);
    if (!status)
        qsort(out->modes, (size_t)out->count, sizeof *out->modes, by_frequency);
    out->count = out->count < count ? out->count : count;
    return status;
}

/* --- over speeds ------------------------------------------------------------------------------ */

double lmb_rotor_speed(const lmb_rotor *r, int i)
{
    return r->steps > 1 ? r->from + (r->to - r->from) * i / (r->steps - 1) : r->from;
}

double lmb_rotor_mac(int n, const lmb_complex *a, const lmb_complex *b)
{
    lmb_complex product = 0;
    double aa = 0, bb = 0;
    for (int i = 0; i < n; i++) {
        product += conj(a[i]) * b[i];
        aa += creal(conj(a[i]) * a[i]);
        bb += creal(conj(b[i]) * b[i]);
    }
    double size = cabs(product);
    return aa > 0 && bb > 0 ? size * size / (aa * bb) : 0;
}

/* How well mode b continues mode a of the speed before: alike in shape, and not far in frequency.
 */
static double fit_of(const lmb_rotor_system *s, const lmb_whirl *a, const lmb_whirl *b)
{
    double off =
        isnan(a->frequency) ? 0 : fabs(a->frequency - b->frequency) / (a->frequency + b->frequency);
    return lmb_rotor_mac(2 * s->scalars, a->y, b->y) / (1 + 20 * off);
}

/* Puts the modes into the order of those of the speed before: the most similar first, frequencies
 * that are far apart last. A mode without one gets the frequency NAN; one that was taken has no
 * shape in the list of those that are left. `fits` has room for modes x now->count numbers. */
static void follow(const lmb_rotor_system *s, const lmb_whirl_list *before, lmb_whirl_list *now,
                   lmb_whirl *room, double *fits, int modes)
{
    for (int i = 0; i < modes; i++)
        room[i] = (lmb_whirl){.real = NAN,
                              .frequency = NAN,
                              .natural = NAN,
                              .ratio = NAN,
                              .decrement = NAN,
                              .y = before->modes[i].y,
                              .z = before->modes[i].z,
                              .sense = before->modes[i].sense};
    for (int i = 0; i < modes; i++)
        for (int j = 0; j < now->count; j++)
            fits[i * now->count + j] = fit_of(s, &before->modes[i], &now->modes[j]);
    for (int round = 0; round < modes; round++) {
        double best = 0.05;
        int from = -1, to = -1;
        for (int i = 0; i < modes; i++)
            for (int j = 0; j < now->count && isnan(room[i].frequency); j++)
                if (now->modes[j].y && fits[i * now->count + j] > best) {
                    best = fits[i * now->count + j];
                    from = i;
                    to = j;
                }
        if (from < 0)
            break;
        room[from] = now->modes[to];
        now->modes[to].y = NULL;
    }
    memcpy(now->modes, room, (size_t)modes * sizeof *room);
    now->count = modes;
}

lmb_status lmb_find_campbell(lmb_rotor_system *s, lmb_arena *arena, lmb_campbell *out)
{
    const lmb_rotor *r = s->rotor;
    size_t modes = (size_t)r->modes;
    *out = (lmb_campbell){.speeds = r->steps, .modes = r->modes};
    out->at = lmb_arena_alloc(arena, (size_t)r->steps + 1, sizeof *out->at);
    lmb_whirl *room = lmb_arena_alloc(arena, modes + 1, sizeof *room);
    double *fits = lmb_arena_numbers(arena, modes * (modes + 2) + 1);
    lmb_status status = lmb_check_memory(s->context, arena);
    for (int i = 0; i < r->steps && !status; i++) {
        lmb_whirl_list *now = &out->at[i];
        status = lmb_continue(s->context, "whirl speeds", (double)i / r->steps);
        /* some more than are shown, for modes that come and go across the last */
        if (!status)
            status = lmb_find_whirls(s, arena, lmb_rotor_speed(r, i),
                                     i == 0 ? r->modes : r->modes + 2, now);
        if (!status && i == 0)
            out->modes = now->count;
        else if (!status)
            follow(s, now - 1, now, room, fits, out->modes);
    }
    return status;
}
