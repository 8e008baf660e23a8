/* A kind of body that no source of the library knows, for tests of what every body must be able to
 * do: several nodes, a row of its own and a first-order state. See strut.c. */
#ifndef TESTS_STRUT_H
#define TESTS_STRUT_H

#include "model/kinds.h"

extern const lmb_body_type strut_type;

/* The built-in kinds, and bodies of `type: strut`. */
const lmb_kinds *kinds_with_strut(void);

#endif
