package gilmok.deliveries;

import gilmok.deliveries.Outbox.Reader;
import org.jspecify.annotations.Nullable;

/**
 * There is a partner of which nobody can read what is kept: damaged, or from a program with a bug.
 * To put it once more mends it.
 */
public final class UnreadablePartner extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Reader reader;
  private final String id;

  /**
   * One of them.
   *
   * @param reader of which kind it is; null when that cannot be read either
   */
  public UnreadablePartner(@Nullable Reader reader, String id, RuntimeException why) {
    super("what is kept of the partner " + id + " cannot be read: " + why, why);
    this.reader = reader;
    this.id = id;
  }

  /** Of which kind it is; null when that cannot be read either. */
  public @Nullable Reader reader() {
    return reader;
  }

  /** The partner's. */
  public String id() {
    return id;
  }
}
