/* All that is computed of a rotor, one after the other. */
#include "rotor/results.h"

#include <math.h>

/* As many critical speeds as vibrations are shown, and all that are passed on the way to the
 * service speed and in a run-up. */
static lmb_status find_criticals(lmb_rotor_results *r, lmb_rotor_system *system)
{
    double highest = fmax(r->rotor.speed, r->rotor.runs_up ? r->rotor.run_to : 0);
    lmb_critical_list *list = &r->criticals;
    for (int count = r->rotor.modes;; count *= 2) {
        lmb_status status = lmb_find_criticals(system, r->arena, count, r->whirl_ratio, list);
        if (status)
            return status;
        if (list->count < count || list->of[count - 1].undamped > highest)
            break;
    }
    while (list->count > r->rotor.modes && list->of[list->count - 2].undamped > highest)
        list->count--;
    return LMB_OK;
}

/* Speeds of diagrams, where the model gives none: somewhat beyond the third critical speed. With
 * these, bearings that depend on speed may be alike in both planes or not. */
static lmb_status choose_speeds(lmb_rotor_results *r)
{
    lmb_rotor_system *system;
    if (r->rotor.to > r->rotor.from)
        return LMB_OK;
    lmb_status status = lmb_rotor_system_new(&system, r->context, &r->rotor);
    if (status)
        return status;
    status = find_criticals(r, system);
    int last = r->criticals.count < 3 ? r->criticals.count - 1 : 2;
    r->rotor.to = last >= 0 ? 1.3 * r->criticals.of[last].undamped : 2 * system->scale;
    lmb_rotor_system_free(system);
    return status;
}

/* --- stability -------------------------------------------------------------------------------- */

/* The vibration that grows most, or NULL where that does not vibrate or is not shown. */
static const lmb_whirl *growing(const lmb_whirl_list *list)
{
    for (int k = 0; k < list->count; k++)
        if (list->modes[k].real > 0.999 * list->growth)
            return &list->modes[k];
    return NULL;
}

/* Where stability changes between two speeds, by halving: Re s of the vibration like that which
 * grows (NULL: of anything) changes its sign. `stable`: whether it is at the lower speed. */
static lmb_status find_change(lmb_rotor_results *r, double low, double high, const lmb_whirl *grows,
                              bool stable, double *at)
{
    enum { HALVINGS = 30 };
    lmb_arena *room = lmb_arena_new();
    lmb_status status = lmb_check_memory(r->context, room);
    for (int i = 0; i < HALVINGS && !status; i++) {
        lmb_whirl_list list;
        double middle = (low + high) / 2, best = 0;
        status = lmb_find_whirls(r->system, room, middle, r->rotor.modes + 2, &list);
        bool unstable = !status && list.growth > 0;
        for (int k = 0; !status && grows && k < list.count; k++) {
            double alike = lmb_rotor_mac(2 * r->system->scalars, grows->y, list.modes[k].y);
            if (alike > best) {
                best = alike;
                unstable = list.modes[k].real > 0;
                if (stable)
                    r->instability.frequency = list.modes[k].frequency / (2 * LMB_PI);
            }
        }
        if (unstable != stable)
            low = middle;
        else
            high = middle;
    }
    *at = (low + high) / 2;
    lmb_arena_free(room);
    return status;
}

/* The first stretch of speeds at which something grows, and what. */
static lmb_status find_instability(lmb_rotor_results *r)
{
    const lmb_campbell *c = &r->campbell;
    lmb_instability *of = &r->instability;
    lmb_status status = LMB_OK;
    int first = 0;
    while (first < c->speeds && !(c->at[first].growth > 0))
        first++;
    if (first == c->speeds)
        return LMB_OK;
    int last = first;
    while (last < c->speeds && c->at[last].growth > 0)
        last++;
    const lmb_whirl *grows = growing(&c->at[first]);
    *of = (lmb_instability){.found = true,
                            .from = c->at[first].speed,
                            .to = INFINITY,
                            .frequency = c->at[first].growth_frequency / (2 * LMB_PI),
                            .sense = grows ? grows->sense : NAN};
    if (first > 0)
        status = find_change(r, c->at[first - 1].speed, c->at[first].speed, grows, true, &of->from);
    if (!status && last < c->speeds)
        status = find_change(r, c->at[last - 1].speed, c->at[last].speed, growing(&c->at[last - 1]),
                             false, &of->to);
    return status;
}

