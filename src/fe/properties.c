/* A library of materials: usual values at room temperature, in Pa and kg/m^3. Sections: area,
 * second moments, Saint-Venant's torsion constant and shear factors. */
#include "fe/properties.h"

#include <string.h>

/* name, E, Poisson's ratio, density */
#define MATERIALS(X)                                                                               \
    X("steel", 210e9, 0.3, 7850)                                                                   \
    X("stainless steel", 195e9, 0.29, 7950)                                                        \
    X("cast iron", 110e9, 0.26, 7200)                                                              \
    X("aluminium", 70e9, 0.33, 2700)                                                               \
    X("titanium", 114e9, 0.34, 4430)                                                               \
    X("magnesium", 45e9, 0.35, 1770)                                                               \
    X("copper", 120e9, 0.34, 8960)                                                                 \
    X("brass", 100e9, 0.34, 8500)                                                                  \
    X("bronze", 105e9, 0.34, 8800)                                                                 \
    X("concrete", 30e9, 0.2, 2400)                                                                 \
    X("glass", 70e9, 0.22, 2500)                                                                   \
    X("abs", 2.2e9, 0.37, 1050)                                                                    \
    X("pla", 3.3e9, 0.36, 1240)                                                                    \
    X("nylon", 2.7e9, 0.39, 1140)                                                                  \
    X("polycarbonate", 2.4e9, 0.37, 1200)                                                          \
    X("acrylic", 3.0e9, 0.37, 1180)

#define ENTRY(name, E, nu, density) {name, E, nu, density, false},
#define NAME(name, E, nu, density) ", " name

static const lmb_material library[] = {MATERIALS(ENTRY)};
enum { COUNT = sizeof library / sizeof *library };

const lmb_material *lmb_material_at(int i)
{
    return i >= 0 && i < COUNT ? &library[i] : NULL;
}

const lmb_material *lmb_material_find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(library[i].name, name) == 0)
            return &library[i];
    return NULL;
}

const char *lmb_material_names(void)
{
    static const char names[] = "" MATERIALS(NAME);
    return names + 2;
}

static bool positive(double x)
{
    return x > 0 && isfinite(x);
}

/* Solids have densities of 30 (foam) to 23000 kg/m^3, moduli of 1 MPa (rubber) to 1.2 TPa (diamond)
 * and speeds of sound of 30 to 18000 m/s. */
static void check_units(const lmb_material *m, const char *name, lmb_context *context)
{
    const char *hint = "moduli are in Pa (steel: 210e9), densities in kg/m^3 (steel: 7850), "
                       "lengths in m";
    double speed = sqrt(m->E / m->density);
    if (m->density > 0 && (m->density < 30 || m->density > 25e3))
        lmb_warn(context, "the density of '%s' is %g kg/m^3: is it in other units?", name,
                 m->density);
    else if (m->E < 5e5 || m->E > 2e12)
        lmb_warn(context, "the modulus of elasticity of '%s' is %g Pa: is it in other units?", name,
                 m->E);
    else if (m->density > 0 && (speed < 20 || speed > 25e3))
        lmb_warn(context,
                 "modulus of elasticity and density of '%s' do not go together: %g Pa and "
                 "%g kg/m^3",
                 name, m->E, m->density);
    else
        return;
    lmb_hint(context, "%s", hint);
}

lmb_status lmb_material_check(const lmb_material *m, lmb_context *context)
{
    const char *name = m->name ? m->name : "";
    if (!positive(m->E))
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the modulus of elasticity of the material '%s' is %g, not positive", name,
                        m->E);
    if (!(m->nu > -1 && m->nu < 0.5))
        return lmb_fail_hint(context, "it must be greater than -1 and less than 0.5",
                             "Poisson's ratio of the material '%s' is %g", name, m->nu);
    if (!(m->density >= 0 && isfinite(m->density)))
        return lmb_fail(context, LMB_BAD_INPUT, "the density of the material '%s' is %g", name,
                        m->density);
    if (m->warned)
        return LMB_OK;
    if (m->density == 0)
        lmb_warn(context, "the material '%s' has no density: its elements have no mass", name);
    check_units(m, name, context);
    return LMB_OK;
}

