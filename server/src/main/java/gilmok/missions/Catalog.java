package gilmok.missions;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All missions, in memory, and the {@link CatalogSnapshot} of those that are open. What this node
 * puts is there at once; what another one has put, within {@link #LOOK_MILLIS}, where the store is
 * shared: its revision is asked for, and only a change has the missions read again. If the store
 * does not answer, what is known stays. Thread-safe; who writes may block.
 */
final class Catalog implements AutoCloseable, BackgroundLoop.Work {
  private static final Logger LOG = System.getLogger("gilmok.missions");

  /** Most missions that are kept. */
  static final int KEPT_MAX = 10_000;

  private static final long TICK_NANOS = 50_000_000;
  private static final long LOOK_MILLIS = 300;
  private static final Duration STOP_MAX = Duration.ofSeconds(1);

  /** Everything is read again that often: a node can die between a change and its count. */
  private static final long WHOLE_MILLIS = 60_000;

  private final MissionStore store;
  private final MissionsConfig config;
  private final InstantSource clock;
  private final CatalogSnapshot.Press press;

  /** Replaced with each change, by whoever holds this object's lock. */
  private volatile NavigableMap<String, Mission> byId = new TreeMap<>();

  private volatile long revision;
  private volatile CatalogSnapshot snapshot;
  private volatile long seenNanos = System.nanoTime();
  private long lookedNanos = System.nanoTime();
  private volatile long readNanos = System.nanoTime();
  private final boolean isShared;
  private final BackgroundLoop loop;

  /** Whether all missions were read since the start. */
  private volatile boolean isRead;

  /** What became of a put. */
  enum Put {
    DONE,
    /** Over what can be of interest at once. */
    TOO_MANY,
    /** Over {@link #KEPT_MAX}. */
    TOO_MANY_KEPT,
    /** All missions together have more bytes than may be. */
    TOO_LARGE,
    /** All missions together name more riders than may be. */
    TOO_MANY_RIDERS
  }

  /**
   * Reads all missions; where the store is shared and does not answer, that is done later.
   *
   * @param isShared whether others change the missions too
   * @param loops where its background work is watched
   */
  Catalog(
      MissionStore store,
      MissionsConfig config,
      InstantSource clock,
      CatalogSnapshot.Press press,
      boolean isShared,
      BackgroundLoops loops,
      Meters meters)
      throws IOException, InterruptedException {
    this.store = store;
    this.config = config;
    this.clock = clock;
    this.press = press;
    this.isShared = isShared;
    snapshot = new CatalogSnapshot(List.of(), clock.millis(), keptMillis(), press, null);
    loop = loops.optional("missions", "changes of missions are not seen", this);
    try {
      read(store.revision());
    } catch (IOException away) {
      if (!isShared) {
        throw away;
      }
      LOG.log(
          Level.WARNING,
          "missions cannot be read yet; they are answered 503 until they can: {0}",
          away.getMessage());
    }
    meters.gauge("gilmok_missions", "Missions kept.", () -> byId.size());
    meters.gauge("gilmok_missions_max", "The bound of gilmok_missions.", () -> KEPT_MAX);
    meters.gauge("gilmok_missions_open", "Missions that are open.", () -> snapshot.size());
    if (isShared) {
      meters.gauge(
          "gilmok_missions_age_seconds",
          "How long ago the missions were last compared with those of the documents.",
          () -> (System.nanoTime() - seenNanos) / 1e9);
    }
  }

  /** Follows the time, and other nodes. */
  void start() {
    loop.start();
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (clock.millis() >= snapshot.until()) {
      fill();
    }
    boolean isDue = !isRead || System.nanoTime() - lookedNanos >= LOOK_MILLIS * 1_000_000L;
    if (isShared && isDue) {
      refresh();
      lookedNanos = System.nanoTime(); // where it fails, the next pass is the next try
    }
    return TICK_NANOS;
  }

  /**
   * To be asked before anything is said of missions.
   *
   * @throws IOException when they were never read
   */
  void demandRead() throws IOException {
    if (!isRead) {
      throw new IOException("the missions could not be read since the start");
    }
  }

  /** Whether they were. */
  boolean isRead() {
    return isRead;
  }

  /** The missions that are open. Does not block. */
  CatalogSnapshot shelf() {
    return snapshot;
  }

  /** One of them; null when there is none of that id, or it was only just put elsewhere. */
  @Nullable Mission find(String id) {
    return byId.get(id);
  }

  /** Those whose ids sort after that one, by id. */
  List<Mission> after(String id, int limit) {
    return byId.tailMap(id, false).values().stream().limit(limit).toList();
  }

  /** Sees what others have changed. */
  void refresh() throws IOException, InterruptedException {
    long now = store.revision();
    boolean isOld = System.nanoTime() - readNanos >= WHOLE_MILLIS * 1_000_000L;
    if (now != revision || isOld || !isRead) {
      read(now);
    }
    seenNanos = System.nanoTime();
  }

  private synchronized void read(long asOf) throws IOException, InterruptedException {
    TreeMap<String, Mission> read = new TreeMap<>();
    for (MissionStore.Kept kept : store.missions()) {
      Mission mission = MissionBody.kept(kept);
      if (mission == null) { // another version's: no reason to keep the others back
        LOG.log(
            Level.WARNING,
            "the mission {0} cannot be read and is not shown to riders; put it again",
            kept.id());
      } else {
        read.put(mission.id(), mission);
      }
    }
    byId = read;
    revision = asOf;
    isRead = true;
    readNanos = System.nanoTime();
    fill();
  }

  /** Adds or replaces one: durable, and shown, on return. */
  Put put(Mission mission) throws IOException, InterruptedException {
    demandRead();
    return change(mission);
  }

  private synchronized Put change(Mission mission) throws IOException, InterruptedException {
    Mission old = byId.get(mission.id());
    Collection<Mission> all = byId.values();
    boolean isMore = !snapshot.ids().contains(mission.id());
    // As many as a rider's progress can be asked for at once.
    if (isMore && snapshot.ids().size() >= MissionStore.MISSIONS_MAX) {
      return Put.TOO_MANY;
    }
    if (old == null && all.size() >= KEPT_MAX) {
      return Put.TOO_MANY_KEPT;
    }
    long bytes = mission.shown().length - (old == null ? 0L : old.shown().length);
    if (all.stream().mapToLong(one -> one.shown().length).sum() + bytes > config.bytesMax()) {
      return Put.TOO_LARGE;
    }
    long riders = mission.ridersCount() - (old == null ? 0L : old.ridersCount());
    if (all.stream().mapToLong(Mission::ridersCount).sum() + riders > config.ridersMax()) {
      return Put.TOO_MANY_RIDERS;
    }
    String whole = new String(mission.whole(), StandardCharsets.UTF_8);
    store.put(new MissionStore.Kept(mission.id(), whole));
    NavigableMap<String, Mission> changed = new TreeMap<>(byId);
    changed.put(mission.id(), mission);
    byId = changed;
    fill();
    return Put.DONE;
  }

  /** Makes the shelf anew. */
  private synchronized void fill() {
    List<Mission> all = new ArrayList<>(byId.values());
    snapshot = new CatalogSnapshot(all, clock.millis(), keptMillis(), press, snapshot);
  }

  private long keptMillis() {
    return config.keptAfterEnd().toMillis();
  }

  /** Follows nothing any more. */
  @Override
  public void close() {
    try {
      loop.stop(STOP_MAX);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
