/* A reduced body with what is recovered from its modes: surface, stresses, section forces. */
#ifndef LMB_REDUCTION_BODY_DATA_H
#define LMB_REDUCTION_BODY_DATA_H

#include "reduction/reduced.h"

typedef struct lmb_body_data {
    lmb_arena *arena;
    const char *name;     /* of the body */
    const char *version;  /* of the program that made it */
    const char *settings; /* of the model file, a line each */
    const char *warnings; /* of the reduction, a line each; a hint follows after a tab */
    lmb_reduced *reduced;
    int triangle_count, line_count, stress_count;
    int *triangles;      /* triangle_count x 3 */
    int *lines;          /* line_count x 2: beam elements */
    int *stress_node;    /* stress_count */
    double *stress;      /* mode x stress_count x LMB_STRESSES */
    double *line_forces; /* mode x line_count x 2 x 6 */
} lmb_body_data;

#endif
