/* Adding the matrices of elements up, by several threads.
 *
 * Elements are taken in blocks. In each the threads first share the elements and compute their
 * matrices; then each adds those columns that belong to its own nodes, in the order of the
 * elements. So every number is the same sum in the same order, however many threads there are. */
#include "fe/pattern.h"

#include <pthread.h>

enum { BLOCK = 256, OWNED_TOGETHER = 16 };

typedef struct work {
    const lmb_fe_pattern *pattern;
    lmb_fe_model *model;
    const lmb_element_tables *tables;
    double *K, *M; /* BLOCK element matrices each */
    size_t room;   /* numbers of one of them */
    int threads;
    pthread_mutex_t mutex; /* held until the number of threads is known */
    pthread_barrier_t barrier;
} work;

typedef struct worker {
    work *work;
    int index;
    pthread_t thread;
} worker;

/* Where a node's block of rows begins in the columns of another. */
static int place_of(const lmb_fe_pattern *p, int column_node, int row_node)
{
    long low = p->start[column_node], high = p->start[column_node + 1] - 1;
    while (low < high) {
        long middle = (low + high) / 2;
        if (p->neighbour[middle] < row_node)
            low = middle + 1;
        else
            high = middle;
    }
    return p->place[low];
}

/* An element while it is added: for each of its degrees of freedom, which one of its node it is. */
typedef struct element_places {
    int nodes, per_node, dofs;
    const int *node;
    int of_node[LMB_ELEMENT_NODES_MAX][LMB_DIRECTIONS]; /* -1: the node does not have it */
} element_places;

static void find_element_places(const work *w, int element, element_places *out)
{
    const lmb_element *e = &w->model->mesh->elements[element];
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    out->nodes = type->nodes;
    out->dofs = type->dofs;
    out->per_node = type->dofs / type->nodes;
    out->node = w->model->mesh->connections + e->first;
    int dof[LMB_ELEMENT_DOFS_MAX], count = lmb_element_dofs(w->model, element, dof);
    for (int i = 0; i < count; i++) {
        int a = i / out->per_node, first = w->pattern->first[out->node[a]];
        out->of_node[a][i % out->per_node] = dof[i] < 0 ? -1 : dof[i] - first;
    }
}

/* Adds the block of rows of node b and columns of node a. */
static void add_block(const work *w, const element_places *p, int a, int b, const double *K,
                      const double *M)
{
    const lmb_symmetric *to = &w->model->K;
    int column_node = p->node[a], place = place_of(w->pattern, column_node, p->node[b]);
    for (int k = 0; k < p->per_node; k++) {
        int column = p->of_node[a][k], from = (a * p->per_node + k) * p->dofs + b * p->per_node;
        if (column < 0)
            continue;
        long at = (long)to->start[w->pattern->first[column_node] + column] + place - column;
        int least = p->node[b] == column_node ? column : 0;
        for (int m = 0; m < p->per_node; m++) {
            int row = p->of_node[b][m];
            if (row < least)
                continue;
            w->model->K.value[at + row] += K[from + m];
            w->model->M.value[at + row] += M[from + m];
        }
    }
}

static void add_element(const work *w, int index, int element, const double *K, const double *M)
{
    element_places p;
    find_element_places(w, element, &p);
    for (int a = 0; a < p.nodes; a++) {
        if (p.node[a] / OWNED_TOGETHER % w->threads != index)
            continue;
        for (int b = 0; b < p.nodes; b++)
            if (p.node[b] >= p.node[a])
                add_block(w, &p, a, b, K, M);
    }
}

static void wait_for_others(work *w)
{
    if (w->threads > 1)
        pthread_barrier_wait(&w->barrier);
}

static void do_share(work *w, int index)
{
    const lmb_mesh *mesh = w->model->mesh;
    lmb_element_data data;
    for (int first = 0; first < mesh->element_count; first += BLOCK) {
        int left = mesh->element_count - first, count = left < BLOCK ? left : BLOCK;
        for (int i = index; i < count; i += w->threads) {
            lmb_element_gather(mesh, first + i, &data);
            lmb_element_type_of(data.kind)->matrices(w->tables, &data, w->K + (size_t)i * w->room,
                                                     w->M + (size_t)i * w->room);
        }
        wait_for_others(w);
        for (int i = 0; i < count; i++)
            add_element(w, index, first + i, w->K + (size_t)i * w->room,
                        w->M + (size_t)i * w->room);
        wait_for_others(w);
    }
}

static void *run_worker(void *argument)
{
    worker *me = argument;
    work *w = me->work;
    pthread_mutex_lock(&w->mutex);
    pthread_mutex_unlock(&w->mutex);
    do_share(w, me->index);
    return NULL;
}

/* Starts as many threads as there can be; they wait until their number is known. */
static void run_threads(work *w, worker *workers, int threads)
{
    int started = 1;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_mutex_lock(&w->mutex);
    for (; started < threads; started++) {
        workers[started] = (worker){.work = w, .index = started};
        if (pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]))
            break;
    }
    w->threads = started;
    pthread_barrier_init(&w->barrier, NULL, (unsigned)started);
    pthread_mutex_unlock(&w->mutex);
    do_share(w, 0);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&w->barrier);
    pthread_mutex_destroy(&w->mutex);
}

bool lmb_fe_add_elements(const lmb_fe_pattern *pattern, lmb_fe_model *model,
                         const lmb_element_tables *tables, int threads)
{
    int dofs = 0;
    for (int i = 0; i < model->mesh->element_count; i++) {
        int own = lmb_element_type_of(model->mesh->elements[i].kind)->dofs;
        dofs = own > dofs ? own : dofs;
    }
    int block = model->mesh->element_count < BLOCK ? model->mesh->element_count : BLOCK;
    size_t room = (size_t)dofs * (size_t)dofs;
    lmb_arena *scratch = lmb_arena_new();
    work w = {.pattern = pattern,
              .model = model,
              .tables = tables,
              .K = lmb_arena_numbers(scratch, (size_t)block * room),
              .M = lmb_arena_numbers(scratch, (size_t)block * room),
              .room = room,
              .threads = 1};
    worker *workers = lmb_arena_alloc(scratch, (size_t)threads, sizeof *workers);
    bool fine = lmb_arena_fine(scratch);
    if (fine && threads > 1)
        run_threads(&w, workers, threads);
    else if (fine)
        do_share(&w, 0);
    lmb_arena_free(scratch);
    return fine;
}
