/* Load cases in the formats of finite element programs.
 *
 * A history is a table over time; a load of unit size refers to it. The frame accelerates by a and
 * turns with omega: in its axes each mass feels -a - omegadot x r - omega x (omega x r), r from the
 * origin of the mesh. Where a program has only centrifugal loads about given axes, six of them make
 * up omega omega^T = sum c_k n_k n_k^T:
 *
 *   c_x = wx^2 - wx wy - wz wx about x (y and z alike)      c_xy = 2 wx wy about (1, 1, 0)/sqrt 2
 * ... */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "export/load_cases.h"

enum { CENTRIFUGAL = 6, PER_LINE = 4 };

static const char *const numbers_of[] = {"FX", "FY", "FZ", "MX", "MY", "MZ",
                                         "UX", "UY", "UZ", "RX", "RY", "RZ"};

static const double *row(const lmb_load_cases *c, int i)
{
    return c->numbers + (size_t)i * (size_t)lmb_load_width(c);
}

static int frame_column(const lmb_load_cases *c)
{
    return c->point_count * LMB_LOAD_NUMBERS;
}

/* The largest size of a column. */
static double largest(const lmb_load_cases *c, int column)
{
    double most = 0;
    for (int i = 0; i < c->count; i++)
        most = fmax(most, fabs(row(c, i)[column]));
    return most;
}

/* Whether a column has nothing but rounding, against the other numbers of its sort: all forces,
 * say. */
static bool is_zero(const lmb_load_cases *c, int column)
{
    int frame = frame_column(c), count = column < frame ? c->point_count : 1;
    int first = column < frame ? column % LMB_LOAD_NUMBERS / 3 * 3 : column - (column - frame) % 3;
    double most = 0;
    for (int p = 0; p < count; p++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, largest(c, p * LMB_LOAD_NUMBERS + first + k));
    return largest(c, column) <= 1e-12 * most;
}

/* Names of FE programs, BODY_POINT_NUMBER without the parts that are "", have capital letters,
 * digits and '_'. */
static const char *name_of(const lmb_load_cases *c, const char *point, const char *number)
{
    char *name = lmb_text_format(c->arena, "%s%s%s%s%s", c->body, point[0] ? "_" : "", point,
                                 number[0] ? "_" : "", number);
    for (char *s = name; s && *s; s++)
        *s = (char)(isalnum((unsigned char)*s) ? toupper((unsigned char)*s) : '_');
    return name ? name : "";
}

/* --- comma-separated values ------------------------------------------------------------------- */

static void write_csv(const lmb_load_cases *c, bool displacements, FILE *out)
{
    static const char *const groups[] = {"force", "torque", "displacement", "rotation"};
    static const char *const frame[] = {"acceleration", "angular_velocity", "angular_acceleration"};
    (void)displacements; /* both are there */
    fputs("time", out);
    for (int p = 0; p < c->point_count; p++)
        for (int k = 0; k < LMB_LOAD_NUMBERS; k++)
            fprintf(out, ",%s.%s.%c", c->points[p].name, groups[k / 3], 'x' + k % 3);
    for (int k = 0; k < LMB_LOAD_FRAME; k++)
        fprintf(out, ",%s.%c", frame[k / 3], 'x' + k % 3);
    putc('\n', out);
    for (int i = 0; i < c->count; i++) {
        fprintf(out, "%.17g", c->time[i]);
        for (int k = 0; k < lmb_load_width(c); k++)
            fprintf(out, ",%.17g", row(c, i)[k]);
        putc('\n', out);
    }
}

/* --- CalculiX and Abaqus ---------------------------------------------------------------------- */

/* A history and the load that refers to it: on a point (or, without a history, one that is held),
 * or of inertia. */
typedef struct history {
    enum { POINT, HELD, GRAVITY, SPIN, SPIN_RATE } kind;
    const char *point, *number; /* its name */
    int column;                 /* of the spin: that of the angular velocity */
    int k;                      /* the direction, or which of the centrifugal loads */
} history;

