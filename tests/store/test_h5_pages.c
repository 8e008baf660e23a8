/* What is kept for the next commit is seen by reads before it, whatever was written over what. */
#include <stdlib.h>
#include <string.h>

#include "store/h5.h"
#include "support.h"

enum { FILE_SIZE = 40 * LMB_H5_PAGE };

/* A number below n, always the same ones in the same order. */
static size_t below(uint64_t *state, size_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*state >> 33) % n;
}

/* Keeps a piece of random place, size and bytes, and writes the same into a plain array. */
static void keep_one(lmb_h5_disk *disk, unsigned char *plain, uint64_t *state)
{
    static unsigned char bytes[3 * LMB_H5_PAGE];
    /* mostly small ones, as HDF5 has, and some over several pages */
    size_t size = below(state, below(state, 8) ? 600 : sizeof bytes);
    size_t address = below(state, FILE_SIZE - size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)below(state, 256);
    assert_true(lmb_h5_keep(disk, address, size, bytes));
    memcpy(plain + address, bytes, size);
}

static void read_some(const lmb_h5_disk *disk, const unsigned char *plain, uint64_t *state)
{
    static unsigned char seen[FILE_SIZE];
    size_t size = below(state, below(state, 8) ? 2000 : sizeof seen);
    size_t address = below(state, FILE_SIZE - size);
    memset(seen, 0, size); /* the file itself is empty */
    lmb_h5_overlay(disk, address, size, seen);
    assert_memory_equal(seen, plain + address, size);
}

static void reads_see_the_last_bytes(void **state)
{
    (void)state;
    unsigned char *plain = calloc(1, FILE_SIZE);
    lmb_h5_disk disk = {.fd = -1};
    uint64_t random = 1;
    assert_non_null(plain);
    for (int i = 0; i < 3000; i++) {
        keep_one(&disk, plain, &random);
        read_some(&disk, plain, &random);
    }
    /* after a commit, or when nothing is written any more, the file alone counts */
    disk.dead = true;
    assert_true(lmb_h5_commit(&disk));
    memset(plain, 0, FILE_SIZE);
    read_some(&disk, plain, &random);
    disk.dead = false;
    keep_one(&disk, plain, &random);
    for (int i = 0; i < 100; i++)
        read_some(&disk, plain, &random);
    lmb_h5_release(&disk);
    free(plain);
}

/* A piece is in the lists of its own pages only: a read looks at few of many. */
static void pages_part_the_pieces(void **state)
{
    (void)state;
    enum { PIECES = 20000, SIZE = 512, EACH = LMB_H5_PAGE / SIZE, PAGES = PIECES / EACH };
    unsigned char bytes[SIZE] = {0};
    lmb_h5_disk disk = {.fd = -1};
    int sum = 0;
    for (haddr_t i = 0; i < PIECES; i++)
        assert_true(lmb_h5_keep(&disk, i * SIZE, SIZE, bytes));
    for (int list = 0; list < LMB_H5_LISTS; list++) {
        int links = 0;
        for (size_t k = disk.first[list]; k; k = disk.links[k - 1].next)
            links++;
        assert_true(links <= EACH * (PAGES / LMB_H5_LISTS + 1));
        sum += links;
    }
    assert_int_equal(sum, PIECES);
    lmb_h5_release(&disk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_see_the_last_bytes),
        cmocka_unit_test(pages_part_the_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
