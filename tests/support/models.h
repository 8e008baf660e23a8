/* Models for tests, and messages when they are wrong. */
#ifndef TESTS_MODELS_H
#define TESTS_MODELS_H

#include "limber/limber.h"

/* The context that the test's models share; made by open_models and freed by close_models, which
 * are set-up and tear-down functions of cmocka. */
extern lmb_context *context;
int open_models(void **unused);
int close_models(void **unused);

/* A model from a text, or an example (with a parameter changed unless it is NULL); the test fails
 * if it is wrong. Messages of earlier models are forgotten. */
lmb_model *model_of_text(const char *text);
lmb_model *model_of_example(const char *name, const char *parameter, const char *value);

/* An example with parameters "name=value name=value". */
lmb_model *example_with(const char *name, const char *parameters);

/* Fails the test with the newest message unless the status is LMB_OK. */
void assert_ok(lmb_status status);

#endif
