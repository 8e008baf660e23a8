/* Pictures of scenes; see drawing.h. Colours, light and grid are those of the viewer of reports. */
#include "export/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "fe/stress.h"
#include "export/facets.h"
#include "export/raster.h"
#include "export/signs.h"

enum { RAMP = 256, MARGIN = 40, LEGEND = 150 }; /* pixels beside the mechanism */

static const uint32_t palette[] = {0x4e79a7, 0xe08a3c, 0x5a9e6f, 0xb5656b, 0x8873a8,
                                   0x4fa3a5, 0xc9a43b, 0x8c6d5a, 0x7a8794, 0xc47fa0};
enum { COLORS = sizeof palette / sizeof *palette };
static const uint32_t plain = 0xb4bcc4; /* of rigid bodies beside stresses */

/* Depths as the camera gives them: what lies on a surface is drawn just before it, and the bodies
 * of a model in the plane one above the other. */
static const float lift = 1e-3f, layer = 4e-3f;

/* A body as it is drawn. */
typedef struct figure {
    lmb_facets facets;
    bool stressed;
    uint32_t color;
} figure;

struct lmb_drawing {
    lmb_arena *arena;
    const lmb_scene *scene;
    lmb_drawing_style style;
    lmb_raster *raster;
    lmb_camera camera;
    lmb_box box; /* of the whole motion */
    double largest;
    uint32_t ramp[RAMP];
    figure *figures;
    lmb_slide *slides;
    /* room for the largest body */
    double *u, *stress;              /* node x 3 and x LMB_SKIN_STRESSES */
    vec3 *nodes;                     /* node: where it is */
    float *value;                    /* node: part of the largest stress */
    vec3 *place, *normal;            /* vertex */
    lmb_raster_corner *front, *back; /* vertex: as a corner of facets seen from outside, inside */
};

/* --- colours ---------------------------------------------------------------------------------- */

static uint32_t mix(uint32_t a, uint32_t b, double part)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double from = a >> shift & 255, to = b >> shift & 255;
        out |= (uint32_t)lrint(from + part * (to - from)) << shift;
    }
    return out;
}

uint32_t lmb_stress_color(double part)
{
    static const uint32_t steps[] = {0x304ca8, 0x299ec2, 0x6bbf5c, 0xfacc40, 0xd12e29};
    double at = 4 * fmin(fmax(part, 0), 1);
    int low = at < 3 ? (int)at : 3;
    return mix(steps[low], steps[low + 1], at - low);
}

static uint32_t background(const lmb_drawing *d)
{
    return d->style.dark ? 0x14181d : 0xffffff;
}

/* --- where everything is ---------------------------------------------------------------------- */

static bool has_stress(const lmb_scene_body *b)
{
    return b->skin && b->skin->stresses;
}

/* The nodes of a body at an instant, and stresses if they are shown. */
static void move_nodes(lmb_drawing *d, const lmb_scene_body *b, int instant)
{
    mat3 R = quat_matrix(b->turn[instant]);
    bool stress = d->style.stress && has_stress(b);
    if (b->skin)
        lmb_scene_deform(b, instant, d->u, stress ? d->stress : NULL);
    for (int i = 0; i < b->mesh.node_count; i++) {
        const float *x = b->mesh.nodes + 3 * i;
        vec3 p = v3((double)x[0], (double)x[1], (double)x[2]);
        if (b->skin)
            p = v3_axpy(p, d->style.exaggerate, v3(d->u[3 * i], d->u[3 * i + 1], d->u[3 * i + 2]));
        d->nodes[i] = v3_add(b->position[instant], m3_mul(&R, p));
    }
}

