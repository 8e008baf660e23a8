/* Meshes of Gmsh, text and binary. */
#include "fuzz_mesh.h"

FUZZ_TARGET(gmsh)
{
    fuzz_mesh("mesh.msh", data, size);
    return 0;
}
