package gilmok.lab.partner;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The events that a partner has accepted, and the errors in their order. Thread-safe. */
public final class WebhookBook {
  /** One delivery. */
  private static final class Entry {
    private final BitSet taken = new BitSet();
    private int end;
    private boolean isWhole;
  }

  private final Map<String, Entry> deliveries = new HashMap<>();
  private final EnumMap<PartnerCount, Long> counts = new EnumMap<>(PartnerCount.class);

  /** From the time of an event to its arrival, in milliseconds, since the last reading. */
  private Histogram delays = new Histogram(3);

  WebhookBook() {}

  synchronized void add(PartnerCount what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** Adds an event; the webhook is then answered 2xx. */
  synchronized void take(Told told, long nowMillis) {
    add(PartnerCount.TAKEN);
    delays.recordValue(Math.max(0, nowMillis - told.at()));
    Entry entry = deliveries.get(told.deliveryId());
    if (entry == null) {
      entry = new Entry();
      deliveries.put(told.deliveryId(), entry);
      add(PartnerCount.DELIVERIES);
    }
    int highest = entry.taken.length() - 1;
    if (entry.taken.get(told.sequence())) {
      add(PartnerCount.REPEATS);
    } else if (told.sequence() < highest) {
      add(PartnerCount.DISORDERED);
    } else if (told.sequence() > Math.max(0, highest) + 1) {
      add(PartnerCount.GAPS);
    }
    entry.taken.set(told.sequence());
    entry.end = told.isEnd() ? told.sequence() : entry.end;
    if (!entry.isWhole && entry.end > 0 && entry.taken.cardinality() == entry.end) {
      entry.isWhole = true;
      add(PartnerCount.WHOLE);
    }
  }

  /** The value of a counter. */
  public synchronized long count(PartnerCount what) {
    return counts.getOrDefault(what, 0L);
  }

  /** How many different events of a delivery were accepted. */
  public synchronized int taken(String deliveryId) {
    Entry entry = deliveries.get(deliveryId);
    return entry == null ? 0 : entry.taken.cardinality();
  }

  /**
   * The delays of what was taken since the last call, from an event's time to its arrival: {@code
   * taken}, then milliseconds.
   */
  synchronized Map<String, Long> takeDelays() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("taken", delays.getTotalCount());
    all.put("p50", delays.getValueAtPercentile(50));
    all.put("p99", delays.getValueAtPercentile(99));
    all.put("max", delays.getMaxValue());
    delays = new Histogram(3);
    return all;
  }

  /** All counters, by name. */
  public synchronized Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (PartnerCount what : PartnerCount.values()) {
      all.put(what.name().toLowerCase(Locale.ROOT), counts.getOrDefault(what, 0L));
    }
    return all;
  }
}
