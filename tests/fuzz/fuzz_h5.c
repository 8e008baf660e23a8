/* HDF5 files that are whole, but not what they should be; see fuzz_h5.h. */
#include "fuzz_h5.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OBJECTS = 256, MOST_NAME = 200, MOST_BYTES = 1 << 20, MOST_EDITS = 20 };

/* An input that is used up byte by byte, and what it edits. */
typedef struct editor {
    const uint8_t *data;
    size_t size;
    hid_t file;
    int count;
    char names[MOST_OBJECTS][MOST_NAME];
} editor;

static unsigned next(editor *e)
{
    if (e->size == 0)
        return 0;
    e->size--;
    return *e->data++;
}

static size_t next_piece(editor *e, const uint8_t **piece)
{
    size_t length = next(e);
    *piece = e->data;
    length = length < e->size ? length : e->size;
    if (length)
        e->data += length;
    e->size -= length;
    return length;
}

static herr_t note_name(hid_t root, const char *name, const H5L_info_t *info, void *user)
{
    (void)root, (void)info;
    editor *e = user;
    if (e->count < MOST_OBJECTS && strlen(name) < MOST_NAME)
        strcpy(e->names[e->count++], name);
    return 0;
}

/* --- edits -------------------------------------------------------------------------------------
 */

/* Writes a piece of the input over stored bytes. */
static void overwrite(editor *e, void *bytes, size_t room)
{
    const uint8_t *piece;
    size_t at = next(e) << 8;
    at = (at | next(e)) % room;
    size_t length = next_piece(e, &piece);
    length = length < room - at ? length : room - at;
    if (length)
        memcpy((char *)bytes + at, piece, length);
}

/* Changes bytes of a data set. */
static void change_data(editor *e, const char *name)
{
    hid_t set = H5Dopen2(e->file, name, H5P_DEFAULT), type = H5Dget_type(set),
          space = H5Dget_space(set);
    hssize_t points = set >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    size_t size = points > 0 ? H5Tget_size(type) : 0, room = (size_t)points * size;
    bool plain = room > 0 && room < MOST_BYTES && !H5Tis_variable_str(type);
    void *bytes = plain ? calloc(1, room) : NULL;
    if (bytes && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
        overwrite(e, bytes, room);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

/* A type that the input chooses. */
static hid_t choose_type(editor *e)
{
    const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_STD_I32LE, H5T_STD_U8LE,
                           H5T_STD_I64BE};
    unsigned choice = next(e) % 8;
    hid_t type = H5Tcopy(choice < 5 ? types[choice] : H5T_C_S1);
    if (choice == 5)
        H5Tset_size(type, H5T_VARIABLE);
    else if (choice > 5)
        H5Tset_size(type, 1 + next(e) * (choice == 7 ? 1000000u : 1u));
    return type;
}

/* Dimensions that the input chooses: small, or so many that nothing can be stored for them. */
static hid_t choose_space(editor *e, hid_t creation)
{
    hsize_t dims[4], most[4], chunk[4];
    int rank = (int)(next(e) % 5);
    for (int i = 0; i < rank; i++) {
        unsigned n = next(e);
        dims[i] = n > 250 ? 1000000000u >> (n - 251) * 5 : n % 40;
        most[i] = H5S_UNLIMITED;
        chunk[i] = 8;
    }
    if (rank > 0 && creation >= 0) /* nothing is stored before it is written */
        H5Pset_chunk(creation, rank, chunk);
    return rank ? H5Screate_simple(rank, dims, creation >= 0 ? most : NULL) : H5Screate(H5S_SCALAR);
}

static void replace_by_data(editor *e, const char *name)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), type = choose_type(e),
          space = choose_space(e, creation);
    H5Ldelete(e->file, name, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(e->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(creation);
}

/* An attribute of an object, or of the root, in the place of one of its own. */
static void replace_attribute(editor *e, const char *name)
{
    char own[MOST_NAME] = "";
    hid_t object = H5Oopen(e->file, next(e) % 4 ? name : "/", H5P_DEFAULT);
    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, next(e) % 8, own, sizeof own,
                       H5P_DEFAULT);
    bool remove = next(e) % 4 == 0;
    if (own[0])
        H5Adelete(object, own);
    hid_t type = choose_type(e), space = choose_space(e, H5I_INVALID_HID);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    size_t room = (size_t)points * H5Tget_size(type);
    bool fine = own[0] && !remove && points > 0 && room < 60000 && !H5Tis_variable_str(type);
    void *bytes = fine ? calloc(1, room) : NULL;
    if (bytes) {
        hid_t attribute = H5Acreate2(object, own, type, space, H5P_DEFAULT, H5P_DEFAULT);
        overwrite(e, bytes, room);
        H5Awrite(attribute, type, bytes);
        H5Aclose(attribute);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(object);
}

static void edit(editor *e)
{
    unsigned kind = next(e) % 8;
    const char *name = e->names[next(e) % (unsigned)e->count];
    const char *other = e->names[next(e) % (unsigned)e->count];
    if (kind <= 2)
        change_data(e, name);
    else if (kind == 3)
        replace_by_data(e, name);
    else if (kind == 4)
        replace_attribute(e, name);
    else
        H5Ldelete(e->file, name, H5P_DEFAULT);
    if (kind == 5)
        H5Gclose(H5Gcreate2(e->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    else if (kind == 6)
        H5Lcreate_hard(e->file, other, e->file, name, H5P_DEFAULT, H5P_DEFAULT);
}

/* --- the file ----------------------------------------------------------------------------------
 */

unsigned char *fuzz_h5_edit(const void *bytes, size_t length, const uint8_t *data, size_t size,
                            size_t *out)
{
    static editor e; /* too large for the stack */
    unsigned char *image = NULL;
    e = (editor){.data = data, .size = size};
    H5E_BEGIN_TRY
    {
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_core(access, 1 << 16, false);
        H5Pset_file_image(access, (void *)(uintptr_t)bytes, length);
        e.file = H5Fopen("edited", H5F_ACC_RDWR, access);
        H5Lvisit(e.file, H5_INDEX_NAME, H5_ITER_INC, note_name, &e);
        for (int i = 0; i < MOST_EDITS && e.size > 0 && e.count > 0; i++)
            edit(&e);
        H5Fflush(e.file, H5F_SCOPE_GLOBAL);
        ssize_t found = H5Fget_file_image(e.file, NULL, 0);
        *out = found > 0 ? (size_t)found : 0;
        image = *out ? malloc(*out) : NULL;
        if (image && H5Fget_file_image(e.file, image, *out) != found) {
            free(image);
            image = NULL;
        }
        H5Fclose(e.file);
        H5Pclose(access);
    }
    H5E_END_TRY;
    return image;
}
