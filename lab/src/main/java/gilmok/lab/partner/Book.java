package gilmok.lab.partner;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a partner has taken, and what was wrong with it. Thread-safe. */
public final class Book {
  /** One delivery. */
  private static final class Entry {
    private final BitSet taken = new BitSet();
    private int end;
    private boolean isWhole;
  }

  private final Map<String, Entry> deliveries = new HashMap<>();
  private final EnumMap<Count, Long> counts = new EnumMap<>(Count.class);

  Book() {}

  synchronized void add(Count what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** It is answered 2xx. */
  synchronized void take(Told told) {
    add(Count.TAKEN);
    Entry entry = deliveries.get(told.deliveryId());
    if (entry == null) {
      entry = new Entry();
      deliveries.put(told.deliveryId(), entry);
      add(Count.DELIVERIES);
    }
    int highest = entry.taken.length() - 1;
    if (entry.taken.get(told.sequence())) {
      add(Count.REPEATS);
    } else if (told.sequence() < highest) {
      add(Count.DISORDERED);
    } else if (told.sequence() > Math.max(0, highest) + 1) {
      add(Count.GAPS);
    }
    entry.taken.set(told.sequence());
    entry.end = told.isEnd() ? told.sequence() : entry.end;
    if (!entry.isWhole && entry.end > 0 && entry.taken.cardinality() == entry.end) {
      entry.isWhole = true;
      add(Count.WHOLE);
    }
  }

  /** How often something happened. */
  public synchronized long count(Count what) {
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
    for (Count what : Count.values()) {
      all.put(what.name().toLowerCase(Locale.ROOT), counts.getOrDefault(what, 0L));
    }
    return all;
  }
}
