/* All of a rotor as programs and the verb take it: what rotor/ computes, in plain tables with names
 * and in the units of the interface. */
#include "limber/rotor.h"

#include <math.h>
#include <string.h>

#include "report/rotor_sheet.h"

static const double turn = 2 * LMB_PI;

/* --- tables ----------------------------------------------------------------------------------- */

/* Complex numbers as pairs. */
static double *pairs(lmb_complex *numbers)
{
    return (double *)numbers;
}

static void make_names(lmb_rotor_found *o, const lmb_rotor_results *r)
{
    const lmb_rotor *rotor = &r->rotor;
    const lmb_rotor_system *s = r->system;
    o->discs = lmb_arena_alloc(o->arena, (size_t)rotor->disc_count + 1, sizeof *o->discs);
    o->bearings = lmb_arena_alloc(o->arena, (size_t)rotor->bearing_count + 1, sizeof *o->bearings);
    o->stations = lmb_arena_alloc(o->arena, (size_t)s->station_count + 1, sizeof *o->stations);
    if (!lmb_arena_fine(o->arena))
        return;
    for (int i = 0; i < rotor->disc_count; i++)
        o->discs[i] = rotor->discs[i].name;
    for (int i = 0; i < rotor->bearing_count; i++)
        o->bearings[i] = rotor->bearings[i].name;
    for (int i = 0; i < s->station_count; i++)
        o->stations[i] = s->stations[i].name;
}

/* Lists of vibrations, with `modes` of each, as a table. */
static void make_vibrations(lmb_rotor_vibrations *out, lmb_arena *arena, int speeds, int modes,
                            const lmb_whirl_list *lists)
{
    size_t rows = (size_t)speeds, count = rows * (size_t)modes;
    double **columns[] = {&out->frequency, &out->natural, &out->damping, &out->decrement,
                          &out->sense};
    *out = (lmb_rotor_vibrations){.speeds = speeds, .modes = modes};
    out->speed = lmb_arena_numbers(arena, rows);
    out->stable = lmb_arena_alloc(arena, rows + 1, sizeof *out->stable);
    out->whirl = lmb_arena_alloc(arena, count + 1, sizeof *out->whirl);
    for (int c = 0; c < 5; c++)
        *columns[c] = lmb_arena_numbers(arena, count);
    if (!lmb_arena_fine(arena))
        return;
    for (size_t i = 0; i < rows; i++) {
        out->speed[i] = lists[i].speed;
        out->stable[i] = !(lists[i].growth > 0);
        for (size_t k = 0; k < (size_t)modes; k++) {
            const lmb_whirl *m = &lists[i].modes[k];
            size_t at = i * (size_t)modes + k;
            out->frequency[at] = m->frequency / turn;
            out->natural[at] = m->natural / turn;
            out->damping[at] = m->ratio;
            out->decrement[at] = m->decrement;
            out->sense[at] = m->sense;
            out->whirl[at] = lmb_whirl_word(m->sense, m->mixed);
        }
    }
}

/* The orbits of all nodes in the vibrations at the service speed. */
static void make_orbits(lmb_rotor_found *o, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    size_t nodes = (size_t)s->node_count, modes = (size_t)r->service.count;
    o->orbits = lmb_arena_alloc(o->arena, modes * nodes + 1, sizeof *o->orbits);
    for (size_t i = 0; o->orbits && i < modes; i++) {
        const lmb_whirl *m = &r->service.modes[i];
        for (size_t k = 0; k < nodes; k++)
            o->orbits[i * nodes + k] = lmb_orbit_of(m->y[s->unknown[k]], m->z[s->unknown[k]]);
    }
}

static void make_statics(lmb_rotor_found *o, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    o->sag = lmb_arena_numbers(o->arena, 2 * (size_t)s->node_count);
    for (int i = 0; o->sag && i < s->node_count; i++) {
        o->sag[2 * i] = creal(r->sag[s->unknown[i]]);
        o->sag[2 * i + 1] = cimag(r->sag[s->unknown[i]]);
    }
    o->loads = r->loads[0];
    o->estimates = r->estimates;
}

