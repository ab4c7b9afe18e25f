package gilmok.statements;

import gilmok.background.BackgroundLoops;
import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.event.Rfc3339;
import gilmok.geo.Distance;
import gilmok.log.Follower;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log and adds an entry for each completed delivery that has a fee. The cursor {@code
 * statements} keeps the position. Each record is read at least once; as the entry's id is derived
 * from the delivery's, each entry is added exactly once.
 *
 * <p>Called by its follower's thread.
 */
final class StatementReader implements Follower.Taker {
  /** The name of its cursor. */
  static final String CURSOR = "statements";

  private static final int ID_CHARS_MAX = 128;
  private static final double MILLIMETRES = 1000;

  private final EntryStore store;
  private final StatementMeters meters;
  private final EventView view = new EventView();
  private final JsonDocument document = new JsonDocument();
  private final List<StatementEntry> entries = new ArrayList<>();

  /** The follower that calls it. */
  final Follower follower;

  StatementReader(Log log, EntryStore store, StatementMeters meters, BackgroundLoops loops)
      throws IOException, InterruptedException {
    this.store = store;
    this.meters = meters;
    follower =
        new Follower(
            log,
            CURSOR,
            EntryStore.ENTRIES_MAX,
            this,
            loops,
            "completed deliveries make no entries");
  }

  @Override
  public boolean take(LogReader record) {
    if (record.stream() != Stream.DELIVERIES) {
      return false;
    }
    view.wrap(record.bytes(), record.offset(), record.length());
    if (!view.has(EventField.ATTRIBUTES)) {
      return false;
    }
    int told =
        document.read(
            view.bytes(), view.offset(EventField.ATTRIBUTES), view.length(EventField.ATTRIBUTES));
    int event = document.member(told, "event");
    int data = document.member(told, "data");
    int fee = document.member(data, "fee");
    // Late actions are not published to the log: a rider whose delivery had failed before earns
    // nothing.
    if (!"delivery.completed".equals(text(told, "type")) || document.isNull(fee)) {
      return false;
    }
    StatementEntry entry = entry(data, event, fee);
    if (entry == null) {
      meters.unusable.increment();
      return false;
    }
    entries.add(entry);
    return true;
  }

  /** The entry of a completed delivery; null when its record is not usable. */
  private @Nullable StatementEntry entry(int data, int event, int fee) {
    String id = text(data, "id");
    String riderId = text(data, "riderId");
    String currency = text(data, "currency");
    String at = text(event, "at");
    double amount = document.number(fee);
    if (id == null
        || riderId == null
        || riderId.length() > ID_CHARS_MAX
        || currency == null
        || at == null
        || !(amount >= 0 && amount <= StatementEntry.AMOUNT_MAX)) {
      return null;
    }
    long atMillis = Rfc3339.parse(at);
    if (atMillis < 0) {
      return null;
    }
    return new StatementEntry(
        EntryReader.OF_DELIVERY + id,
        riderId,
        atMillis,
        EntryKind.FEE,
        (long) amount,
        currency,
        id,
        distance(document.member(data, "pickup"), document.member(data, "dropoff")));
  }

  /** The straight-line distance in whole millimetres; 0 when one of the ends is unknown. */
  private long distance(int pickup, int dropoff) {
    double metres =
        Distance.metres(
            degrees(pickup, "lat"),
            degrees(pickup, "lon"),
            degrees(dropoff, "lat"),
            degrees(dropoff, "lon"));
    // Math.round makes 0 of NaN.
    return Math.min(StatementEntry.DISTANCE_MAX, Math.round(metres * MILLIMETRES));
  }

  private double degrees(int place, String name) {
    return document.number(document.member(place, name));
  }

  private @Nullable String text(int object, String name) {
    return document.text(document.member(object, name));
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    if (entries.isEmpty()) {
      return;
    }
    try {
      meters.deliveries.added(store.add(List.copyOf(entries)));
    } catch (IOException away) {
      meters.failures.increment();
      throw away;
    }
    entries.clear();
  }

  @Override
  public void drop() {
    entries.clear();
  }

  @Override
  public void skipped(long records) {
    meters.skipped.add(records);
  }
}
