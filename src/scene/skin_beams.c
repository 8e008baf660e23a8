/* Prisms around the lines of beams; see skin_beams.h. */
#include "scene/skin_beams.h"

#include <math.h>
#include <string.h>

#include "channels/stress_state.h"

/* --- prisms ----------------------------------------------------------------------------------- */

/* Half the thickness that is drawn at least, as a part of the size of the body. */
#define LEAST 0.008

/* One beam while it is drawn. */
typedef struct beam {
    lmb_prisms *out;
    lmb_arena *arena;
    lmb_outline outline;
    mat3 axes;
    double y, z, drawn_y, drawn_z; /* of the extreme fibres */
} beam;

/* Adds the node of a point of the outline at an end. */
static void add_fibre(const beam *b, int end, int point)
{
    const lmb_outline_point *p = &b->outline.point[point];
    const vec3 *e = b->axes.c;
    vec3 arm = v3_add(v3_scale(p->y * b->drawn_y, e[1]), v3_scale(p->z * b->drawn_z, e[2]));
    vec3 around =
        v3_add(v3_scale(p->around_y * b->drawn_y, e[1]), v3_scale(p->around_z * b->drawn_z, e[2]));
    lmb_prisms *out = b->out;
    out->fibres = lmb_arena_append(b->arena, out->fibres, out->fibre_count, sizeof *out->fibres);
    if (lmb_arena_fine(b->arena))
        out->fibres[out->fibre_count++] =
            (lmb_fibre){end, arm, p->y * b->y, p->z * b->z, e[0], v3_unit(around)};
}

static void add_triangle(const beam *on, int a, int b, int c)
{
    lmb_prisms *out = on->out;
    const int corners[3] = {a, b, c};
    out->triangles =
        lmb_arena_append(on->arena, out->triangles, out->triangle_count, sizeof corners);
    if (lmb_arena_fine(on->arena))
        memcpy(out->triangles + 3 * (size_t)out->triangle_count++, corners, sizeof corners);
}

/* The sides between the two ends of a line. Every second line has the other diagonals, so that
 * where lines meet their triangles have the same share in the normals of both. */
static void add_sides(const beam *b, int line)
{
    const lmb_outline *o = &b->outline;
    int first = b->out->fibre_count, second = first + o->point_count;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < o->point_count; i++)
            add_fibre(b, 2 * line + end, i);
    for (int i = 0; i < o->side_count; i++) {
        int from = o->side[i][0], to = o->side[i][1];
        bool other = line % 2;
        add_triangle(b, first + from, first + to, second + (other ? from : to));
        add_triangle(b, first + (other ? to : from), second + to, second + from);
    }
}

/* What closes a beam at one end: turned round at its first. */
static void add_cap(const beam *b, int end)
{
    const lmb_outline *o = &b->outline;
    int first = b->out->fibre_count, back = end % 2 == 0;
    for (int i = 0; i < o->side_count && o->cap_count > 0; i++)
        add_fibre(b, end, o->side[i][0]);
    for (int i = 0; i < o->cap_count; i++)
        add_triangle(b, first + o->cap[i][0], first + o->cap[i][1 + back],
                     first + o->cap[i][2 - back]);
}

/* Whether the extreme fibres of a line and its axes are known. */
static bool is_known(const lmb_body_data *d, int line)
{
    const double *s = d->line_section + (size_t)line * LMB_LINE_NUMBERS;
    const double *y = d->line_axis + 3 * (size_t)line;
    return d->reduced->turn && s[LMB_LINE_E] > 0 && s[LMB_LINE_AREA] > 0 && s[LMB_LINE_IZ] > 0 &&
           s[LMB_LINE_Y_MAX] > 0 && v3_norm(v3(y[0], y[1], y[2])) > 0 &&
           (d->reduced->dimension == 2 || (s[LMB_LINE_IY] > 0 && s[LMB_LINE_Z_MAX] > 0));
}

static beam beam_of(lmb_prisms *out, lmb_arena *arena, const lmb_body_data *d, int line,
                    double size)
{
    lmb_section section = lmb_line_section_of(d, line);
    const double *axis = d->line_axis + 3 * (size_t)line;
    const int *node = d->lines + 2 * (size_t)line;
    bool planar = d->reduced->dimension == 2;
    vec3 x = v3_unit(v3_sub(d->reduced->x[node[1]], d->reduced->x[node[0]]));
    vec3 y = v3(axis[0], axis[1], axis[2]);
    return (beam){.out = out,
                  .arena = arena,
                  .outline = lmb_outline_of(&section, planar),
                  .axes = {{x, y, v3_cross(x, y)}},
                  .y = section.y_max,
                  .z = planar ? 0 : section.z_max,
                  .drawn_y = fmax(section.y_max, LEAST * size),
                  .drawn_z = fmax(section.z_max, LEAST * size)};
}

/* Marks the ends where a beam goes on into another line that is drawn, each with one other: nothing
 * closes them. */