/* The half axis of the orbit of a station at a speed; INFINITY where it has no bounds. */
static double half_axis(lmb_rotor_results *r, int station, double speed, lmb_complex *y)
{
    const lmb_rotor_system *s = r->system;
    int u = s->unknown[s->stations[station].node];
    lmb_complex *z = y + s->scalars;
    lmb_status status = lmb_rotor_unbalance(r->system, speed, y, z);
    return status ? INFINITY : lmb_orbit_of(y[u], z[u]).major;
}

/* The largest half axis between the two neighbours of the largest of the diagram, by the golden
 * section. Without damping it has no bounds. */
static void refine_peak(lmb_rotor_results *r, int k, lmb_complex *y)
{
    enum { STEPS = 40 };
    const double part = 0.38196601125010515;
    if (!(r->peak[k] > 0))
        return;
    double step = (r->rotor.to - r->rotor.from) / (r->rotor.steps - 1), sampled = r->peak[k];
    double low = fmax(r->peak_at[k] - step, r->rotor.from),
           high = fmin(r->peak_at[k] + step, r->rotor.to);
    double a = low + part * (high - low), b = high - part * (high - low);
    size_t messages = lmb_message_count(r->context);
    double size_a = half_axis(r, k, a, y), size_b = half_axis(r, k, b, y);
    for (int i = 0; i < STEPS; i++)
        if (size_a > size_b) {
            high = b;
            b = a;
            size_b = size_a;
            a = low + part * (high - low);
            size_a = half_axis(r, k, a, y);
        } else {
            low = a;
            a = b;
            size_a = size_b;
            b = high - part * (high - low);
            size_b = half_axis(r, k, b, y);
        }
    double at = (low + high) / 2, size = half_axis(r, k, at, y);
    lmb_messages_forget(r->context, messages);
    if (size > sampled) {
        r->peak[k] = size < 1e4 * sampled ? size : INFINITY;
        r->peak_at[k] = at;
    }
}

static void find_peaks(lmb_rotor_results *r, lmb_complex *y)
{
    int stations = r->system->station_count, steps = r->rotor.steps;
    for (int k = 0; k < stations; k++) {
        for (int i = 0; i < steps; i++) {
            size_t at = (size_t)i * (size_t)stations + (size_t)k;
            double size = lmb_orbit_of(r->y[at], r->z[at]).major;
            if (size > r->peak[k]) {
                r->peak[k] = size;
                r->peak_at[k] = lmb_rotor_speed(&r->rotor, i);
            }
        }
        refine_peak(r, k, y);
    }
}

/* The four rows of a steady motion, on a scale of their own. */
static void add_steady(lmb_rotor_rows *rows, const lmb_complex *y, const lmb_complex *z)
{
    int first = rows->count;
    double scale = 0;
    for (int k = 0; k < LMB_STEADY_ROWS; k++)
        scale = fmax(scale, lmb_rotor_rows_add(rows, k < LMB_STEADY_Z ? y : z, k % 2));
    lmb_rotor_rows_scale(rows, first, scale);
}

static lmb_status find_response(lmb_rotor_results *r, lmb_rotor_rows *rows)
{
    lmb_rotor_system *s = r->system;
    size_t stations = (size_t)s->station_count, steps = (size_t)r->rotor.steps;
    size_t bearings = (size_t)r->rotor.bearing_count, scalars = (size_t)s->scalars;
    r->y = lmb_arena_alloc(r->arena, steps * stations + 1, sizeof *r->y);
    r->z = lmb_arena_alloc(r->arena, steps * stations + 1, sizeof *r->z);
    r->peak = lmb_arena_numbers(r->arena, stations + 1);
    r->peak_at = lmb_arena_numbers(r->arena, stations + 1);
    r->forces = lmb_arena_alloc(r->arena, steps * bearings + 1, sizeof *r->forces);
    lmb_complex *y = lmb_arena_alloc(r->arena, 2 * scalars + 1, sizeof *y), *z = y + scalars;
    lmb_status status = lmb_check_memory(r->context, r->arena);
    lmb_complex *q = s->vector[0], *load = s->vector[1];
    for (size_t i = 0; i < steps && !status; i++) {
        double speed = lmb_rotor_speed(&r->rotor, (int)i);
        if ((status = lmb_rotor_unbalance_vector(s, speed, q)))
            return status;
        lmb_rotor_planes(s, q, false, y, z);
        add_steady(rows, y, z);
        for (size_t k = 0; k < stations; k++) {
            r->y[i * stations + k] = y[s->unknown[s->stations[k].node]];
            r->z[i * stations + k] = z[s->unknown[s->stations[k].node]];
        }
        lmb_rotor_turning_load(s, speed * speed, 0, load);
        lmb_rotor_bearing_forces(s, q, CMPLX(0, speed), load, r->forces + i * bearings);
        for (size_t b = 0; b < bearings && s->isotropic; b++)
            r->forces[i * bearings + b][1] = r->forces[i * bearings + b][0] * CMPLX(0, -1);
    }
    if (status)
        return status;
    find_peaks(r, y);
    /* at a service speed that is critical and not damped there is no such motion */
    size_t messages = lmb_message_count(r->context);
    if (r->rotor.speed > 0 && !lmb_rotor_unbalance(s, r->rotor.speed, y, z)) {
        r->service_y = y;
        r->service_z = z;
    }
    lmb_messages_forget(r->context, messages);
    return LMB_OK;
}

