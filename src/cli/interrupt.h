/* Ctrl-C: the first one asks a run to stop, one after that ends the program. */
#ifndef LMB_CLI_INTERRUPT_H
#define LMB_CLI_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers of the program's signals. */
void lmb_catch_signals(void);

/* Whether Ctrl-C was typed or SIGTERM came. */
bool lmb_interrupted(void);

#endif
