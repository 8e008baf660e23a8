/* Results compared to the last bit. */
#include "same_results.h"

#include <stdio.h>
#include <string.h>

#include <hdf5.h>

#include "limber/limber.h"
#include "support.h"

bool has_checkpoint(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    bool has = H5Lexists(file, "model/checkpoint", H5P_DEFAULT) > 0;
    H5Fclose(file);
    return has;
}

static lmb_result *opened(lmb_context *context, const char *path)
{
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, path), LMB_OK);
    return result;
}

static void assert_same_analysis(lmb_context *context, lmb_result *a, lmb_result *b, int index)
{
    const char *analysis = lmb_result_analysis_name(a, index);
    int count = lmb_result_channel_count(a, index);
    assert_string_equal(analysis, lmb_result_analysis_name(b, index));
    assert_int_equal(count, lmb_result_channel_count(b, index));
    for (int i = 0; i < count; i++) {
        char name[200];
        snprintf(name, sizeof name, "%s/%s", analysis, lmb_result_channel(a, index, i)->name);
        lmb_series x, y;
        assert_int_equal(lmb_result_read(a, context, name, &x), LMB_OK);
        assert_int_equal(lmb_result_read(b, context, name, &y), LMB_OK);
        assert_int_equal(x.count, y.count);
        assert_int_equal(x.size, y.size);
        for (int k = 0; k < x.count; k++)
            if (memcmp(&x.time[k], &y.time[k], sizeof(double)) != 0 ||
                memcmp(&x.values[k * x.size], &y.values[k * x.size],
                       (size_t)x.size * sizeof(double)) != 0)
                fail_msg("%s differs in row %d", name, k);
        lmb_series_free(&x);
        lmb_series_free(&y);
    }
}

void assert_same_results(const char *one, const char *other)
{
    assert_false(has_checkpoint(one));
    assert_false(has_checkpoint(other));
    lmb_context *context = lmb_context_new();
    lmb_result *a = opened(context, one), *b = opened(context, other);
    int count = lmb_result_analysis_count(a);
    assert_true(count > 0);
    assert_int_equal(count, lmb_result_analysis_count(b));
    for (int i = 0; i < count; i++)
        assert_same_analysis(context, a, b, i);
    lmb_result_close(a);
    lmb_result_close(b);
    lmb_context_free(context);
}
