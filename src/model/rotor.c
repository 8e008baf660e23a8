/* The section `rotor`: shaft, discs, bearings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rotor/results.h"
#include "base/text.h"
#include "fe/material.h"
#include "model/sections.h"
#include "model/rotor_fields.h"

enum {
    MOST_ELEMENTS = 20000,
    MOST_SPEEDS = 100000,
    MOST_MODES = 1000,
    LEAST_IN_CONE = 10,
    USUAL_ELEMENTS = 20
};
static const double largest_diameter = 10; /* m: more is a length in millimetres */

/* --- what all have in common ---------------------------------------------------------------------
 */

/* Makes room for the entries of a section (NULL: none). */
static lmb_status make_room(lmb_reader *r, const lmb_tree *section, const char *key, size_t size,
                            size_t more, void *out)
{
    if (section && section->kind != LMB_TREE_MAP)
        return lmb_fail_kind(r, section, key, "a map of names");
    void *room = lmb_arena_alloc(r->arena, (size_t)(section ? section->count : 0) + more + 1, size);
    memcpy(out, &room, sizeof room);
    return room ? LMB_OK : lmb_fail_memory(r->context);
}

/* Reads the keys of an entry, whose name becomes the rotor's own and must be its only one. */
static lmb_status read_entry(lmb_reader *r, lmb_names *names, const lmb_tree *section, int i,
                             const char *kind, const lmb_field *fields, lmb_value *v,
                             const char **name)
{
    const lmb_tree *key = section->keys[i];
    char what[96];
    snprintf(what, sizeof what, "%s '%.60s'", kind, key->text);
    if (lmb_check_name(r, key, kind) ||
        lmb_read_values(r, section->items[i], fields, what, NULL, v))
        return LMB_BAD_INPUT;
    if (names && lmb_names_find(names, key->text, strlen(key->text))) {
        lmb_fail_at(r->context, key->place, "the rotor has a part '%s' already", key->text);
        lmb_hint(r->context, "discs, bearings, seals and probes need names of their own");
        return LMB_BAD_INPUT;
    }
    *name = lmb_text_copy(r->arena, key->text, strlen(key->text));
    if (!*name || (names && !lmb_names_add(names, r->arena, *name, 0, i)))
        return lmb_fail_memory(r->context);
    return LMB_OK;
}

/* A number, two or four, each an expression of speed. */
static lmb_status read_law(lmb_reader *r, const lmb_value *v, const char *name, lmb_rotor_law *out)
{
    const lmb_tree *node = v->node;
    if (!v->given)
        return LMB_OK;
    out->size = node->kind == LMB_TREE_LIST ? node->count : 1;
    if (node->kind == LMB_TREE_MAP || (out->size != 1 && out->size != 2 && out->size != 4)) {
        out->size = 0;
        return lmb_fail_at(r->context, node->place,
                           "'%s' must be a number, two [yy, zz] or four [yy, yz, zy, zz]", name);
    }
    for (int i = 0; i < out->size; i++) {
        lmb_status status = lmb_read_speed_law(
            r, node->kind == LMB_TREE_LIST ? node->items[i] : node, name, &out->of[i]);
        if (status)
            return status;
    }
    return LMB_OK;
}

/* A shaft without mass is a usual simplification: no warning. */
static lmb_status read_material(lmb_reader *r, const lmb_value *v, lmb_material *out)
{
    size_t before = lmb_message_count(r->context);
    lmb_status status = lmb_read_material(r, v->node, out);
    if (!status && out->density == 0)
        lmb_messages_forget(r->context, before);
    return status;
}

/* --- shaft ---------------------------------------------------------------------------------------
 */

