package gilmok.cache;

/**
 * A value, and where it came from.
 *
 * @param version under which other processes know it
 * @param deltaNanos how long its load took, here or there
 * @param freshNanos for how long it is fresh from now on
 * @param size about how many bytes its entry will take
 */
record LoadedValue<V>(V value, long version, long deltaNanos, long freshNanos, int size) {}
