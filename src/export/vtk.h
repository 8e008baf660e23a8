/* Pieces of files for ParaView (.vtu). */
#ifndef LMB_EXPORT_VTK_H
#define LMB_EXPORT_VTK_H

#include <stdint.h>
#include <stdio.h>

/* A grid of cells: its points (x, y, z), the nodes of the cells one after the other, where those of
 * each cell end, and the kinds of the cells. */
typedef struct lmb_vtk_grid {
    size_t nodes, cells, corners;
    const float *points;
    const int32_t *connectivity, *offsets;
    const uint8_t *types;
} lmb_vtk_grid;

/* Writes the head of a file and its grid; data of cells and points come next, then the end. */
void lmb_vtk_cells(FILE *out, const lmb_vtk_grid *grid);
void lmb_vtk_array(FILE *out, const char *type, const char *name, int components, const void *data,
                   size_t bytes);
void lmb_vtk_end(FILE *out);

#endif
