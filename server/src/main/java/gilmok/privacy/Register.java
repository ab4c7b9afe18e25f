package gilmok.privacy;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The register: who has seen whose location, and to whom it was given. A single look is written
 * before it is answered. What happens often is summed by the hour, and written every few seconds: a
 * process that is killed loses the last ones.
 *
 * <p>Thread-safe; {@link #seen} blocks.
 */
public final class Register implements BackgroundLoop.Work, Drainable {
  private static final long FLUSH_NANOS = 5_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;

  /** Most sums that wait to be written. */
  private static final int SUMS_MAX = 50_000;

  private final Means means;
  private final long keepMillis;
  private final BackgroundLoop loop;
  private final Map<String, RegisterRow> sums = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private volatile Source source = () -> {};

  /** Gathers rows by itself. */
  @FunctionalInterface
  interface Source {
    /** Writes what it has gathered. */
    void write() throws IOException, InterruptedException;
  }

  /** What the register needs of a node. */
  public record Means(
      RegisterStore store,
      Pseudonyms pseudonyms,
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
  public Register(Duration keep, Means means) {
    this.means = means;
    keepMillis = keep.toMillis();
    loop = means.loops.optional(name(), "who has seen locations is not written", this);
    means.meters.gauge(
        "gilmok_register_waiting", "Sums of the register that are not written yet.", this::waiting);
    means.meters.gauge(
        "gilmok_register_waiting_max", "The bound of gilmok_register_waiting.", () -> SUMS_MAX);
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

  /** The pseudonym by which a rider is asked for: of an id, or as it is. */
  String pseudonym(String rider) {
    return rider.matches("p-[a-z2-7]{26}") ? rider : means.pseudonyms.of(rider);
  }

  /** Forgets whose a rider's rows are, for an erasure; returns how many names were known. */
  public int forget(String riderId) throws IOException, InterruptedException {
    flush();
    return means.store.forget(means.pseudonyms.of(riderId));
  }

  /**
   * Writes that a key has seen these riders; none: all or many. Durable on return.
   *
   * @param what as in {@code trace}
   */
  void seen(String keyId, String what, List<String> riders)
      throws IOException, InterruptedException {
    long now = means.clock.millis();
    List<RegisterRow> rows = new ArrayList<>();
    Map<String, String> named = new HashMap<>();
    for (String rider : riders.isEmpty() ? List.of("") : riders) {
      String pseudonym = rider.isEmpty() ? "" : means.pseudonyms.of(rider);
      if (!rider.isEmpty()) {
        named.put(pseudonym, rider);
      }
      String id = RegisterRow.time(now) + "-" + Long.toHexString(means.random.nextLong());
      RegisterRow.Kind seen = RegisterRow.Kind.SEEN;
      rows.add(new RegisterRow(id, seen, pseudonym, keyId, what, now, now, 1, means.node));
    }
    means.store.add(rows, named);
  }

  /** Counts that a key has seen many riders; false when too much waits to be written. */
  boolean sum(String keyId, String what) {
    return sum(RegisterRow.Kind.SEEN, "", keyId, what);
  }

  /** Counts that a rider's location was given to somebody who is no key's. */
  public boolean given(String rider, String what) {
    String pseudonym = means.pseudonyms.of(rider);
    synchronized (this) {
      names.put(pseudonym, rider);
      return sum(RegisterRow.Kind.GIVEN, pseudonym, "", what);
    }
  }

  private synchronized boolean sum(
      RegisterRow.Kind kind, String pseudonym, String keyId, String what) {
    long now = means.clock.millis();
    String id =
        RegisterRow.time(now - now % HOUR_MILLIS)
            + "-"
            + String.join("-", kind.label(), what, keyId, pseudonym, means.node);
    RegisterRow before = sums.get(id);
    if (before == null && sums.size() >= SUMS_MAX) {
      return false;
    }
    long first = before == null ? now : before.fromMillis();
    long count = before == null ? 1 : before.count() + 1;
    sums.put(id, new RegisterRow(id, kind, pseudonym, keyId, what, first, now, count, means.node));
    return true;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    flush();
    int removed = means.store.remove(RegisterRow.time(means.clock.millis() - keepMillis));
    return removed == RegisterStore.ROWS_MAX ? 0 : FLUSH_NANOS;
  }

  /** Writes the sums; those that could not be written wait on. */
  void flush() throws IOException, InterruptedException {
    source.write();
    List<RegisterRow> rows;
    Map<String, String> named;
    synchronized (this) {
      rows = List.copyOf(sums.values());
      named = Map.copyOf(names);
      sums.clear();
      names.clear();
    }
    if (rows.isEmpty()) {
      return;
    }
    boolean isWritten = false;
    try {
      means.store.add(rows, named);
      isWritten = true;
    } finally {
      if (!isWritten) {
        keep(rows, named);
      }
    }
  }

  private synchronized void keep(List<RegisterRow> rows, Map<String, String> named) {
    named.forEach(names::putIfAbsent);
    for (RegisterRow row : rows) {
      sums.merge(
          row.id(),
          row,
          (now, old) ->
              new RegisterRow(
                  now.id(),
                  now.kind(),
                  now.rider(),
                  now.key(),
                  now.what(),
                  Math.min(now.fromMillis(), old.fromMillis()),
                  Math.max(now.toMillis(), old.toMillis()),
                  now.count() + old.count(),
                  now.node()));
    }
  }

  @Override
  public void end() throws IOException, InterruptedException {
    flush();
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
