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
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.privacy.RegisterRow.Span;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Follows the log and counts in the register what was collected: by rider, day of arrival, stream,
 * purposes that counted, and sinks that take it. Counts are gathered and written with the sequence
 * through which they count, in one transaction where the documents are SQLite's: after a kill the
 * records behind that are read again, and none counts twice or never. In MongoDB the last ones
 * before a kill may count twice.
 *
 * <p>Thread-safe: its follower's thread gathers, the register's writes.
 */
public final class CollectedReader implements Follower.Taker, Register.Source, Drainable {
  /** The name of its cursor. */
  static final String CURSOR = "register";

  private static final int TAKEN_MAX = 1 << 14;

  /** Most counts that are gathered: they are written in one transaction. */
  private static final int COUNTS_MAX = 5_000;

  /** How long counts are gathered at most: each write is one for each rider. */
  private static final long GATHER_NANOS = 60_000_000_000L;

  /** How long who asks for the register waits for the reading of the log. */
  private static final Duration READ_MAX = Duration.ofSeconds(2);

  /** Above the ids of all rows, so no page shows it. */
  private final String throughId;

  private final Log log;
  private final Register register;
  private final ConsentView consents;
  private final Map<Stream, Kinds> kinds = new EnumMap<>(Stream.class);
  private final ZoneId zone;
  private final Counter skipped;
  private final EventView view = new EventView();
  private final Map<Count, Span> counts = new HashMap<>();
  private final Follower follower;
  private long writtenNanos = System.nanoTime();
  private long through;
  private long taken;
  private boolean isUnsure;
  private long dayBegin;
  private long dayEnd;

  private record Count(long dayMillis, String rider, Stream stream, int withheld) {}

  /** How records of a stream are counted: by the sinks that take it, and what riders withhold. */
  private record Kinds(String sinks, List<Act> byWithheld) {
    static Kinds of(Stream stream, Collection<String> sinks) {
      List<Act> all = new ArrayList<>();
      for (int withheld = 0; withheld <= Purpose.ALL; withheld++) {
        Set<Use> uses = Use.leftBy(withheld);
        if (!sinks.isEmpty()) {
          uses.add(Use.SINK);
        }
        all.add(new Act(Kind.COLLECTED, stream.label(), uses));
      }
      return new Kinds(String.join(" ", new TreeSet<>(sinks)), all);
    }
  }

  /**
   * Counts the records of that log.
   *
   * @param sinks the names of those that take a stream
   */
  CollectedReader(
      Register register,
      ConsentView consents,
      Function<Stream, List<String>> sinks,
      Log log,
      ZoneId zone,
      Meters meters,
      BackgroundLoops loops)
      throws IOException, InterruptedException {
    this.register = register;
    this.consents = consents;
    this.log = log;
    this.zone = zone;
    for (Stream stream : List.of(Stream.TRACES, Stream.ACTIONS)) {
      kinds.put(stream, Kinds.of(stream, sinks.apply(stream)));
    }
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
    counts.clear();
    through = written();
    return Math.min(settled, through);
  }

  private long written() throws IOException, InterruptedException {
    RegisterStore.Question mine =
        new RegisterStore.Question(null, null, throughId, throughId + "!", 0, Long.MAX_VALUE, 1);
    List<RegisterRow> found = register.store().page(mine);
    return found.isEmpty() ? 0 : found.getFirst().span().toMillis();
  }

  @Override
  public synchronized boolean take(LogReader record) {
    taken = record.sequence();
    if (!kinds.containsKey(record.stream()) || taken <= through) {
      return false;
    }
    view.wrap(record.bytes(), record.offset(), record.length());
    if (!view.has(EventField.LAT)) {
      return false;
    }
    long at = record.receivedAtMillis();
    if (at < dayBegin || at >= dayEnd) {
      LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(at), zone);
      dayBegin = day.atStartOfDay(zone).toInstant().toEpochMilli();
      dayEnd = day.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
    }
    int rider = view.offset(EventField.RIDER_ID);
    int withheld =
        consents.code(view.bytes(), rider, view.length(EventField.RIDER_ID)) & Purpose.ALL;
    Count count = new Count(dayBegin, view.riderId(), record.stream(), withheld);
    counts.merge(count, Span.once(at), Span::and);
    return true;
  }

  @Override
  public synchronized void settle() throws IOException, InterruptedException {
    if (counts.size() >= COUNTS_MAX) {
      writeGathered();
    }
  }

  @Override
  public synchronized void writeDue() throws IOException, InterruptedException {
    if (System.nanoTime() - writtenNanos >= GATHER_NANOS) {
      writeGathered();
    }
  }

  /** Writes what is durable in the log by now; what cannot be read so soon follows by itself. */
  @Override
  public void write() throws IOException, InterruptedException {
    if (!follower.isStopping()) {
      boolean _ = follower.awaitSettled(log.durable(), READ_MAX);
    }
    writeGathered();
  }

  private synchronized void writeGathered() throws IOException, InterruptedException {
    writtenNanos = System.nanoTime();
    if (counts.isEmpty()) {
      return;
    }
    if (isUnsure && written() >= taken) { // the last attempt was made, and only its answer lost
      counts.clear();
      return;
    }
    Map<String, String> names = new HashMap<>();
    List<RegisterRow> rows = new ArrayList<>();
    counts.forEach(
        (count, span) -> {
          String pseudonym = register.pseudonyms().of(count.rider);
          names.put(pseudonym, count.rider);
          Kinds kind = Objects.requireNonNull(kinds.get(count.stream));
          Act act = kind.byWithheld.get(count.withheld);
          rows.add(register.row(count.dayMillis, act, pseudonym, kind.sinks, span));
        });
    rows.add(register.mark(throughId, taken));
    isUnsure = true;
    register.store().add(rows, names);
    isUnsure = false;
    counts.clear();
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