static lmb_status read_piece(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *node)
{
    lmb_value v[LMB_ROTOR_PIECE_COUNT + 1];
    lmb_rotor_piece *p = &rotor->pieces[rotor->piece_count],
                    *last = rotor->piece_count ? p - 1 : NULL;
    lmb_status status =
        lmb_read_values(r, node, lmb_rotor_piece_fields, "a piece of the shaft", NULL, v);
    if (status)
        return status;
    double end = last ? last->start + last->length : 0;
    p->length = v[LMB_ROTOR_PIECE_LENGTH].number;
    p->diameter = v[LMB_ROTOR_PIECE_DIAMETER].number;
    p->bore = v[LMB_ROTOR_PIECE_BORE].number;
    p->start = v[LMB_ROTOR_PIECE_START].given ? v[LMB_ROTOR_PIECE_START].number : end;
    p->elements = v[LMB_ROTOR_PIECE_ELEMENTS].given
                      ? (int)fmin(v[LMB_ROTOR_PIECE_ELEMENTS].number, MOST_ELEMENTS + 1)
                      : 0;
    p->end_diameter = v[LMB_ROTOR_PIECE_END_DIAMETER].given ? v[LMB_ROTOR_PIECE_END_DIAMETER].number
                                                            : p->diameter;
    p->end_bore = v[LMB_ROTOR_PIECE_END_BORE].given ? v[LMB_ROTOR_PIECE_END_BORE].number : p->bore;
    if (!(p->bore < p->diameter))
        return lmb_fail_at(r->context, v[LMB_ROTOR_PIECE_BORE].place,
                           "the bore (%g m) must be smaller than the diameter (%g m)", p->bore,
                           p->diameter);
    if (!(p->end_bore < p->end_diameter))
        return lmb_fail_at(r->context, v[LMB_ROTOR_PIECE_DIAMETER].place,
                           "the bore at the end (%g m) must be smaller than the diameter there (%g "
                           "m)",
                           p->end_bore, p->end_diameter);
    if (p->diameter > largest_diameter) {
        lmb_warn_at(r->context, v[LMB_ROTOR_PIECE_DIAMETER].place,
                    "a shaft with a diameter of %g m: lengths are in metres", p->diameter);
        lmb_hint(r->context, "write %g/1000 for millimetres", p->diameter);
    }
    if (last && p->start < end - 1e-12 * fabs(end))
        return lmb_fail_at(r->context, v[LMB_ROTOR_PIECE_START].place,
                           "the piece begins at %g m, before the end of the one before, %g m",
                           p->start, end);
    if (v[LMB_ROTOR_PIECE_ELEMENTS].given &&
        (p->elements < 1 || v[LMB_ROTOR_PIECE_ELEMENTS].number != p->elements))
        return lmb_fail_at(r->context, v[LMB_ROTOR_PIECE_ELEMENTS].place,
                           "'elements' must be a whole number up to %d", MOST_ELEMENTS);
    if (v[LMB_ROTOR_PIECE_MATERIAL].given)
        status = read_material(r, &v[LMB_ROTOR_PIECE_MATERIAL], &p->material);
    else
        p->material = last ? last->material : *lmb_material_find("steel");
    rotor->piece_count++;
    return status;
}

/* How many elements a piece has by itself; a cone, which is made of steps, has some more. */
static int elements_of(const lmb_rotor_piece *p, double share)
{
    bool cone = p->end_diameter != p->diameter || p->end_bore != p->bore;
    int count = (int)ceil(share - 1e-9);
    return cone && count < LEAST_IN_CONE ? LEAST_IN_CONE : count;
}

static lmb_status read_shaft(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *node)
{
    if (node->kind != LMB_TREE_LIST || node->count == 0)
        return lmb_fail_at(r->context, node->place,
                           "'shaft' must be a list of pieces, such as [{length: 0.8, diameter: "
                           "0.015}]");
    rotor->pieces = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *rotor->pieces);
    if (!rotor->pieces)
        return lmb_fail_memory(r->context);
    double length = 0, elements = 0;
    for (int i = 0; i < node->count; i++) {
        lmb_status status = read_piece(r, rotor, node->items[i]);
        if (status)
            return status;
        length += rotor->pieces[i].length;
    }
    for (int i = 0; i < rotor->piece_count; i++) {
        lmb_rotor_piece *p = &rotor->pieces[i];
        if (p->elements == 0)
            p->elements = elements_of(p, USUAL_ELEMENTS * p->length / length);
        elements += p->elements;
    }
    return elements > MOST_ELEMENTS
               ? lmb_fail_at(r->context, node->place, "the shaft has more than %d elements",
                             MOST_ELEMENTS)
               : LMB_OK;
}

