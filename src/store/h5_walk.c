/* Reading all that is in an HDF5 file, piece by piece, to find out whether that can be done. */
#include <stdio.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/memory.h"
#include "store/h5.h"

enum { PIECE = 1 << 22, MOST_LINKS = 1000000 };

typedef struct walk {
    int links;
    const char *complaint; /* NULL: HDF5 has words of its own */
} walk;

/* A complaint of ours, as a failure. */
static bool refuse(walk *w, const char *complaint)
{
    w->complaint = w->complaint ? w->complaint : complaint;
    return false;
}

/* --- what data are -----------------------------------------------------------------------------
 */

/* The type that data are read as: numbers as Limber reads them, others as they are. Closed by the
 * caller. */
static hid_t type_to_read(hid_t stored)
{
    H5T_class_t class = H5Tget_class(stored);
    bool number = class == H5T_INTEGER || class == H5T_FLOAT;
    return H5Tcopy(number ? H5T_NATIVE_DOUBLE : stored);
}

/* Whether data are of a fixed size; others are nothing that Limber reads. */
static bool is_fixed(hid_t type)
{
    return H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tdetect_class(type, H5T_REFERENCE) == 0 &&
           H5Tis_variable_str(type) == 0;
}

/* --- data sets ---------------------------------------------------------------------------------
 */

/* Reads a data set in blocks: some of a dimension with all of the later ones, at one place of the
 * earlier ones. */
static bool read_blocks(hid_t set, hid_t type, hid_t space, int rank, const hsize_t *dims)
{
    hsize_t start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
    size_t size = H5Tget_size(type), block = size;
    int along = rank - 1;
    for (int i = 0; i < rank; i++)
        count[i] = 1;
    for (; along > 0 && dims[along] <= PIECE / block; along--) {
        count[along] = dims[along];
        block *= (size_t)dims[along];
    }
    hsize_t most = block < PIECE ? PIECE / block : 1;
    void *room = lmb_malloc(block * (size_t)(dims[along] < most ? dims[along] : most));
    bool done = room != NULL;
    while (done && start[0] < dims[0]) {
        hsize_t left = dims[along] - start[along];
        count[along] = left < most ? left : most;
        hid_t memory = H5Screate_simple(rank, count, NULL);
        done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Dread(set, type, memory, space, H5P_DEFAULT, room) >= 0;
        H5Sclose(memory);
        start[along] += count[along];
        for (int i = along; i > 0 && start[i] >= dims[i]; i--) {
            start[i] = 0;
            start[i - 1]++;
        }
    }
    free(room);
    return done;
}

static bool read_scalar(hid_t set, hid_t type)
{
    void *room = lmb_malloc(H5Tget_size(type) + 1);
    bool done = room && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) >= 0;
    free(room);
    return done;
}

static bool read_set(walk *w, hid_t set)
{
    hsize_t dims[H5S_MAX_RANK];
    hid_t space = H5Dget_space(set), stored = H5Dget_type(set), creation = H5Dget_create_plist(set);
    hid_t type = type_to_read(stored);
    int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    bool done = rank >= 0 && points >= 0 && H5Tget_size(type) > 0;
    if (done && H5Pget_external_count(creation) != 0)
        done = refuse(w, "it has data in other files");
    else if (done && is_fixed(type) && !lmb_h5_fits(set, (hsize_t)points, H5Tget_size(stored)))
        done = refuse(w, "it claims to have more data than fit in its size");
    else if (done && is_fixed(type) && points > 0)
        /* rows that a killed run was about to add cannot be read; whoever wants them is told */
        (void)(rank == 0 ? read_scalar(set, type) : read_blocks(set, type, space, rank, dims));
    H5Tclose(type);
    H5Pclose(creation);
    H5Tclose(stored);
    H5Sclose(space);
    return done;
}

/* --- attributes and links -----------------------------------------------------------------------
 */

static herr_t read_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    (void)info;
    walk *w = user;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), stored = H5Aget_type(attribute);
    hid_t type = type_to_read(stored), space = H5Aget_space(attribute);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type);
    bool done = points >= 0 && size > 0;
    if (done && is_fixed(type) && !lmb_h5_fits(object, (hsize_t)points, H5Tget_size(stored))) {
        done = refuse(w, "it claims to have more data than fit in its size");
    } else if (done && is_fixed(type)) {
        void *room = lmb_malloc((size_t)points * size + 1);
        done = room && H5Aread(attribute, type, room) >= 0;
        free(room);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(stored);
    H5Aclose(attribute);
    return done ? 0 : -1;
}

/* Looks at an object that a link leads to. */
static bool look_at_object(walk *w, hid_t object)
{
    hsize_t first = 0;
    H5I_type_t kind = H5Iget_type(object);
    bool done = kind == H5I_GROUP || kind == H5I_DATASET || kind == H5I_DATATYPE;
    done =
        done && H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &first, read_attribute, w) >= 0;
    return done && (kind != H5I_DATASET || read_set(w, object));
}

static herr_t look_at_link(hid_t root, const char *name, const H5L_info_t *info, void *user)
{
    walk *w = user;
    bool done = true;
    if (++w->links > MOST_LINKS)
        done = refuse(w, "it has too many objects");
    else if (info->type >= H5L_TYPE_UD_MIN)
        done = refuse(w, "it has links to other files");
    else if (info->type == H5L_TYPE_HARD) {
        hid_t object = H5Oopen(root, name, H5P_DEFAULT);
        done = object >= 0 && look_at_object(w, object);
        H5Oclose(object);
    }
    return done ? 0 : -1;
}

bool lmb_h5_walk(const char *path, char *reason, size_t room)
{
    walk w = {0};
    bool done = false;
    reason[0] = 0;
    H5E_BEGIN_TRY
    {
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_file_locking(access, false, true);
        hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
        hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
        done = root >= 0 && look_at_object(&w, root) &&
               H5Lvisit(root, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_link, &w) >= 0;
        if (!done && w.complaint)
            lmb_snprintf(reason, room, "%s", w.complaint);
        else if (!done)
            lmb_h5_reason(reason, room);
        H5Gclose(root);
        H5Pclose(access);
        done = (file < 0 || H5Fclose(file) >= 0) && done;
    }
    H5E_END_TRY;
    return done;
}
