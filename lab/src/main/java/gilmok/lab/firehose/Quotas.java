package gilmok.lab.firehose;

/**
 * What a delivery stream takes a second, as the vendor grants it; over it, it answers "Slow down.".
 *
 * @param records a second; 0 for any number
 * @param bytes a second, before base64; 0 for any number
 * @param calls a second; 0 for any number
 */
public record Quotas(long records, long bytes, long calls) {
  /** As much as comes. */
  public static final Quotas NONE = new Quotas(0, 0, 0);

  /**
   * What a stream has without asking in the vendor's smaller regions: <a
   * href="https://docs.aws.amazon.com/firehose/latest/dev/limits.html">limits</a>.
   */
  public static final Quotas USUAL = new Quotas(100_000, 1 << 20, 1_000);
}
