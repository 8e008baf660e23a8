/* Balances of momentum and energy of a model. */
#ifndef TESTS_MOMENTUM_H
#define TESTS_MOMENTUM_H

#include "related_runs.h"

/* Compare the rate of the momentum with the sum of the external forces at the rows of each motion,
 * and the balance of energies with the tolerance. */
void check_momentum(worst_channel *worst, const comparison *how, model_run *run);

#endif
