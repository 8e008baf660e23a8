/* Arrays, texts and attributes of HDF5 files. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/h5.h"

enum { MOST_DIMENSIONS = 4 };

size_t lmb_h5_size(lmb_h5_type type)
{
    static const size_t sizes[] = {sizeof(double), sizeof(float), sizeof(int)};
    return sizes[type];
}

/* HDF5's type of a number in memory, or in a file. */
static hid_t type_of(lmb_h5_type type, bool in_file)
{
    const hid_t types[][2] = {{H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE},
                              {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE},
                              {H5T_NATIVE_INT, H5T_STD_I32LE}};
    return types[type][in_file];
}

static size_t number_of(int rank, const size_t *dims)
{
    size_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= dims[i];
    return count;
}

/* Deflate, which packs tables, makes data smaller by a factor of 1032 at most. */
bool lmb_h5_fits(hid_t object, hsize_t count, size_t size)
{
    enum { MOST_PACKED = 1032 };
    hsize_t bytes = 0;
    hid_t file = H5Iget_file_id(object);
    bool known = file >= 0 && H5Fget_filesize(file, &bytes) >= 0;
    H5Fclose(file);
    if (known && H5Iget_type(object) == H5I_DATASET) {
        hid_t creation = H5Dget_create_plist(object);
        bytes *= H5Pget_nfilters(creation) > 0 ? MOST_PACKED : 1;
        H5Pclose(creation);
    }
    return known && (size == 0 || count <= bytes / size);
}

/* The number of data of a space, which is closed; -1: there is none. */
static hssize_t points_of(hid_t space)
{
    hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count;
}

/* Whether all of a data set can be in its file. */
static bool set_fits(hid_t set)
{
    hid_t type = H5Dget_type(set);
    hssize_t count = points_of(H5Dget_space(set));
    size_t size = H5Tget_size(type);
    H5Tclose(type);
    return count >= 0 && size > 0 && lmb_h5_fits(set, (hsize_t)count, size);
}

/* --- data sets -------------------------------------------------------------------------------- */

/* Makes a data set with its data. */
static bool write_set(hid_t group, const char *name, hid_t stored, hid_t type, hid_t space,
                      const void *data)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_obj_track_times(list, 0);
    hid_t set = H5Dcreate2(group, name, stored, space, links, list, H5P_DEFAULT);
    bool done = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    done = H5Dclose(set) >= 0 && done; /* small data are written now */
    H5Pclose(list);
    H5Pclose(links);
    H5Sclose(space);
    return done;
}

bool lmb_h5_write(hid_t group, const char *name, lmb_h5_type type, int rank, const size_t *dims,
                  const void *data)
{
    hsize_t size[MOST_DIMENSIONS];
    for (int i = 0; i < rank; i++)
        size[i] = dims[i];
    return number_of(rank, dims) == 0 ||
           write_set(group, name, type_of(type, true), type_of(type, false),
                     H5Screate_simple(rank, size, NULL), data);
}

bool lmb_h5_dims(hid_t group, const char *name, int rank, size_t *dims)
{
    hsize_t size[MOST_DIMENSIONS] = {0};
    bool done = true;
    if (H5Lexists(group, name, H5P_DEFAULT) > 0) {
        hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
        done = H5Sget_simple_extent_ndims(space) == rank &&
               H5Sget_simple_extent_dims(space, size, NULL) == rank && set_fits(set);
        H5Sclose(space);
        H5Dclose(set);
    }
    for (int i = 0; i < rank; i++)
        dims[i] = size[i];
    return done;
}

bool lmb_h5_read(hid_t group, const char *name, lmb_h5_type type, int rank, const size_t *dims,
                 void *data)
{
    size_t found[MOST_DIMENSIONS];
    if (number_of(rank, dims) == 0)
        return true;
    if (!lmb_h5_dims(group, name, rank, found) || memcmp(found, dims, (size_t)rank * sizeof *dims))
        return false;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    bool done = H5Dread(set, type_of(type, false), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(set);
    return done;
}

double *lmb_h5_numbers(hid_t group, const char *name, size_t *count)
{
    double *values = NULL;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
    hssize_t size = set >= 0 && set_fits(set) ? H5Sget_simple_extent_npoints(space) : -1;
    *count = size > 0 ? (size_t)size : 0;
    if (size >= 0 && size < INT32_MAX)
        values = lmb_malloc((*count + 1) * sizeof *values);
    if (values && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        free(values);
        values = NULL;
        *count = 0;
    }
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

bool lmb_h5_shape(hid_t set, hsize_t dims[3])
{
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    hsize_t found[3] = {0, 1, 1};
    bool done = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, found, NULL) >= 0;
    dims[0] = found[0];
    dims[1] = rank == 3 ? found[1] : 1;
    dims[2] = rank == 3 ? found[2] : found[1];
    for (int i = 0; i < 3; i++)
        done = done && dims[i] < INT32_MAX;
    H5Sclose(space);
    return done && dims[1] * dims[2] < INT32_MAX && set_fits(set);
}

hid_t lmb_h5_group(hid_t parent, const char *name)
{
    return H5Lexists(parent, name, H5P_DEFAULT) > 0
               ? H5Gopen2(parent, name, H5P_DEFAULT)
               : H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* --- texts: strings of a fixed length, with their end, in UTF-8 ------------------------------- */

static hid_t text_type(const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* Room for a text of a type, which a data set or an attribute has; NULL for other types. */
static char *text_room(lmb_arena *arena, hid_t object, hid_t type)
{
    size_t size = H5Tget_size(type);
    bool fine = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size > 0 &&
                lmb_h5_fits(object, 1, size);
    return fine ? lmb_arena_alloc(arena, size + 1, 1) : NULL;
}

bool lmb_h5_write_text(hid_t group, const char *name, const char *text)
{
    hid_t type = text_type(text);
    bool done = write_set(group, name, type, type, H5Screate(H5S_SCALAR), text);
    H5Tclose(type);
    return done;
}

char *lmb_h5_read_text(lmb_arena *arena, hid_t group, const char *name)
{
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), type = H5Dget_type(set);
    bool one = set >= 0 && points_of(H5Dget_space(set)) == 1;
    char *text = one ? text_room(arena, set, type) : NULL;
    if (text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
        text = NULL;
    H5Tclose(type);
    H5Dclose(set);
    return text;
}

/* --- attributes ------------------------------------------------------------------------------- */

bool lmb_h5_put(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return done;
}

bool lmb_h5_put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(text);
    bool done = lmb_h5_put(object, name, type, text);
    H5Tclose(type);
    return done;
}

bool lmb_h5_put_integer(hid_t object, const char *name, int value)
{
    return lmb_h5_put(object, name, H5T_NATIVE_INT, &value);
}

bool lmb_h5_get(hid_t object, const char *name, hid_t type, void *value)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && points_of(H5Aget_space(attribute)) == 1 &&
                H5Aread(attribute, type, value) >= 0;
    H5Aclose(attribute);
    return done;
}

bool lmb_h5_get_integer(hid_t object, const char *name, int *value)
{
    return lmb_h5_get(object, name, H5T_NATIVE_INT, value);
}

char *lmb_h5_get_text(lmb_arena *arena, hid_t object, const char *name)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return NULL;
    hid_t type = H5Aget_type(attribute);
    bool one = points_of(H5Aget_space(attribute)) == 1;
    char *text = one ? text_room(arena, attribute, type) : NULL;
    if (text && H5Aread(attribute, type, text) < 0)
        text = NULL;
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}
