/* Failures that tests put in the way of the program: its n-th allocation or write fails.
 *
 * The whole program is linked once more as a library in which calls of malloc, fopen, pwrite and
 * so on go through inject.c (the linker's --wrap). So calls of Limber's own code are counted, not
 * those of the libraries that it uses. */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <stdbool.h>

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_MEMORY, /* memory from the system */
    FAULT_PIECE,  /* also pieces of arenas, which mostly have room for them */
    FAULT_WRITE,  /* writes to files */
    FAULT_PRINT   /* writes to the standard output */
} fault_kind;

/* What is to fail, and what came of it. It lies in memory that processes share. */
typedef struct faults {
    fault_kind kind;
    unsigned long at;    /* the number of the call that fails, from 1; 0: none */
    bool lasting;        /* and all after it */
    unsigned long count; /* of calls */
    int depth;
    void *trace[32]; /* where the call came from that failed */
} faults;

/* Sets what is counted from now on. */
void faults_use(faults *shared);

/* Makes the standard output one whose writes are counted. */
void faults_print(void);

/* The program. */
int limber_main(int count, char **words);

#endif
