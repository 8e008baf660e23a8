/* Signs of joints and springs; see signs.h. They are those of the viewer of reports, simplified. */
#include "export/signs.h"

#include <math.h>
#include <string.h>

enum { ROUND = 24, COILS = 8, TURN = 12 }; /* corners of a disc; turns of a coil, pieces of one */

static const double radius = 0.009;     /* of pins, times the size of all */
static const uint32_t green = 0x6f9440; /* of springs */
static const float behind = -0.2f;      /* rails and feet of the plane are behind the bodies */

static uint32_t line_color(const lmb_sign_pen *pen)
{
    return pen->dark ? 0xc7d0da : 0x2b3642;
}

static bool is_one_of(const char *type, const char *const list[])
{
    for (int i = 0; list[i]; i++)
        if (strcmp(type, list[i]) == 0)
            return true;
    return false;
}

static bool slides(const lmb_scene_tie *tie)
{
    static const char *const names[] = {"translational", "prismatic", "slot", "inline", NULL};
    return !tie->force && is_one_of(tie->type, names);
}

static bool is_pin(const lmb_scene_tie *tie)
{
    static const char *const others[] = {"distance", "gear", "rack", "planar", "rolling", NULL};
    return !tie->force && !slides(tie) && !is_one_of(tie->type, others);
}

static bool is_spring(const lmb_scene_tie *tie)
{
    static const char *const names[] = {"spring", "damper", "bushing", NULL};
    return tie->force && is_one_of(tie->type, names);
}

static bool is_rod(const lmb_scene_tie *tie)
{
    return !tie->force && strcmp(tie->type, "distance") == 0;
}

void lmb_signs_measure(const lmb_scene *scene, int instant, lmb_box *box)
{
    for (int i = 0; i < scene->tie_count; i++) {
        const lmb_scene_tie *tie = &scene->ties[i];
        for (int k = 0; k < 2 && (is_pin(tie) || is_spring(tie) || is_rod(tie)); k++)
            lmb_box_add(box, lmb_scene_place(scene, tie->body[k], tie->at[k], instant));
    }
}

/* --- how far joints slide --------------------------------------------------------------------- */

/* Half of what a body measures along a direction of its own axes. */
static double half_extent(const lmb_scene_body *b, vec3 along)
{
    double most = 0;
    for (int i = 0; i < b->mesh.node_count; i++) {
        const float *p = b->mesh.nodes + 3 * i;
        most = fmax(most, fabs(v3_dot(v3((double)p[0], (double)p[1], (double)p[2]), along)));
    }
    return most;
}

static lmb_slide slide_of(const lmb_scene *scene, const lmb_scene_tie *tie)
{
    lmb_slide s = {INFINITY, -INFINITY};
    for (int i = 0; i < scene->instant_count; i++) {
        vec3 a = lmb_scene_place(scene, tie->body[0], tie->at[0], i);
        vec3 b = lmb_scene_place(scene, tie->body[1], tie->at[1], i);
        vec3 ahead = lmb_scene_place(scene, tie->body[0], v3_add(tie->at[0], tie->axis), i);
        double offset = v3_dot(v3_sub(b, a), v3_sub(ahead, a));
        s.low = fmin(s.low, offset);
        s.high = fmax(s.high, offset);
    }
    double room = tie->body[1] < 0 ? 0 : half_extent(&scene->bodies[tie->body[1]], tie->axis);
    return (lmb_slide){s.low - room, s.high + room};
}

lmb_slide *lmb_slides_of(const lmb_scene *scene, lmb_arena *arena)
{
    lmb_slide *out = lmb_arena_alloc(arena, (size_t)scene->tie_count + 1, sizeof *out);
    for (int i = 0; out && i < scene->tie_count; i++)
        if (slides(&scene->ties[i]))
            out[i] = slide_of(scene, &scene->ties[i]);
    return out;
}

/* --- strokes ---------------------------------------------------------------------------------- */

static void stroke(const lmb_sign_pen *pen, vec3 a, vec3 b, float nearer, double width,
                   uint32_t color)
{
    lmb_raster_corner p = lmb_camera_see(pen->camera, a), q = lmb_camera_see(pen->camera, b);
    p.near += nearer;
    q.near += nearer;
    lmb_raster_line(pen->raster, &p, &q, width, color);
}

/* A disc that faces the camera. A ball is one that bulges and darkens towards its rim. */
static void disc(const lmb_sign_pen *pen, vec3 at, double r, float nearer, uint32_t color,
                 bool ball)
{
    const lmb_camera *c = pen->camera;
    lmb_raster_corner rim[ROUND], middle = lmb_camera_see(c, v3_axpy(at, ball ? r : 0, c->from));
    lmb_raster_colors colors = {&color, 1};
    middle.near += nearer;
    for (int i = 0; i < ROUND; i++) {
        double angle = 2 * LMB_PI * i / ROUND;
        vec3 p = v3_axpy(v3_axpy(at, r * cos(angle), c->right), r * sin(angle), c->top);
        rim[i] = lmb_camera_see(c, p);
        rim[i].near += nearer;
        rim[i].light = ball ? 0.62f : 1;
    }
    for (int i = 0; i < ROUND; i++)
        lmb_raster_triangle(pen->raster, &middle, &rim[i], &rim[(i + 1) % ROUND], colors);
}

