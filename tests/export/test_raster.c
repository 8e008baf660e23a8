/* Triangles and lines as pixels: what they cover, which one is in front, light and colours. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "export/raster.h"

enum { SIZE = 100 };

/* Four samples a pixel of this grey have the means 0, 63, 126, 189 and 252. */
static const uint32_t grey = 0xfcfcfc;

typedef struct page {
    lmb_context *context;
    lmb_raster *raster;
    uint32_t pixels[SIZE * SIZE];
} page;

static page *new_page(void)
{
    page *p = calloc(1, sizeof *p);
    p->context = lmb_context_new();
    assert_int_equal(lmb_raster_new(&p->raster, p->context, SIZE, SIZE), LMB_OK);
    lmb_raster_clear(p->raster, 0);
    return p;
}

static void free_page(page *p)
{
    lmb_raster_free(p->raster);
    lmb_context_free(p->context);
    free(p);
}

static lmb_raster_corner corner(double x, double y, double near)
{
    return (lmb_raster_corner){(float)x, (float)y, (float)near, 1, 0};
}

static void draw(page *p, const lmb_raster_corner c[3], uint32_t color)
{
    lmb_raster_triangle(p->raster, &c[0], &c[1], &c[2], (lmb_raster_colors){&color, 1});
}

/* How many samples of each pixel are grey; returns the area of all. */
static double count_samples(page *p, int *samples)
{
    int sum = 0;
    lmb_raster_pixels(p->raster, p->pixels, SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) {
        int part = (int)(p->pixels[i] & 255);
        assert_int_equal(part % 63, 0);
        samples[i] = part / 63;
        sum += part / 63;
    }
    return sum / 4.0;
}

static double random_part(void)
{
    return rand() / (RAND_MAX + 1.0);
}

/* Samples are half a pixel apart, so those inside differ from the area by less than a strip of a
 * quarter of a pixel along the rim; and by nothing on average (the mean of 400 errors of about 0.01
 * of the rim is within 0.002). */
static void triangles_cover_their_area(void **state)
{
    (void)state;
    page *p = new_page();
    static int samples[SIZE * SIZE];
    double mean = 0;
    srand(1);
    for (int i = 0; i < 400; i++) {
        lmb_raster_corner c[3];
        for (int k = 0; k < 3; k++)
            c[k] = corner(SIZE * random_part(), SIZE * random_part(), 0);
        double area = 0, rim = 0;
        for (int k = 0; k < 3; k++) {
            const lmb_raster_corner *a = &c[k], *b = &c[(k + 1) % 3];
            area += ((double)a->x * (double)b->y - (double)b->x * (double)a->y) / 2;
            rim += hypot((double)b->x - (double)a->x, (double)b->y - (double)a->y);
        }
        lmb_raster_clear(p->raster, 0);
        draw(p, c, grey);
        double error = count_samples(p, samples) - fabs(area);
        assert_true(fabs(error) < rim / 4);
        mean += error / rim / 400;
    }
    assert_true(fabs(mean) < 0.002);
    free_page(p);
}

/* A square cut into triangles with corners anywhere: each sample in it belongs to one of them. */
static void neighbours_leave_no_gap_and_share_no_sample(void **state)
{
    (void)state;
    enum { CELLS = 8, LOW = 10, CELL = 10 };
    page *p = new_page();
    static int samples[SIZE * SIZE], sum[SIZE * SIZE];
    lmb_raster_corner grid[CELLS + 1][CELLS + 1];
    srand(2);
    for (int i = 0; i <= CELLS; i++)
        for (int k = 0; k <= CELLS; k++) {
            bool x_free = i > 0 && i<CELLS, y_free = k> 0 && k < CELLS;
            grid[i][k] = corner(LOW + CELL * (i + (x_free ? 0.8 * random_part() - 0.4 : 0)),
                                LOW + CELL * (k + (y_free ? 0.8 * random_part() - 0.4 : 0)), 0);
        }
    for (int n = 0; n < 2 * CELLS * CELLS; n++) {
        int i = n / 2 / CELLS, k = n / 2 % CELLS;
        const lmb_raster_corner low[3] = {grid[i][k], grid[i + 1][k], grid[i + 1][k + 1]};
        const lmb_raster_corner high[3] = {grid[i][k], grid[i][k + 1], grid[i + 1][k + 1]};
        lmb_raster_clear(p->raster, 0);
        draw(p, n % 2 ? low : high, grey);
        count_samples(p, samples);
        for (int m = 0; m < SIZE * SIZE; m++)
            sum[m] += samples[m];
    }
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            bool inside = x >= LOW && x < LOW + CELLS * CELL && y >= LOW && y < LOW + CELLS * CELL;
            assert_int_equal(sum[y * SIZE + x], inside ? 4 : 0);
        }
    free_page(p);
}

