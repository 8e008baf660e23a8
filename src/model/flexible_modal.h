/* A flexible body given by its modal matrices and integrals, without a finite element model. */
#ifndef LMB_MODEL_FLEXIBLE_MODAL_H
#define LMB_MODEL_FLEXIBLE_MODAL_H

#include "model/flexible_part.h"
#include "reduction/body_data.h"

/* The numbers of the key `modal`; names are those of bodies/modal.h. */
typedef struct lmb_modal_numbers {
    int modes;
    double mass;
    vec3 centre;
    mat3 inertia;      /* about the origin of the body */
    double *M, *K, *C; /* modes x modes; C is NULL if there is none */
    double *D, *E0;    /* modes x 3 */
    double *E1;        /* modes x modes x 3 */
    double *J1;        /* modes x 6: xx, yy, zz, xy, xz, yz */
    double *J2;        /* modes x modes x 6 */
} lmb_modal_numbers;

/* Reads the key `modal`. */
lmb_status lmb_read_modal(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node);

/* Reads one of its interface points. */
lmb_status lmb_read_modal_interface(lmb_reader *reader, lmb_flexible_part *part,
                                    const lmb_entry *entry, lmb_anchor *out);

/* Reads one number per mode. */
lmb_status lmb_read_mode_numbers(lmb_reader *reader, const lmb_tree *node, const char *name,
                                 int modes, double **out);

/* Makes the reduced body of what was read, in the arena of `data`. */
lmb_status lmb_modal_reduce(const lmb_flexible_part *part, lmb_context *context,
                            lmb_body_data *data);

#endif
