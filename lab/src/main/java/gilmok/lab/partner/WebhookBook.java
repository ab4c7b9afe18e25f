package gilmok.lab.partner;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

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

  WebhookBook() {}

  synchronized void add(PartnerCount what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** Adds an event; the webhook is then answered 2xx. */
  synchronized void take(Told told) {
    add(PartnerCount.TAKEN);
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

  /** All counters, by name. */
  public synchronized Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (PartnerCount what : PartnerCount.values()) {
      all.put(what.name().toLowerCase(Locale.ROOT), counts.getOrDefault(what, 0L));
    }
    return all;
  }
}