/* --- sections --------------------------------------------------------------------------------- */

/* Torsion of a rectangle with sides a >= b, by Saint-Venant's series:
 *
 *   J = a b^3/3 (1 - 192 b/(pi^5 a) sum tanh(n pi a/2b) / n^5)
 *   greatest shear stress / (torque/J) = b (1 - 8/pi^2 sum 1 / (n^2 cosh(n pi a/2b))), n odd
 *
 * The sum of 1 / n^5 is known; what tanh lacks to 1 falls so fast that few terms are needed. */
static void rectangle_torsion(double a, double b, double *J, double *radius)
{
    double series = 31.0 / 32 * 1.0369277551433699263, edge = 0;
    for (int n = 1; n < 16; n += 2) {
        double x = n * LMB_PI * a / (2 * b);
        series -= 2 / (exp(2 * x) + 1) / pow(n, 5);
        edge += 1 / (n * n * cosh(x));
    }
    *J = a * b * b * b / 3 * (1 - 192 / pow(LMB_PI, 5) * b / a * series);
    *radius = b * (1 - 8 / (LMB_PI * LMB_PI) * edge);
}

lmb_status lmb_section_rectangle(lmb_section *s, lmb_context *context, double y, double z,
                                 double nu)
{
    if (!positive(y) || !positive(z))
        return lmb_fail(context, LMB_BAD_INPUT, "a rectangular section needs two positive sides");
    double shear = 10 * (1 + nu) / (12 + 11 * nu);
    *s = (lmb_section){.name = "rectangle",
                       .A = y * z,
                       .Iy = y * z * z * z / 12,
                       .Iz = z * y * y * y / 12,
                       .shear_y = shear,
                       .shear_z = shear,
                       .y_max = y / 2,
                       .z_max = z / 2};
    rectangle_torsion(fmax(y, z), fmin(y, z), &s->J, &s->torsion_radius);
    return LMB_OK;
}

/* A ring of an outer radius; the wall is a part t of it. The inner radius is m of the outer one. */
static lmb_section ring(double r, double t, double nu)
{
    double m = 1 - t, area = t * (2 - t), q = (1 + m * m) * (1 + m * m);
    double I = LMB_PI * pow(r, 4) * area * (1 + m * m) / 4;
    double shear = 6 * (1 + nu) * q / ((7 + 6 * nu) * q + (20 + 12 * nu) * m * m);
    return (lmb_section){.name = t < 1 ? "tube" : "circle",
                         .A = LMB_PI * r * r * area,
                         .Iy = I,
                         .Iz = I,
                         .J = 2 * I,
                         .shear_y = shear,
                         .shear_z = shear,
                         .y_max = r,
                         .z_max = r,
                         .shape = LMB_SECTION_ROUND,
                         .inner_y = m * r,
                         .inner_z = m * r,
                         .torsion_radius = r};
}

lmb_status lmb_section_circle(lmb_section *s, lmb_context *context, double diameter, double nu)
{
    if (!positive(diameter))
        return lmb_fail(context, LMB_BAD_INPUT, "a circular section needs a positive diameter");
    *s = ring(diameter / 2, 1, nu);
    return LMB_OK;
}

lmb_status lmb_section_tube(lmb_section *s, lmb_context *context, double diameter, double wall,
                            double nu)
{
    if (!positive(diameter) || !positive(wall) || 2 * wall >= diameter)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the wall of a tube must be thinner than half its diameter: wall %g, "
                        "diameter %g",
                        wall, diameter);
    *s = ring(diameter / 2, 2 * wall / diameter, nu);
    return LMB_OK;
}

/* Cowper's factor of a thin-walled section with flanges that have the part m of the area of its
 * webs; `flanges` is what their width adds. */
static double thin_shear(double m, double nu, double flanges)
{
    double m2 = m * m, m3 = m2 * m;
    return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) /
           (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) + flanges);
}

/* That of a box for shear along its sides of length h (between the middles of walls), the others of
 * length b. */
static double box_shear(double h, double b, double nu)
{
    double m = b / h, n = b / h;
    return thin_shear(m, nu, 10 * n * n * ((3 + nu) * m + 3 * m * m));
}

