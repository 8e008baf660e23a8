/* A library of materials: usual values at room temperature, in Pa and kg/m^3. */
#include "fe/material.h"

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
    if (!(m->E > 0 && isfinite(m->E)))
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
