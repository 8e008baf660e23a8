/* Reading bytes as a mesh; see fuzz_mesh.h. */
#include "fuzz_mesh.h"

#include "import/mesh_read.h"

void fuzz_mesh(const char *name, const uint8_t *data, size_t size)
{
    lmb_context *context = fuzz_context(0);
    lmb_arena *arena = lmb_arena_new();
    lmb_mesh *mesh;
    lmb_surface surface;
    lmb_status status =
        lmb_mesh_read(&mesh, context, arena, fuzz_file(name, data, size), &lmb_unit_systems[0]);
    if (!status)
        status = lmb_surface_of(&surface, arena, context, mesh);
    lmb_arena_free(arena);
    fuzz_end(context, status);
}
