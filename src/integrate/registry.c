/* All methods that integrate a motion; the first one is used where none is named. */
#include "integrate/motion.h"

const lmb_integrator *const lmb_integrators[] = {
    &lmb_integrator_rk45,  &lmb_integrator_euler, &lmb_integrator_adams,
    &lmb_integrator_alpha, &lmb_integrator_hht,   &lmb_integrator_newmark,
    &lmb_integrator_ali3p, &lmb_integrator_ida,   NULL,
};