/* The piece of shaft at a place, or the first. */
static const lmb_rotor_piece *piece_at(const lmb_rotor *rotor, double at)
{
    for (int i = 0; i < rotor->piece_count; i++) {
        const lmb_rotor_piece *p = &rotor->pieces[i];
        if (at >= p->start && at <= p->start + p->length)
            return p;
    }
    return rotor->pieces;
}

/* --- discs ---------------------------------------------------------------------------------------
 */

/* A hollow cylinder: m = rho pi h (D^2 - d^2) / 4, polar m (D^2 + d^2) / 8, diametral half of that
 * and m h^2 / 12. */
static lmb_status disc_of_size(lmb_reader *r, const lmb_rotor *rotor, const lmb_value *v,
                               lmb_rotor_disc *d)
{
    const lmb_rotor_piece *piece = piece_at(rotor, d->at);
    lmb_material of = piece->material;
    double D = v[LMB_ROTOR_DISC_DIAMETER].number, h = v[LMB_ROTOR_DISC_THICKNESS].number;
    double inner, part = piece->length > 0 ? (d->at - piece->start) / piece->length : 0;
    double bore = v[LMB_ROTOR_DISC_BORE].given ? v[LMB_ROTOR_DISC_BORE].number
                                               : lmb_rotor_diameter(piece, part, &inner);
    if (!v[LMB_ROTOR_DISC_DIAMETER].given || !v[LMB_ROTOR_DISC_THICKNESS].given)
        return lmb_fail_at(r->context, d->place,
                           "disc '%s' needs a mass, or a diameter and a thickness", d->name);
    if (!(bore < D))
        return lmb_fail_at(r->context, v[LMB_ROTOR_DISC_DIAMETER].place,
                           "the diameter (%g m) must be larger than the bore (%g m)", D, bore);
    lmb_status status = v[LMB_ROTOR_DISC_MATERIAL].given
                            ? read_material(r, &v[LMB_ROTOR_DISC_MATERIAL], &of)
                            : LMB_OK;
    double m = of.density * LMB_PI / 4 * (D * D - bore * bore) * h;
    d->mass = v[LMB_ROTOR_DISC_MASS].given ? v[LMB_ROTOR_DISC_MASS].number : m;
    d->polar = v[LMB_ROTOR_DISC_POLAR].given ? v[LMB_ROTOR_DISC_POLAR].number
                                             : d->mass * (D * D + bore * bore) / 8;
    d->diametral = v[LMB_ROTOR_DISC_DIAMETRAL].given ? v[LMB_ROTOR_DISC_DIAMETRAL].number
                                                     : d->polar / 2 + d->mass * h * h / 12;
    return status;
}