/* The box and the largest stress of the whole motion. */
static lmb_status look_over(lmb_drawing *d, lmb_context *context)
{
    lmb_status status = LMB_OK;
    d->box = lmb_box_empty();
    for (int i = 0; i < d->scene->instant_count && !status; i++) {
        for (int k = 0; k < d->scene->body_count; k++) {
            const lmb_scene_body *b = &d->scene->bodies[k];
            move_nodes(d, b, i);
            for (int n = 0; n < b->mesh.node_count; n++) {
                lmb_box_add(&d->box, d->nodes[n]);
                if (d->style.stress && has_stress(b))
                    d->largest = fmax(d->largest, lmb_von_mises(d->stress + LMB_SKIN_STRESSES * n));
            }
        }
        lmb_signs_measure(d->scene, i, &d->box);
        status = lmb_go_on(context, "measure", (double)(i + 1) / d->scene->instant_count);
    }
    return status;
}

static vec3 side_of(vec3 up)
{
    return fabs(up.x) > 0.5 ? v3(0, 1, 0) : v3(1, 0, 0);
}

bool lmb_view_named(vec3 up, const char *name, vec3 *from)
{
    vec3 side = side_of(up), front = v3_cross(side, up);
    if (strcmp(name, "front") == 0)
        *from = front;
    else if (strcmp(name, "side") == 0)
        *from = side;
    else if (strcmp(name, "top") == 0)
        *from = up;
    else if (strcmp(name, "iso") == 0)
        *from = v3_axpy(v3_axpy(front, 0.62, side), 0.42, up);
    else
        return false;
    return true;
}

static void place_camera(lmb_drawing *d)
{
    vec3 from = d->style.from;
    bool planar = d->scene->dimension == 2;
    if (v3_norm(from) == 0)
        lmb_view_named(d->scene->up, planar ? "front" : "iso", &from);
    double margin = fmin(MARGIN, 0.1 * fmin(d->style.width, d->style.height));
    double legend = d->style.stress ? fmin(LEGEND, 0.3 * d->style.width) : 0;
    const double part[4] = {margin, margin, d->style.width - margin - legend,
                            d->style.height - margin};
    d->camera = lmb_camera_fit(&d->box, from, d->scene->up, planar, part);
}

/* --- the grid --------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, about a twelfth of what there is to see. */
static double grid_step(double size)
{
    double target = size / 12, power = pow(10, floor(log10(target)));
    return power * (target <= power ? 1 : target <= 2 * power ? 2 : target <= 5 * power ? 5 : 10);
}

static void draw_grid_line(lmb_drawing *d, vec3 a, vec3 b, uint32_t color)
{
    lmb_raster_corner p = lmb_camera_see(&d->camera, a), q = lmb_camera_see(&d->camera, b);
    lmb_raster_line(d->raster, &p, &q, 1, color);
}

/* A point of the floor below the mechanism, or of the plane behind it; and its two directions. */
static vec3 floor_of(const lmb_drawing *d, double step, vec3 *a, vec3 *b)
{
    bool planar = d->scene->dimension == 2;
    double size = d->camera.size;
    vec3 up = planar ? v3(0, 0, 1) : d->scene->up;
    *a = planar ? v3(1, 0, 0) : side_of(d->scene->up);
    *b = v3_cross(up, *a);
    double low = fmin(v3_dot(d->box.low, up), v3_dot(d->box.high, up));
    double height = planar ? low - size : low >= 0 && low < size / 2 ? 0 : low - 0.01 * size;
    vec3 at = v3_scale(step * round(v3_dot(d->camera.middle, *a) / step), *a);
    at = v3_axpy(at, step * round(v3_dot(d->camera.middle, *b) / step), *b);
    return v3_axpy(at, height, up);
}

