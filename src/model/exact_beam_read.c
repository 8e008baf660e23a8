/* The keys of a geometrically exact beam: its curve, its sections along it, its damping.
 *
 * Stiffness and mass per length are those of sections and a material, or matrices. The mass matrix
 * of a section with mass m per length, its centre at c and the inertia J about the origin is
 *
 *   [ m 1        -m skew(c) ]
 *   [ m skew(c)   J         ]        with c across the beam */
#include <string.h>

#include "math/dense.h"
#include "model/builder.h"
#include "model/exact_beam_part.h"

enum { N = 6, SHEAR = 1, BEND = 5 };

static const char *const large = "a beam with large deformation";

/* --- curve ------------------------------------------------------------------------------------ */

typedef struct round_keys {
    vec3 centre, axis, start;
    double radius, angle, pitch, turns;
} round_keys;

#define KEY(member) LMB_KEY(round_keys, member)

#define ROUND_FIELDS                                                                               \
    {KEY(centre), LMB_FIELD_VECTOR, "m", "Its centre, in the coordinates of the body.",            \
     "the origin"},                                                                                \
        {KEY(radius),   LMB_FIELD_NUMBER, "m",                                                     \
         "Its radius.", .required = true, .range = LMB_POSITIVE},                                  \
    {                                                                                              \
        KEY(start), LMB_FIELD_VECTOR, NULL, "The direction from its centre to where it starts.",   \
            "x, if it is about z"                                                                  \
    }

const lmb_field lmb_arc_fields[] = {
    ROUND_FIELDS,
    {KEY(angle), LMB_FIELD_NUMBER, "rad",
     "How far it goes round, counterclockwise about 'normal'; 2*pi makes it a ring.",
     .required = true, .range = LMB_NOT_ZERO},
    {"normal", LMB_AT(round_keys, axis), LMB_FIELD_VECTOR, NULL, "The normal of its plane.", "z",
     LMB_NOT_ZERO, .dimension = 3},
    {0},
};

const lmb_field lmb_helix_fields[] = {
    ROUND_FIELDS,
    {KEY(pitch), LMB_FIELD_NUMBER, "m", "How far it goes along its axis in a turn.",
     .required = true},
    {KEY(turns), LMB_FIELD_NUMBER, NULL,
     "Number of turns, counterclockwise about its axis; negative: clockwise.", .required = true,
     .range = LMB_NOT_ZERO},
    {KEY(axis), LMB_FIELD_VECTOR, NULL, "Its axis.", "z", LMB_NOT_ZERO},
    {0},
};

#undef KEY

static lmb_status read_round(lmb_reader *r, lmb_exact_part *p, const lmb_beam_keys *k)
{
    round_keys round = {.radius = 0};
    const lmb_tree *node = k->arc ? k->arc : k->helix;
    lmb_status status = lmb_part_read(r, &p->part, node, k->arc ? lmb_arc_fields : lmb_helix_fields,
                                      k->arc ? "'arc'" : "'helix'", &round);
    if (status)
        return status;
    if (v3_norm(round.axis) == 0)
        round.axis = v3(0, 0, 1);
    double angle = k->arc ? round.angle : 2 * LMB_PI * round.turns;
    if (k->arc && fabs(angle) > 2 * LMB_PI * (1 + 1e-12)) {
        lmb_fail_at(r->context, lmb_key_place(node, "angle"),
                    "the arc goes round by %g rad, more than once", angle);
        return lmb_hint(r->context, "angles are in rad, or with a unit: 90*deg");
    }
    return lmb_curve_helix(&p->curve, r->arena, r->context, p->part.name, r->dimension,
                           round.centre, round.axis, round.start, round.radius, round.pitch, angle);
}

static lmb_status read_curve(lmb_reader *r, lmb_exact_part *p, const lmb_beam_keys *k)
{
    bool points = k->from.given || k->to.given || k->along;
    if (points + (k->arc != NULL) + (k->helix != NULL) != 1)
        return lmb_fail_at(r->context, p->part.place,
                           "a beam has either 'from' and 'to', or 'along', or an 'arc', or a "
                           "'helix'");
    if (!points)
        return read_round(r, p, k);
    lmb_status status = lmb_part_read_line(r, &p->part, k);
    const lmb_beam_line *line = &p->part.line;
    return status ? status
                  : lmb_curve_of_points(&p->curve, r->arena, r->context, p->part.name, r->dimension,
                                        line->points, line->point_count, k->smooth);
}

