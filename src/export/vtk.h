/* Write parts of a ParaView file (.vtu). */
#ifndef LMB_EXPORT_VTK_H
#define LMB_EXPORT_VTK_H

#include <stdint.h>
#include <stdio.h>

/* A grid: coordinates of the points (x, y, z), the concatenated nodes of all cells, the end of each
 * cell in this list, and the cell types. */
typedef struct lmb_vtk_grid {
    size_t nodes, cells, corners;
    const float *points;
    const int32_t *connectivity, *offsets;
    const uint8_t *types;
} lmb_vtk_grid;

/* Write the file header and the grid. Then write cell data and point data with lmb_vtk_array, and
 * call lmb_vtk_end. */
void lmb_vtk_cells(FILE *out, const lmb_vtk_grid *grid);
void lmb_vtk_array(FILE *out, const char *type, const char *name, int components, const void *data,
                   size_t bytes);
void lmb_vtk_end(FILE *out);

#endif
