package gilmok.privacy;

/**
 * The table of what riders withhold, as it is now. One thread at a time changes it; any thread
 * reads.
 */
final class WithheldRiders {
  private final byte[] secret;
  private volatile WithheldTable table = WithheldTable.NONE;
  private volatile long version;

  /**
   * Of nobody yet.
   *
   * @param secret of the digests
   */
  WithheldRiders(byte[] secret) {
    this.secret = secret;
  }

  byte[] secret() {
    return secret;
  }

  WithheldTable table() {
    return table;
  }

  boolean isAny() {
    return table != WithheldTable.NONE;
  }

  /** Another number after each change. */
  long version() {
    return version;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void replace(WithheldTable other) {
    table = other.size() == 0 ? WithheldTable.NONE : other;
    version++;
  }

  /** Sets a rider's code; returns the one before. */
  int put(RiderDigest rider, int code) {
    WithheldTable now = table;
    int before = now.find(rider.high(), rider.low());
    if (before != code) {
      WithheldTable next = now.hasRoom() ? now : now.grown();
      next.put(rider.high(), rider.low(), code);
      replace(next);
    }
    return before;
  }
}
