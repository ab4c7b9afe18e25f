package gilmok.privacy;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.privacy.RegisterRow.Span;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The register: who has seen whose location, and to whom it was given. What is written each time is
 * on this node's disk before it is answered ({@link RegisterJournal}). What happens often is summed
 * by the hour, and written every few seconds: of these, only the first of an hour is waited for,
 * and a process that is killed loses the last counts.
 *
 * <p>Thread-safe; {@link #write} blocks.
 */
public final class Register implements BackgroundLoop.Work, Drainable {
  private static final long FLUSH_NANOS = 5_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;

  /** Most sums that wait to be written. */
  private static final int SUMS_MAX = 50_000;

  /** Most sums that are written in one step. */
  private static final int STEP_ROWS_MAX = 1_000;

  private final Means means;
  private final long keepMillis;
  private final BackgroundLoop loop;
  private final ReentrantLock moving = new ReentrantLock();
  private final Map<Sum, Span> sums = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  /** The sums of an hour of which it is durable that they are not 0. */
  private final Set<Sum> begun = new HashSet<>();

  private long begunMillis;

  /** When old rows were removed last; of the loop's thread. */
  private long removedMillis;

  private final RateLimitedLog failures =
      new RateLimitedLog("gilmok.privacy", "nobody is given locations");
  private volatile @Nullable Source source;

  private record Sum(long hourMillis, Act act, String rider, String who) {}

  /** Gathers rows by itself. */
  interface Source {
    /**
     * Writes what it has gathered of a rider; null: of all, as far as that takes no long.
     *
     * @return whether nothing is left of what was there when it was asked
     */
    boolean write(@Nullable String riderId) throws IOException, InterruptedException;
  }

  /** What the register needs of a node. */
  record Means(
      RegisterStore store,
      RegisterJournal journal,
      Pseudonyms pseudonyms,
      Bases bases,
      String node,
      InstantSource clock,
      RandomGenerator random,
      Meters meters,
      BackgroundLoops loops) {}

  /**
   * A register.
   *
   * @param keep how long a row is kept
   */
  Register(Duration keep, Means means) {
    this.means = means;
    keepMillis = keep.toMillis();
    loop = means.loops.optional(name(), "who has seen locations is not moved to documents", this);
    Meters meters = means.meters;
    meters.gauge(
        "gilmok_register_waiting", "Sums of the register that are not written yet.", this::waiting);
    meters.gauge(
        "gilmok_register_waiting_max", "The bound of gilmok_register_waiting.", () -> SUMS_MAX);
    meters.gauge(
        "gilmok_register_journal_bytes",
        "Bytes of the register on this node's disk that are not in the documents yet.",
        means.journal::bytes);
    meters.gauge(
        "gilmok_register_journal_bytes_max",
        "The bound of gilmok_register_journal_bytes.",
        means.journal::bytesMax);
  }

  /** What that gathers is written with the sums. */
  void gathers(Source other) {
    source = other;
  }

  /** Starts to write sums, and to remove what is old. */
  public void start() {
    loop.start();
  }

  private synchronized double waiting() {
    return sums.size();
  }

  RegisterStore store() {
    return means.store;
  }

  Pseudonyms pseudonyms() {
    return means.pseudonyms;
  }

  /** A row that sums, of this node. */
  RegisterRow row(long beginMillis, Act act, String rider, String who, Span span) {
    return RegisterRow.sum(beginMillis, act, rider, who, means.bases, span, means.node);
  }

  /** A row with a number in place of a time, which no page shows. */
  RegisterRow mark(String id, long number) {
    Span span = new Span(0, number, 0);
    return new RegisterRow(id, Kind.COLLECTED, "", "", "through", "", "", span, means.node);
  }

  /** The pseudonym by which a rider is asked for: of an id, or as it is. */
  String pseudonym(String rider) {
    return Pseudonyms.isOne(rider) ? rider : means.pseudonyms.of(rider);
  }

  /** Forgets whose a rider's rows are, for an erasure; returns how many names were known. */
  public int forget(String riderId) throws IOException, InterruptedException {
    if (!flush(riderId)) { // else it would be known again by what is written later
      throw new IOException("the register has not counted yet what was collected; it is retried");
    }
    return means.store.forget(means.pseudonyms.of(riderId));
  }

  /**
   * Writes that these riders' locations are seen or given; none: all or many. Durable on return. No
   * name is kept: who asks for somebody erased does not make the id known again.
   *
   * @param who the id of a key
   */
  void write(Act act, String who, List<String> riders) throws IOException, InterruptedException {
    write(act, who, riders, 1);
  }

  /** The same of something that is given so often at once. */
  void write(Act act, String who, List<String> riders, long count)
      throws IOException, InterruptedException {
    long now = means.clock.millis();
    List<RegisterRow> rows = new ArrayList<>();
    for (String rider : riders.isEmpty() ? List.of("") : riders) {
      String pseudonym = rider.isEmpty() ? "" : pseudonym(rider);
      long random = means.random.nextLong();
      String id = RegisterRow.time(now) + "-" + HexFormat.of().toHexDigits(random);
      rows.add(
          RegisterRow.of(
              id, act, pseudonym, who, means.bases, new Span(now, now, count), means.node));
    }
    means.journal.append(rows);
  }

  /** Counts that a key has seen many riders; false when too much waits to be written. */
  boolean sum(Act act, String keyId) {
    return count(sumOf(act, "", keyId));
  }

  /** Whether it is durable that a key did that in this hour. */
  boolean hasBegun(Act act, String keyId) {
    return hasBegun(sumOf(act, "", keyId));
  }

  /** Writes that a key does that in this hour, if that is not durable yet. */
  void begin(Act act, String keyId) throws IOException, InterruptedException {
    begin(sumOf(act, "", keyId));
  }

  /**
   * Counts that a rider's location is given to somebody, in an hour of which it is durable that it
   * was; false when it cannot be written.
   */
  boolean given(Act act, String rider, String who) throws InterruptedException {
    String pseudonym = pseudonym(rider);
    Sum sum = sumOf(act, pseudonym, who);
    try {
      begin(sum);
    } catch (IOException unwritten) {
      failures.about(unwritten);
      return false;
    }
    synchronized (this) {
      if (!pseudonym.equals(rider)) {
        names.put(pseudonym, rider);
      }
      return count(sum);
    }
  }

  private Sum sumOf(Act act, String pseudonym, String who) {
    long now = means.clock.millis();
    return new Sum(now - Math.floorMod(now, HOUR_MILLIS), act, pseudonym, who);
  }

  private synchronized boolean count(Sum sum) {
    if (sums.size() >= SUMS_MAX && !sums.containsKey(sum)) {
      return false;
    }
    sums.merge(sum, Span.once(means.clock.millis()), Span::and);
    return true;
  }

  private synchronized boolean hasBegun(Sum sum) {
    return begun.contains(sum);
  }

  private void begin(Sum sum) throws IOException, InterruptedException {
    if (hasBegun(sum)) {
      return;
    }
    long now = means.clock.millis();
    Span uncounted = new Span(now, now, 0);
    means.journal.append(List.of(row(sum.hourMillis, sum.act, sum.rider, sum.who, uncounted)));
    synchronized (this) {
      if (begun.size() >= SUMS_MAX || sum.hourMillis != begunMillis) {
        begun.clear();
        begunMillis = sum.hourMillis;
      }
      begun.add(sum);
    }
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    move();
    return removeOld() ? 0 : FLUSH_NANOS;
  }

  /**
   * Once an hour, so that a server that is asked nothing commits nothing; whether more are left.
   */
  private boolean removeOld() throws IOException, InterruptedException {
    long now = means.clock.millis();
    if (Math.abs(now - removedMillis) < HOUR_MILLIS) {
      return false;
    }
    boolean isMore =
        means.store.remove(RegisterRow.time(now - keepMillis)) == RegisterStore.ROWS_MAX;
    removedMillis = isMore ? removedMillis : now;
    return isMore;
  }

  /** Moves all that is gathered into the documents; what could not be moved waits on. */
  void flush() throws IOException, InterruptedException {
    boolean _ = flush(null);
  }

  /**
   * The same; of what was collected, that of a rider, by id or pseudonym; null: of all.
   *
   * @return whether nothing is left of what was there when it was asked
   */
  boolean flush(@Nullable String rider) throws IOException, InterruptedException {
    move();
    Source gathers = source;
    return gathers == null
        || gathers.write(rider != null && Pseudonyms.isOne(rider) ? nameOf(rider) : rider);
  }

  private @Nullable String nameOf(String pseudonym) throws IOException, InterruptedException {
    return means.store.names(List.of(pseudonym)).get(pseudonym);
  }

  /**
   * Moves what waits now; what is counted meanwhile waits for the next time, else this might never
   * end. One after the other: who asks then misses nothing that another is about to write.
   */
  private void move() throws IOException, InterruptedException {
    moving.lockInterruptibly();
    try {
      means.journal.moveTo(means.store::put);
      List<Sum> all;
      synchronized (this) {
        all = List.copyOf(sums.keySet());
      }
      for (int i = 0; i < all.size(); i += STEP_ROWS_MAX) {
        write(all.subList(i, Math.min(i + STEP_ROWS_MAX, all.size())));
      }
    } finally {
      moving.unlock();
    }
  }

  private void write(List<Sum> step) throws IOException, InterruptedException {
    Map<Sum, Span> some = new HashMap<>();
    Map<String, String> named = new HashMap<>();
    synchronized (this) {
      for (Sum sum : step) {
        some.put(sum, Objects.requireNonNull(sums.remove(sum)));
        String name = names.remove(sum.rider);
        if (name != null) {
          named.put(sum.rider, name);
        }
      }
    }
    boolean isWritten = false;
    try {
      List<RegisterRow> rows = new ArrayList<>();
      some.forEach((sum, span) -> rows.add(row(sum.hourMillis, sum.act, sum.rider, sum.who, span)));
      means.store.add(rows, named, List.of());
      isWritten = true;
    } finally {
      if (!isWritten) {
        keep(some, named);
      }
    }
  }

  private synchronized void keep(Map<Sum, Span> some, Map<String, String> named) {
    named.forEach(names::putIfAbsent);
    some.forEach((sum, span) -> sums.merge(sum, span, Span::and));
  }

  @Override
  public void end() throws IOException, InterruptedException {
    try {
      flush();
    } finally {
      means.journal.close();
    }
  }

  @Override
  public String name() {
    return "register";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }
}
