package gilmok.http;

/**
 * The time limits of a connection, in nanoseconds, and how often they are checked.
 *
 * @param fullMax how many connections of one event loop may leave their answers unread
 */
record ConnectionTimeouts(long headNanos, long bodyNanos, long idleNanos, int fullMax) {
  /**
   * The limit {@code fullMax} for all event loops together. Each such connection can hold some
   * megabytes: up to 64 KiB that were read from it are already parsed into requests.
   */
  private static final int ALL_FULL_MAX = 64;

  /**
   * How many bytes of a refused body are read and dropped, so that its sender gets to see the
   * answer.
   */
  static final long LINGER_BYTES = 8 << 20;

  /** The longest form whose sender can be known only by the key in it. */
  static final int FORM_BYTES_MAX = 64 << 10;

  /** How long a refused body is read and dropped. */
  static final long LINGER_NANOS = 2_000_000_000L;

  /** How many bytes of a refused body may still arrive if the connection is to be kept alive. */
  static final long KEEP_ALIVE_BYTES = 64 << 10;

  static ConnectionTimeouts of(HttpConfig config) {
    return new ConnectionTimeouts(
        config.limits().headTimeout().toNanos(),
        config.limits().bodyTimeout().toNanos(),
        config.limits().idleTimeout().toNanos(),
        Math.max(2, ALL_FULL_MAX / config.loops()));
  }

  /**
   * The sweep interval: a quarter of the shortest limit, but at least a tenth of a second and at
   * most a second.
   */
  long sweepNanos() {
    long shortest = Math.min(headNanos, Math.min(bodyNanos, idleNanos));
    return Math.clamp(shortest / 4, 100_000_000L, 1_000_000_000L);
  }
}
