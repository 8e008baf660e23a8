/* The clapper: a twelve-sided tube of 800 kg and 200 kg at each end.
 *
 * Sizes follow from beam theory. A = m / (density L) for the tube. Free along its axis, with c the
 * speed of sound and a mass m_e at each end,
 *
 *   x tan x = m_tube / (2 m_e),  f = x c / (pi L):   x = 1.077, f = 222 Hz
 *
 * for any section; the distance of the walls from the axis then sets bending to 41 Hz. */
#include "parts.h"

#include <math.h>

#include "clapper.h"
#include "grid.h"

static const double wall_in = CLAPPER_TUBE - CLAPPER_WALL;

/* Pieces of the grid. */
enum { INSIDE, WALL, OUTSIDE };
enum {
    LOW_FLANGE,
    LOW_GUSSET,
    FIRST_SPAN,
    HIGH_GUSSET = FIRST_SPAN + 2 * CLAPPER_RIBS + 1,
    HIGH_FLANGE
};

static bool has_gusset(int side)
{
    return side % (CLAPPER_SIDES / CLAPPER_GUSSETS) == 0;
}

/* Whether a piece of the way around is a gusset: sides that have one are three pieces long. */
static bool is_gusset(int piece)
{
    for (int side = 0, first = 0; side < CLAPPER_SIDES; side++) {
        if (has_gusset(side) && piece == first + 1)
            return true;
        first += has_gusset(side) ? 3 : 1;
    }
    return false;
}

static bool filled(const void *data, const int piece[3])
{
    (void)data;
    int z = piece[PART_HEIGHT];
    bool gussets = z == LOW_GUSSET || z == HIGH_GUSSET;
    bool ribs = z > FIRST_SPAN && z < HIGH_GUSSET && (z - FIRST_SPAN) % 2 == 1;
    if (z == LOW_FLANGE || z == HIGH_FLANGE || piece[PART_RADIUS] == WALL)
        return true;
    return piece[PART_RADIUS] == INSIDE ? ribs : gussets && is_gusset(piece[PART_SECTOR]);
}

/* How far the outermost line is from the axis: gussets become lower towards the middle. */
static double outermost(double z)
{
    double from_flange = fmin(z + CLAPPER_LENGTH, -z) - CLAPPER_FLANGE_DEPTH;
    double t = fmin(fmax(from_flange / CLAPPER_GUSSET, 0), 1);
    return (1 - t) * CLAPPER_FLANGE + t * (CLAPPER_TUBE + CLAPPER_GUSSET_TIP);
}

/* The position across a side, from -edge to edge, for t from 0 to 1. */
static double across(int side, double t, double edge)
{
    double half = 0.5 * CLAPPER_GUSSET_WALL;
    if (!has_gusset(side))
        return (2 * t - 1) * edge;
    if (t < 1. / 3)
        return -edge + 3 * t * (edge - half);
    if (t < 2. / 3)
        return (6 * t - 3) * half;
    return half + (3 * t - 2) * (edge - half);
}

static vec3 place(const void *data, const double at[3])
{
    (void)data;
    int side = (int)floor(at[PART_SECTOR] + 1e-9);
    double r = at[PART_RADIUS], z = at[PART_HEIGHT], turn = 2 * LMB_PI / CLAPPER_SIDES;
    if (r > CLAPPER_TUBE)
        r = CLAPPER_TUBE +
            (r - CLAPPER_TUBE) / (CLAPPER_FLANGE - CLAPPER_TUBE) * (outermost(z) - CLAPPER_TUBE);
    double y = across(side, at[PART_SECTOR] - side, r * tan(0.5 * turn)), angle = side * turn;
    return v3(r * cos(angle) - y * sin(angle), r * sin(angle) + y * cos(angle), z);
}

static bool inside(const void *data, int set, const double at[3])
{
    (void)data;
    return at[PART_HEIGHT] == (set == 0 ? 0 : -CLAPPER_LENGTH);
}

static void make_breaks(part_grid *grid)
{
    part_breaks *r = &grid->breaks[PART_RADIUS], *a = &grid->breaks[PART_SECTOR],
                *z = &grid->breaks[PART_HEIGHT];
    part_break(r, CLAPPER_RIB, 0);
    part_break(r, wall_in, wall_in - CLAPPER_RIB);
    part_break(r, CLAPPER_TUBE, CLAPPER_WALL);
    part_break(r, CLAPPER_FLANGE, CLAPPER_FLANGE - CLAPPER_TUBE);

    double edge = 2 * CLAPPER_TUBE * tan(LMB_PI / CLAPPER_SIDES);
    part_break(a, 0, 0);
    for (int side = 0; side < CLAPPER_SIDES; side++)
        for (int i = has_gusset(side) ? 1 : 3; i <= 3; i++)
            part_break(a, i < 3 ? side + i / 3. : side + 1, /* whole numbers must be exact */
                       !has_gusset(side) ? edge
                       : i == 2          ? CLAPPER_GUSSET_WALL
                                         : 0.5 * (edge - CLAPPER_GUSSET_WALL));

    double end = CLAPPER_FLANGE_DEPTH + CLAPPER_GUSSET;
    double pitch = (CLAPPER_LENGTH - 2 * end + CLAPPER_RIB_DEPTH) / (CLAPPER_RIBS + 1);
    part_break(z, -CLAPPER_LENGTH, 0);
    part_break(z, -CLAPPER_LENGTH + CLAPPER_FLANGE_DEPTH, CLAPPER_FLANGE_DEPTH);
    part_break(z, -CLAPPER_LENGTH + end, CLAPPER_GUSSET);
    for (int i = 1; i <= CLAPPER_RIBS; i++) {
        double after = -CLAPPER_LENGTH + end + i * pitch;
        part_break(z, after - CLAPPER_RIB_DEPTH, pitch - CLAPPER_RIB_DEPTH);
        part_break(z, after, CLAPPER_RIB_DEPTH);
    }
    part_break(z, -end, pitch - CLAPPER_RIB_DEPTH);
    part_break(z, -CLAPPER_FLANGE_DEPTH, CLAPPER_GUSSET);
    part_break(z, 0, CLAPPER_FLANGE_DEPTH);
}

static lmb_status solid(lmb_mesh **out, lmb_context *context, lmb_element_kind kind, double size)
{
    static const char *const sets[] = {"pivot", "bearing"};
    part_grid grid = {.name = "clapper",
                      .filled = filled,
                      .place = place,
                      .set_names = sets,
                      .set_count = 2,
                      .inside = inside};
    make_breaks(&grid);
    return part_mesh(out, context, &grid, kind, size);
}

const part part_clapper = {
    .name = "clapper",
    .solid = solid,
    .beams = clapper_beams,
    .point_count = 2,
    .points = {{"pivot", {0, 0, 0}}, {"bearing", {0, 0, -8}}},
};
