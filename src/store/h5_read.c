/* Small readers of what Limber writes into HDF5 files. */
#include <stdint.h>

#include "store/h5.h"

char *lmb_h5_string(lmb_arena *arena, hid_t object, hid_t type, bool is_set)
{
    char *text = NULL;
    size_t size = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size > 0)
        text = lmb_arena_alloc(arena, size + 1, 1);
    if (text && (is_set ? H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text)
                        : H5Aread(object, type, text)) < 0)
        text = NULL;
    return text;
}

char *lmb_h5_text(lmb_arena *arena, hid_t object, const char *name)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return NULL;
    hid_t type = H5Aget_type(attribute);
    char *text = lmb_h5_string(arena, attribute, type, false);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

bool lmb_h5_integer(hid_t object, const char *name, int *value)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT, value) >= 0;
    H5Aclose(attribute);
    return done;
}

bool lmb_h5_shape(hid_t set, hsize_t dims[2])
{
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    dims[1] = 1;
    bool done = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, dims, NULL) >= 0 &&
                dims[0] < INT32_MAX && dims[1] < INT32_MAX;
    H5Sclose(space);
    return done;
}
