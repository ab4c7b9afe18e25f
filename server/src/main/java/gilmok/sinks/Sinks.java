package gilmok.sinks;

import gilmok.background.BackgroundThread;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.log.RecordRewrite;
import gilmok.log.Stream;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * All sinks of a server: those in its settings, and those that were removed from the settings but
 * whose cursors still keep the log from deleting. Thread-safe.
 */
public final class Sinks implements Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final Tuning NO_TUNING = new Tuning(1, 1, Duration.ofMillis(1), 1);
  private static final SinkLimits NO_LIMITS = new SinkLimits(1, 1, 1);

  /** A sink with its settings and the book for its receipts. */
  public record Configured(SinkConfig config, Sink sink, ReceiptBook book) {}

  private final Log log;
  private final RecordKeys keys;
  private final Map<String, Shipper> shippers = new LinkedHashMap<>();
  private final Map<String, SinkState> leftovers = new ConcurrentSkipListMap<>();
  private final Ledger ledger;

  /**
   * Starts to ship the log to these sinks, and finds the cursors of sinks that are no longer in the
   * settings. If one sink cannot be opened, none runs on return.
   */
  public static Sinks start(Log log, SinksContext context, List<Configured> sinks)
      throws IOException, InterruptedException {
    Sinks ship = new Sinks(log, context.keys());
    try {
      for (Configured one : sinks) {
        Shipper shipper = Shipper.start(one.config(), one.sink(), one.book(), log, context);
        ship.shippers.put(shipper.name(), shipper);
        SinkGauges.show(context.meters(), shipper);
      }
      for (String cursor : log.cursors()) {
        if (cursor.startsWith(SinkCursor.PREFIX)) {
          ship.leave(cursor.substring(SinkCursor.PREFIX.length()), context);
        }
      }
    } catch (IOException | RuntimeException failed) {
      ship.drain(Duration.ZERO);
      throw failed;
    }
    ship.show(context);
    return ship;
  }

  /**
   * The sequence up to which a sink has settled everything, as it was saved last; 0 for one that
   * this log has no cursor of. Also where no sink runs.
   */
  public static long settled(Log log, String sink) {
    String cursor = SinkCursor.PREFIX + sink;
    return log.cursors().contains(cursor) ? log.sequenceOf(cursor) : 0;
  }

  private Sinks(Log log, RecordKeys keys) {
    this.log = log;
    this.keys = keys;
    ledger = new Ledger(log, this::accounts);
  }

  private void leave(String sink, SinksContext context) throws IOException, InterruptedException {
    if (shippers.containsKey(sink)) {
      return;
    }
    SinkState account = new SinkState();
    new SinkCursor(sink, log, account, NoBook.ONE, context.clock()).open(null);
    leftovers.put(sink, account);
    context
        .meters()
        .gauge(
            "gilmok_sink_state",
            "1 for the state the sink is in.",
            () -> leftovers.containsKey(sink) ? 1 : 0,
            "sink",
            sink,
            "state",
            "unconfigured");
    LOGGER.log(
        Level.WARNING,
        "the log keeps records for the sink {0}, which sinks.enabled does not name: name it again,"
            + " or run \"gilmok sink forget {0}\"",
        sink);
  }

  private void show(SinksContext context) {
    for (Shipper shipper : shippers.values()) {
      for (Stream stream : shipper.streams()) {
        context
            .meters()
            .gauge(
                "gilmok_ledger_residue_records",
                "Accepted minus delivered, quarantined, skipped, erased, lost and waiting.",
                () -> residue(shipper.recentRows(), stream),
                "sink",
                shipper.name(),
                "stream",
                stream.label());
      }
    }
  }

  private static double residue(List<LedgerRow> rows, Stream stream) {
    return rows.stream().filter(row -> row.stream() == stream).mapToLong(LedgerRow::residue).sum();
  }

  private Map<String, SinkState> accounts() {
    Map<String, SinkState> all = new LinkedHashMap<>();
    shippers.forEach((name, shipper) -> all.put(name, shipper.account()));
    all.putAll(leftovers);
    return all;
  }

  /** The sinks, in the order of the settings. */
  public List<Shipper> shippers() {
    return List.copyOf(shippers.values());
  }

  /** The sink of that name; null when the settings have none. */
  public @Nullable Shipper shipper(String name) {
    return shippers.get(name);
  }

  /**
   * The status of all sinks, the unconfigured ones last. Reads a part of the log, so it may block.
   */
  public List<SinkStatus> statuses() {
    List<SinkStatus> all = new ArrayList<>();
    shippers.values().forEach(shipper -> all.add(shipper.status()));
    leftovers.forEach((name, account) -> all.add(status(name, account)));
    return all;
  }

  /**
   * The status of one sink; null when there is none of that name. Reads a part of the log, so it
   * may block.
   */
  public @Nullable SinkStatus status(String name) {
    Shipper shipper = shippers.get(name);
    if (shipper != null) {
      return shipper.status();
    }
    SinkState account = leftovers.get(name);
    return account == null ? null : status(name, account);
  }

  private SinkStatus status(String name, SinkState account) {
    LedgerTotals standing = account.standing();
    Set<Stream> streams = EnumSet.noneOf(Stream.class);
    for (Stream stream : Stream.values()) {
      if (standing.counts().since().of(stream) > 0) {
        streams.add(stream);
      }
    }
    int dash = name.indexOf('-');
    return new SinkStatus(
        name,
        dash < 0 ? name : name.substring(0, dash),
        SinkStatus.State.UNCONFIGURED,
        false,
        streams,
        NO_TUNING,
        NO_LIMITS,
        new SinkStatus.Progress(
            standing.low(), standing.settledRanges(), Ledger.waiting(name, log, account), 0, 0),
        null);
  }

  /**
   * Forgets an unconfigured sink: its cursor no longer keeps the log from deleting. Its pending
   * dead letters are first appended to the stream {@code quarantine}, if the log has room now.
   *
   * @return false when there is no such sink, or the settings name it
   */
  public boolean forget(String name) throws IOException, InterruptedException {
    SinkState account = leftovers.get(name);
    if (account == null) {
      return false;
    }
    DeadLetters deadLetters = new DeadLetters(log, name, keys, account);
    boolean isEmpty = deadLetters.putNoted();
    for (int turns = 1; turns < PendingDeadLetters.RECORDS_MAX && !isEmpty; turns++) {
      isEmpty = deadLetters.putNoted();
    }
    if (!log.forget(SinkCursor.PREFIX + name)) {
      return false;
    }
    if (!isEmpty) {
      LOGGER.log(
          Level.WARNING,
          "{0} records that sink {1} had refused are given up with it: the full log"
              + " has no space to put them into quarantine",
          account.standing().noted(),
          name);
    }
    leftovers.remove(name);
    return true;
  }

  /**
   * Has every sink give up the records that it has gathered, that are in flight or that it holds,
   * and read them again; and rewrites the refused ones that it could not append to the log. So
   * nothing is left of what was rewritten in the log. Records that were under way may arrive twice.
   * Waits for it; durable on return.
   */
  public void readAnew(RecordRewrite rewrite) throws IOException, InterruptedException {
    for (Shipper shipper : shippers.values()) {
      shipper.readAnew(rewrite);
    }
  }

  /** The ledger of all records. */
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public String name() {
    return "sinks";
  }

  /** Stops all sinks at the same time. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    List<Thread> stopping = new ArrayList<>();
    for (Shipper shipper : shippers.values()) {
      stopping.add(
          BackgroundThread.startVirtual(
              "sinks-stop",
              () -> {
                try {
                  shipper.stop(patience);
                } catch (InterruptedException hurried) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (Thread thread : stopping) {
      thread.join();
    }
  }

  /** Discards receipts: an unconfigured sink's records can only be skipped, which is counted. */
  private enum NoBook implements ReceiptBook {
    ONE;

    @Override
    public void write(Receipt receipt) {}

    @Override
    public void force() {}
  }
}
