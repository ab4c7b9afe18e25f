package gilmok.deliveries;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Handles deliveries whose document cannot be read or encoded: it is damaged, or a program with a
 * bug wrote it. They hold up no other delivery. In the outbox each is put off and tried again after
 * a while, in case the program is fixed by then; each time it is logged. Lists leave it out and log
 * it once. Both are counted. Thread-safe.
 */
public final class UnreadableDeliveries {
  private static final Logger LOG = System.getLogger("gilmok.deliveries");

  /** How long a delivery is put off, in ms. */
  public static final long PUT_OFF_MILLIS = 10 * 60_000L;

  /** Most that one page skips: more are not damage of single documents. */
  static final int LEFT_OUT_MAX = 1_000;

  private static final int NAMED_MAX = 10_000;
  private static final int ERROR_CHARS_MAX = 200;

  private final InstantSource clock;
  private final Map<OutboxReader, Counter> counters;
  private final Counter leftOut;
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  /** Counts from 0. */
  public UnreadableDeliveries(Meters meters, InstantSource clock) {
    this.clock = clock;
    counters =
        meters.counters(
            OutboxReader.class,
            "gilmok_outbox_unreadable_total",
            "Deliveries deferred as their document cannot be read; each deferral counts.",
            "reader");
    leftOut =
        meters.counter(
            "gilmok_deliveries_unreadable_total",
            "Deliveries left out of a list as their document cannot be read.");
  }

  /**
   * Counts the deliveries that a page skipped, by id, and logs those not logged before.
   *
   * @throws IOException when there are so many that deliveries may be missing from the page
   */
  void leftOut(Map<String, Throwable> ofAPage) throws IOException {
    ofAPage.forEach(
        (deliveryId, why) -> {
          leftOut.increment();
          if (named.size() < NAMED_MAX && named.add(deliveryId)) {
            LOG.log(
                Level.ERROR,
                "the delivery {0} cannot be read and is left out of lists. It is not"
                    + " deleted; repair its document, or run the version that wrote it: {1}",
                deliveryId,
                error(why));
          }
        });
    if (ofAPage.size() >= LEFT_OUT_MAX) {
      throw new IOException(ofAPage.size() + " deliveries in a row cannot be read");
    }
  }

  /**
   * Counts and logs an unreadable delivery that is due.
   *
   * @return when to try it again, epoch ms
   */
  long found(OutboxReader reader, String deliveryId, Throwable why) {
    Objects.requireNonNull(counters.get(reader)).increment();
    LOG.log(
        Level.ERROR,
        "the delivery {0} cannot be read. Its events for {1} wait in the outbox;"
            + " repair its document, or run the version that wrote it: {2}",
        deliveryId,
        reader.name().toLowerCase(Locale.ROOT),
        error(why));
    return clock.millis() + PUT_OFF_MILLIS;
  }

  /** The text that the outbox stores as the error. */
  static String error(Throwable why) {
    String text = "unreadable: " + why;
    return text.length() > ERROR_CHARS_MAX ? text.substring(0, ERROR_CHARS_MAX) : text;
  }
}
