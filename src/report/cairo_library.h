/* The functions of cairo that plots use. The library, with the twenty that it needs, is loaded with
 * the first plot that is drawn by it, not with every start of the program. */
#ifndef LMB_REPORT_CAIRO_LIBRARY_H
#define LMB_REPORT_CAIRO_LIBRARY_H

#include <cairo-pdf.h>
#include <stdbool.h>

#define LMB_CAIRO_FUNCTIONS(WITH)                                                                  \
    WITH(cairo_arc)                                                                                \
    WITH(cairo_clip)                                                                               \
    WITH(cairo_create)                                                                             \
    WITH(cairo_debug_reset_static_data)                                                            \
    WITH(cairo_destroy)                                                                            \
    WITH(cairo_fill)                                                                               \
    WITH(cairo_image_surface_create)                                                               \
    WITH(cairo_line_to)                                                                            \
    WITH(cairo_move_to)                                                                            \
    WITH(cairo_new_path)                                                                           \
    WITH(cairo_pdf_surface_create_for_stream)                                                      \
    WITH(cairo_pdf_surface_set_metadata)                                                           \
    WITH(cairo_rectangle)                                                                          \
    WITH(cairo_reset_clip)                                                                         \
    WITH(cairo_restore)                                                                            \
    WITH(cairo_rotate)                                                                             \
    WITH(cairo_save)                                                                               \
    WITH(cairo_scale)                                                                              \
    WITH(cairo_select_font_face)                                                                   \
    WITH(cairo_set_dash)                                                                           \
    WITH(cairo_set_font_size)                                                                      \
    WITH(cairo_set_line_join)                                                                      \
    WITH(cairo_set_line_width)                                                                     \
    WITH(cairo_set_source_rgba)                                                                    \
    WITH(cairo_show_text)                                                                          \
    WITH(cairo_stroke)                                                                             \
    WITH(cairo_surface_destroy)                                                                    \
    WITH(cairo_surface_finish)                                                                     \
    WITH(cairo_surface_status)                                                                     \
    WITH(cairo_surface_write_to_png_stream)                                                        \
    WITH(cairo_text_extents)                                                                       \
    WITH(cairo_translate)

typedef struct lmb_cairo {
#define LMB_CAIRO_MEMBER(name) __typeof__(name) *name;
    LMB_CAIRO_FUNCTIONS(LMB_CAIRO_MEMBER)
    void (*FcFini)(void); /* of fontconfig, which cairo loads */
} lmb_cairo;

/* False: there is no cairo on this machine, or one without these functions. */
bool lmb_cairo_load(lmb_cairo *library);

#endif
