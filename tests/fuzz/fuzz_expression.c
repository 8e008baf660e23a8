/* Expressions: compiled with a few names, and evaluated. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "math/expr.h"

/* "a" is a number, "b" a vector, "x" a variable, "table" a function; others are unknown. */
static lmb_status find(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    (void)place;
    *symbol = (lmb_symbol){.kind = LMB_SYMBOL_NONE};
    if (strcmp(name, "a") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {0.5}};
    else if (strcmp(name, "b") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 3, .value = {1, -2, 3}};
    else if (strcmp(name, "x") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE, .size = 3};
    else if (strcmp(name, "table") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_TABLE, .size = 1, .table = user};
    else if (strncmp(name, "record(", 7) == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_RECORD, .size = 1};
    return LMB_OK;
}

FUZZ_TARGET(expression)
{
    static const double knots[] = {0, 1, 2}, values[] = {1, 3, -1};
    lmb_context *context = fuzz_context(0);
    static lmb_arena *arena, *tables; /* kept, for speed */
    static const lmb_table *table;
    char *text = fuzz_text(data, size);
    const lmb_place place = {.file = "fuzz"};
    if (!tables) {
        arena = lmb_arena_new();
        tables = lmb_arena_new();
        table = lmb_table_new(tables, LMB_TABLE_CUBIC, LMB_TABLE_HOLD, 3, knots, values);
    }
    const lmb_scope scope = {.find = find, .user = (void *)(uintptr_t)table, .time = true};
    lmb_expr *expr = lmb_expr_compile(context, arena, &scope, text, place);
    if (expr) {
        const lmb_jet x[3] = {{0.1, 1, 0}, {0.2, 0, 1}, {-0.3, 2, 3}};
        lmb_jet out[3];
        lmb_expr_evaluate(expr, 0.7, x, out);
        (void)lmb_expr_kink(expr);
        (void)lmb_expr_same(expr, expr);
    }
    lmb_status status = expr ? LMB_OK : LMB_BAD_INPUT;
    lmb_arena_clear(arena);
    free(text);
    fuzz_end(context, status);
    return 0;
}
