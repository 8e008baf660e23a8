#include "elastica.h"

#include <math.h>

double elastica(double P, double angle, double beta, double *x, double *y)
{
    enum { STEPS = 1000 };
    const double h = 1.0 / STEPS;
    double c = angle, d = 0;
    *x = *y = 0;
    for (int i = 0; i < STEPS; i++) {
        double k1 = -P * sin(c), c2 = c + h / 2 * d, d2 = d + h / 2 * k1;
        double k2 = -P * sin(c2), c3 = c + h / 2 * d2, d3 = d + h / 2 * k2;
        double k3 = -P * sin(c3), c4 = c + h * d3, d4 = d + h * k3, k4 = -P * sin(c4);
        double next = c + h / 6 * (d + 2 * d2 + 2 * d3 + d4), middle = (c2 + c3) / 2;
        *x += h / 6 * (cos(c - beta) + 4 * cos(middle - beta) + cos(next - beta));
        *y += h / 6 * (sin(c - beta) + 4 * sin(middle - beta) + sin(next - beta));
        d += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        c = next;
    }
    return c;
}