static lmb_status read_disc(lmb_reader *r, lmb_rotor *rotor, lmb_names *names,
                            const lmb_tree *section, int i)
{
    lmb_value v[LMB_ROTOR_DISC_COUNT + 1];
    lmb_rotor_disc *d = &rotor->discs[rotor->disc_count];
    lmb_status status =
        read_entry(r, names, section, i, "disc", lmb_rotor_disc_fields, v, &d->name);
    if (status)
        return status;
    rotor->disc_count++;
    d->place = v[LMB_ROTOR_DISC_AT].place;
    d->at = v[LMB_ROTOR_DISC_AT].number;
    d->phase = v[LMB_ROTOR_DISC_PHASE].number;
    d->damping = v[LMB_ROTOR_DISC_DAMPING].number;
    d->diameter = v[LMB_ROTOR_DISC_DIAMETER].given ? v[LMB_ROTOR_DISC_DIAMETER].number : 0;
    d->thickness = v[LMB_ROTOR_DISC_THICKNESS].given ? v[LMB_ROTOR_DISC_THICKNESS].number : 0;
    if (v[LMB_ROTOR_DISC_MASS].given && !v[LMB_ROTOR_DISC_DIAMETER].given) {
        d->mass = v[LMB_ROTOR_DISC_MASS].number;
        d->polar = v[LMB_ROTOR_DISC_POLAR].number;
        d->diametral =
            v[LMB_ROTOR_DISC_DIAMETRAL].given ? v[LMB_ROTOR_DISC_DIAMETRAL].number : d->polar / 2;
    } else {
        status = disc_of_size(r, rotor, v, d);
    }
    if (!status && d->diametral < d->polar / 2 * (1 - 1e-6)) {
        lmb_warn_at(
            r->context, section->keys[i]->place,
            "disc '%s' has a diametral moment of inertia (%g kg m^2) below half of its polar "
            "one (%g kg m^2), as no body has",
            d->name, d->diametral, d->polar);
        lmb_hint(r->context, "left out, it is that of a thin disc, half of the polar one");
    }
    if (v[LMB_ROTOR_DISC_UNBALANCE].given && v[LMB_ROTOR_DISC_ECCENTRICITY].given)
        return lmb_fail_at(r->context, v[LMB_ROTOR_DISC_ECCENTRICITY].place,
                           "give 'unbalance' or 'eccentricity', not both");
    d->unbalance = v[LMB_ROTOR_DISC_ECCENTRICITY].given
                       ? d->mass * v[LMB_ROTOR_DISC_ECCENTRICITY].number
                       : v[LMB_ROTOR_DISC_UNBALANCE].number;
    return status;
}

/* --- bearings, couplings, spots ------------------------------------------------------------------
 */

static lmb_status read_support(lmb_reader *r, const lmb_tree *node, lmb_rotor_bearing *b)
{
    lmb_value v[LMB_ROTOR_SUPPORT_COUNT + 1];
    lmb_status status = lmb_read_values(r, node, lmb_rotor_support_fields, "'support'", NULL, v);
    if (status)
        return status;
    b->supported = true;
    b->support_mass = v[LMB_ROTOR_SUPPORT_MASS].number;
    if (b->hold != LMB_ROTOR_SPRING)
        return lmb_fail_at(r->context, node->place,
                           "a bearing on a support needs a stiffness of its own");
    status = read_law(r, &v[LMB_ROTOR_SUPPORT_STIFFNESS], "stiffness", &b->support_stiffness);
    return status ? status
                  : read_law(r, &v[LMB_ROTOR_SUPPORT_DAMPING], "damping", &b->support_damping);
}

