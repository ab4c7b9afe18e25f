package gilmok.erasure;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.LowPriority;
import gilmok.documents.MongoDocuments;
import gilmok.event.JsonBuffer;
import gilmok.event.RiderAlias;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.privacy.ErasedList;
import gilmok.privacy.Pseudonyms;
import gilmok.storage.Disk;
import gilmok.storage.DiskFullException;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All erasures; the package's page says how one goes. One step at a time is done, by a thread of
 * low priority: the next of the erasure that has come the least far, of those that have failed the
 * least often. A step that fails is tried again until it succeeds. Thread-safe; {@link #ask} and
 * {@link #find} block.
 */
public final class Erasures implements Drainable, BackgroundLoop.Work {
  /** Most erasures that are not done. */
  static final int OPEN_MAX = 1_000;

  private static final Logger LOG = System.getLogger("gilmok.erasure");

  /** How often a node asks what others were asked for. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Means means;
  private final ErasureStore store;
  private final List<Step> steps = new ArrayList<>();
  private final Counter done;
  private final BackgroundLoop loop;
  private volatile @Nullable Current current;
  private volatile int open;
  private volatile long oldestMillis;

  /** How often a step of an erasure has failed, by the erasure's id; the loop's own. */
  private final Map<String, Integer> failures = new HashMap<>();

  private boolean isLow;

  /**
   * What erasures work with.
   *
   * @param shared the database of several nodes; null where the documents are this node's own
   * @param data the data folder
   * @param phones gives the ids of a rider's phones
   */
  public record Means(
      @Nullable MongoDocuments shared,
      Path data,
      Disk disk,
      String node,
      Pseudonyms pseudonyms,
      Function<String, List<String>> phones,
      InstantSource clock,
      RandomGenerator random) {}

  /** A step: something to erase from, in one of the passes. */
  private record Step(String name, Erasable from) {}

  /**
   * The step under way.
   *
   * @param fault why it has failed; null while it has not
   */
  private record Current(String id, String step, long done, long of, @Nullable String fault) {}

  /** Erasures of everything that keeps something of riders, in this order. */
  public Erasures(List<Erasable> all, Means means, BackgroundLoops loops, Meters meters)
      throws IOException {
    this.means = means;
    store =
        means.shared == null
            ? new FileErasures(means.data, means.disk, means.node)
            : new MongoErasures(means.shared, means.node);
    for (int pass = 1; pass <= 2; pass++) {
      for (Erasable one : of(all, Erasable.When.TWICE)) {
        steps.add(new Step(one.name() + "/" + pass, one));
      }
    }
    of(all, Erasable.When.LAST).forEach(one -> steps.add(new Step(one.name(), one)));
    of(all, Erasable.When.SHARED).forEach(one -> steps.add(new Step(one.name(), one)));
    loop = loops.optional("erasures", "riders' data is not erased", this);
    done = meters.counter("gilmok_erasures_total", "Riders who were erased on this node.");
    meters.gauge("gilmok_erasures_open", "Riders who are being erased.", () -> open);
    meters.gauge(
        "gilmok_erasures_oldest_seconds",
        "Time since the oldest erasure that is not done was asked for; 0 when all are.",
        () -> open == 0 ? 0 : Math.max(0, means.clock.millis() - oldestMillis) / 1e3);
    meters.gauge("gilmok_erasures_open_max", "The bound of gilmok_erasures_open.", () -> OPEN_MAX);
  }

  private static List<Erasable> of(List<Erasable> all, Erasable.When when) {
    return all.stream().filter(one -> one.when() == when).toList();
  }

  /** What confirms that a rider is to be erased. */
  ErasureConfirm confirms() {
    return new ErasureConfirm(means.pseudonyms, means.clock);
  }

  /** The pseudonym of a rider. */
  String pseudonym(String riderId) {
    return means.pseudonyms.of(riderId);
  }

  /** Goes on with what an earlier process has left. */
  public void start() {
    loop.start();
  }

  /**
   * Asks for an erasure; durable on return. One that waits for the same rider is the same.
   *
   * @return its id; null when there are as many as may be
   */
  synchronized @Nullable String ask(String riderId, String keyId)
      throws IOException, InterruptedException {
    String pseudonym = means.pseudonyms.of(riderId);
    List<Erasure> others = store.open();
    for (Erasure other : others) {
      if (other.pseudonym().equals(pseudonym) && other.state().equals("waiting")) {
        return other.id();
      }
    }
    if (others.size() >= OPEN_MAX) {
      return null;
    }
    String id = String.format("%016x", means.random.nextLong());
    store.add(
        new Erasure(
            id,
            riderId,
            means.phones.apply(riderId),
            pseudonym,
            means.clock.millis(),
            keyId,
            Map.of()));
    loop.wake();
    return id;
  }

  /** The erasure of that id; null when there is none. */
  @Nullable Erasure find(String id) throws IOException, InterruptedException {
    return store.find(id);
  }

  /** How many erasures of these riders this node has not done. */
  long left(Set<String> pseudonyms) throws IOException, InterruptedException {
    return store.open().stream()
        .filter(one -> pseudonyms.contains(one.pseudonym()) && !isDone(one))
        .count();
  }

  /** Writes an erasure as it is shown: how far it is, or its certificate. */
  void write(Erasure erasure, JsonBuffer out) {
    out.ascii("{\"id\":").string(erasure.id());
    out.ascii(",\"pseudonym\":").string(erasure.pseudonym());
    out.ascii(",\"state\":\"").ascii(erasure.state());
    out.ascii("\",\"askedAt\":").time(erasure.askedAtMillis());
    out.ascii(",\"key\":").string(erasure.keyId());
    out.ascii(",\"nodes\":[");
    String comma = "";
    for (Map.Entry<String, NodeErasure> node : new TreeMap<>(erasure.nodes()).entrySet()) {
      out.ascii(comma).ascii("{\"node\":").string(node.getKey()).put(',');
      if (node.getKey().equals(means.node) && !node.getValue().isDone()) {
        writeProgress(erasure, node.getValue(), out);
      }
      node.getValue().write(out);
      out.put('}');
      comma = ",";
    }
    out.ascii("]}");
  }

  private void writeProgress(Erasure erasure, NodeErasure node, JsonBuffer out) {
    out.ascii("\"done\":").number((long) node.done().size());
    out.ascii(",\"of\":").number((long) steps.size()).put(',');
    Current now = current;
    if (now != null && now.id.equals(erasure.id())) {
      out.ascii("\"step\":").string(now.step).put(',');
      if (now.of > 0) {
        out.ascii("\"progress\":").number((double) now.done / now.of).put(',');
      }
      if (now.fault != null) {
        out.ascii("\"error\":").string(now.fault).put(',');
      }
    }
  }

  /** Does one step. */
  @Override
  public long pass() throws IOException, InterruptedException {
    if (!isLow) {
      isLow = true;
      LowPriority.lower();
    }
    List<Erasure> all = store.open();
    oldestMillis = all.stream().mapToLong(Erasure::askedAtMillis).min().orElse(0);
    open = all.size();
    failures.keySet().retainAll(all.stream().map(Erasure::id).toList());
    for (Erasure one : all) {
      if (one.isDone()) {
        store.save(one); // its last node was killed before it could say so
      }
    }
    List<Erasure> own = all.stream().filter(one -> !isDone(one)).toList();
    Erasure next =
        own.stream()
            .min(
                Comparator.comparingInt((Erasure one) -> failures.getOrDefault(one.id(), 0))
                    .thenComparingInt(one -> one.of(means.node).done().size()))
            .orElse(null);
    if (next == null) {
      return (means.shared != null ? LOOK : BackgroundLoops.SLEEP_MAX).toNanos();
    }
    Step step = step(next);
    if (step == null) {
      end(next);
    } else {
      List<Erasure> sharing =
          step.from.when() == Erasable.When.SHARED
              ? own.stream().filter(one -> step.equals(step(one))).toList()
              : List.of(next);
      take(step, next, sharing);
    }
    return 0;
  }

  private boolean isDone(Erasure erasure) {
    return erasure.riderId() == null || erasure.of(means.node).isDone();
  }

  /** The next step of an erasure; null when all are done. */
  private @Nullable Step step(Erasure erasure) {
    List<String> did = erasure.of(means.node).done();
    return steps.stream().filter(one -> !did.contains(one.name)).findFirst().orElse(null);
  }

  private void take(Step step, Erasure next, List<Erasure> sharing)
      throws IOException, InterruptedException {
    RiderAlias rider = next.rider();
    if (rider == null) {
      return;
    }
    List<Erasure> begun = new ArrayList<>();
    for (Erasure one : sharing) {
      Erasure begins = one.with(means.node, one.of(means.node).begins(step.name));
      store.save(begins);
      begun.add(begins);
    }
    current = new Current(next.id(), step.name, 0, 0, null);
    Erasable.Outcome outcome;
    try {
      outcome =
          step.from.erase(
              rider, (did, of) -> current = new Current(next.id(), step.name, did, of, null));
    } catch (IOException | RuntimeException failed) {
      current = new Current(next.id(), step.name, 0, 0, why(failed));
      failures.merge(next.id(), 1, Integer::sum); // others go on meanwhile
      throw failed;
    }
    for (int i = 0; i < begun.size(); i++) {
      boolean isResumed = step.name.equals(sharing.get(i).of(means.node).begun());
      NodeErasure did =
          begun.get(i).of(means.node).did(step.name, step.from.name(), outcome, isResumed);
      store.save(begun.get(i).with(means.node, did));
    }
    current = null;
  }

  private static String why(Exception failed) {
    String said = failed.getMessage() == null ? failed.getClass().getName() : failed.getMessage();
    return failed instanceof DiskFullException
        ? "a disk is full; the erasure goes on by itself once there is room: " + said
        : said;
  }

  /** The certificate. The list first: what it says must not be missing in a backup. */
  private void end(Erasure erasure) throws IOException, InterruptedException {
    long now = means.clock.millis();
    Path file = means.data.resolve(ErasedList.FILE);
    ErasedList.read(means.disk, file)
        .plus(erasure.pseudonym(), now, means.pseudonyms.mark())
        .write(means.disk, file);
    store.save(erasure.with(means.node, erasure.of(means.node).ended(now)));
    done.increment();
    LOG.log(
        Level.INFO,
        "the rider {0} is erased on this node; GET /v1/erasures/{1} is the certificate",
        erasure.pseudonym(),
        erasure.id());
  }

  @Override
  public String name() {
    return "erasures";
  }

  /** Ends the step under way; it is taken again after the next start. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }
}
