/* Measurements: tables of loggers and sound files, with their times. */
#include "fuzz.h"

#include "measure/measurement.h"

static void measure(const uint8_t *data, size_t size, double rate, bool comma)
{
    lmb_context *context = fuzz_context(0);
    lmb_arena *arena = lmb_arena_new();
    lmb_measurement m;
    double *times;
    lmb_status status =
        lmb_measurement_read(context, arena, fuzz_file("record.csv", data, size), rate, comma, &m);
    if (!status)
        status = lmb_measurement_times(&m, &times);
    for (int k = 0; !status && k < m.table.columns; k++) {
        double factor;
        (void)lmb_measurement_has_numbers(&m, k);
        (void)lmb_measurement_factor(&m, k, "m/s^2", &factor);
    }
    lmb_arena_free(arena);
    fuzz_end(context, status);
}

FUZZ_TARGET(measurement)
{
    measure(data, size, 0, false);
    measure(data, size, 100, true);
    return 0;
}
