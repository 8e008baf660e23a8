/* Elements of rotors: their sections, also those of cones, and their shape functions. */
#include "rotor/rotor.h"
#include "fe/beam.h"
#include "fe/section.h"
#include "math/vec.h"

double lmb_rotor_diameter(const lmb_rotor_piece *p, double part, double *bore)
{
    *bore = (1 - part) * p->bore + part * p->end_bore;
    return (1 - part) * p->diameter + part * p->end_diameter;
}

/* The mean of d^2 and d^4 along a cone. */
static double mean_square(double a, double b)
{
    return (a * a + a * b + b * b) / 3;
}

static double mean_fourth(double a, double b)
{
    return (a * a * a * a + a * a * b * (a + b) + b * b * b * (a + b)) / 5;
}

lmb_status lmb_rotor_section(const lmb_rotor_element *e, lmb_context *context, lmb_section *out)
{
    const lmb_rotor_piece *p = e->piece;
    double inner, bores[2], d = lmb_rotor_diameter(p, (e->from + e->to) / 2, &inner);
    double d0 = lmb_rotor_diameter(p, e->from, &bores[0]),
           d1 = lmb_rotor_diameter(p, e->to, &bores[1]);
    lmb_status status = inner > 0
                            ? lmb_section_tube(out, context, d, (d - inner) / 2, p->material.nu)
                            : lmb_section_circle(out, context, d, p->material.nu);
    if (p->end_diameter != p->diameter || p->end_bore != p->bore) {
        out->A = LMB_PI / 4 * (mean_square(d0, d1) - mean_square(bores[0], bores[1]));
        out->Iy = out->Iz = LMB_PI / 64 * (mean_fourth(d0, d1) - mean_fourth(bores[0], bores[1]));
    }
    return status;
}

lmb_complex lmb_rotor_deflection(const lmb_rotor_system *s, int element, double x,
                                 const lmb_complex *u, lmb_complex *tilt)
{
    const lmb_rotor_element *e = &s->elements[element];
    const lmb_complex *a = u + s->unknown[e->first], *b = u + s->unknown[e->second];
    double v[4], turn[4], slope[4];
    lmb_beam_bending_shapes(x, e->length, e->phi, v, turn, slope);
    if (tilt)
        *tilt = turn[0] * a[0] + turn[1] * a[1] + turn[2] * b[0] + turn[3] * b[1];
    return v[0] * a[0] + v[1] * a[1] + v[2] * b[0] + v[3] * b[1];
}
