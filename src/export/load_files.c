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

/* The largest size of a column, and of the other numbers of its sort: all forces, say. */
static double largest(const lmb_load_cases *c, int column)
{
    double most = 0;
    for (int i = 0; i < c->count; i++)
        most = fmax(most, fabs(row(c, i)[column]));
    return most;
}

static double largest_alike(const lmb_load_cases *c, int column)
{
    int frame = frame_column(c), group = column < frame ? column % LMB_LOAD_NUMBERS / 3 : 0;
    double most = 0;
    for (int k = 0; k < 3 && column >= frame; k++)
        most = fmax(most, largest(c, column - (column - frame) % 3 + k));
    for (int p = 0; p < c->point_count && column < frame; p++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, largest(c, p * LMB_LOAD_NUMBERS + 3 * group + k));
    return most;
}

/* A column with nothing but rounding. */
static bool is_zero(const lmb_load_cases *c, int column)
{
    return largest(c, column) <= 1e-12 * largest_alike(c, column);
}

/* Names of FE programs have capital letters, digits and '_'. */
static void put_name(FILE *out, const char *body, const char *name)
{
    for (const char *s = body; *s; s++)
        putc(isalnum((unsigned char)*s) ? toupper((unsigned char)*s) : '_', out);
    if (name[0])
        putc('_', out);
    for (const char *s = name; *s; s++)
        putc(isalnum((unsigned char)*s) ? toupper((unsigned char)*s) : '_', out);
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

/* The factor of the k-th centrifugal load, see above. */
static double centrifugal(const double *w, int k)
{
    if (k < 3)
        return w[k] * (w[k] - w[(k + 1) % 3] - w[(k + 2) % 3]);
    return 2 * w[k - 3] * w[(k - 2) % 3];
}

/* Numbers of a history: a column, or (k >= 0) the k-th centrifugal load. */
static double value_of(const lmb_load_cases *c, int i, int column, int k)
{
    return k < 0 ? row(c, i)[column] : centrifugal(row(c, i) + column, k);
}

static void inp_amplitude(const lmb_load_cases *c, FILE *out, const char *point, const char *number,
                          int column, int k)
{
    fputs("*AMPLITUDE, NAME=", out);
    put_name(out, c->body, point);
    fprintf(out, "_%s\n", number);
    for (int i = 0; i < c->count; i++)
        fprintf(out, "%.12g, %.12g%s", c->time[i] - c->time[0], value_of(c, i, column, k),
                i + 1 == c->count              ? "\n"
                : i % PER_LINE == PER_LINE - 1 ? ",\n"
                                               : ", ");
}

static void inp_load(const lmb_load_cases *c, FILE *out, const char *card, const char *point,
                     const char *number)
{
    fprintf(out, "%s, AMPLITUDE=", card);
    put_name(out, c->body, point);
    fprintf(out, "_%s\n", number);
}

static const char *const frame_names[] = {"AX", "AY", "AZ"};
static const char *const spin_names[CENTRIFUGAL] = {"CX", "CY", "CZ", "CXY", "CYZ", "CZX"};
static const char *const rate_names[] = {"ALX", "ALY", "ALZ"};

static bool spins(const lmb_load_cases *c)
{
    int at = frame_column(c) + LMB_LOAD_SPIN;
    return !is_zero(c, at) || !is_zero(c, at + 1) || !is_zero(c, at + 2);
}

static void inp_head(const lmb_load_cases *c, FILE *out)
{
    fprintf(out,
            "** Loads of body %s in analysis %s, for CalculiX and Abaqus, in SI units and the axes "
            "of its mesh.\n"
            "** Include this file after the mesh. It needs the elements EALL and, for each\n"
            "** interface point, a node set:\n",
            c->body, c->analysis);
    for (int p = 0; p < c->point_count; p++) {
        const lmb_load_point *x = &c->points[p];
        if (x->node) {
            fputs("*NSET, NSET=", out);
            put_name(out, c->body, x->name);
            fprintf(out, "\n%d\n", x->node);
        } else {
            fputs("** ", out);
            put_name(out, c->body, x->name);
            fprintf(out, ": a reference node at %.9g, %.9g, %.9g, tied to the nodes there\n",
                    x->x.x, x->x.y, x->x.z);
        }
    }
}

/* All histories; those that are zero are left out. */
static void inp_amplitudes(const lmb_load_cases *c, int first, FILE *out)
{
    int frame = frame_column(c);
    for (int p = 0; p < c->point_count; p++)
        for (int k = first; k < first + 6; k++)
            if (!is_zero(c, p * LMB_LOAD_NUMBERS + k))
                inp_amplitude(c, out, c->points[p].name, numbers_of[k], p * LMB_LOAD_NUMBERS + k,
                              -1);
    for (int k = 0; k < 3; k++)
        if (!is_zero(c, frame + k))
            inp_amplitude(c, out, "", frame_names[k], frame + k, -1);
    for (int k = 0; spins(c) && k < CENTRIFUGAL; k++)
        inp_amplitude(c, out, "", spin_names[k], frame + LMB_LOAD_SPIN, k);
    for (int k = 0; k < 3; k++)
        if (!is_zero(c, frame + LMB_LOAD_SPIN_RATE + k))
            inp_amplitude(c, out, "", rate_names[k], frame + LMB_LOAD_SPIN_RATE + k, -1);
}

static void inp_inertia(const lmb_load_cases *c, FILE *out)
{
    static const char *const axes[CENTRIFUGAL] = {"1., 0., 0.", "0., 1., 0.", "0., 0., 1.",
                                                  "1., 1., 0.", "0., 1., 1.", "1., 0., 1."};
    static const char *const down[] = {"-1., 0., 0.", "0., -1., 0.", "0., 0., -1."};
    int frame = frame_column(c);
    for (int k = 0; k < 3; k++)
        if (!is_zero(c, frame + k)) {
            inp_load(c, out, "*DLOAD", "", frame_names[k]);
            fprintf(out, "EALL, GRAV, 1., %s\n", down[k]);
        }
    for (int k = 0; spins(c) && k < CENTRIFUGAL; k++) {
        inp_load(c, out, "*DLOAD", "", spin_names[k]);
        fprintf(out, "EALL, CENTRIF, 1., 0., 0., 0., %s\n", axes[k]);
    }
    for (int k = 0; k < 3; k++)
        if (!is_zero(c, frame + LMB_LOAD_SPIN_RATE + k)) {
            fputs("** angular acceleration, Abaqus alone:\n** ", out);
            inp_load(c, out, "*DLOAD", "", rate_names[k]);
            fprintf(out, "** EALL, ROTA, 1., 0., 0., 0., %s\n", axes[k]);
        }
}

static void write_inp(const lmb_load_cases *c, bool displacements, FILE *out)
{
    int first = displacements ? LMB_LOAD_MOVE : LMB_LOAD_FORCE;
    inp_head(c, out);
    inp_amplitudes(c, first, out);
    double duration = c->time[c->count - 1] - c->time[0];
    double step = c->count > 1 ? duration / (c->count - 1) : 1;
    fprintf(out, "*STEP, INC=10000000\n*STATIC\n%.12g, %.12g\n", step, c->count > 1 ? duration : 1);
    for (int p = 0; p < c->point_count; p++)
        for (int k = 0; k < 6; k++) {
            bool zero = is_zero(c, p * LMB_LOAD_NUMBERS + first + k);
            if (zero && displacements) { /* it is held */
                fputs("*BOUNDARY\n", out);
                put_name(out, c->body, c->points[p].name);
                fprintf(out, ", %d, %d\n", k + 1, k + 1);
            }
            if (zero)
                continue;
            inp_load(c, out, displacements ? "*BOUNDARY" : "*CLOAD", c->points[p].name,
                     numbers_of[first + k]);
            put_name(out, c->body, c->points[p].name);
            if (displacements)
                fprintf(out, ", %d, %d, 1.\n", k + 1, k + 1);
            else
                fprintf(out, ", %d, 1.\n", k + 1);
        }
    inp_inertia(c, out);
    fputs("*END STEP\n", out);
}

/* --- Ansys ------------------------------------------------------------------------------------ */

static void mac_name(const lmb_load_cases *c, FILE *out, const char *point, const char *number)
{
    put_name(out, c->body, point[0] ? point : number);
    if (point[0])
        fprintf(out, "_%s", number);
}

/* A table of one history, ten numbers a command. */
static void mac_table(const lmb_load_cases *c, FILE *out, const char *point, const char *number,
                      int column)
{
    fputs("*DIM,", out);
    mac_name(c, out, point, number);
    fprintf(out, ",TABLE,%d,1,1,TIME\n", c->count);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < c->count; i++) {
            if (i % 10 == 0) {
                fputs("*SET,", out);
                mac_name(c, out, point, number);
                fprintf(out, "(%d,%d)", i + 1, side);
            }
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
    for (int p = 0; p < c->point_count; p++) {
        const lmb_load_point *x = &c->points[p];
        if (x->node)
            fprintf(out, "NSEL,S,NODE,,%d\nCM,", x->node);
        else
            fputs("! ", out);
        put_name(out, c->body, x->name);
        if (x->node)
            fputs(",NODE\nALLSEL\n", out);
        else
            fprintf(out, ": a pilot node at %.9g, %.9g, %.9g, tied to the nodes there\n", x->x.x,
                    x->x.y, x->x.z);
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
            if (is_zero(c, p * LMB_LOAD_NUMBERS + k) && !displacements)
                continue;
            mac_table(c, out, c->points[p].name, numbers_of[k], p * LMB_LOAD_NUMBERS + k);
            fputs(displacements ? "D," : "F,", out);
            put_name(out, c->body, c->points[p].name);
            fprintf(out, ",%s,%%", k >= LMB_LOAD_TURN ? turns[k - LMB_LOAD_TURN] : numbers_of[k]);
            mac_name(c, out, c->points[p].name, numbers_of[k]);
            fputs("%\n", out);
        }
    for (int k = 0; k < LMB_LOAD_FRAME; k++)
        mac_table(c, out, "", frame[k], at + k);
    for (int k = 0; k < 3; k++) {
        fputs(commands[k], out);
        for (int i = 0; i < 3; i++) {
            fputs(",%", out);
            mac_name(c, out, "", frame[3 * k + i]);
            fputs("%", out);
        }
        putc('\n', out);
    }
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
