package gilmok.privacy;

import gilmok.background.BackgroundLoops;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.log.Follower;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows the log and counts in the register what was collected: by rider, day of arrival and
 * stream. Counts are gathered and written every few seconds, with the sequence through which they
 * count, in one transaction where the documents are SQLite's: after a kill the records behind that
 * are read again, and none counts twice or never. In MongoDB the last ones before a kill may count
 * twice.
 *
 * <p>Thread-safe: its follower's thread gathers, the register's writes.
 */
public final class CollectedReader implements Follower.Taker, Register.Source, Drainable {
  /** The name of its cursor. */
  static final String CURSOR = "register";

  private static final int TAKEN_MAX = 1 << 14;

  /** Most counts that are gathered: a transaction of some ten milliseconds. */
  private static final int COUNTS_MAX = 5_000;

  /** Above the ids of all rows, so no page shows it. */
  private final String throughId;

  private final Log log;
  private final Register register;
  private final ZoneId zone;
  private final Counter skipped;
  private final EventView view = new EventView();
  private final Map<String, String> pseudonyms = new HashMap<>();
  private final Map<String, RegisterRow> counts = new HashMap<>();
  private final Follower follower;
  private long through;
  private long taken;
  private boolean isUnsure;
  private long dayBegin;
  private long dayEnd;

  /** Counts the records of that log. */
  public CollectedReader(
      Register register, Log log, ZoneId zone, Meters meters, BackgroundLoops loops)
      throws IOException, InterruptedException {
    this.register = register;
    this.log = log;
    this.zone = zone;
    throughId = "through:" + log.node();
    skipped =
        meters.counter(
            "gilmok_register_skipped_records_total",
            "Records of the log that were given up before the register had counted them, as the log"
                + " was full.");
    follower =
        new Follower(
            log, CURSOR, TAKEN_MAX, this, loops, "what was collected is not in the register");
    meters.gauge(
        "gilmok_register_lag_records",
        "Records of the log that the register has not counted yet.",
        follower::lagRecords);
  }

  /** Starts to count. */
  public void start() {
    follower.start();
  }

  /** Removes the cursor of a server that keeps no register. */
  static void leftOff(Log log) throws IOException, InterruptedException {
    boolean _ = log.forget(CURSOR);
  }

  /** What is gathered and not written is read again: the cursor is ahead of what is written. */
  @Override
  public synchronized long settledThrough(long settled) throws IOException, InterruptedException {
    clear();
    through = written();
    return Math.min(settled, through);
  }

  private long written() throws IOException, InterruptedException {
    RegisterStore.Question mine =
        new RegisterStore.Question(null, null, throughId, throughId + "!", 0, Long.MAX_VALUE, 1);
    List<RegisterRow> found = register.store().page(mine);
    return found.isEmpty() ? 0 : found.getFirst().toMillis();
  }

  @Override
  public synchronized boolean take(LogReader record) {
    taken = record.sequence();
    boolean isPhones = record.stream() == Stream.TRACES || record.stream() == Stream.ACTIONS;
    if (!isPhones || taken <= through) {
      return false;
    }
    view.wrap(record.bytes(), record.offset(), record.length());
    if (!view.has(EventField.LAT)) {
      return false;
    }
    long at = record.receivedAtMillis();
    if (at < dayBegin || at >= dayEnd) {
      Instant day = Instant.ofEpochMilli(at);
      dayBegin = day.atZone(zone).toLocalDate().atStartOfDay(zone).toInstant().toEpochMilli();
      dayEnd =
          day.atZone(zone).toLocalDate().plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
    }
    String rider = view.riderId();
    String pseudonym = pseudonyms.computeIfAbsent(rider, register.pseudonyms()::of);
    String what = record.stream().label();
    String node = log.node().toString();
    String id =
        RegisterRow.time(dayBegin) + "-" + String.join("-", "collected", what, pseudonym, node);
    RegisterRow.Kind kind = RegisterRow.Kind.COLLECTED;
    RegisterRow before = counts.get(id);
    counts.put(
        id,
        new RegisterRow(
            id,
            kind,
            pseudonym,
            "",
            what,
            before == null ? at : before.fromMillis(),
            at,
            before == null ? 1 : before.count() + 1,
            node));
    return true;
  }

  @Override
  public synchronized void settle() throws IOException, InterruptedException {
    if (counts.size() >= COUNTS_MAX) {
      write();
    }
  }

  /** Writes what is gathered. */
  @Override
  public synchronized void write() throws IOException, InterruptedException {
    if (counts.isEmpty()) {
      return;
    }
    if (isUnsure && written() >= taken) { // the last attempt was made, and only its answer lost
      clear();
      return;
    }
    Map<String, String> names = new HashMap<>();
    pseudonyms.forEach((rider, pseudonym) -> names.put(pseudonym, rider));
    List<RegisterRow> rows = new ArrayList<>(counts.values());
    RegisterRow.Kind kind = RegisterRow.Kind.COLLECTED;
    rows.add(
        new RegisterRow(throughId, kind, "", "", "through", 0, taken, 0, log.node().toString()));
    isUnsure = true;
    register.store().add(rows, names);
    isUnsure = false;
    clear();
  }

  private void clear() {
    counts.clear();
    pseudonyms.clear();
  }

  /** Does nothing: what is to be read again is read from {@link #settledThrough} on. */
  @Override
  public void drop() {}

  @Override
  public void skipped(long records) {
    skipped.add(records);
  }

  @Override
  public String name() {
    return "register-reader";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    follower.stop(patience);
  }
}
