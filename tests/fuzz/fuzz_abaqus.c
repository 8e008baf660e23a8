/* Meshes of Abaqus and CalculiX. */
#include "fuzz_mesh.h"

FUZZ_TARGET(abaqus)
{
    fuzz_mesh("mesh.inp", data, size);
    return 0;
}
