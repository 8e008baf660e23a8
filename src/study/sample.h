/* Samples of the variables of a study: sample number k of a grid, a list, a Latin hypercube or a
 * Monte Carlo study. Numbers that are drawn follow from the seed, the sample and the variable alone
 * (of a Latin hypercube also from the number of samples), so that any thread can make any sample.
 *
 *   Monte Carlo      x = F^-1(u_k),                u_k in (0, 1)
 *   Latin hypercube  x = F^-1((pi(k) + u_k) / N),  pi a permutation of 0 ... N - 1
 *
 * with the distribution F of a variable; bounds and choices are drawn evenly. */
#ifndef LMB_STUDY_SAMPLE_H
#define LMB_STUDY_SAMPLE_H

#include <stdint.h>

#include "system/model.h"

/* A number in (0, 1) that looks random. */
double lmb_sample_uniform(uint64_t seed, uint64_t sample, uint64_t variable);

/* The place of a sample in a permutation of `count`, another one for each variable. */
uint64_t lmb_sample_permuted(uint64_t seed, uint64_t sample, uint64_t variable, uint64_t count);

/* x with a normal distribution of mean 0 and deviation 1 that a part p of all is below. */
double lmb_normal_quantile(double p);

/* The number of a variable that a part p of all is below. */
double lmb_variable_quantile(const lmb_variable *variable, double p);

/* Mean and standard deviation of a variable that is drawn. */
double lmb_variable_mean(const lmb_variable *variable);
double lmb_variable_deviation(const lmb_variable *variable);

/* How many samples a study has (HUGE_VAL: too many to count), and number k of them. */
double lmb_sample_count(const lmb_study *study);
void lmb_sample(const lmb_study *study, int k, double *x);

/* Number k of `count` points of a Latin hypercube in the unit box. */
void lmb_sample_box(unsigned seed, int k, int count, int n, double *x);

#endif
