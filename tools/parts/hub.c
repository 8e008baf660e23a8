/* The hub: a driven drum, and six arms of box section with a gondola at the end of each.
 *
 * Sizes follow from beam theory: the bending frequency of an arm of length L with a mass m at its
 * end is sqrt(3 E I / (L^3 m)) / (2 pi), in the plane of the hub 6 Hz, out of it 9 Hz. Of the six
 * in-plane modes of six arms, the one with all arms in phase is far stiffer, because the light drum
 * rotates against them; five remain. Two of the out-of-plane modes tilt the drum; four remain. For
 * these to have nearly equal frequencies the drum must be heavy, so that it does not move with the
 * arms, but small. */
#include "parts.h"

#include <math.h>

#include "hub.h"
#include "grid.h"

static const double gap = 0.4; /* angle at which the gap begins around the drum */

/* Pieces of the grid; across a sector: beside the arm, its walls with what is
 * between, beside, and the gap to the next gondola. */
enum { BORE, INSIDE, SHELL, ARM, GONDOLA };
enum { BESIDE, WALL, MIDDLE, OTHER_WALL, OTHER_BESIDE, GAP, PIECES };
enum { PLATE, BELOW, FLOOR, HOLLOW, ROOF, ABOVE, OTHER_PLATE };

/* The walls of an arm's box. */
static bool box(int across, int z)
{
    if (z < FLOOR || z > ROOF || across < WALL || across > OTHER_WALL)
        return false;
    return z == FLOOR || z == ROOF || across != MIDDLE;
}

static bool filled(const void *data, const int piece[3])
{
    (void)data;
    int r = piece[PART_RADIUS], across = piece[PART_SECTOR] % PIECES, z = piece[PART_HEIGHT];
    switch (r) {
    case BORE:
    case SHELL:
        return true;
    case INSIDE:
        return z == PLATE || z == OTHER_PLATE || box(across, z);
    case ARM:
        return box(across, z);
    default:
        return z >= FLOOR && z <= ROOF && across != GAP;
    }
}

/* Lines beside the arm spread around the drum, and over the width of the gondola. */
static vec3 place(const void *data, const double at[3])
{
    (void)data;
    int sector = (int)floor(at[PART_SECTOR] / PIECES + 1e-9);
    double r = at[PART_RADIUS], t = at[PART_SECTOR] - PIECES * sector - 0.5 * (PIECES - 1);
    double half = 0.5 * HUB_ARM_WIDTH, hollow = half - HUB_ARM_WALL, y, side = t < 0 ? -1 : 1;
    t = fabs(t);
    if (t <= 0.5) {
        y = 2 * t * hollow;
    } else if (t <= 1.5) {
        y = hollow + (t - 0.5) * HUB_ARM_WALL;
    } else if (r > HUB_DRUM) {
        y = half + (t - 1.5) * (0.5 * HUB_GONDOLA_WIDTH - half);
    } else { /* on the circle through the edges of the arm */
        double circle = hypot(r, half), first = atan2(half, r);
        double angle =
            t < 2.5 ? first + (t - 1.5) * (gap - first) : gap + (t - 2.5) * (LMB_PI / 3 - 2 * gap);
        r = circle * cos(angle);
        y = circle * sin(angle);
    }
    double turn = sector * 2 * LMB_PI / HUB_ARMS;
    y *= side;
    return v3(r * cos(turn) - y * sin(turn), r * sin(turn) + y * cos(turn), at[PART_HEIGHT]);
}

static bool inside(const void *data, int set, const double at[3])
{
    (void)data;
    double end = HUB_END, first = PIECES * (set - 1) + 1;
    if (set == 0)
        return at[PART_RADIUS] == HUB_BORE;
    return at[PART_RADIUS] == end && at[PART_SECTOR] >= first && at[PART_SECTOR] <= first + 3;
}

static void make_breaks(part_grid *grid)
{
    part_breaks *r = &grid->breaks[PART_RADIUS], *a = &grid->breaks[PART_SECTOR],
                *z = &grid->breaks[PART_HEIGHT];
    part_break(r, HUB_BORE, 0);
    part_break(r, HUB_BORE_OUT, HUB_BORE_OUT - HUB_BORE);
    part_break(r, HUB_SHELL_IN, HUB_SHELL_IN - HUB_BORE_OUT);
    part_break(r, HUB_DRUM, HUB_DRUM - HUB_SHELL_IN);
    part_break(r, HUB_ARM_END, HUB_ARM_END - HUB_DRUM);
    part_break(r, HUB_END, HUB_GONDOLA_DEPTH);

    double beside = HUB_DRUM * gap - 0.5 * HUB_ARM_WIDTH;
    double hollow = HUB_ARM_WIDTH - 2 * HUB_ARM_WALL;
    const double lengths[PIECES] = {beside,       HUB_ARM_WALL, hollow,
                                    HUB_ARM_WALL, beside,       HUB_DRUM * (LMB_PI / 3 - 2 * gap)};
    part_break(a, 0, 0);
    for (int i = 0; i < PIECES * HUB_ARMS; i++)
        part_break(a, i + 1, lengths[i % PIECES]);

    double half = 0.5 * HUB_ARM_HEIGHT, between = 0.5 * HUB_DRUM_HEIGHT - HUB_PLATE - half;
    part_break(z, -0.5 * HUB_DRUM_HEIGHT, 0);
    part_break(z, -0.5 * HUB_DRUM_HEIGHT + HUB_PLATE, HUB_PLATE);
    part_break(z, -half, between);
    part_break(z, -half + HUB_ARM_WALL, HUB_ARM_WALL);
    part_break(z, half - HUB_ARM_WALL, HUB_ARM_HEIGHT - 2 * HUB_ARM_WALL);
    part_break(z, half, HUB_ARM_WALL);
    part_break(z, 0.5 * HUB_DRUM_HEIGHT - HUB_PLATE, between);
    part_break(z, 0.5 * HUB_DRUM_HEIGHT, HUB_PLATE);
}

static lmb_status solid(lmb_mesh **out, lmb_context *context, lmb_element_kind kind, double size)
{
    static const char *const sets[] = {"bearing",  "gondola1", "gondola2", "gondola3",
                                       "gondola4", "gondola5", "gondola6"};
    part_grid grid = {.name = "hub",
                      .filled = filled,
                      .place = place,
                      .set_names = sets,
                      .set_count = 1 + HUB_ARMS,
                      .inside = inside};
    make_breaks(&grid);
    return part_mesh(out, context, &grid, kind, size);
}

#define SIN_60 0.86602540378443865

const part part_hub = {
    .name = "hub",
    .solid = solid,
    .beams = hub_beams,
    .point_count = 1 + HUB_ARMS,
    .points = {{"bearing", {0, 0, 0}},
               {"gondola1", {HUB_END, 0, 0}},
               {"gondola2", {0.5 * HUB_END, SIN_60 *HUB_END, 0}},
               {"gondola3", {-0.5 * HUB_END, SIN_60 *HUB_END, 0}},
               {"gondola4", {-HUB_END, 0, 0}},
               {"gondola5", {-0.5 * HUB_END, -SIN_60 *HUB_END, 0}},
               {"gondola6", {0.5 * HUB_END, -SIN_60 *HUB_END, 0}}},
};
