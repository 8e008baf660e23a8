/* Nested dissection by METIS, which keeps some things in static variables: one thread at a time. */
#include "math/dissection.h"

#include <metis.h>
#include <pthread.h>

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS counts with the integers of the program");

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

bool lmb_dissect(lmb_graph *g, int *order, int *place)
{
    idx_t options[METIS_NOPTIONS];
    for (int i = 0; i < g->count; i++)
        order[i] = place[i] = i;
    if (g->start[g->count] == 0)
        return true;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    pthread_mutex_lock(&one_at_a_time);
    int status = METIS_NodeND(&g->count, g->start, g->neighbour, g->weight, options, order, place);
    pthread_mutex_unlock(&one_at_a_time);
    return status == METIS_OK;
}
