/* The beam of the plane: Euler and Bernoulli's bending with the section's Iz, and stretching.
 * Degrees of freedom of a node: x, y and the rotation about z. */
#include <string.h>

#include "fe/beam.h"

enum { N = 6 };

/* Local axes: stretching at 0 and 3, bending at 1, 2, 4, 5. */
static void local_matrices(const lmb_element_data *e, double L, double *K, double *M)
{
    static const int bending[4] = {1, 2, 4, 5};
    double k = e->material.E * e->section.A / L, m = e->material.density * e->section.A;
    double kb[16], mb[16];
    memset(K, 0, N * N * sizeof *K);
    memset(M, 0, N * N * sizeof *M);
    K[0] = K[3 * N + 3] = k;
    K[3] = K[3 * N] = -k;
    M[0] = M[3 * N + 3] = m * L / 3;
    M[3] = M[3 * N] = m * L / 6;
    lmb_beam_bending_stiffness(e->material.E * e->section.Iz, L, 0, kb);
    lmb_beam_bending_mass(m, 0, L, 0, mb);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            K[bending[j] * N + bending[i]] = kb[4 * j + i];
            M[bending[j] * N + bending[i]] = mb[4 * j + i];
        }
}

/* A becomes T^T A T, where T turns the displacements of both nodes to axes with cosine c and sine
 * s; first its columns, then its rows. */
static void turn(double *A, double c, double s)
{
    for (int pass = 0; pass < 2; pass++)
        for (int node = 0; node < 2; node++)
            for (int k = 0; k < N; k++) {
                double *x = pass ? &A[k * N + 3 * node] : &A[3 * node * N + k];
                double *y = pass ? x + 1 : x + N, old = *x;
                *x = c * old - s * *y;
                *y = s * old + c * *y;
            }
}

static void matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                     double *M)
{
    (void)tables;
    vec3 d = v3_sub(e->x[1], e->x[0]);
    double L = hypot(d.x, d.y);
    local_matrices(e, L, K, M);
    turn(K, d.x / L, d.y / L);
    turn(M, d.x / L, d.y / L);
}

const lmb_element_type lmb_element_beam_planar = {
    .name = "planar beam",
    .nodes = 2,
    .dofs = N,
    .directions = LMB_BIT(LMB_UX) | LMB_BIT(LMB_UY) | LMB_BIT(LMB_RZ),
    .beam = true,
    .matrices = matrices,
    .gradients = lmb_beam_gradients,
};
