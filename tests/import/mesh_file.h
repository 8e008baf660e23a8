/* Files made by a test, read as a mesh. */
#ifndef LMB_TESTS_IO_MESH_FILE_H
#define LMB_TESTS_IO_MESH_FILE_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/mesh_read.h"
#include "program.h"

typedef struct fixture {
    lmb_context *context;
    lmb_arena *arena;
    lmb_mesh *mesh;
    char path[300];
} fixture;

static inline int start(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->context = lmb_context_new();
    f->arena = lmb_arena_new();
    *state = f;
    return 0;
}

static inline int finish(void **state)
{
    fixture *f = *state;
    lmb_arena_free(f->arena);
    lmb_context_free(f->context);
    free(f);
    return 0;
}

static inline const char *write_bytes(fixture *f, const char *name, const void *bytes, size_t size)
{
    snprintf(f->path, sizeof f->path, "%s", scratch_path(name));
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return f->path;
}

static inline const char *write_text(fixture *f, const char *name, const char *text)
{
    return write_bytes(f, name, text, strlen(text));
}

static inline lmb_status read_mesh(fixture *f, const char *name, const char *text)
{
    return lmb_mesh_read(&f->mesh, f->context, f->arena, write_text(f, name, text), NULL);
}

/* Reads a mesh that must be right. */
static inline void read_good(fixture *f, const char *name, const char *text)
{
    lmb_status status = read_mesh(f, name, text);
    if (status)
        fail_msg("%s", lmb_message_at(f->context, lmb_message_count(f->context) - 1)->text);
}

/* Reads a mesh that must be wrong in a line (0: in none), and says so with a piece of text. */
static inline void read_bad(fixture *f, const char *name, const char *text, int line,
                            const char *piece)
{
    lmb_messages_clear(f->context);
    assert_int_equal(read_mesh(f, name, text), LMB_BAD_INPUT);
    assert_null(f->mesh);
    assert_message(f->context, piece);
    const lmb_message *m = lmb_message_at(f->context, lmb_message_count(f->context) - 1);
    assert_int_equal(m->line, line);
    if (line > 0)
        assert_string_equal(m->file, f->path);
}

/* Checks the nodes of an element by their numbers in the file. */
static inline void check_element(const fixture *f, int i, lmb_element_kind kind, const int *numbers)
{
    const lmb_element *e = &f->mesh->elements[i];
    assert_int_equal(e->kind, kind);
    for (int k = 0; k < lmb_element_nodes(kind); k++)
        assert_int_equal(f->mesh->number[f->mesh->connections[e->first + k]], numbers[k]);
}

/* Checks a set by the numbers of its nodes; 0 ends them. */
static inline void check_set(const fixture *f, const char *name, const int *numbers)
{
    const lmb_node_set *set = lmb_mesh_set(f->mesh, name);
    if (!set)
        fail_msg("there is no set '%s'", name);
    int count = 0;
    for (; numbers[count]; count++) {
        assert_true(count < set->count);
        assert_int_equal(f->mesh->number[set->nodes[count]], numbers[count]);
    }
    assert_int_equal(set->count, count);
}

/* Checks the supports of nodes, by digits for their directions from 1 on; NULL ends them. */
static inline void check_held(const fixture *f, const char *const *digits)
{
    assert_non_null(f->mesh->held);
    for (int i = 0; digits[i]; i++) {
        unsigned held = 0;
        for (const char *d = digits[i]; *d; d++)
            held |= 1u << (*d - '1');
        if (f->mesh->held[i] != held)
            fail_msg("node %d is held in %#x", f->mesh->number[i], f->mesh->held[i]);
    }
}

#define CHECK_HELD(f, ...) check_held(f, (const char *const[]){__VA_ARGS__, NULL})
#define CHECK_SET(f, name, ...) check_set(f, name, (const int[]){__VA_ARGS__, 0})
#define CHECK_ELEMENT(f, i, kind, ...) check_element(f, i, kind, (const int[]){__VA_ARGS__})

#endif
