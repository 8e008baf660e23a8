/* HDF5 files that are whole, but not what they should be. */
#ifndef TESTS_FUZZ_FUZZ_H5_H
#define TESTS_FUZZ_FUZZ_H5_H

#include "fuzz.h"

/* The bytes of a file in memory after edits that the input describes, to be freed: objects removed,
 * data changed, data sets, attributes and groups in the place of others, links to other objects.
 * HDF5 itself writes it, as damage to its own structure makes HDF5 crash: that is what the probe is
 * for (src/store/h5_probe.c). NULL: HDF5 refused. */
unsigned char *fuzz_h5_edit(const void *bytes, size_t length, const uint8_t *data, size_t size,
                            size_t *out);

#endif
