package gilmok.http;

/**
 * The time bounds of a connection, in nanoseconds, and how often they are looked at.
 *
 * @param fullMax how many connections of one event loop may leave answers untaken
 */
record ConnectionTimeouts(long headNanos, long bodyNanos, long idleNanos, int fullMax) {
  /**
   * The same for all event loops together. Each of them can hold some megabytes: what had been read
   * of it, up to 64 KiB, is already taken apart into requests.
   */
  private static final int ALL_FULL_MAX = 64;

  /** How much of a refused body is read and dropped, so that its sender sees the answer. */
  static final long LINGER_BYTES = 8 << 20;

  /** How long a form may be whose sender is known only by the key in it. */
  static final int FORM_BYTES_MAX = 64 << 10;

  /** How long a refused body is read and dropped. */
  static final long LINGER_NANOS = 2_000_000_000L;

  /** What may still come of a refused body for the connection to live on. */
  static final long KEEP_ALIVE_BYTES = 64 << 10;

  static ConnectionTimeouts of(HttpConfig config) {
    return new ConnectionTimeouts(
        config.limits().headTimeout().toNanos(),
        config.limits().bodyTimeout().toNanos(),
        config.limits().idleTimeout().toNanos(),
        Math.max(2, ALL_FULL_MAX / config.loops()));
  }

  /** A quarter of the shortest bound, but from a tenth of a second to a second. */
  long sweepNanos() {
    long shortest = Math.min(headNanos, Math.min(bodyNanos, idleNanos));
    return Math.clamp(shortest / 4, 100_000_000L, 1_000_000_000L);
  }
}
