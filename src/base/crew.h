/* A job of several parts by several threads, each part with messages of its own. */
#ifndef LMB_BASE_CREW_H
#define LMB_BASE_CREW_H

#include "base/message.h"

/* Does a part; all that it says goes to the context it is given. It may only write what belongs to
 * its part. */
typedef lmb_status lmb_crew_work(void *data, int part, lmb_context *context);

/* Does all parts by so many threads (below 2: by the caller, in their order, up to the first that
 * fails). The messages of the parts are then those of the context, in the order of the parts, up to
 * the first that has failed, whose status is returned: the same for any number of threads. Progress
 * is that of the context, asked for by one thread at a time. */
lmb_status lmb_crew_run(lmb_context *context, int threads, lmb_crew_work *function, void *data,
                        int parts);

#endif
