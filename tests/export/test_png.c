/* PNG files give back the picture that they were made of. */
#include "support.h"

#include <stdlib.h>

#include "export/png.h"
#include "pictures.h"

/* Noise, a ramp, or stripes: each filter is the best one for one of them. */
static uint32_t color_at(int kind, int x, int y)
{
    unsigned n = (unsigned)x * 374761393u + (unsigned)y * 668265263u;
    n = (n ^ n >> 13) * 1274126177u;
    if (kind == 0)
        return (n ^ n >> 16) & 0xffffff;
    return kind == 1 ? (uint32_t)(x * 0x010203 & 0xffffff) : (uint32_t)(y * 0x030507 & 0xffffff);
}

static void pictures_come_back(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {7, 3}, {3, 7}, {400, 300}};
    lmb_context *context = lmb_context_new();
    for (int i = 0; i < 12; i++) {
        int width = sizes[i / 3][0], height = sizes[i / 3][1], stride = width + i % 2, kind = i % 3;
        uint32_t *pixels = malloc((size_t)stride * (size_t)height * sizeof *pixels);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < stride; x++)
                pixels[y * stride + x] = color_at(kind, x, y);
        unsigned char *bytes;
        size_t size;
        assert_int_equal(lmb_png_encode(context, pixels, width, height, stride, &bytes, &size),
                         LMB_OK);
        lmb_read_picture p = decode_picture(bytes, size);
        assert_int_equal(p.width, width);
        assert_int_equal(p.height, height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                assert_int_equal(p.pixels[y * width + x], pixels[y * stride + x]);
        if (kind > 0 && width == 400) /* even pictures pack well: less than a byte in 20 pixels */
            assert_true(size < 400 * 300 / 20);
        free(p.pixels);
        free(bytes);
        free(pixels);
    }
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