/* Lines of the grid in pieces of a square, which pale towards the rim. */
static void draw_grid(lmb_drawing *d)
{
    double size = d->camera.size, step = grid_step(size);
    int count = (int)ceil((d->scene->dimension == 2 ? 2.2 : 1.2) * size / step);
    uint32_t color = d->style.dark ? 0x343d46 : 0xd3dae1;
    vec3 a, b, middle = floor_of(d, step, &a, &b);
    for (int way = 0; way < 2; way++) {
        vec3 along = v3_scale(step, way ? a : b), across = v3_scale(step, way ? b : a);
        for (int i = -count; i <= count; i++)
            for (int k = -count; k < count; k++) {
                double away = hypot(i, k + 0.5) / count;
                vec3 from = v3_axpy(v3_axpy(middle, i, across), k, along);
                if (away < 1)
                    draw_grid_line(d, from, v3_add(from, along),
                                   mix(color, background(d), away * away));
            }
    }
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Ambient light, a lamp above the right shoulder of who looks, and a weak one from the left. */
static float light_of(const lmb_camera *c, vec3 normal)
{
    static const double ambient = 0.53, lamp = 0.54, fill = 0.14;
    vec3 n = v3(v3_dot(normal, c->right), v3_dot(normal, c->top), v3_dot(normal, c->from));
    double towards = (0.35 * n.x + 0.6 * n.y + 0.75 * n.z) / 1.0223; /* the length of the three */
    return (float)(ambient + lamp * fmax(0, towards) + fill * fmax(0, -n.x));
}

/* Vertices as corners on the picture. */
static void see_vertices(lmb_drawing *d, const figure *f, const mat3 *R, float nearer)
{
    const lmb_facets *m = &f->facets;
    for (int i = 0; i < m->vertex_count; i++) {
        d->place[i] = v3_add(d->nodes[m->node[i]], m3_mul(R, m->offset[i]));
        d->normal[i] = v3(0, 0, 0);
    }
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * i;
        vec3 a = d->place[t[0]];
        vec3 n = v3_cross(v3_sub(d->place[t[1]], a), v3_sub(d->place[t[2]], a));
        for (int k = 0; k < 3; k++)
            d->normal[t[k]] = v3_add(d->normal[t[k]], n);
    }
    for (int i = 0; i < m->vertex_count; i++) {
        double size = v3_norm(d->normal[i]);
        vec3 n = v3_scale(size > 0 ? 1 / size : 0, d->normal[i]);
        lmb_raster_corner c = lmb_camera_see(&d->camera, d->place[i]);
        c.near += nearer;
        c.value = f->stressed ? d->value[m->node[i]] : 0;
        d->front[i] = d->back[i] = c;
        d->front[i].light = light_of(&d->camera, n);
        d->back[i].light = light_of(&d->camera, v3_scale(-1, n));
    }
}

/* Whether the corners go round counterclockwise on the picture. */
static bool faces_us(const lmb_raster_corner *a, const lmb_raster_corner *b,
                     const lmb_raster_corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y) < 0;
}

static void draw_figure(lmb_drawing *d, const figure *f, const mat3 *R, float nearer)
{
    const lmb_facets *m = &f->facets;
    lmb_raster_colors colors = {f->stressed ? d->ramp : &f->color, f->stressed ? RAMP : 1};
    see_vertices(d, f, R, nearer);
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * i;
        bool front = faces_us(&d->front[t[0]], &d->front[t[1]], &d->front[t[2]]);
        if (!front && m->closed)
            continue;
        const lmb_raster_corner *c = front ? d->front : d->back;
        lmb_raster_triangle(d->raster, &c[t[0]], &c[t[1]], &c[t[2]], colors);
    }
    uint32_t ink = mix(f->stressed ? plain : f->color, 0x1b2733, f->stressed ? 0.8 : 0.5);
    for (int i = 0; i < m->edge_count; i++) {
        lmb_raster_corner a = d->front[m->edges[2 * i]], b = d->front[m->edges[2 * i + 1]];
        a.near += lift;
        b.near += lift;
        a.light = b.light = 1;
        lmb_raster_line(d->raster, &a, &b, 1, ink);
    }
}

static void draw_body(lmb_drawing *d, int index, int instant)
{
    const lmb_scene_body *b = &d->scene->bodies[index];
    const figure *f = &d->figures[index];
    mat3 R = quat_matrix(b->turn[instant]);
    move_nodes(d, b, instant);
    for (int i = 0; f->stressed && i < b->mesh.node_count; i++)
        d->value[i] =
            (float)(d->largest > 0 ? lmb_von_mises(d->stress + LMB_SKIN_STRESSES * i) / d->largest
                                   : 0);
    draw_figure(d, f, &R, d->scene->dimension == 2 ? layer * (float)(index + 1) : 0);
}

