package gilmok.lab.partner;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a partner has taken, and what was wrong with it. Thread-safe. */
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

  /** It is answered 2xx. */
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

  /** How often something happened. */
  public synchronized long count(PartnerCount what) {
    return counts.getOrDefault(what, 0L);
  }

  /** How many different events of a delivery have been taken. */
  public synchronized int taken(String deliveryId) {
    Entry entry = deliveries.get(deliveryId);
    return entry == null ? 0 : entry.taken.cardinality();
  }

  /** Everything counted, by name. */
  public synchronized Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (PartnerCount what : PartnerCount.values()) {
      all.put(what.name().toLowerCase(Locale.ROOT), counts.getOrDefault(what, 0L));
    }
    return all;
  }
}
