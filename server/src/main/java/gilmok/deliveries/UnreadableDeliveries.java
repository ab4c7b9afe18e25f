package gilmok.deliveries;

import gilmok.deliveries.Outbox.Reader;
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
 * Deliveries of which nobody can read or write down what is kept: damaged, or from a program with a
 * bug. They hold up no other one. In the outbox each is put off by itself; it is tried again after
 * a while, for the mended program that comes then, and named in the log each time. From lists they
 * are left out, and named once. Both are counted. Thread-safe.
 */
public final class UnreadableDeliveries {
  private static final Logger LOG = System.getLogger("gilmok.deliveries");

  /** How long one is put off. */
  public static final long PUT_OFF_MILLIS = 10 * 60_000L;

  /** So many are looked past for one page: more of them are no damage of single ones. */
  static final int LEFT_OUT_MAX = 1_000;

  private static final int NAMED_MAX = 10_000;
  private static final int ERROR_CHARS_MAX = 200;

  private final InstantSource clock;
  private final Map<Reader, Counter> counters;
  private final Counter leftOut;
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  /** None yet. */
  public UnreadableDeliveries(Meters meters, InstantSource clock) {
    this.clock = clock;
    counters =
        meters.counters(
            Reader.class,
            "gilmok_outbox_unreadable_total",
            "Deliveries put off, because what is kept of them cannot be read; again each time.",
            "reader");
    leftOut =
        meters.counter(
            "gilmok_deliveries_unreadable_total",
            "Deliveries left out of a list, because what is kept of them cannot be read.");
  }

  /**
   * Counts those that a page is without, by their ids; names each that was not named before.
   *
   * @throws IOException when they are so many that there may be more behind the page
   */
  void leftOut(Map<String, Throwable> ofAPage) throws IOException {
    ofAPage.forEach(
        (deliveryId, why) -> {
          leftOut.increment();
          if (named.size() < NAMED_MAX && named.add(deliveryId)) {
            LOG.log(
                Level.ERROR,
                "the delivery {0} cannot be read and is left out of lists; it is not deleted: {1}",
                deliveryId,
                error(why));
          }
        });
    if (ofAPage.size() >= LEFT_OUT_MAX) {
      throw new IOException(ofAPage.size() + " deliveries in a row cannot be read");
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
        "the delivery {0} cannot be read; its events for {1} wait in the outbox: {2}",
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
