/* A headless Chromium that shows one page, run as a program: it is asked to evaluate expressions in
 * the page.
 *
 * It is spoken to over a socket with the DevTools protocol, JSON texts that end in a zero byte. It
 * has a folder of its own for its profile, fetches nothing and listens on no port. */
#ifndef LMB_REPORT_CHROMIUM_H
#define LMB_REPORT_CHROMIUM_H

#include "limber/context.h"

typedef struct lmb_chromium lmb_chromium;

/* Starts it with the page of a file and waits until the page is ready. LIMBER_CHROMIUM names the
 * program, else it is what is found in the path. The folder must be empty but for the page. */
lmb_status lmb_chromium_open(lmb_chromium **out, lmb_context *context, const char *folder,
                             const char *page);

/* The text that an expression of JavaScript has as its value, without escapes; it stays until the
 * next question. Progress is shown as that of `fraction` while it waits. */
lmb_status lmb_chromium_ask(lmb_chromium *chromium, lmb_context *context, double fraction,
                            const char *expression, char **text, size_t *size);

/* Ends it; NULL is ignored. */
void lmb_chromium_close(lmb_chromium *chromium);

#endif