/* All histories but those that are zero; their number. Displacements that are zero are held. */
static int list_histories(const lmb_load_cases *c, bool displacements, history *out)
{
    static const char *const names[3][CENTRIFUGAL] = {
        {"AX", "AY", "AZ"}, {"CX", "CY", "CZ", "CXY", "CYZ", "CZX"}, {"ALX", "ALY", "ALZ"}};
    int first = displacements ? LMB_LOAD_MOVE : LMB_LOAD_FORCE, frame = frame_column(c), n = 0;
    for (int p = 0; p < c->point_count; p++)
        for (int k = 0; k < 6; k++) {
            int column = p * LMB_LOAD_NUMBERS + first + k;
            bool zero = is_zero(c, column);
            if (!zero || displacements)
                out[n++] = (history){zero ? HELD : POINT, c->points[p].name, numbers_of[first + k],
                                     column, k};
        }
    int spin = frame + LMB_LOAD_SPIN;
    bool spins = !is_zero(c, spin) || !is_zero(c, spin + 1) || !is_zero(c, spin + 2);
    for (int group = 0; group < 3; group++)
        for (int k = 0; k < (group == 1 ? CENTRIFUGAL : 3); k++)
            if (group == 1 ? spins : !is_zero(c, frame + 3 * group + k))
                out[n++] = (history){GRAVITY + group, "", names[group][k],
                                     group == 1 ? spin : frame + 3 * group + k, k};
    return n;
}

/* A number of a history; of the spin the factor of a centrifugal load, see above. */
static double value_of(const lmb_load_cases *c, const history *h, int i)
{
    const double *v = row(c, i) + h->column;
    int k = h->k;
    if (h->kind != SPIN)
        return v[0];
    return k < 3 ? v[k] * (v[k] - v[(k + 1) % 3] - v[(k + 2) % 3]) : 2 * v[k - 3] * v[(k - 2) % 3];
}

static void inp_amplitude(const lmb_load_cases *c, FILE *out, const history *h)
{
    fprintf(out, "*AMPLITUDE, NAME=%s\n", name_of(c, h->point, h->number));
    for (int i = 0; i < c->count; i++)
        fprintf(out, "%.12g, %.12g%s", c->time[i] - c->time[0], value_of(c, h, i),
                i + 1 == c->count              ? "\n"
                : i % PER_LINE == PER_LINE - 1 ? ",\n"
                                               : ", ");
}

static void inp_load(const lmb_load_cases *c, FILE *out, const history *h, bool displacements)
{
    static const char *const axes[CENTRIFUGAL] = {"1., 0., 0.", "0., 1., 0.", "0., 0., 1.",
                                                  "1., 1., 0.", "0., 1., 1.", "1., 0., 1."};
    static const char *const down[] = {"-1., 0., 0.", "0., -1., 0.", "0., 0., -1."};
    if (h->kind == SPIN_RATE)
        fputs("** angular acceleration, Abaqus alone:\n** ", out);
    fputs(h->kind >= GRAVITY ? "*DLOAD" : displacements ? "*BOUNDARY" : "*CLOAD", out);
    if (h->kind != HELD)
        fprintf(out, ", AMPLITUDE=%s", name_of(c, h->point, h->number));
    putc('\n', out);
    if (h->kind < GRAVITY) {
        fprintf(out, "%s, %d", name_of(c, h->point, ""), h->k + 1);
        if (displacements)
            fprintf(out, ", %d", h->k + 1);
        fputs(h->kind == HELD ? "\n" : ", 1.\n", out);
    } else if (h->kind == GRAVITY) {
        fprintf(out, "EALL, GRAV, 1., %s\n", down[h->k]);
    } else {
        fprintf(out, "%s, 1., 0., 0., 0., %s\n",
                h->kind == SPIN ? "EALL, CENTRIF" : "** EALL, ROTA", axes[h->k]);
    }
}

static void inp_head(const lmb_load_cases *c, FILE *out)
{
    fprintf(out,
            "** Loads of body %s in analysis %s, for CalculiX and Abaqus, in SI units and the axes "
            "of its mesh.\n"
            "** Include this file after the mesh. It needs the elements EALL and, for each\n"
            "** interface point, a node set:\n",
            c->body, c->analysis);
    for (const lmb_load_point *p = c->points; p < c->points + c->point_count; p++) {
        const char *name = name_of(c, p->name, "");
        if (p->node)
            fprintf(out, "*NSET, NSET=%s\n%d\n", name, p->node);
        else
            fprintf(out, "** %s: a reference node at %.9g, %.9g, %.9g, tied to the nodes there\n",
                    name, p->x.x, p->x.y, p->x.z);
    }
}

