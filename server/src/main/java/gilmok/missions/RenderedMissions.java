package gilmok.missions;

import gilmok.compress.ComposedBody;

/**
 * One rider's answer in pieces, and its tag; not to be kept, as it holds on to missions that may
 * have changed. Immutable.
 *
 * @param body what all share, what some share, and the rider's own progress, in this order
 * @param tag changes with any of them; without quotation marks, and the same in every coding
 */
record RenderedMissions(ComposedBody body, String tag) {}
