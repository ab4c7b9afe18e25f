/**
 * What the planner of run sheets finds, proves and takes: beside run sheets whose best is known,
 * beside a random search of two seconds, and on made-up cases beside whoever solves the same file.
 */
@NullMarked
package gilmok.lab.plan;

import org.jspecify.annotations.NullMarked;