static void write_inp(const lmb_load_cases *c, bool displacements, FILE *out)
{
    size_t room = (size_t)c->point_count * 6 + 3 * CENTRIFUGAL;
    history *list = lmb_arena_alloc(c->arena, room, sizeof *list);
    int count = list ? list_histories(c, displacements, list) : 0;
    inp_head(c, out);
    for (const history *h = list; h < list + count; h++)
        if (h->kind != HELD)
            inp_amplitude(c, out, h);
    double duration = c->time[c->count - 1] - c->time[0];
    double step = c->count > 1 ? duration / (c->count - 1) : 1;
    fprintf(out, "*STEP, INC=10000000\n*STATIC\n%.12g, %.12g\n", step, c->count > 1 ? duration : 1);
    for (const history *h = list; h < list + count; h++)
        inp_load(c, out, h, displacements);
    fputs("*END STEP\n", out);
}

/* --- Ansys ------------------------------------------------------------------------------------ */

/* A table of one history, ten numbers a command. */
static void mac_table(const lmb_load_cases *c, FILE *out, const char *name, int column)
{
    fprintf(out, "*DIM,%s,TABLE,%d,1,1,TIME\n", name, c->count);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < c->count; i++) {
            if (i % 10 == 0)
                fprintf(out, "*SET,%s(%d,%d)", name, i + 1, side);
            fprintf(out, ",%.12g%s", side ? row(c, i)[column] : c->time[i] - c->time[0],
                    i % 10 == 9 || i + 1 == c->count ? "\n" : "");
        }
}

static void mac_head(const lmb_load_cases *c, FILE *out)
{
    fprintf(out,
            "! Loads of body %s in analysis %s, for Ansys, in SI units and the axes of its mesh.\n"
            "! It needs a component of one node for each interface point.\n",
            c->body, c->analysis);
    for (const lmb_load_point *p = c->points; p < c->points + c->point_count; p++) {
        const char *name = name_of(c, p->name, "");
        if (p->node)
            fprintf(out, "NSEL,S,NODE,,%d\nCM,%s,NODE\nALLSEL\n", p->node, name);
        else
            fprintf(out, "! %s: a pilot node at %.9g, %.9g, %.9g, tied to the nodes there\n", name,
                    p->x.x, p->x.y, p->x.z);
    }
}

static void write_mac(const lmb_load_cases *c, bool displacements, FILE *out)
{
    static const char *const frame[LMB_LOAD_FRAME] = {"AX", "AY",  "AZ",  "WX", "WY",
                                                      "WZ", "ALX", "ALY", "ALZ"};
    static const char *const commands[] = {"ACEL", "OMEGA", "DOMEGA"};
    static const char *const turns[] = {"ROTX", "ROTY", "ROTZ"};
    int first = displacements ? LMB_LOAD_MOVE : LMB_LOAD_FORCE, at = frame_column(c);
    mac_head(c, out);
    for (int p = 0; p < c->point_count; p++)
        for (int k = first; k < first + 6; k++) {
            const char *point = c->points[p].name;
            if (is_zero(c, p * LMB_LOAD_NUMBERS + k) && !displacements)
                continue;
            const char *name = name_of(c, point, numbers_of[k]);
            mac_table(c, out, name, p * LMB_LOAD_NUMBERS + k);
            fprintf(out, "%c,%s,%s,%%%s%%\n", displacements ? 'D' : 'F', name_of(c, point, ""),
                    k >= LMB_LOAD_TURN ? turns[k - LMB_LOAD_TURN] : numbers_of[k], name);
        }
    for (int k = 0; k < LMB_LOAD_FRAME; k++)
        mac_table(c, out, name_of(c, "", frame[k]), at + k);
    for (int k = 0; k < LMB_LOAD_FRAME; k++)
        fprintf(out, "%s,%%%s%%%s", k % 3 ? "" : commands[k / 3], name_of(c, "", frame[k]),
                k % 3 == 2 ? "\n" : "");
}

/* --- by name ---------------------------------------------------------------------------------- */

lmb_load_writer *lmb_load_writer_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".csv") == 0)
        return write_csv;
    if (dot && strcmp(dot, ".inp") == 0)
        return write_inp;
    return dot && strcmp(dot, ".mac") == 0 ? write_mac : NULL;
}
