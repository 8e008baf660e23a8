/* Probes of a geometrically exact beam: named places along it where results are reported.
 *
 * A place is an arc length s, and becomes an element from s_e to s_e + L_e and x = 2 (s - s_e) /
 * L_e
 * - 1 in it; where two elements meet, it belongs to the second. */
#include <string.h>

#include "model/builder.h"
#include "model/exact_beam_part.h"

/* What probes are read for. */
typedef struct probing {
    const lmb_exact_part *part;
    lmb_exact_beam *beam;
} probing;

/* --- names ------------------------------------------------------------------------------------ */

/* Names that are in those of channels: of the body, and of other probes. */
static lmb_status check_name(lmb_reader *r, const lmb_exact_part *p, const lmb_tree *key)
{
    static const char *const taken[] = {"max", "node", "nodes", "stress", "section"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(key->text, taken[i]) == 0)
            return lmb_fail_at(r->context, key->place,
                               "'%s' cannot be the name of a probe: channels of the body have it",
                               key->text);
    for (int i = 0; i < p->part.interface_count; i++)
        if (strcmp(key->text, p->part.interfaces[i].name) == 0)
            return lmb_fail_at(r->context, key->place,
                               "body '%s' has both an interface and a probe '%s'", p->part.name,
                               key->text);
    return LMB_OK;
}

static lmb_status check_interfaces(lmb_reader *r, const lmb_exact_part *p, const lmb_tree *probes)
{
    for (int i = 0; i < p->part.interface_count; i++) {
        const char *name = p->part.interfaces[i].name;
        if (strcmp(name, "stress") == 0 || strcmp(name, "section") == 0)
            return lmb_fail_at(r->context, probes->place,
                               "a body with probes cannot have an interface '%s', which would be "
                               "in the names of their channels",
                               name);
    }
    return LMB_OK;
}

/* --- places ----------------------------------------------------------------------------------- */

static lmb_status node_place(lmb_reader *r, const probing *p, const lmb_value *k, double *s)
{
    const lmb_exact_beam *b = p->beam;
    int most = b->element_count + !b->closed;
    double number;
    lmb_status status = lmb_read_number(r, k->node, "node", &number);
    if (status)
        return status;
    if (lmb_is_whole(number, 1, most)) {
        *s = b->places[((int)number - 1) * b->order];
        return LMB_OK;
    }
    lmb_fail_at(r->context, k->place, "body '%s' has no node %g", p->part->part.name, number);
    return lmb_hint(r->context, "its nodes, at the ends of elements, have numbers from 1 to %d",
                    most);
}

static lmb_status point_place(lmb_reader *r, const probing *p, const lmb_value *k, double *s)
{
    const lmb_beam_curve *curve = &p->part->curve;
    double distance;
    vec3 x, tangent, at = k->vector;
    *s = lmb_curve_nearest(curve, at, &distance);
    if (distance <= 1e-6 * curve->length)
        return LMB_OK;
    lmb_curve_at(curve, *s, false, &x, &tangent);
    lmb_fail_at(r->context, k->place, "(%g, %g, %g) is not on the beam '%s'", at.x, at.y, at.z,
                p->part->part.name);
    return lmb_hint(r->context, "the nearest point of it is (%.9g, %.9g, %.9g)", x.x, x.y, x.z);
}

/* The arc length of a place. */
static lmb_status find_place(lmb_reader *r, const probing *p, const lmb_place_keys *k,
                             const lmb_tree *key, double *s)
{
    double L = p->part->curve.length;
    if (k->member.given || k->side.given)
        return lmb_fail_at(r->context, (k->member.given ? k->member : k->side).place,
                           "'%s' is for frameworks", k->member.given ? "member" : "side");
    if (k->node.given + k->at.given + k->fraction.given + k->arc_length.given != 1 ||
        k->nodes.given || lmb_has_selection(&k->selection))
        return lmb_fail_at(r->context, key->place,
                           "a probe of a beam with large deformation has one of node, at, fraction "
                           "and arc_length");
    if (k->node.given)
        return node_place(r, p, &k->node, s);
    if (k->at.given)
        return point_place(r, p, &k->at, s);
    *s = k->fraction.given ? L * k->fraction.number : k->arc_length.number;
    if (*s >= 0 && *s <= L * (1 + 1e-12))
        return LMB_OK;
    if (k->fraction.given)
        return lmb_fail_at(r->context, k->fraction.place, "'fraction' must be from 0 to 1, not %g",
                           k->fraction.number);
    lmb_fail_at(r->context, k->arc_length.place, "'arc_length' of %g m is not on the beam '%s'", *s,
                p->part->part.name);
    return lmb_hint(r->context, "it is %.9g m long", L);
}

/* --- sections --------------------------------------------------------------------------------- */

/* The section at an arc length, and its axes: nodes of beams with corners do not have them. */
static lmb_status find_section(lmb_reader *r, const probing *p, double s, lmb_beam_probe *out)
{
    const lmb_exact_beam *b = p->beam;
    double L = p->part->curve.length, start = b->places[out->element * b->order];
    double first = start + b->lengths[out->element] / 2 * (1 + lmb_gauss_points[b->order][0]);
    lmb_beam_properties here, there;
    lmb_exact_part_properties(p->part, r->context, s / L, &here);
    lmb_exact_part_properties(p->part, r->context, first / L, &there);
    out->axes = m3_identity();
    if (b->section_axes)
        out->axes =
            lmb_twisted_axes(&b->section_axes[out->element * b->order], here.twist - there.twist);
    if (!b->sections)
        return LMB_OK;
    lmb_section *section = lmb_arena_alloc(r->arena, 1, sizeof *section);
    if (!section)
        return lmb_fail_memory(r->context);
    *section = here.section;
    out->section = section;
    return LMB_OK;
}

static lmb_status read_probe(lmb_reader *r, const lmb_entry *e, void *user)
{
    const probing *p = user;
    lmb_exact_beam *b = p->beam;
    lmb_place_keys k;
    double s = 0, slack = 1e-9 * p->part->curve.length;
    if (lmb_read_fields(r, e->node, lmb_probe_fields, e->what, NULL, &k) ||
        check_name(r, p->part, e->key) || find_place(r, p, &k, e->key, &s))
        return LMB_BAD_INPUT;
    lmb_beam_probe *out = &b->probes[b->probe_count++];
    *out = (lmb_beam_probe){.name = e->key->text};
    while (out->element + 1 < b->element_count &&
           b->places[(out->element + 1) * b->order] <= s + slack)
        out->element++;
    double start = b->places[out->element * b->order], length = b->lengths[out->element];
    out->x = s - start <= slack            ? -1
             : start + length - s <= slack ? 1
                                           : 2 * (s - start) / length - 1;
    return find_section(r, p, s, out);
}

lmb_status lmb_exact_probes_read(const lmb_body_build *body, const lmb_exact_part *part,
                                 lmb_exact_beam *beam)
{
    lmb_reader *r = body->reader;
    const lmb_tree *probes = ((const lmb_flexible_keys *)body->keys)->probes;
    if (!probes)
        return LMB_OK;
    beam->probes = lmb_arena_alloc(r->arena, lmb_tree_count(probes) + 1, sizeof *beam->probes);
    if (!beam->probes)
        return lmb_fail_memory(r->context);
    lmb_status status = check_interfaces(r, part, probes);
    return status ? status
                  : lmb_read_section(r, probes, "probes", "probe", "places", read_probe,
                                     &(probing){part, beam});
}
