/* Loads cairo. */
#include "report/cairo_library.h"

#include <dlfcn.h>
#include <string.h>

/* Puts the address of a function into a pointer; ISO C has no conversion from the one to the other.
 */
static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool lmb_cairo_load(lmb_cairo *to)
{
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    bool found = library != NULL;
#define FIND(name) found = found && find(library, #name, &to->name);
    LMB_CAIRO_FUNCTIONS(FIND)
    return found && find(library, "FcFini", &to->FcFini);
}
