/* Outlines of sections; see section_outline.h. */
#include "fe/section_outline.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* The corners of a loop, and those that its sides share: on a curve, or in the middle of a side,
 * where bending changes its sign. */
typedef struct loop {
    int count;
    double y[LMB_OUTLINE_ROUND], z[LMB_OUTLINE_ROUND];
    bool shared[LMB_OUTLINE_ROUND];
} loop;

static const loop rectangle = {8,
                               {1, 1, 0, -1, -1, -1, 0, 1},
                               {0, 1, 1, 1, 0, -1, -1, -1},
                               {[0] = true, [2] = true, [4] = true, [6] = true}};

static loop ellipse(void)
{
    loop l = {.count = LMB_OUTLINE_ROUND};
    for (int i = 0; i < l.count; i++) {
        double angle = 2 * LMB_PI * i / l.count;
        l.y[i] = cos(angle);
        l.z[i] = sin(angle);
        l.shared[i] = true;
    }
    return l;
}

/* The flange at +y, then that at -y, each followed by one side of the web; h is half the height of
 * the web, t half its thickness. */
static loop I_shape(double h, double t)
{
    return (loop){16,
                  {h, h, 1, 1, 1, h, h, 0, -h, -h, -1, -1, -1, -h, -h, 0},
                  {-t, -1, -1, 0, 1, 1, t, t, t, 1, 1, 0, -1, -1, -t, -t},
                  {[3] = true, [7] = true, [11] = true, [15] = true}};
}

/* The same around a hole, the other way round. */
static loop hole_of(const loop *outside, double y, double z)
{
    loop l = {.count = outside->count};
    for (int i = 0; i < l.count; i++) {
        int from = (l.count - i) % l.count;
        l.y[i] = y * outside->y[from];
        l.z[i] = z * outside->z[from];
        l.shared[i] = outside->shared[from];
    }
    return l;
}

/* Adds the point of a corner, of the side from one corner to another. The stress of torsion goes
 * along the sides; around a hole, whose sides run the other way, against them. */
static int add_point(lmb_outline *o, const loop *l, int corner, int from, int to, double sense)
{
    if (l->shared[corner]) {
        from = (corner + l->count - 1) % l->count;
        to = (corner + 1) % l->count;
    }
    o->point[o->point_count] =
        (lmb_outline_point){l->y[corner], l->z[corner], sense * (l->y[to] - l->y[from]),
                            sense * (l->z[to] - l->z[from])};
    return o->point_count++;
}

static void add_loop(lmb_outline *o, const loop *l, bool hole)
{
    double sense = hole ? -1 : 1;
    int first = o->point_count, last = first;
    for (int i = 0; i < l->count; i++) {
        int *side = o->side[o->side_count++], next = (i + 1) % l->count;
        side[0] = i > 0 && l->shared[i] ? last : add_point(o, l, i, i, next, sense);
        side[1] = next == 0 && l->shared[0] ? first : add_point(o, l, next, i, next, sense);
        last = side[1];
    }
}

static void add_cap_triangle(lmb_outline *o, int a, int b, int c)
{
    memcpy(o->cap[o->cap_count++], (const int[]){a, b, c}, sizeof *o->cap);
}

/* Between the outside and a hole; corner i is opposite to number (count - i) of the hole. */
static void cap_ring(lmb_outline *o, int count)
{
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        int inner = count + (count - i) % count, inner_next = count + (count - next) % count;
        add_cap_triangle(o, i, next, inner_next);
        add_cap_triangle(o, i, inner_next, inner);
    }
}

/* The two flanges and the web between their corners. */
static const int I_caps[][3] = {{3, 4, 5},    {3, 5, 6},    {3, 6, 0},   {3, 0, 1},  {3, 1, 2},
                                {11, 12, 13}, {11, 13, 14}, {11, 14, 8}, {11, 8, 9}, {11, 9, 10},
                                {7, 8, 14},   {7, 14, 15},  {7, 15, 0},  {7, 0, 6}};

lmb_outline lmb_outline_of(const lmb_section *s, bool planar)
{
    if (planar)
        return (lmb_outline){.point_count = 3,
                             .side_count = 2,
                             .point = {{1, 0, 0, 1}, {0, 0, 0, 1}, {-1, 0, 0, -1}},
                             .side = {{0, 1}, {1, 2}}};
    lmb_outline o = {0};
    double y = s->inner_y / s->y_max, z = s->inner_z / s->z_max;
    bool walls = y > 0 && y < 1 && z > 0 && z < 1, is_I = s->shape == LMB_SECTION_I && walls;
    loop outside = is_I ? I_shape(y, z) : s->shape == LMB_SECTION_ROUND ? ellipse() : rectangle;
    add_loop(&o, &outside, false);
    if (is_I) {
        memcpy(o.cap, I_caps, sizeof I_caps);
        o.cap_count = sizeof I_caps / sizeof *I_caps;
    } else if (walls) {
        loop hole = hole_of(&outside, y, z);
        add_loop(&o, &hole, true);
        cap_ring(&o, outside.count);
    } else {
        /* no corners point inwards: a fan from the first, which no two others are in line with */
        for (int i = 1; i + 1 < outside.count; i++)
            add_cap_triangle(&o, 0, i, i + 1);
    }
    return o;
}

int lmb_outline_fibres(const lmb_outline *o, lmb_outline_point *out)
{
    int count = 0;
    for (int i = 0; i < o->point_count; i++) {
        bool again = false;
        for (int k = 0; k < count; k++)
            again = again || (out[k].y == o->point[i].y && out[k].z == o->point[i].z);
        if (!again)
            out[count++] = o->point[i];
    }
    return count;
}