/* Two that cross in the line x = 50: each is in front on one side, whichever was drawn first. */
static void the_nearer_one_is_seen(void **state)
{
    (void)state;
    const lmb_raster_corner left[3] = {corner(0, 0, 1), corner(100, 0, -1), corner(0, 100, 1)};
    const lmb_raster_corner right[3] = {corner(0, 0, -1), corner(100, 0, 1), corner(0, 100, -1)};
    for (int turn = 0; turn < 2; turn++) {
        page *p = new_page();
        draw(p, turn ? left : right, turn ? 0xff0000 : 0x0000ff);
        draw(p, turn ? right : left, turn ? 0x0000ff : 0xff0000);
        lmb_raster_pixels(p->raster, p->pixels, SIZE);
        for (int x = 0; x < 80; x++)
            if (x != 49 && x != 50)
                assert_int_equal(p->pixels[10 * SIZE + x], x < 50 ? 0xff0000 : 0x0000ff);
        free_page(p);
    }
}

/* A colour of 200 in light from 0 to 1, and a list of colours by value, across 80 pixels. */
static void light_and_value_are_linear(void **state)
{
    (void)state;
    uint32_t list[101];
    for (uint32_t i = 0; i <= 100; i++)
        list[i] = i;
    for (int kind = 0; kind < 2; kind++) {
        page *p = new_page();
        const uint32_t color = 200;
        lmb_raster_corner c[4] = {corner(10, 0, 0), corner(90, 0, 0), corner(90, 100, 0),
                                  corner(10, 100, 0)};
        for (int i = 0; i < 4; i++) {
            float part = i == 1 || i == 2 ? 1 : 0;
            c[i].light = kind ? 1 : part;
            c[i].value = part;
        }
        lmb_raster_colors colors =
            kind ? (lmb_raster_colors){list, 101} : (lmb_raster_colors){&color, 1};
        lmb_raster_triangle(p->raster, &c[0], &c[1], &c[2], colors);
        lmb_raster_triangle(p->raster, &c[0], &c[2], &c[3], colors);
        lmb_raster_pixels(p->raster, p->pixels, SIZE);
        for (int x = 10; x < 90; x++) {
            double part = (x + 0.5 - 10) / 80; /* colours are rounded twice */
            assert_true(fabs((double)p->pixels[30 * SIZE + x] - (kind ? 100 : 200) * part) < 2);
        }
        free_page(p);
    }
}

/* A line covers its width times its length; off the picture and nowhere nothing goes wrong. */
static void lines_and_what_is_outside(void **state)
{
    (void)state;
    page *p = new_page();
    static int samples[SIZE * SIZE];
    lmb_raster_corner a = corner(10, 20, 0), b = corner(90, 20, 0), c = corner(90, 80, 0);
    lmb_raster_line(p->raster, &a, &b, 8, grey);
    assert_true(count_samples(p, samples) == 80 * 8);
    lmb_raster_clear(p->raster, 0);
    lmb_raster_line(p->raster, &a, &c, 8, grey);
    double error = count_samples(p, samples) - 100 * 8;
    assert_true(fabs(error) < 2 * (100 + 8) / 4.0); /* as triangles */
    lmb_raster_clear(p->raster, 0);
    const lmb_raster_corner nowhere[3] = {corner(NAN, 0, 0), corner(50, 0, 0), corner(50, 50, 0)};
    const lmb_raster_corner far_away[3] = {corner(-300, -300, 0), corner(-100, -300, 0),
                                           corner(-200, -10, 0)};
    const lmb_raster_corner beyond[3] = {corner(1e30, 0, 0), corner(0, 50, 0), corner(50, 50, 0)};
    draw(p, nowhere, grey);
    draw(p, far_away, grey);
    draw(p, beyond, grey);
    assert_true(count_samples(p, samples) == 0);
    const lmb_raster_corner around[3] = {corner(-1000, -1000, 0), corner(3000, -1000, 0),
                                         corner(-1000, 3000, 0)};
    draw(p, around, grey);
    assert_true(count_samples(p, samples) == SIZE * SIZE);
    free_page(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_cover_their_area),
        cmocka_unit_test(neighbours_leave_no_gap_and_share_no_sample),
        cmocka_unit_test(the_nearer_one_is_seen),
        cmocka_unit_test(light_and_value_are_linear),
        cmocka_unit_test(lines_and_what_is_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