static lmb_status read_bearing(lmb_reader *r, lmb_rotor *rotor, lmb_names *names,
                               const lmb_tree *section, int i, bool seal)
{
    lmb_value v[LMB_ROTOR_BEARING_COUNT + 1];
    lmb_rotor_bearing *b = &rotor->bearings[rotor->bearing_count];
    lmb_status status = read_entry(r, names, section, i, seal ? "seal" : "bearing",
                                   lmb_rotor_bearing_fields, v, &b->name);
    if (status)
        return status;
    rotor->bearing_count++;
    b->seal = seal;
    b->at = v[LMB_ROTOR_BEARING_AT].number;
    b->place = v[LMB_ROTOR_BEARING_AT].place;
    b->hold = (lmb_rotor_hold)v[LMB_ROTOR_BEARING_TYPE].choice;
    b->turning_stiffness = v[LMB_ROTOR_BEARING_TURNING_STIFFNESS].number;
    b->turning_damping = v[LMB_ROTOR_BEARING_TURNING_DAMPING].number;
    if (b->hold == LMB_ROTOR_SPRING && !v[LMB_ROTOR_BEARING_STIFFNESS].given && !seal) {
        lmb_fail_at(r->context, section->keys[i]->place, "bearing '%s' needs a stiffness", b->name);
        lmb_hint(r->context, "or 'type: pinned' for one that does not give way");
        return LMB_BAD_INPUT;
    }
    static const int of_springs[] = {LMB_ROTOR_BEARING_STIFFNESS, LMB_ROTOR_BEARING_DAMPING,
                                     LMB_ROTOR_BEARING_MASS};
    for (size_t k = 0; k < 3 && b->hold != LMB_ROTOR_SPRING; k++)
        if (v[of_springs[k]].given)
            return lmb_fail_at(r->context, v[of_springs[k]].place, "a bearing that is %s has no %s",
                               b->hold == LMB_ROTOR_PINNED ? "pinned" : "clamped",
                               lmb_rotor_bearing_fields[of_springs[k]].name);
    if ((status = read_law(r, &v[LMB_ROTOR_BEARING_STIFFNESS], "stiffness", &b->stiffness)) ||
        (status = read_law(r, &v[LMB_ROTOR_BEARING_DAMPING], "damping", &b->damping)) ||
        (status = read_law(r, &v[LMB_ROTOR_BEARING_MASS], "mass", &b->mass)))
        return status;
    return v[LMB_ROTOR_BEARING_SUPPORT].given
               ? read_support(r, v[LMB_ROTOR_BEARING_SUPPORT].node, b)
               : LMB_OK;
}

static lmb_status read_coupling(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *section, int i)
{
    lmb_value v[LMB_ROTOR_COUPLING_COUNT + 1];
    lmb_rotor_coupling *c = &rotor->couplings[rotor->coupling_count];
    lmb_status status =
        read_entry(r, NULL, section, i, "coupling", lmb_rotor_coupling_fields, v, &c->name);
    if (status)
        return status;
    rotor->coupling_count++;
    const lmb_value *between = &v[LMB_ROTOR_COUPLING_BETWEEN];
    if (between->size != 2 || !(between->numbers[0] < between->numbers[1]))
        return lmb_fail_at(r->context, between->place,
                           "'between' must be two places, the left one first");
    c->place = between->place;
    c->at[0] = between->numbers[0];
    c->at[1] = between->numbers[1];
    c->stiffness = v[LMB_ROTOR_COUPLING_STIFFNESS].number;
    c->damping = v[LMB_ROTOR_COUPLING_DAMPING].number;
    c->turning_stiffness = v[LMB_ROTOR_COUPLING_TURNING_STIFFNESS].number;
    c->turning_damping = v[LMB_ROTOR_COUPLING_TURNING_DAMPING].number;
    c->mass = v[LMB_ROTOR_COUPLING_MASS].number;
    c->polar = v[LMB_ROTOR_COUPLING_POLAR].number;
    c->diametral = v[LMB_ROTOR_COUPLING_DIAMETRAL].number;
    return LMB_OK;
}

static lmb_status read_spots(lmb_reader *r, lmb_rotor *rotor, lmb_names *names,
                             const lmb_value *all)
{
    lmb_value v[LMB_ROTOR_UNBALANCE_COUNT + 1];
    const lmb_tree *unbalances = all[LMB_ROTOR_FIELD_UNBALANCES].node,
                   *probes = all[LMB_ROTOR_FIELD_PROBES].node;
    lmb_status status = LMB_OK;
    for (int i = 0; unbalances && i < unbalances->count; i++) {
        lmb_rotor_spot *u = &rotor->unbalances[rotor->unbalance_count++];
        if (read_entry(r, NULL, unbalances, i, "unbalance", lmb_rotor_unbalance_fields, v,
                       &u->name))
            status = LMB_BAD_INPUT;
        u->at = v[LMB_ROTOR_UNBALANCE_AT].number;
        u->place = v[LMB_ROTOR_UNBALANCE_AT].place;
        u->amount = v[LMB_ROTOR_UNBALANCE_AMOUNT].number;
        u->phase = v[LMB_ROTOR_UNBALANCE_PHASE].number;
    }
    for (int i = 0; probes && i < probes->count; i++) {
        lmb_rotor_spot *p = &rotor->probes[rotor->probe_count++];
        if (read_entry(r, names, probes, i, "probe", lmb_rotor_probe_fields, v, &p->name))
            status = LMB_BAD_INPUT;
        p->at = v[LMB_ROTOR_PROBE_AT].number;
        p->place = v[LMB_ROTOR_PROBE_AT].place;
    }
    return status;
}

