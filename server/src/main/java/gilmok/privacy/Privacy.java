package gilmok.privacy;

import gilmok.audit.Audit;
import gilmok.background.BackgroundLoops;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.privacy.RegisterRow.Act;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a server keeps of whose location it is: pseudonyms, consents and the register. */
public final class Privacy implements Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.privacy");

  private final Pseudonyms pseudonyms;
  private final @Nullable RestoredRiders restored;
  private final Consents consents;
  private final RegisterStore rows;
  private final @Nullable Register register;
  private final @Nullable CollectedReader collected;

  /** The riders of a group of phones. */
  private volatile Function<String, List<String>> groups = _ -> List.of();

  /**
   * What it needs of a node.
   *
   * @param sinks those of the settings
   */
  public record Means(
      Path data,
      Disk disk,
      Log log,
      List<Taker> sinks,
      RandomGenerator random,
      InstantSource clock,
      Meters meters,
      BackgroundLoops loops,
      Readiness readiness) {}

  /**
   * A sink.
   *
   * @param settled the sequence through which it had settled everything when this process started
   */
  public record Taker(String name, Set<Stream> streams, long settled) {}

  /**
   * Where it is kept.
   *
   * @param isShared whether other nodes change the same documents
   */
  public record Stores(ConsentStore consents, RegisterStore register, boolean isShared) {}

  /**
   * Reads what is kept, follows what other nodes change, and counts what is collected.
   *
   * @param logRetention how long the log keeps a record at least; zero: for ever
   */
  public Privacy(PrivacyConfig config, Stores stores, Means means, Duration logRetention)
      throws IOException, InterruptedException {
    pseudonyms = Pseudonyms.of(config.pseudonymSecret(), means.data, means.random);
    rows = stores.register;
    restored = RestoredRiders.of(means.data, means.disk, pseudonyms);
    if (restored != null) {
      restored.erase(means.log);
    }
    Path file = means.data.resolve("snapshots").resolve(ConsentCopy.FILE);
    consents =
        new Consents(
            config,
            new Consents.Means(
                stores.consents,
                stores.isShared ? new ConsentCopy(new Checkpoint(means.disk, file)) : null,
                pseudonyms,
                means.clock,
                means.meters,
                means.loops,
                means.readiness));
    consents.start();
    if (!config.hasRegister()) {
      register = null;
      collected = null;
      CollectedReader.leftOff(means.log);
      return;
    }
    Register kept =
        new Register(
            config.registerRetention(),
            new Register.Means(
                stores.register,
                new RegisterJournal(
                    means.disk, means.data.resolve("register"), config.waitingBytesMax()),
                pseudonyms,
                config.bases(),
                means.log.node().toString(),
                means.clock,
                means.random,
                means.meters,
                means.loops));
    collected =
        new CollectedReader(
            kept,
            consents.view(),
            stream -> taking(stream, means.sinks),
            means.log,
            config.zone(),
            logRetention,
            means.meters,
            means.loops);
    register = kept;
    kept.gathers(collected);
    for (Taker sink : means.sinks) {
      givenBefore(sink, kept, means.log);
    }
    kept.start();
    collected.start();
  }

  private static List<String> taking(Stream stream, List<Taker> sinks) {
    return sinks.stream().filter(one -> one.streams.contains(stream)).map(Taker::name).toList();
  }

  /**
   * What was collected before a sink was named does not name it: this says that it gets that, too.
   */
  private static void givenBefore(Taker sink, Register register, Log log)
      throws InterruptedException {
    try {
      StreamCounts all = log.accepted();
      StreamCounts settled = log.acceptedThrough(sink.settled);
      long waiting = 0;
      for (Stream stream : List.of(Stream.TRACES, Stream.ACTIONS)) {
        waiting += sink.streams.contains(stream) ? all.of(stream) - settled.of(stream) : 0;
      }
      if (waiting > 0) {
        register.write(Act.SINK, sink.name, List.of(), waiting);
      }
    } catch (IOException unwritten) {
      LOGGER.log(
          Level.WARNING,
          "the register does not say that sink {0} is given what waits for it: {1}",
          sink.name,
          unwritten.getMessage());
    }
  }

  public Pseudonyms pseudonyms() {
    return pseudonyms;
  }

  /** Whom a restored folder may have, to be erased again; null for nobody. */
  public @Nullable RestoredRiders restored() {
    return restored;
  }

  public Consents consents() {
    return consents;
  }

  /** The register; null where none is kept. */
  public @Nullable Register register() {
    return register;
  }

  /**
   * Counts that a rider's location is given to a customer, and returns it; null where it is not
   * known or the register has no room, as nothing is given that is not in it.
   */
  public byte @Nullable [] givenToCustomer(String rider, byte @Nullable [] event) {
    return event == null || given(Act.CUSTOMER, rider, "") ? event : null;
  }

  /**
   * Counts that a partner is told which rider has a delivery; false when the register has no room.
   *
   * @param partner as in {@code shop/s-17}
   */
  public boolean givenToPartner(String rider, String partner) {
    return given(Act.PARTNER, rider, partner);
  }

  private boolean given(Act act, String rider, String who) {
    try {
      return register == null || register.given(act, rider, who);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Forgets a rider's id, for an erasure: rows of the register stay, under the pseudonym.
   *
   * @return how many names it had
   */
  public int forget(String rider) throws IOException, InterruptedException {
    return register == null ? rows.forget(pseudonyms.of(rider)) : register.forget(rider);
  }

  /** How many times a rider's location was given to somebody, as far as the register has it. */
  public long timesGiven(String pseudonym) throws IOException, InterruptedException {
    return rows.timesGiven(pseudonym);
  }

  /** What it hands out of a rider. */
  public PrivacyHandout handout() {
    return new PrivacyHandout(consents, rows, register);
  }

  /** Says who is in a group. */
  public void groups(Function<String, List<String>> riders) {
    groups = riders;
  }

  /** The routes of all of it. */
  public List<Route> routes(Audit audit, Offloads offloads) {
    List<Route> routes = new ArrayList<>(new ConsentRoutes(consents, audit, offloads).routes());
    if (register != null) {
      routes.addAll(new RegisterRoutes(register, offloads).routes());
    }
    return routes;
  }

  /** The same routes; who looks at locations by them is written down. */
  public List<Route> around(List<Route> routes, Offloads offloads) {
    return register == null
        ? routes
        : new SeenRoutes(register, group -> groups.apply(group), offloads).around(routes);
  }

  @Override
  public String name() {
    return "privacy";
  }

  /** Writes what is gathered. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    consents.drain(patience);
    if (collected != null) {
      collected.drain(Drainable.left(until));
    }
    if (register != null) {
      register.drain(Drainable.left(until));
    }
  }
}