static void make_response(lmb_rotor_found *o, const lmb_rotor_results *r)
{
    size_t speeds = (size_t)r->rotor.steps, count = speeds * (size_t)r->system->station_count;
    o->speed_count = r->rotor.steps;
    o->speed = lmb_arena_numbers(o->arena, speeds);
    o->response = lmb_arena_alloc(o->arena, count + 1, sizeof *o->response);
    if (!lmb_arena_fine(o->arena))
        return;
    for (size_t i = 0; i < speeds; i++)
        o->speed[i] = lmb_rotor_speed(&r->rotor, (int)i);
    for (size_t i = 0; i < count; i++)
        o->response[i] = lmb_orbit_of(r->y[i], r->z[i]);
    o->y = pairs(r->y);
    o->z = pairs(r->z);
    o->forces = pairs(r->forces[0]);
    o->peak = r->peak;
    o->peak_speed = r->peak_at;
    o->run_up = r->run_up;
}

static lmb_status make_tables(lmb_rotor_found *o, lmb_context *context)
{
    const lmb_rotor_results *r = o->results;
    const lmb_rotor_system *s = r->system;
    o->title = o->model->title;
    o->elements = s->element_count;
    o->mass = s->kg;
    o->shaft_mass = s->shaft_kg;
    o->node_count = s->node_count;
    o->disc_count = r->rotor.disc_count;
    o->bearing_count = r->rotor.bearing_count;
    o->station_count = s->station_count;
    o->x = s->x;
    make_names(o, r);
    o->whirl_ratio = r->whirl_ratio;
    o->critical_count = r->criticals.count;
    o->criticals = r->criticals.of;
    o->critical_whirl =
        lmb_arena_alloc(o->arena, (size_t)o->critical_count + 1, sizeof *o->critical_whirl);
    for (int i = 0; o->critical_whirl && i < o->critical_count; i++)
        o->critical_whirl[i] = lmb_whirl_word(o->criticals[i].sense, o->criticals[i].mixed);
    o->instability = r->instability;
    make_vibrations(&o->service, o->arena, 1, r->service.count, &r->service);
    make_orbits(o, r);
    make_vibrations(&o->campbell, o->arena, r->campbell.speeds, r->campbell.modes, r->campbell.at);
    o->estimated = r->estimated;
    if (r->estimated)
        make_statics(o, r);
    o->loaded = r->loaded;
    if (r->loaded)
        make_response(o, r);
    lmb_sheet sheet = lmb_sheet_start(o->arena, "Rotor");
    lmb_rotor_tell(&sheet, r);
    o->word_count = sheet.sentence_count;
    o->words = sheet.sentences;
    return lmb_check_memory(context, o->arena);
}

/* --- what programs call ----------------------------------------------------------------------- */

/* Whether there is a rotor to compute, with a ratio that makes sense. */
static lmb_status check(lmb_context *context, const lmb_model *model, double ratio)
{
    if (!model->rotor)
        return lmb_fail_hint(context, "see `limber new jeffcott` for a model with one",
                             "'%s' has no section 'rotor'", model->file);
    if (!(ratio > 0 && ratio < 1e6))
        return lmb_fail(context, LMB_USAGE,
                        "the ratio of whirl to rotation is above 0 and below 1e6, not %g", ratio);
    return LMB_OK;
}

lmb_status lmb_rotor_find(lmb_rotor_found **out, lmb_context *context, const lmb_model *model,
                          const lmb_rotor_options *options)
{
    LMB_REQUIRE_OUT(context, out, model);
    double ratio = options && options->whirl_ratio != 0 ? options->whirl_ratio : 1;
    lmb_status status = check(context, model, ratio);
    if (status)
        return status;
    lmb_arena *arena;
    lmb_rotor_found *o = lmb_arena_object(&arena, sizeof *o);
    if (!o)
        return lmb_fail_memory(context);
    *o = (lmb_rotor_found){.arena = arena, .model = model};
    status = lmb_rotor_solve(&o->results, context, model->rotor, ratio);
    if (!status)
        status = make_tables(o, context);
    if (status)
        lmb_rotor_free(o);
    else
        *out = o;
    return status;
}

void lmb_rotor_free(lmb_rotor_found *rotor)
{
    if (!rotor)
        return;
    lmb_rotor_results_free(rotor->results);
    lmb_arena_free(rotor->arena);
}

lmb_status lmb_rotor_save(lmb_context *context, const lmb_rotor_found *rotor, const char *path)
{
    LMB_REQUIRE(context, rotor, path);
    return lmb_rotor_write(context, rotor->model, rotor->results, path, NULL);
}

lmb_status lmb_rotor_to_memory(lmb_result **out, lmb_context *context, const lmb_rotor_found *rotor)
{
    LMB_REQUIRE_OUT(context, out, rotor);
    return lmb_rotor_write(context, rotor->model, rotor->results, NULL, out);
}