static lmb_status read_run_up(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *node)
{
    lmb_value v[LMB_ROTOR_RUN_UP_COUNT + 1];
    lmb_status status = lmb_read_values(r, node, lmb_rotor_run_up_fields, "'run_up'", NULL, v);
    if (status)
        return status;
    rotor->runs_up = true;
    rotor->run_duration = v[LMB_ROTOR_RUN_UP_DURATION].number;
    rotor->run_from = v[LMB_ROTOR_RUN_UP_FROM].number;
    rotor->run_to = v[LMB_ROTOR_RUN_UP_TO].given ? v[LMB_ROTOR_RUN_UP_TO].number : rotor->speed;
    rotor->run_step = v[LMB_ROTOR_RUN_UP_STEP].number;
    if (rotor->run_to == rotor->run_from)
        return lmb_fail_at(r->context, node->place, "a run-up needs a speed to run up to, 'to'");
    return LMB_OK;
}

/* --- the whole -----------------------------------------------------------------------------------
 */

static lmb_status read_parts(lmb_reader *r, lmb_rotor *rotor, const lmb_value *v)
{
    lmb_names names = {0};
    const lmb_tree *discs = v[LMB_ROTOR_FIELD_DISCS].node,
                   *bearings = v[LMB_ROTOR_FIELD_BEARINGS].node,
                   *seals = v[LMB_ROTOR_FIELD_SEALS].node,
                   *couplings = v[LMB_ROTOR_FIELD_COUPLINGS].node;
    size_t seal_count = seals && seals->kind == LMB_TREE_MAP ? (size_t)seals->count : 0;
    void *unused;
    lmb_status status = LMB_OK;
    if (make_room(r, discs, "discs", sizeof *rotor->discs, 0, &rotor->discs) ||
        make_room(r, bearings, "bearings", sizeof *rotor->bearings, seal_count, &rotor->bearings) ||
        make_room(r, seals, "seals", 1, 0, &unused) ||
        make_room(r, couplings, "couplings", sizeof *rotor->couplings, 0, &rotor->couplings) ||
        make_room(r, v[LMB_ROTOR_FIELD_UNBALANCES].node, "unbalances", sizeof *rotor->unbalances, 0,
                  &rotor->unbalances) ||
        make_room(r, v[LMB_ROTOR_FIELD_PROBES].node, "probes", sizeof *rotor->probes, 0,
                  &rotor->probes))
        return LMB_BAD_INPUT;
    for (int i = 0; discs && i < discs->count; i++)
        if (read_disc(r, rotor, &names, discs, i))
            status = LMB_BAD_INPUT;
    for (int i = 0; bearings && i < bearings->count; i++)
        if (read_bearing(r, rotor, &names, bearings, i, false))
            status = LMB_BAD_INPUT;
    for (int i = 0; seals && i < seals->count; i++)
        if (read_bearing(r, rotor, &names, seals, i, true))
            status = LMB_BAD_INPUT;
    for (int i = 0; couplings && i < couplings->count; i++)
        if (read_coupling(r, rotor, couplings, i))
            status = LMB_BAD_INPUT;
    lmb_status spots = read_spots(r, rotor, &names, v);
    return status ? status : spots;
}

