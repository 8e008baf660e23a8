/* Scenes for ParaView: a .vtu file (VTK's XML, binary as base64) an instant, and a .pvd file with
 * their times.
 *
 * Points are where they are at the instant, motion and deformation applied. Cells carry the number
 * of their body (from 1, in the order of the model). Where there are flexible bodies the points
 * have `deformation` (m, global axes) and, if they are solids, `stress` (xx yy zz xy yz zx, Pa,
 * body axes; of exact beams in the axes of the section, with the stress of torsion as xy) and
 * `von_mises`.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/file.h"
#include "base/message.h"
#include "fe/stress.h"
#include "export/scene.h"
#include "export/vtk.h"

enum { TRIANGLE = 5, LINE = 3 }; /* numbers of VTK's cells */

/* All bodies as one grid. */
typedef struct grid {
    int nodes, cells, corners;
    bool flexible, stressed;
    float *points, *deformation, *stress, *mises; /* nodes x 3, 3, 6, 1 */
    double *u, *s;                                /* displacements and stresses of one body */
    int32_t *connectivity, *offsets, *body;
    uint8_t *types;
} grid;

static int lines_of(const lmb_scene_body *b)
{
    return b->skin ? b->skin->line_count : 0;
}

static void make_grid(grid *g, lmb_arena *arena, const lmb_scene *scene)
{
    for (int i = 0; i < scene->body_count; i++) {
        const lmb_scene_body *b = &scene->bodies[i];
        g->nodes += b->mesh.node_count;
        g->cells += b->mesh.triangle_count + lines_of(b);
        g->corners += 3 * b->mesh.triangle_count + 2 * lines_of(b);
        g->flexible = g->flexible || b->skin;
        g->stressed = g->stressed || (b->skin && (b->skin->stresses || b->skin->fibres));
    }
    size_t n = (size_t)g->nodes + 1, c = (size_t)g->cells + 1;
    g->points = lmb_arena_alloc(arena, 3 * n, sizeof(float));
    g->deformation = lmb_arena_alloc(arena, 3 * n, sizeof(float));
    g->stress = lmb_arena_alloc(arena, LMB_SKIN_STRESSES * n, sizeof(float));
    g->mises = lmb_arena_alloc(arena, n, sizeof(float));
    g->u = lmb_arena_numbers(arena, 3 * n);
    g->s = lmb_arena_numbers(arena, LMB_SKIN_STRESSES * n);
    g->connectivity = lmb_arena_alloc(arena, (size_t)g->corners + 1, sizeof(int32_t));
    g->offsets = lmb_arena_alloc(arena, c, sizeof(int32_t));
    g->body = lmb_arena_alloc(arena, c, sizeof(int32_t));
    g->types = lmb_arena_alloc(arena, c, 1);
}

static void connect(grid *g, const lmb_scene *scene)
{
    int node = 0, cell = 0, corner = 0;
    for (int i = 0; i < scene->body_count; i++) {
        const lmb_scene_body *b = &scene->bodies[i];
        int triangles = b->mesh.triangle_count, all = triangles + lines_of(b);
        for (int k = 0; k < all; k++) {
            bool flat = k < triangles;
            const int *nodes =
                flat ? b->mesh.triangles + 3 * k : b->skin->lines + 2 * (k - triangles);
            for (int j = 0; j < (flat ? 3 : 2); j++)
                g->connectivity[corner++] = node + nodes[j];
            g->offsets[cell] = corner;
            g->body[cell] = i + 1;
            g->types[cell++] = flat ? TRIANGLE : LINE;
        }
        node += b->mesh.node_count;
    }
}

/* sum += factor * row */
static void add_row(double *sum, double factor, const float *row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += factor * (double)row[i];
}

/* The displacements of the nodes of a flexible body at an instant (node x 3) and the stresses there
 * (node x LMB_SKIN_STRESSES; zero where it has none), in body axes. */