/* --- sections --------------------------------------------------------------------------------- */

/* Whether a symmetric matrix is positive definite: all eigenvalues of it with its diagonal scaled
 * to 1. */
static lmb_status check_positive(lmb_reader *r, const lmb_tree *node, const char *name, int n,
                                 const double *a)
{
    double scaled[N * N], values[N];
    for (int i = 0; i < n; i++)
        if (!(a[i * n + i] > 0))
            return lmb_fail_at(r->context, node->place,
                               "the matrix '%s' must be positive definite, but number %d of its "
                               "diagonal is %g",
                               name, i + 1, a[i * n + i]);
    for (int i = 0; i < n * n; i++)
        scaled[i] = a[i] / sqrt(a[i / n * (n + 1)] * a[i % n * (n + 1)]);
    if (lmb_dense_symmetric(n, scaled, values) && values[0] > 1e-12)
        return LMB_OK;
    return lmb_fail_at(r->context, node->place,
                       "the matrix '%s' must be positive definite, but with its diagonal scaled to "
                       "1 it has the eigenvalue %.3g",
                       name, values[0]);
}

/* A matrix of a section: 6 x 6, or in the plane also 3 x 3, which is put where it is in space. */
static lmb_status read_matrix(lmb_reader *r, const lmb_tree *node, const char *name,
                              const double **out)
{
    static const int place[3] = {0, SHEAR, BEND};
    int n = r->dimension == 2 && node->count == 3 ? 3 : N;
    double *given, *whole = lmb_arena_numbers(r->arena, (size_t)N * N);
    *out = whole;
    if (!whole)
        return lmb_fail_memory(r->context);
    lmb_status status = lmb_read_symmetric(r, node, name, n, &given);
    if (status)
        return lmb_hint(r->context,
                        "a symmetric matrix of 6 x 6 numbers, in the plane also 3 x 3, or "
                        "its diagonal");
    if ((status = check_positive(r, node, name, n, given)))
        return status;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            whole[n == 3 ? place[i] * N + place[j] : i * N + j] = given[i * n + j];
    if (n == 3 && strcmp(name, "mass") == 0) /* the plane has no third velocity */
        whole[2 * (N + 1)] = whole[0];
    return LMB_OK;
}

/* A mass matrix must be that of a rigid section with its centre in it. */
static lmb_status check_mass(lmb_reader *r, const lmb_tree *node, const double *M)
{
    const double m = M[0], y = -M[5] / m, z = M[4] / m;
    const double wanted[3][N] = {
        {m, 0, 0, 0, m * z, -m * y}, {0, m, 0, -m * z, 0, 0}, {0, 0, m, m * y}};
    double size = sqrt(m * fmax(fmax(M[3 * N + 3], M[4 * N + 4]), M[5 * N + 5]));
    bool planar = r->dimension == 2; /* what is across the plane does not matter */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < N; j++)
            if (!(planar && (i == 2 || (j > SHEAR && j < BEND))) &&
                fabs(M[i * N + j] - wanted[i][j]) > 1e-9 * (j < 3 ? m : size)) {
                lmb_fail_at(r->context, node->place,
                            "'mass' is not that of a section: row %d, column %d is %g, not %g",
                            i + 1, j + 1, M[i * N + j], wanted[i][j]);
                return lmb_hint(r->context, "with the mass m per length and its centre at (y, z) "
                                            "the first rows are [m, 0, 0, 0, m*z, -m*y], "
                                            "[0, m, 0, -m*z, 0, 0], [0, 0, m, m*y, 0, 0]");
            }
    return LMB_OK;
}

typedef struct station_keys {
    lmb_value at;
    double twist;
    const lmb_tree *section, *stiffness, *mass;
} station_keys;

#define KEY(member) LMB_KEY(station_keys, member)

