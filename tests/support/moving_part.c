#include "moving_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "meshes.h"
#include "models.h"
#include "support.h"

part reduce_part(lmb_mesh *mesh, int last, lmb_reduction options)
{
    part p = {.mesh = mesh, .fe = model_of(mesh), .arena = lmb_arena_new()};
    int first = 0;
    lmb_interface points[] = {{"A", mesh->x[0], LMB_TIE_NODE, &first, 1},
                              {"B", mesh->x[last > 0 ? last : 0], LMB_TIE_NODE, &last, 1}};
    assert_ok(lmb_reduce(&p.reduced, context, p.fe, points, last > 0 ? 2 : 1, &options));
    make_body(&p, mesh->dimension);
    return p;
}

void make_body(part *p, int dimension)
{
    p->modal = lmb_modal_new(p->arena, p->reduced, &(lmb_modal_options){0});
    p->own = lmb_arena_alloc(p->arena, 1, sizeof *p->own);
    assert_true(p->modal && p->own);
    *p->own = (lmb_flexible){.elasticity = {p->modal, NULL, 1, NULL}};
    p->body = (lmb_body){.ops = dimension == 2 ? &lmb_body_flexible_planar : &lmb_body_flexible,
                         .own = p->own};
    assert_true(lmb_body_structure(&p->body, dimension, &(lmb_structure){.arena = p->arena}));
    assert_true(p->body.nq <= PART_ROOM);
    p->deformed = p->body.ops->make_room(&p->body, p->arena);
    assert_non_null(p->deformed);
}

lmb_body_at part_at(const part *p, const double *q, const double *v)
{
    lmb_body_at at = {.body = &p->body, .q = q, .v = v, .work = p->deformed};
    p->body.ops->update(&at);
    return at;
}

void drop_part(part *p)
{
    lmb_arena_free(p->arena);
    lmb_reduced_free(p->reduced);
    lmb_arena_free(p->fe->arena);
    lmb_arena_free(p->mesh->arena);
}

void part_settle(const part *p, double *q, double *v, const double *load)
{
    int n = p->body.nv, modes = p->modal->modes, rigid = n - modes, first = p->body.nq - modes;
    size_t square = (size_t)n * (size_t)n;
    double *by_q = calloc(3 * square, sizeof *by_q), *by_v = by_q + square, *K = by_v + square;
    double Q[PART_ROOM], zero[PART_ROOM] = {0}, change = 1, size = 1e-30;
    for (int i = 0; i < 50 && change > 1e-12 * size; i++) {
        lmb_body_at at = part_at(p, q, v);
        memset(by_q, 0, 2 * square * sizeof *by_q);
        p->body.ops->force(&at, v3(0, 0, 0), Q);
        p->body.ops->tangent(&at, v3(0, 0, 0), zero, &(lmb_window){by_q, by_v, n});
        for (int j = 0; j < modes; j++) {
            Q[rigid + j] += load ? load[j] : 0;
            for (int k = 0; k < modes; k++)
                K[j * modes + k] = by_q[(rigid + j) * n + rigid + k];
        }
        assert_true(lmb_dense_solve(modes, K, 1, Q + rigid));
        change = 0;
        for (int j = 0; j < modes; j++) {
            q[first + j] += Q[rigid + j];
            change = fmax(change, fabs(Q[rigid + j]));
            size = fmax(size, fabs(q[first + j]));
        }
    }
    assert_true(change <= 1e-10 * size);
    free(by_q);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int part_frequencies(const part *p, const double *q, const double *v, double *out)
{
    int n = p->body.nv, modes = p->modal->modes, rigid = n - modes, size = 2 * modes, count = 0;
    size_t square = (size_t)n * (size_t)n;
    double *M = calloc(3 * square, sizeof *M), *by_q = M + square, *by_v = by_q + square;
    double *A = calloc(2 * (size_t)(size * size) + 2 * (size_t)size, sizeof *A);
    double *vectors = A + size * size, *re = vectors + size * size, *im = re + size;
    double *B = calloc((size_t)(3 * modes * modes), sizeof *B), *right = B + modes * modes;
    double *zero = calloc((size_t)n, sizeof *zero);
    double here[PART_ROOM], speed[PART_ROOM];
    memcpy(here, q, (size_t)p->body.nq * sizeof *q);
    memcpy(speed, v, (size_t)n * sizeof *v);
    lmb_body_at at = part_at(p, here, speed);
    p->body.ops->mass(&at, M);
    p->body.ops->tangent(&at, v3(0, 0, 0), zero, &(lmb_window){by_q, by_v, n});
    for (int j = 0; j < modes; j++)
        for (int i = 0; i < modes; i++) {
            int from = (rigid + j) * n + rigid + i;
            B[j * modes + i] = M[from];
            right[j * modes + i] = -by_q[from];
            right[(modes + j) * modes + i] = -by_v[from];
        }
    assert_true(lmb_dense_solve(modes, B, 2 * modes, right));
    for (int j = 0; j < size; j++)
        for (int i = 0; i < modes; i++)
            A[j * size + modes + i] = right[j * modes + i];
    for (int i = 0; i < modes; i++)
        A[(modes + i) * size + i] = 1;
    assert_true(lmb_dense_eigen(size, A, re, im, vectors));
    for (int i = 0; i < size; i++)
        if (im[i] > 0) {
            assert_true(fabs(re[i]) < 1e-6 * im[i]);
            out[count++] = im[i];
        }
    qsort(out, (size_t)count, sizeof *out, by_size);
    free(M);
    free(A);
    free(B);
    free(zero);
    return count;
}

void assert_found(const double *found, int count, double expected, double tolerance)
{
    double best = INFINITY;
    for (int i = 0; i < count; i++)
        if (fabs(found[i] - expected) < fabs(best - expected))
            best = found[i];
    assert_close(best / expected, 1, tolerance);
}