static void deform(const lmb_scene_body *b, int instant, double *u, double *stress)
{
    const lmb_skin *skin = b->skin;
    size_t n = (size_t)skin->node_count, modes = (size_t)skin->mode_count;
    const double *eta = b->eta + (size_t)instant * modes;
    memset(u, 0, 3 * n * sizeof *u);
    for (size_t m = 0; m < modes; m++)
        add_row(u, eta[m], skin->shapes + 3 * n * m, 3 * n);
    memset(stress, 0, LMB_SKIN_STRESSES * n * sizeof *stress);
    size_t columns = skin->stresses ? modes + (size_t)skin->further_count : 0;
    const double *strained = b->strained + (size_t)instant * columns;
    for (size_t m = 0; m < columns; m++)
        add_row(stress, strained[m], skin->stresses + LMB_SKIN_STRESSES * n * m,
                LMB_SKIN_STRESSES * n);
}

static void put_vector(float *to, vec3 v)
{
    for (int k = 0; k < 3; k++)
        to[k] = (float)v3_get(v, k);
}

/* The same of nodes that others carry. Their deformation is what they are off from where they would
 * be at rest in the frame of the body. */
static void carry_body(grid *g, const lmb_scene_body *b, int instant, int first)
{
    const lmb_skin *skin = b->skin;
    mat3 R = quat_matrix(b->turn[instant]);
    size_t at = (size_t)instant * (size_t)skin->carrier_count;
    for (int i = 0; i < skin->node_count; i++) {
        const lmb_frame *frame = &b->frames[at + (size_t)skin->carrier[i]];
        const float *x = skin->nodes + 3 * i;
        const float *r = skin->carriers + LMB_CARRIER_NUMBERS * skin->carrier[i];
        mat3 now = frame_rotation(frame), then = quat_matrix((quat){r[3], r[4], r[5], r[6]});
        vec3 local = v3(x[0], x[1], x[2]), rest = v3(r[0], r[1], r[2]);
        vec3 p = v3_add(frame->p, m3_mul(&now, local));
        rest = m3_mul(&R, v3_add(rest, m3_mul(&then, local)));
        put_vector(g->points + 3 * (first + i), p);
        put_vector(g->deformation + 3 * (first + i), v3_sub(p, v3_add(b->position[instant], rest)));
        if (!skin->fibres)
            continue;
        const double *forces = b->sections + LMB_FIBRE_NUMBERS * (at + (size_t)skin->carrier[i]);
        const float *fibre = skin->fibres + LMB_FIBRE_NUMBERS * i;
        double sigma = 0, tau = forces[3] * fibre[3];
        for (int k = 0; k < 3; k++)
            sigma += forces[k] * fibre[k];
        const double stress[LMB_SKIN_STRESSES] = {sigma, 0, 0, tau, 0, 0};
        for (int k = 0; k < LMB_SKIN_STRESSES; k++)
            g->stress[LMB_SKIN_STRESSES * (size_t)(first + i) + (size_t)k] = (float)stress[k];
        g->mises[first + i] = (float)lmb_von_mises(stress);
    }
}

/* The nodes of a body at an instant; `first` is the number of its first one in the grid. */
static void move_body(grid *g, const lmb_scene_body *b, int instant, int first)
{
    mat3 R = quat_matrix(b->turn[instant]);
    if (b->skin)
        deform(b, instant, g->u, g->s);
    for (int i = 0; i < b->mesh.node_count; i++) {
        const float *x = b->mesh.nodes + 3 * i;
        float *stress = g->stress + LMB_SKIN_STRESSES * (size_t)(first + i);
        vec3 moved = v3(0, 0, 0);
        if (b->skin) {
            const double *u = g->u + 3 * i, *s = g->s + LMB_SKIN_STRESSES * i;
            for (int k = 0; k < LMB_SKIN_STRESSES; k++)
                stress[k] = (float)s[k];
            g->mises[first + i] = (float)lmb_von_mises(s);
            moved = m3_mul(&R, v3(u[0], u[1], u[2]));
        }
        vec3 p = v3_add(b->position[instant], v3_add(m3_mul(&R, v3(x[0], x[1], x[2])), moved));
        for (int k = 0; k < 3; k++) {
            g->points[3 * (first + i) + k] = (float)v3_get(p, k);
            g->deformation[3 * (first + i) + k] = (float)v3_get(moved, k);
        }
    }
}

/* --- files ------------------------------------------------------------------------------------ */

void lmb_vtk_array(FILE *out, const char *type, const char *name, int components, const void *data,
                   size_t bytes)
{
    lmb_fprintf(out,
                "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
                type, name, components);
    lmb_put_base64_sized(out, data, bytes);
    fputs("</DataArray>\n", out);
}

