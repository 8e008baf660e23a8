/* The section `rotor`: shaft, discs, bearings. */
#include <math.h>
#include <string.h>

#include "rotor/results.h"
#include "fe/properties.h"
#include "model/builder.h"
#include "model/rotor_fields.h"

enum {
    MOST_ELEMENTS = 20000,
    MOST_SPEEDS = 100000,
    MOST_MODES = 1000,
    LEAST_IN_CONE = 10,
    USUAL_ELEMENTS = 20
};
static const double largest_diameter = 10; /* m: more is a length in millimetres */

/* --- what all have in common ------------------------------------------------------------------ */

/* What the parts of a rotor are read with. */
typedef struct reading {
    lmb_rotor *rotor;
    lmb_names names;     /* of discs, bearings, seals and probes, which need names of their own */
    const char *section; /* the key that is read */
} reading;

/* Reads the keys of an entry, whose name, with `alone`, must be its only one. */
static lmb_status read_entry(lmb_reader *r, const lmb_entry *e, reading *with, bool alone,
                             const lmb_field *fields, void *keys, const char **name)
{
    const lmb_tree *key = e->key;
    if (lmb_read_fields(r, e->node, fields, e->what, NULL, keys))
        return LMB_BAD_INPUT;
    if (alone && lmb_names_find(&with->names, key->text, strlen(key->text))) {
        lmb_fail_at(r->context, key->place, "the rotor has a part '%s' already", key->text);
        return lmb_hint(r->context, "discs, bearings, seals and probes need names of their own");
    }
    *name = key->text;
    return !alone || lmb_names_add(&with->names, r->arena, *name, 0, 0)
               ? LMB_OK
               : lmb_fail_memory(r->context);
}

