/* Meshes of geometry: STEP, IGES, BREP and .geo files, meshed by the program gmsh. */
#ifndef LMB_IMPORT_GMSH_RUN_H
#define LMB_IMPORT_GMSH_RUN_H

#include "import/mesh_read.h"

/* Whether a file is geometry, by its name. */
bool lmb_is_geometry(const char *path);

/* Runs gmsh and reads the mesh: tetrahedra of an order (1 or 2) with edges of a size, in the units
 * of the file, or of gmsh's choice for a size of 0. */
lmb_status lmb_gmsh_run(lmb_mesh **out, lmb_context *context, lmb_arena *arena, const char *path,
                        double size, int order, const lmb_units *units);

#endif
