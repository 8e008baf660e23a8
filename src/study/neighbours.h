/* Models compiled at neighbouring values of a parameter, and derivatives from them:
 *
 *   df/dp = (f(p - 2 d) - 8 f(p - d) + 8 f(p + d) - f(p + 2 d)) / (12 d)  + O(d^4)
 *
 * (or, where the model makes no sense on one side of p, by f(p + d) to f(p + 4 d), with an error of
 * d^3). With d of a thousandth of p both the error of the stencil and rounding are about 1e-12 of
 * f, for whatever f may be: masses, rows, forces and channels need no derivatives by parameters of
 * their own. Where the motion laws or anything else change faster (the angle of a shaft after many
 * turns), d is made smaller. */
#ifndef LMB_STUDY_NEIGHBOURS_H
#define LMB_STUDY_NEIGHBOURS_H

#include "limber/gradient.h"
#include "system/model.h"

enum { LMB_NEIGHBOURS = 4 };

/* Where they are, in d, and their weights, times 1 / d: on both sides. */
extern const double lmb_neighbour_place[LMB_NEIGHBOURS], lmb_neighbour_weight[LMB_NEIGHBOURS];

/* One parameter with its neighbours. */
typedef struct lmb_neighbours {
    const char *name;
    double value, d; /* d: negative for those below, */
    bool one_sided;  /* if all are on one side, d, 2 d, 3 d and 4 d away */
    lmb_model *models[LMB_NEIGHBOURS];
} lmb_neighbours;

/* How analyses are integrated instead of as the model says; NULL and 0: as it says. */
typedef struct lmb_integration_choice {
    const struct lmb_integrator *integrator;
    double step;
} lmb_integration_choice;

/* Lets all analyses of a model be integrated for derivatives: as chosen, to rounding. */
lmb_status lmb_prepare_analyses(lmb_context *context, lmb_model *model,
                                const lmb_integration_choice *choice);

/* The value of a parameter of a model that may be varied; a message says what is wrong with it: it
 * is unknown, made of others, or a vector. */
lmb_status lmb_parameter_find(lmb_context *context, const lmb_spec *spec, const lmb_model *model,
                              const char *name, double *value);

/* Whether it may: a number that is not made of other parameters. */
bool lmb_parameter_is_free(const lmb_spec *spec, const lmb_model *model, const char *name);

/* Compiles the neighbours of a model at a distance d. What must not change between neighbours, such
 * as the number of modes, is reported. Free with lmb_neighbours_free. */
lmb_status lmb_neighbours_compile(lmb_neighbours *out, lmb_context *context, lmb_spec *spec,
                                  const lmb_model *base, const lmb_integration_choice *choice,
                                  lmb_gradient_basis basis, const char *name, double value,
                                  double d);

/* The same at a distance of a part of the value, or of what tells how large the parameter is where
 * that is more (0: of 1 for a value of 0), or nearer where the equations of the model need it
 * (distance.c). */
lmb_status lmb_neighbours_near(lmb_neighbours *out, lmb_context *context, lmb_spec *spec,
                               const lmb_model *base, const lmb_integration_choice *choice,
                               lmb_gradient_basis basis, const char *name, double value,
                               double size, double part);
void lmb_neighbours_free(lmb_neighbours *neighbours);

/* Whether an analysis has the same instants in all neighbours as in the base model. */
bool lmb_neighbours_keep_times(const lmb_neighbours *neighbours, const lmb_model *base,
                               int analysis);

/* How far neighbour k is from the value. */
double lmb_neighbours_offset(const lmb_neighbours *neighbours, int k);

/* The derivative from four numbers; differences come first: what is equal cancels without rounding.
 */
static inline double lmb_neighbours_slope_of(const lmb_neighbours *n, double f0, double f1,
                                             double f2, double f3)
{
    return n->one_sided ? (57 * (f1 - f0) - 42 * (f2 - f0) + 11 * (f3 - f0)) / (6 * n->d)
                        : (8 * (f2 - f1) - (f3 - f0)) / (12 * n->d);
}

static inline double lmb_neighbours_slope(const lmb_neighbours *n, const double f[LMB_NEIGHBOURS])
{
    return lmb_neighbours_slope_of(n, f[0], f[1], f[2], f[3]);
}

#endif