void lmb_vtk_cells(FILE *out, const lmb_vtk_grid *g)
{
    lmb_fprintf(out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                "byte_order=\"LittleEndian\" header_type=\"UInt32\">\n<UnstructuredGrid>\n"
                "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<Points>\n",
                g->nodes, g->cells);
    lmb_vtk_array(out, "Float32", "Points", 3, g->points, 12 * g->nodes);
    fputs("</Points>\n<Cells>\n", out);
    lmb_vtk_array(out, "Int32", "connectivity", 1, g->connectivity, 4 * g->corners);
    lmb_vtk_array(out, "Int32", "offsets", 1, g->offsets, 4 * g->cells);
    lmb_vtk_array(out, "UInt8", "types", 1, g->types, g->cells);
    fputs("</Cells>\n", out);
}

void lmb_vtk_end(FILE *out)
{
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}

static void put_grid(FILE *out, const grid *g)
{
    size_t n = (size_t)g->nodes, c = (size_t)g->cells;
    lmb_vtk_cells(out, &(lmb_vtk_grid){n, c, (size_t)g->corners, g->points, g->connectivity,
                                       g->offsets, g->types});
    fputs("<CellData Scalars=\"body\">\n", out);
    lmb_vtk_array(out, "Int32", "body", 1, g->body, 4 * c);
    fputs("</CellData>\n", out);
    if (g->flexible) {
        lmb_fprintf(out, "<PointData%s Vectors=\"deformation\">\n",
                    g->stressed ? " Scalars=\"von_mises\"" : "");
        lmb_vtk_array(out, "Float32", "deformation", 3, g->deformation, 12 * n);
    }
    if (g->stressed) {
        lmb_vtk_array(out, "Float32", "stress", LMB_SKIN_STRESSES, g->stress, 24 * n);
        lmb_vtk_array(out, "Float32", "von_mises", 1, g->mises, 4 * n);
    }
    if (g->flexible)
        fputs("</PointData>\n", out);
    lmb_vtk_end(out);
}

static lmb_status write_instant(lmb_context *context, const lmb_scene *scene, grid *g, int instant,
                                const char *path)
{
    for (int i = 0, first = 0; i < scene->body_count; i++) {
        (scene->bodies[i].frames ? carry_body : move_body)(g, &scene->bodies[i], instant, first);
        first += scene->bodies[i].mesh.node_count;
    }
    lmb_output out;
    if (!lmb_file_create(&out, context, path))
        return LMB_IO;
    put_grid(out.file, g);
    return lmb_file_close(&out, context, LMB_OK);
}

static lmb_status write_files(lmb_context *context, const lmb_scene *scene, grid *g,
                              const char *folder, const char *name)
{
    char path[4096];
    lmb_snprintf(path, sizeof path, "%s/%s.pvd", folder, name);
    lmb_output out;
    FILE *list = lmb_file_create(&out, context, path);
    if (!list)
        return LMB_IO;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          list);
    lmb_status status = LMB_OK;
    for (int i = 0; i < scene->instant_count && !status; i++) {
        char one[4096];
        lmb_snprintf(one, sizeof one, "%s/%s_%05d.vtu", folder, name, i);
        lmb_fprintf(list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%05d.vtu\"/>\n",
                    scene->time[i], name, i);
        status = write_instant(context, scene, g, i, one);
        if (!status)
            status = lmb_continue(context, "export", (double)(i + 1) / scene->instant_count);
    }
    fputs("</Collection>\n</VTKFile>\n", list);
    return lmb_file_close(&out, context, status);
}

lmb_status lmb_write_vtk(lmb_context *context, const lmb_scene *scene, const char *folder,
                         const char *name)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return lmb_fail(context, LMB_IO, "cannot make the folder '%s': %s", folder,
                        strerror(errno));
    grid g = {0};
    lmb_arena *arena = lmb_arena_new();
    make_grid(&g, arena, scene);
    lmb_status status = lmb_check_memory(context, arena);
    if (!status) {
        connect(&g, scene);
        status = write_files(context, scene, &g, folder, name);
    }
    lmb_arena_free(arena);
    return status;
}
