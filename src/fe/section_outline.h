/* Outlines of sections: rectangles, ellipses and I's, full and hollow.
 *
 * An outline is one loop of sides around a section, and a second one around its hole. In the plane
 * of y and z the section is on the left of its sides, so that prisms over them face outwards. Flat
 * sides have a point in their middle, so that colours show where bending has no stress. In models
 * of the plane the outline is the line from one extreme fibre to the other. */
#ifndef LMB_FE_SECTION_OUTLINE_H
#define LMB_FE_SECTION_OUTLINE_H

#include "fe/mesh.h"

enum { LMB_OUTLINE_ROUND = 16, LMB_OUTLINE_MOST = 2 * LMB_OUTLINE_ROUND };

/* A point, and the direction of the shear stress of torsion there: around the section, in an I
 * around its walls. Parts of y_max and z_max. */
typedef struct lmb_outline_point {
    double y, z, around_y, around_z;
} lmb_outline_point;

/* Corners are two points, so that light shows the edge between the sides; round sides share them.
 * What closes an end has triangles between the points that sides begin with, the outside along x.
 */
typedef struct lmb_outline {
    int point_count, side_count, cap_count;
    lmb_outline_point point[LMB_OUTLINE_MOST];
    int side[LMB_OUTLINE_MOST][2]; /* points */
    int cap[LMB_OUTLINE_MOST][3];  /* sides */
} lmb_outline;

lmb_outline lmb_outline_of(const lmb_section *section, bool planar);

/* The fibres on it: its points, corners once (room for LMB_OUTLINE_MOST). Returns how many. */
int lmb_outline_fibres(const lmb_outline *outline, lmb_outline_point *out);

#endif
