/* Meshes of Ansys. */
#include "fuzz_mesh.h"

FUZZ_TARGET(ansys)
{
    fuzz_mesh("mesh.cdb", data, size);
    return 0;
}
