package gilmok.deliveries;

import gilmok.deliveries.Outbox.Reader;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Deliveries that a reader of the outbox cannot be told of, because nobody can read or write down
 * what is kept of them: damaged, or from a program with a bug. Each is put off by itself, so that
 * it holds up no other one; it is tried again after a while, for the mended program that comes
 * then. Counted, and named in the log each time. Thread-safe.
 */
public final class UnreadableDeliveries {
  private static final Logger LOG = System.getLogger("gilmok.deliveries");

  /** How long one is put off. */
  public static final long PUT_OFF_MILLIS = 10 * 60_000L;

  private static final int ERROR_CHARS_MAX = 200;

  private final InstantSource clock;
  private final Map<Reader, Counter> counters = new EnumMap<>(Reader.class);

  /** None yet. */
  public UnreadableDeliveries(Meters meters, InstantSource clock) {
    this.clock = clock;
    for (Reader reader : Reader.values()) {
      counters.put(
          reader,
          meters.counter(
              "gilmok_outbox_unreadable_total",
              "Deliveries put off, because what is kept of them cannot be read; again each time.",
              "reader",
              reader.name().toLowerCase(Locale.ROOT)));
    }
  }

  /**
   * Counts and names one.
   *
   * @return when it is to be due again, epoch ms
   */
  long found(Reader reader, String deliveryId, Throwable why) {
    Objects.requireNonNull(counters.get(reader)).increment();
    LOG.log(
        Level.ERROR,
        "the delivery {0} cannot be read, and the reader {1} of the outbox is not told of it: {2}",
        deliveryId,
        reader.name().toLowerCase(Locale.ROOT),
        error(why));
    return clock.millis() + PUT_OFF_MILLIS;
  }

  /** What the outbox keeps as the reason. */
  static String error(Throwable why) {
    String text = "unreadable: " + why;
    return text.length() > ERROR_CHARS_MAX ? text.substring(0, ERROR_CHARS_MAX) : text;
  }
}
