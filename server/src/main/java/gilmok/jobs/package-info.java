/**
 * Long computations for callers: answered 202 at once, done in parts on one thread of low priority,
 * kept over a restart, looked at and ended over HTTP. Features say what can be computed ({@link
 * gilmok.jobs.JobKind}).
 */
@NullMarked
package gilmok.jobs;

import org.jspecify.annotations.NullMarked;
