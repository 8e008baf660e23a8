/* A solver of saddle-point equations that no source of the library knows: the whole matrix by QR.
 */
#ifndef TESTS_QR_SOLVER_H
#define TESTS_QR_SOLVER_H

#include "system/saddle.h"

extern const lmb_saddle_kind qr_solver;

#endif
