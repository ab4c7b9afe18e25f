/**
 * Measures the planner of run sheets: its results, its proofs and its duration, on run sheets with
 * known optima, beside a random search of two seconds, and on generated cases that other solvers
 * can read from the same file.
 */
@NullMarked
package gilmok.lab.plan;

import org.jspecify.annotations.NullMarked;