const lmb_field lmb_station_fields[] = {
    {KEY(at), LMB_FIELD_NUMBER, NULL,
     "Where it is: the part of the beam's length before it, 0 to 1.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {KEY(section), LMB_FIELD_TREE, NULL,
     "The cross section there, of the same kind at all stations.", "that of the beam",
     .choices = "section"},
    {KEY(twist), LMB_FIELD_NUMBER, "rad",
     "How far its axes are turned about the beam's x axis, from y to z.", "0", .dimension = 3},
    {KEY(stiffness), LMB_FIELD_TREE, NULL, "The stiffness there, as that of a beam.",
     "that of the beam", .choices = "nested"},
    {KEY(mass), LMB_FIELD_TREE, NULL, "The mass per length there, as that of a beam.",
     "that of the beam", .choices = "nested"},
    {0},
};

/* Sections and matrices at a station. */
static lmb_status read_section(lmb_reader *r, lmb_exact_part *p, const station_keys *k,
                               lmb_beam_station *out)
{
    lmb_section section;
    lmb_status status = LMB_OK;
    out->shaped = out->shaped || k->section;
    if (k->section && p->part.material.E > 0)
        status = lmb_part_read_section(r, &p->part, k->section, &out->section, &section);
    if (!status && k->stiffness)
        status = read_matrix(r, k->stiffness, "stiffness", &out->stiffness);
    if (!status && k->mass && !(status = read_matrix(r, k->mass, "mass", &out->mass)))
        status = check_mass(r, k->mass, out->mass);
    return status;
}

/* A station must be complete, and follow the one before it. */
static lmb_status check_station(lmb_reader *r, const lmb_exact_part *p, const lmb_tree *beam,
                                int number)
{
    const lmb_beam_station *s = &p->stations[number], *before = s - (number > 0);
    bool numbers = s->stiffness && s->mass;
    if (!numbers && !s->shaped)
        return lmb_beam_lacks(r, beam, "section");
    if (s->shaped && !(p->part.material.E > 0))
        return lmb_beam_lacks(r, beam, "material");
    if (!(s->at <= 1) || (number > 0 && s->at <= before->at))
        return lmb_fail_at(r->context, s->place,
                           "'at' of the stations must ascend from 0 to 1, but %g follows %g", s->at,
                           number > 0 ? before->at : 0);
    if (s->shaped != before->shaped || (s->shaped && s->section.kind != before->section.kind))
        return lmb_fail_at(r->context, s->place,
                           "the stations of a beam must have sections of one kind, here %s and %s",
                           lmb_section_types[before->section.kind].name,
                           s->shaped ? lmb_section_types[s->section.kind].name : "none");
    if ((s->stiffness == NULL) != (before->stiffness == NULL) ||
        (s->mass == NULL) != (before->mass == NULL))
        return lmb_fail_at(r->context, s->place,
                           "'stiffness' and 'mass' must be given at all stations, or at none");
    return LMB_OK;
}

