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

#endif