void lmb_drawing_draw(lmb_drawing *d, int instant, uint32_t *pixels, int stride)
{
    lmb_raster_clear(d->raster, background(d));
    draw_grid(d);
    for (int i = 0; i < d->scene->body_count; i++)
        draw_body(d, i, instant);
    bool planar = d->scene->dimension == 2;
    lmb_signs_draw(&(lmb_sign_pen){.raster = d->raster,
                                   .camera = &d->camera,
                                   .scene = d->scene,
                                   .slides = d->slides,
                                   .nearer = planar ? 1 : lift,
                                   .dark = d->style.dark},
                   instant);
    lmb_raster_pixels(d->raster, pixels, stride);
}

/* --- all -------------------------------------------------------------------------------------- */

/* Room for the nodes of the largest body. */
static bool make_node_room(lmb_drawing *d)
{
    size_t n = 1;
    for (int i = 0; i < d->scene->body_count; i++)
        n = (size_t)d->scene->bodies[i].mesh.node_count > n
                ? (size_t)d->scene->bodies[i].mesh.node_count
                : n;
    d->u = lmb_arena_numbers(d->arena, 3 * n);
    d->stress = lmb_arena_numbers(d->arena, LMB_SKIN_STRESSES * n);
    d->nodes = lmb_arena_alloc(d->arena, n, sizeof *d->nodes);
    d->value = lmb_arena_alloc(d->arena, n, sizeof *d->value);
    return d->u && d->stress && d->nodes && d->value;
}

static bool make_figures(lmb_drawing *d)
{
    static const double thin = 0.008; /* radius of beams, times the size of all */
    size_t most = 1;
    d->figures = lmb_arena_alloc(d->arena, (size_t)d->scene->body_count + 1, sizeof *d->figures);
    for (int i = 0; d->figures && i < d->scene->body_count; i++) {
        const lmb_scene_body *b = &d->scene->bodies[i];
        figure *f = &d->figures[i];
        f->stressed = d->style.stress && has_stress(b);
        f->color = d->style.stress ? plain : palette[i % COLORS];
        if (!lmb_facets_of(&f->facets, d->arena, b, thin * d->camera.size))
            return false;
        most = (size_t)f->facets.vertex_count > most ? (size_t)f->facets.vertex_count : most;
    }
    d->slides = lmb_slides_of(d->scene, d->arena);
    d->place = lmb_arena_alloc(d->arena, most, sizeof *d->place);
    d->normal = lmb_arena_alloc(d->arena, most, sizeof *d->normal);
    d->front = lmb_arena_alloc(d->arena, most, sizeof *d->front);
    d->back = lmb_arena_alloc(d->arena, most, sizeof *d->back);
    return d->figures && d->slides && d->place && d->normal && d->front && d->back;
}

lmb_status lmb_drawing_new(lmb_drawing **out, lmb_context *context, const lmb_scene *scene,
                           const lmb_drawing_style *style)
{
    lmb_arena *arena;
    lmb_drawing *d = lmb_arena_object(&arena, sizeof *d);
    if (!d)
        return lmb_fail_memory(context);
    d->arena = arena;
    d->scene = scene;
    d->style = *style;
    for (int i = 0; i < RAMP; i++)
        d->ramp[i] = lmb_stress_color(i / (RAMP - 1.0));
    lmb_status status = lmb_raster_new(&d->raster, context, style->width, style->height);
    if (!status)
        status = make_node_room(d) ? look_over(d, context) : lmb_fail_memory(context);
    if (!status) {
        place_camera(d);
        status = make_figures(d) ? LMB_OK : lmb_fail_memory(context);
    }
    if (status)
        lmb_drawing_free(d);
    *out = status ? NULL : d;
    return status;
}

void lmb_drawing_free(lmb_drawing *d)
{
    if (!d)
        return;
    lmb_raster_free(d->raster);
    lmb_arena_free(d->arena);
}

double lmb_drawing_largest_stress(const lmb_drawing *d)
{
    return d->largest;
}