/* The speeds of diagrams; without them they are chosen once critical speeds are known (to = 0). */
static lmb_status read_speeds(lmb_reader *r, lmb_rotor *rotor, const lmb_value *v)
{
    const lmb_value *speeds = &v[LMB_ROTOR_FIELD_SPEEDS];
    rotor->steps = 101;
    rotor->to = 2 * rotor->speed;
    if (!speeds->given)
        return LMB_OK;
    if (speeds->size < 2 || speeds->size > 3 || !(speeds->numbers[0] < speeds->numbers[1]) ||
        speeds->numbers[0] < 0)
        return lmb_fail_at(r->context, speeds->place,
                           "'speeds' must be the first, the last (larger) one and how many");
    rotor->from = speeds->numbers[0];
    rotor->to = speeds->numbers[1];
    if (speeds->size == 3) {
        double count = speeds->numbers[2];
        if (count != floor(count) || count < 2 || count > MOST_SPEEDS)
            return lmb_fail_at(r->context, speeds->place,
                               "the number of speeds must be whole, from 2 to %d, not %g",
                               MOST_SPEEDS, count);
        rotor->steps = (int)count;
    }
    return LMB_OK;
}

lmb_status lmb_read_rotor(lmb_reader *r, const lmb_tree *section, lmb_model *model)
{
    lmb_value v[LMB_ROTOR_FIELD_COUNT + 1];
    lmb_rotor *rotor = lmb_arena_alloc(r->arena, 1, sizeof *rotor);
    if (!rotor)
        return lmb_fail_memory(r->context);
    lmb_status status = lmb_read_values(r, section, lmb_rotor_fields, "'rotor'", NULL, v);
    if (status)
        return status;
    rotor->gravity[0] = model->gravity.y;
    rotor->gravity[1] = model->gravity.z;
    rotor->speed = v[LMB_ROTOR_FIELD_SPEED].number;
    rotor->modes = (int)fmin(v[LMB_ROTOR_FIELD_MODES].number, MOST_MODES);
    rotor->theory = (lmb_rotor_theory)v[LMB_ROTOR_FIELD_THEORY].choice;
    rotor->damping_ratio = v[LMB_ROTOR_FIELD_DAMPING_RATIO].number;
    rotor->damping_mass = v[LMB_ROTOR_FIELD_DAMPING_MASS].number;
    rotor->damping_stiffness = v[LMB_ROTOR_FIELD_DAMPING_STIFFNESS].number;
    rotor->internal_damping = v[LMB_ROTOR_FIELD_INTERNAL_DAMPING].number;
    rotor->torque = v[LMB_ROTOR_FIELD_TORQUE].number;
    rotor->axial_force = v[LMB_ROTOR_FIELD_AXIAL_FORCE].number;
    if (rotor->modes < 1 || v[LMB_ROTOR_FIELD_MODES].number != rotor->modes)
        status = lmb_fail_at(r->context, v[LMB_ROTOR_FIELD_MODES].place,
                             "'modes' must be a whole number up to %d", MOST_MODES);
    if (status || (status = read_shaft(r, rotor, v[LMB_ROTOR_FIELD_SHAFT].node)) ||
        (status = read_parts(r, rotor, v)) || (status = read_speeds(r, rotor, v)))
        return status;
    if (v[LMB_ROTOR_FIELD_RUN_UP].given) {
        if ((status = read_run_up(r, rotor, v[LMB_ROTOR_FIELD_RUN_UP].node)))
            return status;
        if (!lmb_rotor_has_unbalance(rotor)) {
            lmb_warn_at(r->context, v[LMB_ROTOR_FIELD_RUN_UP].place,
                        "nothing moves in a run-up without unbalance: it is left out");
            lmb_hint(r->context, "give a disc an unbalance in kg m, or an eccentricity in m");
        }
    }
    model->rotor = rotor;
    /* whether all is on the shaft, and the shaft is held */
    lmb_rotor_system *system;
    status = lmb_rotor_system_new(&system, r->context, rotor);
    lmb_rotor_system_free(system);
    return status;
}
