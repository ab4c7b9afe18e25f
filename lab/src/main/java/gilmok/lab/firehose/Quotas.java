package gilmok.lab.firehose;

/**
 * The quotas of a delivery stream, as the vendor grants them; calls over a quota are answered "Slow
 * down.".
 *
 * @param records a second; 0 for no limit
 * @param bytes a second, before base64; 0 for no limit
 * @param calls a second; 0 for no limit
 */
public record Quotas(long records, long bytes, long calls) {
  /** No limits. */
  public static final Quotas NONE = new Quotas(0, 0, 0);

  /**
   * The default quotas in the vendor's smaller regions: <a
   * href="https://docs.aws.amazon.com/firehose/latest/dev/limits.html">limits</a>.
   */
  public static final Quotas USUAL = new Quotas(100_000, 1 << 20, 1_000);
}