static lmb_status read_stations(lmb_reader *r, lmb_exact_part *p, const lmb_tree *beam,
                                const lmb_beam_keys *k)
{
    const station_keys common = {.section = k->section, .stiffness = k->stiffness, .mass = k->mass};
    const lmb_tree *list = k->stations;
    if (list && (list->kind != LMB_TREE_LIST || list->count == 0))
        return lmb_fail_kind(r, list, "stations", "a list of maps, such as [{at: 0, twist: 0}]");
    p->station_count = list ? list->count : 1;
    p->stations = lmb_arena_alloc(r->arena, (size_t)p->station_count, sizeof *p->stations);
    if (!p->stations)
        return lmb_fail_memory(r->context);
    lmb_beam_station all = {.place = p->part.place};
    lmb_status status = read_section(r, p, &common, &all);
    for (int i = 0; i < p->station_count && !status; i++) {
        lmb_beam_station *s = &p->stations[i];
        station_keys own;
        *s = all;
        if (list) {
            status =
                lmb_part_read(r, &p->part, list->items[i], lmb_station_fields, "a station", &own);
            s->at = own.at.number;
            s->place = own.at.place;
            s->twist = own.twist;
            if (!status)
                status = read_section(r, p, &own, s);
        }
        if (!status)
            status = check_station(r, p, beam, i);
    }
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Damping by so many times the stiffness; modal damping has no meaning here. */
static lmb_status read_damping(lmb_reader *r, const lmb_tree *node, double *out)
{
    lmb_damping_keys k = {0};
    if (!node)
        return LMB_OK;
    lmb_status status = LMB_OK;
    if (node->kind == LMB_TREE_MAP)
        status = lmb_read_fields(r, node, lmb_damping_fields, "'damping'", NULL, &k);
    *out = k.stiffness;
    if (status || (node->kind == LMB_TREE_MAP && !k.ratio && !lmb_tree_get(node, "mass")))
        return status;
    lmb_fail_at(r->context, node->place,
                "%s has no modes that a damping ratio or damping by its "
                "mass could belong to",
                large);
    return lmb_hint(r->context, "give {stiffness: ...}, in s: stresses of strain rates are so many "
                                "times those of strains");
}

/* Keys of bodies that are reduced. */
static lmb_status check_keys(lmb_reader *r, const lmb_body_build *b, const lmb_flexible_keys *k)
{
    static const char *const reduced[] = {"mesh",   "matrices",  "modal",    "framework",
                                          "arrays", "reduction", "coupling", "quadratic_velocity",
                                          "rigid",  "patches",   "modes",    "modes_velocity"};
    const char *name = b->key->text;
    for (size_t i = 0; i < sizeof reduced / sizeof *reduced; i++) {
        if (!lmb_tree_get(b->node, reduced[i]))
            continue;
        lmb_fail_at(r->context, lmb_key_place(b->node, reduced[i]),
                    "body '%s' is %s and has no '%s'", name, large, reduced[i]);
        return i < 5 ? LMB_BAD_INPUT
                     : lmb_hint(r->context,
                                "'%s' belongs to bodies that are reduced to modes, "
                                "'deformation: small'",
                                reduced[i]);
    }
    return lmb_part_check_keys(r, b->node, k, name);
}

/* Interfaces and masses sit on the beam. */
static lmb_status check_anchors(lmb_reader *r, const lmb_anchor *anchors, int count)
{
    for (int i = 0; i < count; i++)
        if (anchors[i].kind > LMB_ANCHOR_END) {
            lmb_fail_at(r->context, anchors[i].place, "'%s' cannot be tied to nodes of %s",
                        anchors[i].name, large);
            return lmb_hint(r->context, "it is start, end, {at: [x, y, z]} or {node: number}");
        }
    return LMB_OK;
}

static lmb_status read_beam(lmb_reader *r, const lmb_tree *node, lmb_exact_part *p)
{
    lmb_beam_keys k;
    lmb_status status = lmb_read_beam_keys(r, &p->part, node, &k);
    if (status || (status = read_curve(r, p, &k)) ||
        (k.material && (status = lmb_part_read_material(r, &p->part, k.material))) ||
        (status = read_stations(r, p, node, &k)) ||
        (status = lmb_part_read_elements(r, &p->part, &k)))
        return status;
    if (!lmb_is_whole(k.order.number, 1, LMB_BEAM_HIGHEST_ORDER))
        return lmb_fail_at(r->context, k.order.place, "'order' must be 1, 2 or 3");
    p->order = (int)k.order.number;
    p->y_axis = k.y_axis;
    p->y_place = lmb_key_place(node, "y_axis");
    return LMB_OK;
}

lmb_status lmb_exact_part_read(const lmb_body_build *b, lmb_exact_part *p)
{
    lmb_reader *r = b->reader;
    const lmb_flexible_keys *k = b->keys;
    size_t from = lmb_message_count(r->context);
    *p = (lmb_exact_part){.part = {.name = b->key->text,
                                   .dimension = r->dimension,
                                   .source = LMB_PART_BEAM,
                                   .place = k->beam->place}};
    lmb_status status = check_keys(r, b, k);
    if (status)
        return status;
    status = read_beam(r, k->beam, p);
    lmb_give_place(r->context, from, k->beam->place);
    if (lmb_part_read_anchors(r, &p->part, k->interfaces, k->masses) ||
        check_anchors(r, p->part.interfaces, p->part.interface_count) ||
        check_anchors(r, p->part.masses, p->part.mass_count) ||
        read_damping(r, k->damping, &p->damping))
        status = LMB_BAD_INPUT;
    return status ? status : lmb_check_memory(r->context, r->arena);
}
