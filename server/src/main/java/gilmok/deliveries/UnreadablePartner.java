package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * A partner exists but its document cannot be read: it is damaged, or a program with a bug wrote
 * it. Storing the partner again repairs it.
 */
public final class UnreadablePartner extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable OutboxReader reader;
  private final String id;

  /**
   * The exception for one partner.
   *
   * @param reader its kind; null when that cannot be read either
   */
  public UnreadablePartner(@Nullable OutboxReader reader, String id, RuntimeException why) {
    super("the document of the partner " + id + " cannot be read: " + why, why);
    this.reader = reader;
    this.id = id;
  }

  /** The partner's kind; null when that cannot be read either. */
  public @Nullable OutboxReader reader() {
    return reader;
  }

  /** The partner's id. */
  public String id() {
    return id;
  }
}
