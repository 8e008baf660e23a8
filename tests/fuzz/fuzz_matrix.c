/* Matrices of all formats: stiffness, mass, mapping and nodes, of which the last ones may be
 * missing. */
#include "fuzz.h"

#include "import/matrix_read.h"

FUZZ_TARGET(matrix)
{
    static const char *const names[] = {"stiffness.txt", "mass.txt", "mapping.txt", "nodes.csv"};
    const char *paths[4] = {NULL};
    for (int i = 0; i < 4 && (size || i < 2); i++) {
        const uint8_t *part;
        size_t length = fuzz_part(&data, &size, &part);
        paths[i] = i == 2 && length == 0 ? NULL : fuzz_file(names[i], part, length);
    }
    lmb_context *context = fuzz_context(0);
    lmb_arena *arena = lmb_arena_new();
    lmb_fe_model *model;
    const lmb_matrix_files files = {.stiffness = paths[0],
                                    .mass = paths[1],
                                    .mapping = paths[2],
                                    .nodes = paths[3] ? paths[3] : fuzz_file("none.csv", "", 0)};
    lmb_status status = lmb_matrices_read(&model, context, arena, &files);
    lmb_arena_free(arena);
    fuzz_end(context, status);
    return 0;
}