/* A number, two or four, each an expression of speed. */
static lmb_status read_law(lmb_reader *r, const lmb_tree *node, const char *name,
                           lmb_rotor_law *out)
{
    if (!node)
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
static lmb_status read_material(lmb_reader *r, const lmb_tree *node, lmb_material *out)
{
    size_t before = lmb_message_count(r->context);
    lmb_status status = lmb_read_material(r, node, "material", out);
    if (!status && out->density == 0)
        lmb_messages_forget(r->context, before);
    return status;
}

/* --- shaft ------------------------------------------------------------------------------------ */

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static lmb_status read_piece(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *node)
{
    lmb_piece_keys k = {0};
    lmb_rotor_piece *p = &rotor->pieces[rotor->piece_count],
                    *last = rotor->piece_count ? p - 1 : NULL;
    lmb_status status =
        lmb_read_fields(r, node, lmb_rotor_piece_fields, "a segment of the shaft", NULL, &k);
    if (status)
        return status;
    double end = last ? last->start + last->length : 0;
    *p = k.piece;
    p->start = given(p->start, end);
    p->elements = (int)fmin(given(k.elements, 0), MOST_ELEMENTS + 1);
    p->end_diameter = given(p->end_diameter, p->diameter);
    p->end_bore = given(p->end_bore, p->bore);
    if (!(p->bore < p->diameter))
        return lmb_fail_at(r->context, lmb_key_place(node, "bore"),
                           "the bore (%g m) must be smaller than the diameter (%g m)", p->bore,
                           p->diameter);
    if (!(p->end_bore < p->end_diameter))
        return lmb_fail_at(r->context, lmb_key_place(node, "diameter"),
                           "the bore at the end (%g m) must be smaller than the diameter there (%g "
                           "m)",
                           p->end_bore, p->end_diameter);
    if (p->diameter > largest_diameter) {
        lmb_warn_at(r->context, lmb_key_place(node, "diameter"),
                    "a shaft with a diameter of %g m: lengths are in metres", p->diameter);
        lmb_hint(r->context, "write %g/1000 for millimetres", p->diameter);
    }
    if (last && p->start < end - 1e-12 * fabs(end))
        return lmb_fail_at(r->context, lmb_key_place(node, "start"),
                           "the segment begins at %g m, before the end of the previous one, %g m",
                           p->start, end);
    if (!isnan(k.elements) && (p->elements < 1 || k.elements != p->elements))
        return lmb_fail_at(r->context, lmb_key_place(node, "elements"),
                           "'elements' must be a whole number up to %d", MOST_ELEMENTS);
    if (k.material)
        status = read_material(r, k.material, &p->material);
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
        return lmb_fail_at(
            r->context, node->place,
            "'shaft' must be a list of segments, such as [{length: 0.8, diameter: 0.015}]");
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

/* --- discs ------------------------------------------------------------------------------------ */

/* A hollow cylinder: m = rho pi h (D^2 - d^2) / 4, polar m (D^2 + d^2) / 8, diametral half of that
 * and m h^2 / 12. */
static lmb_status disc_of_size(lmb_reader *r, const lmb_rotor *rotor, const lmb_tree *node,
                               const lmb_disc_keys *k, lmb_rotor_disc *d)
{
    const lmb_rotor_piece *piece = piece_at(rotor, d->at);
    lmb_material of = piece->material;
    double inner, part = piece->length > 0 ? (d->at - piece->start) / piece->length : 0;
    double bore = given(k->bore, lmb_rotor_diameter(piece, part, &inner));
    double D = d->diameter, h = d->thickness;
    if (!(D > 0) || !(h > 0))
        return lmb_fail_at(r->context, d->place,
                           "disc '%s' needs a mass, or a diameter and a thickness", d->name);
    if (!(bore < D))
        return lmb_fail_at(r->context, lmb_key_place(node, "diameter"),
                           "the diameter (%g m) must be larger than the bore (%g m)", D, bore);
    lmb_status status = k->material ? read_material(r, k->material, &of) : LMB_OK;
    d->mass = given(d->mass, of.density * LMB_PI / 4 * (D * D - bore * bore) * h);
    d->polar = given(d->polar, d->mass * (D * D + bore * bore) / 8);
    d->diametral = given(d->diametral, d->polar / 2 + d->mass * h * h / 12);
    return status;
}

static lmb_status read_disc(lmb_reader *r, const lmb_entry *e, void *user)
{
    lmb_rotor *rotor = ((reading *)user)->rotor;
    lmb_disc_keys k = {0};
    const lmb_tree *node = e->node;
    const char *name;
    lmb_status status = read_entry(r, e, user, true, lmb_rotor_disc_fields, &k, &name);
    if (status)
        return status;
    lmb_rotor_disc *d = &rotor->discs[rotor->disc_count++];
    *d = k.disc;
    d->name = name;
    d->place = lmb_key_place(node, "at");
    if (!isnan(d->mass) && !(d->diameter > 0)) {
        d->polar = given(d->polar, 0);
        d->diametral = given(d->diametral, d->polar / 2);
    } else {
        status = disc_of_size(r, rotor, node, &k, d);
    }
    if (!status && d->diametral < d->polar / 2 * (1 - 1e-6)) {
        lmb_warn_at(
            r->context, e->key->place,
            "disc '%s' has a diametral moment of inertia (%g kg m^2) below half of its polar "
            "one (%g kg m^2), as no body has",
            d->name, d->diametral, d->polar);
        lmb_hint(r->context, "left out, it is that of a thin disc, half of the polar one");
    }
    if (!isnan(d->unbalance) && !isnan(k.eccentricity))
        return lmb_fail_at(r->context, lmb_key_place(node, "eccentricity"),
                           "give 'unbalance' or 'eccentricity', not both");
    d->unbalance = isnan(k.eccentricity) ? given(d->unbalance, 0) : d->mass * k.eccentricity;
    return status;
}

/* --- bearings, couplings, spots --------------------------------------------------------------- */

static lmb_status read_support(lmb_reader *r, const lmb_tree *node, lmb_rotor_bearing *b)
{
    lmb_bearing_keys k = {0};
    lmb_status status = lmb_read_fields(r, node, lmb_rotor_support_fields, "'support'", NULL, &k);
    if (status)
        return status;
    b->supported = true;
    b->support_mass = k.bearing.support_mass;
    if (b->hold != LMB_ROTOR_SPRING)
        return lmb_fail_at(r->context, node->place,
                           "a bearing on a support needs a stiffness of its own");
    status = read_law(r, k.stiffness, "stiffness", &b->support_stiffness);
    return status ? status : read_law(r, k.damping, "damping", &b->support_damping);
}

/* A bearing or a seal. */
static lmb_status read_bearing(lmb_reader *r, const lmb_entry *e, void *user)
{
    reading *with = user;
    lmb_rotor *rotor = with->rotor;
    bool seal = strcmp(with->section, "seals") == 0;
    lmb_bearing_keys k = {0};
    const char *name;
    lmb_status status = read_entry(r, e, with, true, lmb_rotor_bearing_fields, &k, &name);
    if (status)
        return status;
    lmb_rotor_bearing *b = &rotor->bearings[rotor->bearing_count++];
    *b = k.bearing;
    b->name = name;
    b->seal = seal;
    b->place = lmb_key_place(e->node, "at");
    if (b->hold == LMB_ROTOR_SPRING && !k.stiffness && !seal) {
        lmb_fail_at(r->context, e->key->place, "bearing '%s' needs a stiffness", b->name);
        return lmb_hint(r->context, "or 'type: pinned' for one that does not give way");
    }
    const struct {
        const char *name;
        const lmb_tree *node;
        lmb_rotor_law *law;
    } laws[] = {{"stiffness", k.stiffness, &b->stiffness},
                {"damping", k.damping, &b->damping},
                {"mass", k.mass, &b->mass}};
    for (size_t n = 0; n < 3 && !status; n++) {
        if (laws[n].node && b->hold != LMB_ROTOR_SPRING)
            return lmb_fail_at(r->context, laws[n].node->place, "a bearing that is %s has no %s",
                               b->hold == LMB_ROTOR_PINNED ? "pinned" : "clamped", laws[n].name);
        status = read_law(r, laws[n].node, laws[n].name, laws[n].law);
    }
    return !status && k.support ? read_support(r, k.support, b) : status;
}

static lmb_status read_coupling(lmb_reader *r, const lmb_entry *e, void *user)
{
    lmb_rotor *rotor = ((reading *)user)->rotor;
    lmb_coupling_keys k = {0};
    const char *name;
    const lmb_value *between = &k.between;
    lmb_status status = read_entry(r, e, user, false, lmb_rotor_coupling_fields, &k, &name);
    if (status)
        return status;
    lmb_rotor_coupling *c = &rotor->couplings[rotor->coupling_count++];
    *c = k.coupling;
    c->name = name;
    if (between->size != 2 || !(between->numbers[0] < between->numbers[1]))
        return lmb_fail_at(r->context, between->place,
                           "'between' must be two places, the left one first");
    c->place = between->place;
    c->at[0] = between->numbers[0];
    c->at[1] = between->numbers[1];
    return LMB_OK;
}

/* An unbalance or a probe. */
static lmb_status read_spot(lmb_reader *r, const lmb_entry *e, void *user)
{
    reading *with = user;
    lmb_rotor *rotor = with->rotor;
    bool probe = strcmp(with->section, "probes") == 0;
    lmb_rotor_spot *spot =
        probe ? &rotor->probes[rotor->probe_count++] : &rotor->unbalances[rotor->unbalance_count++];
    spot->place = lmb_key_place(e->node, "at");
    return read_entry(r, e, with, probe,
                      probe ? lmb_rotor_probe_fields : lmb_rotor_unbalance_fields, spot,
                      &spot->name);
}

static lmb_status read_run_up(lmb_reader *r, lmb_rotor *rotor, const lmb_tree *node)
{
    lmb_status status = lmb_read_fields(r, node, lmb_rotor_run_up_fields, "'run_up'", NULL, rotor);
    if (status)
        return status;
    rotor->runs_up = true;
    rotor->run_to = given(rotor->run_to, rotor->speed);
    if (rotor->run_to == rotor->run_from)
        return lmb_fail_at(r->context, node->place, "a run-up needs a speed to run up to, 'to'");
    double steps = lmb_run_up_steps(rotor);
    const char *key = rotor->run_step > 0 ? "step" : "duration";
    if (!(steps <= LMB_RUN_UP_MOST)) {
        lmb_fail_at(r->context, lmb_key_place(node, key),
                    "the run-up takes %.3g steps, more than %d", steps, LMB_RUN_UP_MOST);
        return lmb_hint(r->context,
                        "take a shorter 'duration' or a longer 'step'; without one there "
                        "are 200 steps in a turn at the highest speed");
    }
    return LMB_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Discs, bearings and so on by their names; after a mistake the others are still read. */
static lmb_status read_parts(lmb_reader *r, lmb_rotor *rotor, const lmb_rotor_keys *k)
{
    reading with = {.rotor = rotor};
    const struct {
        const char *key, *kind;
        const lmb_tree *section;
        lmb_entry_function *read;
    } parts[] = {
        {"discs", "disc", k->discs, read_disc},
        {"bearings", "bearing", k->bearings, read_bearing},
        {"seals", "seal", k->seals, read_bearing},
        {"couplings", "coupling", k->couplings, read_coupling},
        {"unbalances", "unbalance", k->unbalances, read_spot},
        {"probes", "probe", k->probes, read_spot},
    };
    size_t held = lmb_tree_count(k->bearings) + lmb_tree_count(k->seals);
    rotor->discs = lmb_arena_alloc(r->arena, lmb_tree_count(k->discs), sizeof *rotor->discs);
    rotor->bearings = lmb_arena_alloc(r->arena, held, sizeof *rotor->bearings);
    rotor->couplings =
        lmb_arena_alloc(r->arena, lmb_tree_count(k->couplings), sizeof *rotor->couplings);
    rotor->unbalances =
        lmb_arena_alloc(r->arena, lmb_tree_count(k->unbalances), sizeof *rotor->unbalances);
    rotor->probes = lmb_arena_alloc(r->arena, lmb_tree_count(k->probes), sizeof *rotor->probes);
    lmb_status status = LMB_OK;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        with.section = parts[p].key;
        if (lmb_read_section(r, parts[p].section, with.section, parts[p].kind, with.section,
                             parts[p].read, &with))
            status = LMB_BAD_INPUT;
    }
    return status;
}

/* The speeds of diagrams; without them they are chosen once critical speeds are known (to = 0). */
static lmb_status read_speeds(lmb_reader *r, lmb_rotor *rotor, const lmb_value *speeds)
{
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
    lmb_rotor_keys k = {0};
    lmb_rotor *rotor = lmb_arena_alloc(r->arena, 1, sizeof *rotor);
    if (!rotor)
        return lmb_fail_memory(r->context);
    lmb_status status = lmb_read_fields(r, section, lmb_rotor_fields, "'rotor'", NULL, &k);
    if (status)
        return status;
    *rotor = k.rotor;
    rotor->gravity[0] = model->gravity.y;
    rotor->gravity[1] = model->gravity.z;
    rotor->modes = (int)fmin(k.modes, MOST_MODES);
    if (rotor->modes < 1 || k.modes != rotor->modes)
        status = lmb_fail_at(r->context, lmb_key_place(section, "modes"),
                             "'modes' must be a whole number up to %d", MOST_MODES);
    if (status || (status = read_shaft(r, rotor, k.shaft)) || (status = read_parts(r, rotor, &k)) ||
        (status = read_speeds(r, rotor, &k.speeds)))
        return status;
    if (k.run_up) {
        if ((status = read_run_up(r, rotor, k.run_up)))
            return status;
        if (!lmb_rotor_has_unbalance(rotor)) {
            lmb_warn_at(r->context, k.run_up->place,
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
