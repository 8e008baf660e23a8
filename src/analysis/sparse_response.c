/* The response of a model of any size to an input that oscillates as exp(i w t):
 *
 *   (F - i w E) x = dQ,    output = (derivative of the channel) x + (that by the input itself)
 *
 * by one sparse complex solution per frequency (analysis/sparse_motion.h). */
#include <string.h>

#include "analysis/state_space.h"

/* The derivative of the outputs along the real or imaginary parts of x. */
static void differentiate(const lmb_sparse_motion *o, lmb_ports *ports, const lmb_complex *x,
                          int input, double *part, double *column)
{
    bool imaginary = input < 0;
    for (int i = 0; i < o->size; i++)
        part[i] = imaginary ? cimag(x[i]) : creal(x[i]);
    lmb_change c = {part, part + lmb_sparse_dv(o), part + lmb_sparse_da(o), part + lmb_sparse_dl(o),
                    part + lmb_sparse_dz(o)};
    lmb_ports_differentiate(ports, &c, input, lmb_ports_step(ports, &c), column);
}

lmb_status lmb_sparse_response(const lmb_sparse_motion *o, lmb_ports *ports, int input, double w,
                               double *real, double *imaginary)
{
    lmb_context *context = o->solver->context;
    lmb_arena *room = lmb_arena_new();
    double *part = lmb_arena_numbers(room, (size_t)o->size);
    lmb_complex *x = lmb_arena_alloc(room, (size_t)o->size, sizeof *x);
    lmb_status status = lmb_check_memory(context, room);
    for (int i = 0; !status && i < ports->outputs; i++) {
        real[i] = INFINITY;
        imaginary[i] = 0;
    }
    if (!status && lmb_shifted_factor(o->matrix, CMPLX(0, w))) {
        lmb_ports_force(ports, input, part);
        for (int j = 0; j < o->n; j++)
            x[lmb_sparse_force(o) + j] = part[j];
        lmb_shifted_solve_complex(o->matrix, x);
        differentiate(o, ports, x, input, part, real);
        differentiate(o, ports, x, -1, part, imaginary);
    }
    lmb_arena_free(room);
    return status;
}
