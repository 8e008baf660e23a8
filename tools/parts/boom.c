/* The boom of a crane: a box of welded plates along x, highest where the ram pushes from below.
 *
 *          ______------------______
 *   foot  |      ' bulkheads '     ------_____  head
 *         |______      '         _____-------|
 *                ------__--------
 *                      ram
 *
 * The grid goes around the x axis: its height is x, its radius runs through the wall, and its
 * sectors are the four sides. Plates close the ends, bulkheads stand between the bays and on both
 * sides of the seat of the ram. */
#include "parts.h"

#include <math.h>

#include "boom.h"
#include "grid.h"

/* Pieces of the grid: the inside of the ends and bulkheads, then the wall. */
enum { INSIDE, WALL };
enum { SIDES = 4 };

/* Where bulkheads begin, along x; the seat of the ram is between the second and the third. */
static const double bulkheads[BOOM_BAYS] = {2, BOOM_RAM - BOOM_RAM_LENGTH / 2 - BOOM_RIB,
                                            BOOM_RAM + BOOM_RAM_LENGTH / 2, 6.6, 9.2};

static bool filled(const void *data, const int piece[3])
{
    (void)data;
    int x = piece[PART_HEIGHT];
    bool end = x == 0 || x == 2 * BOOM_BAYS + 2;
    return piece[PART_RADIUS] == WALL || end || x % 2 == 0;
}

/* Half of the height and half of the width at x; over the seat of the ram the height is the same.
 */
static double half_height(double x)
{
    double from = BOOM_RAM - 0.5 * BOOM_RAM_LENGTH, to = BOOM_RAM + 0.5 * BOOM_RAM_LENGTH;
    double t = x < from ? (from - x) / from : x > to ? (x - to) / (BOOM_LENGTH - to) : 0;
    return 0.5 * ((1 - t) * BOOM_WAIST + t * (x < from ? BOOM_FOOT : BOOM_HEAD));
}

static double half_width(double x)
{
    double t = x / BOOM_LENGTH;
    return 0.5 * ((1 - t) * BOOM_WIDTH + t * BOOM_HEAD_WIDTH);
}

/* The radius counts from 0, the hole in the middle of the bulkheads, over 1, the inside of the
 * wall, to 2, its outside. Around the axis side 0 is that of +y, then come +z, -y and -z. */
static vec3 place(const void *data, const double at[3])
{
    (void)data;
    double x = at[PART_HEIGHT], r = at[PART_RADIUS];
    double y = half_width(x), z = half_height(x), inner = fmax(1 - r, 0), wall = fmax(r - 1, 0);
    y = (1 - inner / 2) * (y - BOOM_WALL) + wall * BOOM_WALL;
    z = (1 - inner / 2) * (z - BOOM_WALL) + wall * BOOM_WALL;
    int side = (int)floor(at[PART_SECTOR] + 1e-9) % SIDES;
    double t = 2 * (at[PART_SECTOR] - floor(at[PART_SECTOR] + 1e-9)) - 1;
    switch (side) {
    case 0:
        return v3(x, y, t * z);
    case 1:
        return v3(x, -t * y, z);
    case 2:
        return v3(x, -y, -t * z);
    default:
        return v3(x, t * y, -z);
    }
}

/* The ends, and the outside of the lower wall between the bulkheads over the ram. */
static bool inside(const void *data, int set, const double at[3])
{
    (void)data;
    double x = at[PART_HEIGHT];
    if (set < 2)
        return x == (set == 0 ? 0 : BOOM_LENGTH);
    bool below = at[PART_SECTOR] >= 3 || at[PART_SECTOR] == 0;
    return at[PART_RADIUS] == 2 && below && fabs(x - BOOM_RAM) <= BOOM_RAM_LENGTH / 2 + 1e-9;
}

static void make_breaks(part_grid *grid)
{
    part_breaks *r = &grid->breaks[PART_RADIUS], *a = &grid->breaks[PART_SECTOR],
                *x = &grid->breaks[PART_HEIGHT];
    part_break(r, 0, 0);
    part_break(r, 1, 0.25 * BOOM_WAIST);
    part_break(r, 2, BOOM_WALL);

    part_break(a, 0, 0);
    for (int side = 0; side < SIDES; side++)
        part_break(a, side + 1, side % 2 == 0 ? BOOM_WAIST : BOOM_WIDTH);

    part_break(x, 0, 0);
    part_break(x, BOOM_PLATE, BOOM_PLATE);
    double last = BOOM_PLATE;
    for (int i = 0; i < BOOM_BAYS; i++) {
        part_break(x, bulkheads[i], bulkheads[i] - last);
        last = bulkheads[i] + BOOM_RIB;
        part_break(x, last, BOOM_RIB);
    }
    part_break(x, BOOM_LENGTH - BOOM_PLATE, BOOM_LENGTH - BOOM_PLATE - last);
    part_break(x, BOOM_LENGTH, BOOM_PLATE);
}

static lmb_status solid(lmb_mesh **out, lmb_context *context, lmb_element_kind kind, double size)
{
    static const char *const sets[] = {"foot", "head", "ram"};
    part_grid grid = {.name = "boom",
                      .filled = filled,
                      .place = place,
                      .set_names = sets,
                      .set_count = 3,
                      .inside = inside};
    make_breaks(&grid);
    return part_mesh(out, context, &grid, kind, size);
}

const part part_boom = {
    .name = "boom",
    .solid = solid,
    .point_count = 3,
    .points = {{"foot", {0, 0, 0}},
               {"head", {BOOM_LENGTH, 0, 0}},
               {"ram", {BOOM_RAM, 0, -BOOM_WAIST / 2}}},
};
