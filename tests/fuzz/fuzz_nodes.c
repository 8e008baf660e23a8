/* Tables of nodes of Ansys and others, and tables of numbers. */
#include "fuzz_mesh.h"

#include "import/text_table.h"

static void read_table(const uint8_t *data, size_t size)
{
    lmb_context *context = fuzz_context(0);
    lmb_arena *arena = lmb_arena_new();
    double *values;
    int rows, columns;
    lmb_status status =
        lmb_csv_read(context, arena, fuzz_file("nodes.csv", data, size), &rows, &columns, &values);
    lmb_arena_free(arena);
    fuzz_end(context, status);
}

FUZZ_TARGET(nodes)
{
    fuzz_mesh("mesh.node", data, size);
    fuzz_mesh("mesh.txt", data, size);
    read_table(data, size);
    return 0;
}
