package gilmok.missions;

import gilmok.compress.ComposedBody;

/**
 * One rider's answer in fragments, with its entity tag. Must not be cached, as it would keep
 * outdated missions in memory. Immutable.
 *
 * @param body the fragment for all riders, that for some riders, and the rider's own progress, in
 *     this order
 * @param tag changes with any of them; without quotation marks, and the same for every coding
 */
record RenderedMissions(ComposedBody body, String tag) {}
