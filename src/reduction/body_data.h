/* A reduced body with what is recovered from its modes: surface, stresses, section forces. */
#ifndef LMB_REDUCTION_BODY_DATA_H
#define LMB_REDUCTION_BODY_DATA_H

#include "fe/selection.h"
#include "reduction/reduced.h"

/* The cross section and material of a line: its numbers in the order of the file. */
enum {
    LMB_LINE_E,
    LMB_LINE_NU,
    LMB_LINE_AREA,
    LMB_LINE_IY,
    LMB_LINE_IZ,
    LMB_LINE_J,
    LMB_LINE_Y_MAX,
    LMB_LINE_Z_MAX,
    LMB_LINE_TORSION_RADIUS,
    LMB_LINE_SHAPE, /* an lmb_section_shape */
    LMB_LINE_INNER_Y,
    LMB_LINE_INNER_Z,
    LMB_LINE_NUMBERS
};

typedef struct lmb_body_data {
    lmb_arena *arena;
    const char *name;     /* of the body */
    const char *version;  /* of the program that made it */
    const char *settings; /* of the model file, one per line */
    const char *made_of;  /* its files and settings, while it belongs to a model; or NULL */
    const char *checksum; /* of its files, while the body belongs to a model; else NULL */
    const char *warnings; /* of the reduction, one per line; a hint follows after a tab */
    lmb_reduced *reduced;
    int triangle_count, line_count, stress_count;
    int *triangles;       /* triangle_count x 3 */
    int *lines;           /* line_count x 2: beam elements */
    int *stress_node;     /* stress_count */
    int load_count;       /* number of unit loads with residual stresses; 0: none */
    double *stress;       /* (modes, then unit loads) x stress_count x LMB_STRESSES */
    int solid_count;      /* number of solid elements, for stresses before averaging */
    int corner_count;     /* total number of their nodes */
    int *solid_kind;      /* solid_count: an lmb_element_kind */
    int *solid_place;     /* corner_count: index in stress_node, element by element */
    float *load_shape;    /* load_count x nodes x 3: residual displacements; NULL without solids */
    double *line_forces;  /* mode x line_count x 2 x 6 */
    double *line_inertia; /* (LMB_CARRIED + mode) x line_count x 2 x 6: of accelerations */
    double *stress_material; /* stress_count x 2: E, nu */
    double *line_section;    /* line_count x LMB_LINE_NUMBERS */
    double *line_axis;       /* line_count x 3: the y axis of the section; zero if not known */
    double *basis_forces;    /* column of the basis x line_count x 2 x 6 */
    float *basis_mises;      /* column of the basis x node that is drawn: von Mises' stress of
                                solids, to look at; NULL without stresses */
    int set_count;           /* named sets of nodes: */
    const char **set_name;   /* set_count */
    int *set_start;          /* set_count + 1: where the nodes of each start in */
    int *set_node;           /* the nodes of all */
    int free_count;          /* number of compared elastic modes of the free body (untied.h) */
    double *free_tied;       /* free_count: Hz, with the ties of the points */
    double *free_untied;     /* free_count: Hz, without ties */
    int tied_count;          /* number of tied nodes of all interface points; 0: unknown */
    int *tie;                /* points: lmb_tie */
    int *tied_start;         /* points + 1: start of the nodes of each point in `tied` */
    int *tied;               /* tied_count: node indices from 0 */
} lmb_body_data;

/* Reduces a model and adds what is drawn of its mesh, if it has one: the surface, named sets and
 * stresses. */
lmb_status lmb_reduce_body(lmb_body_data *data, lmb_context *context, const lmb_fe_model *model,
                           const lmb_interface *points, int point_count,
                           const lmb_reduction *options);

/* Return the number of coordinates in which the stresses of solids are linear: modes, then unit
 * loads (residual.h). */
static inline int lmb_stress_columns(const lmb_body_data *data)
{
    return data->reduced->mode_count + data->load_count;
}

/* Return the nodes of a body and its surface, from which a selection can choose. */
static inline lmb_selectable lmb_body_selectable(const lmb_body_data *d)
{
    return (lmb_selectable){.x = d->reduced->x,
                            .origin = d->reduced->origin,
                            .count = d->reduced->node_count,
                            .triangles = (const int(*)[3])d->triangles,
                            .triangle_count = d->triangle_count};
}

/* Whether two ends of lines (2 line + 0 or 1) that meet are of one straight beam: their section
 * forces are in the same axes then. */
bool lmb_lines_go_on(const lmb_body_data *data, int a, int b);

/* Return whether the reduction of a body warned of LMB_PARTED_MODES: its modes are not unique. */
bool lmb_body_parts_modes(const lmb_body_data *data);

#endif