static void draw_pin(const lmb_sign_pen *pen, vec3 at)
{
    double r = radius * pen->camera->size;
    if (pen->scene->dimension == 3) {
        disc(pen, at, r, pen->nearer, pen->dark ? 0xc7d0da : 0xd5dbe1, true);
        return;
    }
    disc(pen, at, r, pen->nearer, line_color(pen), false);
    disc(pen, at, 0.66 * r, 2 * pen->nearer, pen->dark ? 0x20272e : 0xffffff, false);
}

/* A triangle on a hatched line below a pin, or above one that its body hangs from. */
static void draw_foot(const lmb_sign_pen *pen, vec3 at, bool hangs)
{
    double r = radius * pen->camera->size, down = hangs ? 2.8 * r : -2.8 * r;
    uint32_t color = pen->dark ? 0x6b7681 : 0x8b96a1;
    vec3 left = v3_add(at, v3(-1.8 * r, down, 0)), right = v3_add(at, v3(1.8 * r, down, 0));
    lmb_raster_corner c[3] = {lmb_camera_see(pen->camera, at), lmb_camera_see(pen->camera, left),
                              lmb_camera_see(pen->camera, right)};
    uint32_t fill = pen->dark ? 0x39434d : 0xc9d0d7;
    for (int i = 0; i < 3; i++)
        c[i].near += behind;
    lmb_raster_triangle(pen->raster, &c[0], &c[1], &c[2], (lmb_raster_colors){&fill, 1});
    stroke(pen, v3_axpy(left, -0.4, v3(r, 0, 0)), v3_axpy(right, 0.4, v3(r, 0, 0)), behind / 2, 2,
           color);
    for (int i = -2; i <= 2; i++) {
        vec3 top = v3_add(at, v3(i * r, down, 0));
        stroke(pen, top, v3_add(top, v3(-0.7 * r, hangs ? r : -r, 0)), behind / 2, 1.2, color);
    }
}

/* --- ties ------------------------------------------------------------------------------------- */

/* A zigzag, in space a helix, with straight ends. */
static void draw_coil(const lmb_sign_pen *pen, vec3 a, vec3 b)
{
    bool planar = pen->scene->dimension == 2;
    double length = v3_norm(v3_sub(b, a)), pin = radius * pen->camera->size;
    double r = fmin(fmax(0.08 * length, 1.2 * pin), 2.5 * pin);
    if (!(length > 0.01 * pen->camera->size))
        return;
    vec3 along = v3_scale(1 / length, v3_sub(b, a));
    vec3 across =
        v3_unit(v3_cross(planar || fabs(along.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0), along));
    vec3 third = v3_cross(along, across), last = a;
    int pieces = COILS * (planar ? 2 : TURN);
    for (int i = 0; i <= pieces + 1; i++) {
        double part = 0.1 + 0.8 * i / pieces, angle = 2 * LMB_PI * i / TURN;
        double x = planar ? (i % 2 ? r : -r) : r * cos(angle), y = planar ? 0 : r * sin(angle);
        vec3 p = v3_axpy(v3_axpy(v3_axpy(a, part * length, along), x, across), y, third);
        if (i == 0 || i == pieces) /* back to the middle */
            p = v3_axpy(a, part * length, along);
        if (i > pieces)
            p = b;
        stroke(pen, last, p, pen->nearer, 2.2, green);
        last = p;
    }
}

/* Two rails beside the way, in space one along it. */
static void draw_rails(const lmb_sign_pen *pen, int number, int instant)
{
    const lmb_scene_tie *tie = &pen->scene->ties[number];
    lmb_slide s = pen->slides[number];
    bool planar = pen->scene->dimension == 2;
    double r = radius * pen->camera->size, low = s.low - 3 * r, high = s.high + 3 * r;
    vec3 beside = planar ? v3_scale(2 * r, v3(-tie->axis.y, tie->axis.x, 0)) : v3(0, 0, 0);
    for (int side = planar ? -1 : 0; side <= (planar ? 1 : 0); side += 2) {
        vec3 from = v3_axpy(tie->at[0], side, beside);
        vec3 a = lmb_scene_place(pen->scene, tie->body[0], v3_axpy(from, low, tie->axis), instant);
        vec3 b = lmb_scene_place(pen->scene, tie->body[0], v3_axpy(from, high, tie->axis), instant);
        stroke(pen, a, b, planar ? behind : pen->nearer, planar ? 1.6 : 3,
               pen->dark ? 0x6b7681 : 0x8b96a1);
    }
}

static void draw_tie(const lmb_sign_pen *pen, int number, int instant)
{
    const lmb_scene *scene = pen->scene;
    const lmb_scene_tie *tie = &scene->ties[number];
    vec3 a = lmb_scene_place(scene, tie->body[0], tie->at[0], instant);
    vec3 b = lmb_scene_place(scene, tie->body[1], tie->at[1], instant);
    if (slides(tie))
        draw_rails(pen, number, instant);
    else if (is_spring(tie))
        draw_coil(pen, a, b);
    else if (is_rod(tie))
        stroke(pen, a, b, pen->nearer, 1.6, line_color(pen));
    if (!is_pin(tie))
        return;
    int ground = tie->body[0] < 0 ? 0 : 1, held = tie->body[1 - ground];
    if (scene->dimension == 2 && tie->body[ground] < 0 && held >= 0)
        draw_foot(pen, a, scene->bodies[held].position[0].y < a.y - 1e-6 * pen->camera->size);
    draw_pin(pen, a);
}

void lmb_signs_draw(const lmb_sign_pen *pen, int instant)
{
    for (int i = 0; i < pen->scene->tie_count; i++)
        if (pen->scene->ties[i].acts[instant])
            draw_tie(pen, i, instant);
}
