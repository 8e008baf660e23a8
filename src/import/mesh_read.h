/* Reading meshes: files of Gmsh, Abaqus, CalculiX and Ansys, and tables of nodes. */
#ifndef LMB_IMPORT_MESH_READ_H
#define LMB_IMPORT_MESH_READ_H

#include "base/message.h"
#include "fe/mesh.h"
#include "import/units.h"

/* Reads a mesh and makes it SI. The format follows from the name of the file:
 *
 *   .msh         Gmsh 2.2 and 4.1, text and binary
 *   .inp         Abaqus and CalculiX
 *   .cdb         Ansys, CDWRITE
 *   .node        Ansys, NWRITE: nodes alone
 *   .csv, .txt   nodes alone: number, x, y, z
 *
 * Elements of a Gmsh file have no material, and their lines no section: both are -1. All lives in
 * the arena, a copy of the path too. */
lmb_status lmb_mesh_read(lmb_mesh **out, lmb_context *context, lmb_arena *arena, const char *path,
                         const lmb_units *units);

/* Whether a file is geometry (STEP, IGES, BREP or .geo), by its name. */
bool lmb_is_geometry(const char *path);

/* Whether it is a script, which gmsh obeys, rather than data. */
bool lmb_is_geometry_script(const char *path);

/* How geometry is meshed: tetrahedra of an order (1 or 2) with edges of a size, in the units of the
 * file, or of gmsh's choice for a size of 0; and how long that may take. */
typedef struct lmb_meshing {
    const char *path;
    double size;
    int order;
    double seconds;
} lmb_meshing;

enum { LMB_MESHING_SECONDS = 600 };

/* Runs the program gmsh with such a file, which must be trusted if it is a script, and reads the
 * mesh. */
lmb_status lmb_gmsh_run(lmb_mesh **out, lmb_context *context, lmb_arena *arena,
                        const lmb_meshing *meshing, const lmb_units *units);

#endif