static void find_joined(const lmb_body_data *d, lmb_arena *arena, const bool *drawn, bool *joined)
{
    size_t nodes = (size_t)d->reduced->node_count, ends = 2 * (size_t)d->line_count;
    int *last = lmb_arena_integers(arena, nodes + 1);  /* node: the end that came last, */
    int *before = lmb_arena_integers(arena, ends + 1); /* and the one before each there; -1: none */
    if (!lmb_arena_fine(arena))
        return;
    for (size_t i = 0; i < nodes; i++)
        last[i] = -1;
    for (int i = 0; i < 2 * d->line_count; i++) {
        if (!drawn[i / 2])
            continue;
        int *node = &last[d->lines[i]], other = *node;
        while (other >= 0 && (joined[other] || !lmb_lines_go_on(d, other, i)))
            other = before[other];
        if (other >= 0)
            joined[other] = joined[i] = true;
        before[i] = *node;
        *node = i;
    }
}

lmb_status lmb_prisms_of(lmb_prisms *out, lmb_arena *arena, lmb_context *context,
                         const lmb_body_data *d)
{
    size_t lines = (size_t)d->line_count;
    bool *joined = lmb_arena_alloc(arena, 2 * lines + 1, sizeof *joined);
    *out = (lmb_prisms){.drawn = lmb_arena_alloc(arena, lines + 1, sizeof *out->drawn)};
    for (int i = 0; out->drawn && i < d->line_count; i++)
        out->drawn[i] = is_known(d, i);
    find_joined(d, arena, out->drawn, joined);
    double size = v3_spread(d->reduced->x, d->reduced->node_count);
    for (int i = 0; lmb_arena_fine(arena) && i < d->line_count; i++) {
        if (!out->drawn[i])
            continue;
        beam b = beam_of(out, arena, d, i, size);
        add_sides(&b, i);
        for (int end = 2 * i; end < 2 * i + 2; end++)
            if (!joined[end])
                add_cap(&b, end);
    }
    return lmb_check_memory(context, arena);
}

/* --- into a skin ------------------------------------------------------------------------------ */

/* The stress xx yy zz xy yz zx at a fibre for the section forces N Vy Vz T My Mz of its end. */
static void put_stress(const lmb_fibre *f, const double *s, const double forces[6], float *out)
{
    double N = forces[0], T = forces[3], My = forces[4], Mz = forces[5];
    double normal = N / s[LMB_LINE_AREA] - Mz * f->y / s[LMB_LINE_IZ] +
                    (f->z != 0 ? My * f->z / s[LMB_LINE_IY] : 0);
    double shear = T != 0 ? T * s[LMB_LINE_TORSION_RADIUS] / s[LMB_LINE_J] : 0;
    vec3 a = f->along, t = f->around;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    for (int k = 0; k < 6; k++) {
        int i = pair[k][0], j = pair[k][1];
        out[k] = (float)(normal * v3_get(a, i) * v3_get(a, j) +
                         shear * (v3_get(a, i) * v3_get(t, j) + v3_get(a, j) * v3_get(t, i)));
    }
}

/* The stresses of a fibre in so many columns from one on, for the section forces of all lines. */
static void put_columns(const lmb_fibre *f, const lmb_body_data *d, size_t to, lmb_skin *out,
                        int first, int columns, const double *forces)
{
    const double *section = d->line_section + (size_t)(f->end / 2) * LMB_LINE_NUMBERS;
    size_t n = (size_t)out->node_count, row = 12 * (size_t)d->line_count;
    for (size_t k = 0; k < (size_t)columns; k++)
        put_stress(f, section, forces + k * row + 6 * (size_t)f->end,
                   out->stresses + (((size_t)first + k) * n + to) * LMB_SKIN_STRESSES);
}

/* In all columns: of the modes, of the basis, and of the accelerations. */
static void put_stresses(const lmb_fibre *f, const lmb_body_data *d, size_t to, lmb_skin *out)
{
    int modes = d->reduced->mode_count, all = out->mode_count;
    put_columns(f, d, to, out, 0, modes, d->line_forces);
    put_columns(f, d, to, out, modes, all - modes, d->basis_forces);
    if (out->further_count > 0)
        put_columns(f, d, to, out, all + d->load_count, out->further_count - d->load_count,
                    d->line_inertia);
}

void lmb_prisms_copy(const lmb_prisms *p, const lmb_body_data *d, lmb_skin *out)
{
    int first = out->node_count - p->fibre_count;
    for (int i = 0; i < p->fibre_count; i++) {
        const lmb_fibre *f = &p->fibres[i];
        size_t to = (size_t)(first + i);
        lmb_skin_carry(out, d->reduced, d->lines[f->end], f->arm, to);
        put_stresses(f, d, to, out);
    }
    int *triangles = out->triangles + 3 * (size_t)(out->triangle_count - p->triangle_count);
    for (int i = 0; i < 3 * p->triangle_count; i++)
        triangles[i] = first + p->triangles[i];
}
