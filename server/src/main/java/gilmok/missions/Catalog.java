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
 * All missions, cached in memory, and the {@link CatalogSnapshot} of the open ones. A mission put
 * on this node is there at once; one put on another node is there within {@link #LOOK_MILLIS}, if
 * the store is shared; one that was removed is away in as long, or within {@link #CLOCK_MILLIS}:
 * the catalog polls the store's revision and reads the missions again only after a change. If the
 * store does not answer, the known missions stay. Thread-safe; methods that write block.
 */
final class Catalog implements AutoCloseable, BackgroundLoop.Work {
  private static final Logger LOG = System.getLogger("gilmok.missions");

  /** Most missions that are stored. */
  static final int KEPT_MAX = 10_000;

  private static final long LOOK_MILLIS = 300;

  /** The longest sleep, as the clock can be set. */
  static final long CLOCK_MILLIS = 5_000;

  private static final Duration STOP_MAX = Duration.ofSeconds(1);

  /**
   * How often all missions are read in any case, as a node can die after a change and before it
   * counts the change.
   */
  private static final long WHOLE_MILLIS = 60_000;

  private final MissionStore store;
  private final MissionsConfig config;
  private final InstantSource clock;
  private final CatalogSnapshot.Press press;

  /** Replaced with each change; guarded by this object's lock. */
  private volatile NavigableMap<String, Mission> byId = new TreeMap<>();

  private volatile long revision;
  private volatile CatalogSnapshot snapshot;
  private volatile long seenNanos = System.nanoTime();
  private long lookedNanos = System.nanoTime();
  private volatile long readNanos = System.nanoTime();
  private final boolean isShared;
  private final BackgroundLoop loop;

  /** Whether all missions have been read since the start. */
  private volatile boolean isRead;

  /** The result of a put. */
  enum Put {
    DONE("", ""),
    /** The mission of that id is being archived and removed. */
    CLOSED("id", ClosedMissions.REASON),
    /** It ends in a time whose missions are no longer kept. */
    ENDED("to", "missions that ended by then are no longer kept; give a later end"),
    /** More missions open, to come or just over than {@link MissionStore#MISSIONS_MAX}. */
    TOO_MANY("id", "too many that are open, to come or just over; wait until some are old"),
    /** More stored missions than {@link #KEPT_MAX}. */
    TOO_MANY_KEPT("id", "over " + KEPT_MAX + " missions are kept"),
    /** All missions together are larger than allowed. */
    TOO_LARGE("body", "all missions have over missions.bytes-max"),
    /** All missions together name more riders than allowed. */
    TOO_MANY_RIDERS("riders", "all missions name over missions.riders-max");

    private final String field;
    private final String reason;

    Put(String field, String reason) {
      this.field = field;
      this.reason = reason;
    }

    /** What of the mission is too much; empty for {@link #DONE}. */
    String field() {
      return field;
    }

    /** Why, in a few words. */
    String reason() {
      return reason;
    }
  }

  /**
   * Reads all missions. If the store is shared and does not answer, they are read later.
   *
   * @param isShared whether other nodes change the missions too
   * @param loops where its background loop is watched
   * @throws IOException when a store that is not shared does not answer
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
    loop = loops.optional("missions", "changes of missions are not read", this);
    try {
      read(store.revision());
    } catch (IOException away) {
      if (!isShared) {
        throw away;
      }
      LOG.log(
          Level.WARNING,
          "missions cannot be read yet; requests for them are answered 503 until the"
              + " database answers: {0}",
          away.getMessage());
    }
    meters.gauge("gilmok_missions", "Missions kept.", () -> byId.size());
    meters.gauge("gilmok_missions_max", "The bound of gilmok_missions.", () -> KEPT_MAX);
    meters.gauge("gilmok_missions_open", "Missions that are open.", () -> snapshot.size());
    if (isShared) {
      meters.gauge(
          "gilmok_missions_age_seconds",
          "Time since the missions were last compared with the database's.",
          () -> (System.nanoTime() - seenNanos) / 1e9);
    }
  }

  /**
   * Starts the loop that opens and closes missions by the clock and polls for other nodes' changes.
   */
  void start() {
    loop.start();
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (clock.millis() >= snapshot.until()) {
      fill();
    }
    boolean isDue = !isRead || System.nanoTime() - lookedNanos >= LOOK_MILLIS * 1_000_000L;
    if (isDue) {
      refresh();
      lookedNanos = System.nanoTime(); // not reached on failure: the next pass tries again
    }
    long most = isShared ? LOOK_MILLIS : CLOCK_MILLIS;
    return Math.clamp(snapshot.until() - clock.millis(), 1, most) * 1_000_000L;
  }

  /**
   * Checks that the missions were read. Must come before any answer about missions.
   *
   * @throws IOException when they were never read
   */
  void demandRead() throws IOException {
    if (!isRead) {
      throw new IOException("the missions could not be read since the start");
    }
  }

  /** Whether the missions have been read since the start. */
  boolean isRead() {
    return isRead;
  }

  /** The snapshot of the open missions. Does not block. */
  CatalogSnapshot shelf() {
    return snapshot;
  }

  /** The mission of that id; null when there is none, or when another node has put it just now. */
  @Nullable Mission find(String id) {
    return byId.get(id);
  }

  /** The missions whose ids sort after that one, in the order of ids. */
  List<Mission> after(String id, int limit) {
    return byId.tailMap(id, false).values().stream().limit(limit).toList();
  }

  /** Reads the missions again if other nodes have changed them. */
  void refresh() throws IOException, InterruptedException {
    long now = store.revision();
    boolean isOld = isShared && System.nanoTime() - readNanos >= WHOLE_MILLIS * 1_000_000L;
    if (now != revision || isOld || !isRead) {
      read(now);
    }
    seenNanos = System.nanoTime();
  }

  private synchronized void read(long asOf) throws IOException, InterruptedException {
    TreeMap<String, Mission> read = new TreeMap<>();
    for (MissionStore.Kept kept : store.missions()) {
      Mission mission = MissionBody.kept(kept);
      if (mission == null) { // written by another version; must not hold up the others
        LOG.log(
            Level.WARNING,
            "the mission {0} cannot be read and is not shown to riders; PUT"
                + " /v1/missions/{0} repairs it",
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

  /** Adds or replaces a mission. On return it is durable, and shown on this node. */
  Put put(Mission mission) throws IOException, InterruptedException {
    demandRead();
    return change(mission);
  }

  private synchronized Put change(Mission mission) throws IOException, InterruptedException {
    Mission old = byId.get(mission.id());
    Collection<Mission> all = byId.values();
    boolean isMore = !snapshot.ids().contains(mission.id());
    // The progress in so many missions can be read at once.
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
    long end = old == null ? mission.to() : Math.min(old.to(), mission.to());
    if (!store.put(new MissionStore.Kept(mission.id(), whole), end)) {
      return old != null && old.to() == end ? Put.CLOSED : Put.ENDED;
    }
    NavigableMap<String, Mission> changed = new TreeMap<>(byId);
    changed.put(mission.id(), mission);
    byId = changed;
    fill();
    loop.wake(); // it may have to be opened sooner than any other
    return Put.DONE;
  }

  /** Builds the snapshot again. */
  private synchronized void fill() {
    List<Mission> all = new ArrayList<>(byId.values());
    snapshot = new CatalogSnapshot(all, clock.millis(), keptMillis(), press, snapshot);
  }

  private long keptMillis() {
    return config.keptAfterEnd().toMillis();
  }

  /** Stops the loop. */
  @Override
  public void close() {
    try {
      loop.stop(STOP_MAX);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
