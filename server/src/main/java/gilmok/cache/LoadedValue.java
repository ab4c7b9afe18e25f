package gilmok.cache;

/**
 * A value that was loaded, here or by another process. Immutable.
 *
 * @param version its version in the shared tier
 * @param deltaNanos how long the load took, in whichever process
 * @param freshNanos how long the value is fresh from now on
 * @param size about how many bytes its entry takes
 */
record LoadedValue<V>(V value, long version, long deltaNanos, long freshNanos, int size) {}