/* The motions under unbalance, and the shapes that they are made of. */
static lmb_status find_motions(lmb_rotor_results *r)
{
    bool runs = r->rotor.runs_up;
    int room = LMB_STEADY_ROWS * r->rotor.steps + (runs ? 2 * lmb_run_up_room(&r->rotor) : 0);
    lmb_rotor_rows rows;
    lmb_status status = lmb_rotor_rows_new(&rows, r->system, room);
    if (!status && !(status = find_response(r, &rows)) && runs)
        status = lmb_rotor_run_up(r->system, r->arena, &rows, &r->run_up);
    if (!status)
        status = lmb_rotor_basis_of(&r->basis, r->arena, &rows);
    lmb_arena_free(rows.arena);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

bool lmb_rotor_has_unbalance(const lmb_rotor *r)
{
    for (int i = 0; i < r->disc_count; i++)
        if (r->discs[i].unbalance > 0)
            return true;
    for (int i = 0; i < r->unbalance_count; i++)
        if (r->unbalances[i].amount > 0)
            return true;
    return false;
}

static lmb_status solve(lmb_rotor_results *r)
{
    lmb_status status = choose_speeds(r);
    if (status || (status = lmb_rotor_system_new(&r->system, r->context, &r->rotor)))
        return status;
    lmb_rotor_system *s = r->system;
    r->estimated = r->rotor.bearing_count > 0;
    r->loaded = lmb_rotor_has_unbalance(&r->rotor);
    r->sags = r->estimated && hypot(r->rotor.gravity[0], r->rotor.gravity[1]) > 0;
    r->sag = lmb_arena_alloc(r->arena, (size_t)s->scalars + 1, sizeof *r->sag);
    r->loads = lmb_arena_alloc(r->arena, (size_t)r->rotor.bearing_count + 1, sizeof *r->loads);
    if ((status = lmb_check_memory(r->context, r->arena)) ||
        (r->estimated && (status = lmb_rotor_estimate(s, r->arena, &r->estimates))) ||
        (status = find_criticals(r, s)) ||
        (status = lmb_find_campbell(s, r->arena, &r->campbell)) || (status = find_instability(r)) ||
        (status = lmb_find_whirls(s, r->arena, r->rotor.speed, r->rotor.modes, &r->service)) ||
        (r->estimated && (status = lmb_rotor_sag(s, r->rotor.speed, r->sag, r->loads))))
        return status;
    return r->loaded ? find_motions(r) : LMB_OK;
}

lmb_status lmb_rotor_solve(lmb_rotor_results **out, lmb_context *context, const lmb_rotor *rotor,
                           double whirl_ratio)
{
    lmb_arena *arena;
    lmb_rotor_results *r = *out = lmb_arena_object(&arena, sizeof *r);
    if (!r)
        return lmb_fail_memory(context);
    r->arena = arena;
    r->context = context;
    r->rotor = *rotor;
    r->whirl_ratio = whirl_ratio;
    lmb_status status = solve(r);
    if (status) {
        lmb_rotor_results_free(r);
        *out = NULL;
    }
    return status;
}

void lmb_rotor_results_free(lmb_rotor_results *r)
{
    if (!r)
        return;
    lmb_rotor_system_free(r->system);
    lmb_arena_free(r->arena);
}
