/* Writing a file for a while, as nobody else does at the same time.
 *
 * A claim on NAME is a lock on the file `.NAME.lock` beside it, which has the owner's process, host
 * and time, and is gone when the claim is dropped. The lock is the system's, so that one of a
 * process that was killed holds nobody up, but for the moment until the system has ended it. What
 * is written is `.NAME.part` at first; it takes its name when there is something in it, and a file
 * that had this name is replaced in one step. Nobody but the owner of the claim makes either, so
 * what a killed process left is removed by the next.
 *
 * A name that is that of a device or pipe is written as it is, without claim. */
#ifndef LMB_BASE_CLAIM_H
#define LMB_BASE_CLAIM_H

#include "base/message.h"

typedef struct lmb_claim lmb_claim;

/* Claims a file; where its name is that of a link, the file that this leads to. LMB_IO with a
 * message that names the owner where somebody else has claimed it; a context that waits
 * (lmb_context_wait) waits for the end of that. */
lmb_status lmb_claim_take(lmb_claim **out, lmb_context *context, const char *path);

/* Does as lmb_claim_take where somebody has claimed the file now, without claiming it. */
lmb_status lmb_claim_check(lmb_context *context, const char *path);

/* The path as it was given. */
const char *lmb_claim_path(const lmb_claim *claim);

/* Makes the file that is to take the name; its descriptor, or -1 with errno. */
int lmb_claim_open(lmb_claim *claim);

/* Gives it the name. Returns 0 or what errno says. */
int lmb_claim_appear(lmb_claim *claim);
bool lmb_claim_appeared(const lmb_claim *claim);

/* Whether the file that has the name is still the one of this descriptor. */
bool lmb_claim_holds(const lmb_claim *claim, int fd);

/* Removes a file that has not got its name, and lets go of the name. */
void lmb_claim_drop(lmb_claim *claim);

#endif
