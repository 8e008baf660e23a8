/* The section `studies`: what its files share. */
#ifndef LMB_MODEL_STUDIES_H
#define LMB_MODEL_STUDIES_H

#include "model/builder.h"

/* Reads the variables of a study of a known kind; `key` is that of the map (or of a list of names)
 * that has them. */
lmb_status lmb_read_variables(lmb_builder *builder, lmb_study *study, const lmb_tree *node,
                              const char *what, const char *key);

/* Whether all choices of a variable are different. */
lmb_status lmb_check_choices(lmb_builder *builder, const lmb_variable *variable, lmb_place place);

/* The number of an objective of a name; a text that is an expression of objectives becomes a hidden
 * one. */
lmb_status lmb_study_objective(lmb_builder *builder, const lmb_tree *node, int *out);

/* A hidden objective: the expression of channels of an analysis at its end. */
lmb_status lmb_study_expression(lmb_builder *builder, const lmb_tree *node, int analysis, int *out);

#endif