lmb_status lmb_section_box(lmb_section *s, lmb_context *context, double y, double z, double wall,
                           double nu)
{
    if (!positive(y) || !positive(z) || !positive(wall) || 2 * wall >= fmin(y, z))
        return lmb_fail(context, LMB_BAD_INPUT,
                        "the wall of a box must be thinner than half its sides: wall %g, sides %g "
                        "and %g",
                        wall, y, z);
    double yi = y - 2 * wall, zi = z - 2 * wall, ym = y - wall, zm = z - wall;
    *s = (lmb_section){.name = "box",
                       .A = y * z - yi * zi,
                       .Iy = (y * pow(z, 3) - yi * pow(zi, 3)) / 12,
                       .Iz = (z * pow(y, 3) - zi * pow(yi, 3)) / 12,
                       .shear_y = box_shear(ym, zm, nu),
                       .shear_z = box_shear(zm, ym, nu),
                       .y_max = y / 2,
                       .z_max = z / 2,
                       .inner_y = yi / 2,
                       .inner_z = zi / 2};
    /* Bredt's closed tube, and what the walls resist as open strips */
    double closed = 2 * ym * ym * zm * zm * wall / (ym + zm);
    s->J = closed + 2 * (ym + zm) * pow(wall, 3) / 3;
    s->torsion_radius = closed / (2 * ym * zm * wall) + wall;
    return LMB_OK;
}

/* That of an I for shear along its web: h between the middles of flanges. */
static double I_shear(double h, double b, double web, double flange, double nu)
{
    double m = 2 * b * flange / (h * web), n = b / h;
    return thin_shear(m, nu, 30 * n * n * (m + m * m) + 5 * nu * n * n * (8 * m + 9 * m * m));
}

lmb_status lmb_section_I(lmb_section *s, lmb_context *context, double height, double width,
                         double web, double flange, double nu)
{
    if (!positive(height) || !positive(width) || !positive(web) || !positive(flange) ||
        2 * flange >= height || web > width)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "an I section needs flanges thinner than half its height and a web thinner "
                        "than its width: height %g, width %g, web %g, flange %g",
                        height, width, web, flange);
    double inner = height - 2 * flange, flanges = 2 * width * flange, A = flanges + inner * web;
    *s = (lmb_section){.name = "I",
                       .A = A,
                       .Iy = (2 * flange * pow(width, 3) + inner * pow(web, 3)) / 12,
                       .Iz = (width * pow(height, 3) - (width - web) * pow(inner, 3)) / 12,
                       .J = (2 * width * pow(flange, 3) + inner * pow(web, 3)) / 3,
                       .shear_y = I_shear(height - flange, width, web, flange, nu),
                       /* across the web the two flanges carry, each as a rectangle */
                       .shear_z = 10 * (1 + nu) / (12 + 11 * nu) * flanges / A,
                       .y_max = height / 2,
                       .z_max = width / 2,
                       .torsion_radius = fmax(web, flange),
                       .shape = LMB_SECTION_I,
                       .inner_y = inner / 2,
                       .inner_z = web / 2};
    return LMB_OK;
}

lmb_status lmb_section_check(const lmb_section *s, lmb_context *context, bool planar)
{
    const char *name = s->name ? s->name : "";
    const struct {
        const char *what;
        double value;
    } sizes[] = {{"area", s->A}, {"Iz", s->Iz}, {"Iy", s->Iy}, {"torsion constant J", s->J}};
    for (int i = 0; i < (planar ? 2 : 4); i++)
        if (!positive(sizes[i].value))
            return lmb_fail(context, LMB_BAD_INPUT,
                            "the %s of the section '%s' is %g, not positive", sizes[i].what, name,
                            sizes[i].value);
    if (!(s->shear_y >= 0 && s->shear_z >= 0 && s->shear_y <= 2 && s->shear_z <= 2))
        return lmb_fail_hint(context,
                             "effective shear area over area, about 5/6; 0: no shear deformation",
                             "a shear factor of the section '%s' is out of range", name);
    return LMB_OK;
}
