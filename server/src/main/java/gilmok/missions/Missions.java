package gilmok.missions;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.cache.CacheChanges;
import gilmok.cache.CacheEnvironment;
import gilmok.cache.RedisTier;
import gilmok.cache.SingleFlightCache;
import gilmok.compress.SmallFragmentCompressor;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.observe.Meters;
import gilmok.redis.Redis;
import gilmok.retention.DocumentHousekeeper;
import gilmok.retention.DocumentRetention;
import gilmok.transfer.Dataset;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The missions part of the server: its routes, the catalog, and the cache of riders' progress.
 * Thread-safe.
 */
public final class Missions implements Drainable, Warmable {
  /** The route that is read most; its level of compression holds for all fragments. */
  public static final String ROUTE = MissionRoutes.SHOW;

  /** Its default level; high, as a fragment is compressed once and sent a million times. */
  public static final int LEVEL = 8;

  private static final String NAME = "missions";

  /** With more requests in flight, old missions have to wait. */
  private static final int LOADED = 16;

  /** The level for fragments of one rider, which are small and sent once. */
  private static final int QUICK = 1;

  private final SmallFragmentCompressor smallFragmentCompressor;
  private final Catalog catalog;
  private final SettlementWriter settlements;
  private final @Nullable RedisTier shared;
  private final @Nullable CacheChanges changes;
  private final SingleFlightCache<RiderMissions> riders;
  private final Offload offload;
  private final MissionService desk;
  private final List<Route> routes;
  private final BackgroundLoop housekeeping;

  /**
   * What missions work with.
   *
   * @param isShared whether other nodes use the same store
   * @param redis the shared tier of the cache; null for none
   * @param level the level of compression, 1 to 9; 0 for no compression
   * @param node the name of this node among those that share the store
   */
  public record Means(
      MissionStore store,
      boolean isShared,
      @Nullable Redis redis,
      int level,
      InstantSource clock,
      BackgroundLoops loops,
      Meters meters,
      Offloads offloads,
      String node) {}

  /**
   * Reads all missions, follows their changes from now on, and removes old ones.
   *
   * @throws IOException when a store that is not shared cannot be read
   */
  public Missions(MissionsConfig config, DocumentRetention<OldMission> retention, Means means)
      throws IOException, InterruptedException {
    Meters meters = means.meters;
    MissionMeters shown = new MissionMeters(meters);
    offload =
        means.offloads.of(
            NAME, "missions cannot be stored or settled", config.atWorkMax(), shown.failures);
    smallFragmentCompressor =
        new SmallFragmentCompressor(QUICK, Runtime.getRuntime().availableProcessors());
    CatalogSnapshot.Press press =
        new CatalogSnapshot.Press(Math.max(1, means.level), smallFragmentCompressor);
    catalog =
        new Catalog(means.store, config, means.clock, press, means.isShared, means.loops, meters);
    settlements =
        new SettlementWriter(means.store, config.settling(), meters, SettlementWriter.PATIENCE);
    shared = means.redis == null ? null : new RedisTier(means.redis, NAME, config.cache());
    riders =
        new SingleFlightCache<>(
            NAME,
            config.cache(),
            rider -> RiderMissions.of(MissionService.load(means.store, catalog, rider)),
            new RiderMissionsCodec(),
            shared,
            meters,
            CacheEnvironment.real("gilmok-missions-load"));
    changes = shared == null ? null : new CacheChanges(NAME, riders, shared, means.loops);
    desk = new MissionService(catalog, means.store, riders, settlements, means.clock);
    routes = new MissionRoutes(config, desk, offload, shown).routes();
    housekeeping =
        new DocumentHousekeeper<>(
                retention, () -> offload.inFlight() > LOADED, means.node, means.clock, meters)
            .loop(means.loops);
    catalog.start();
    housekeeping.start();
    if (changes != null) {
      changes.start();
    }
  }

  /** All routes. */
  public List<Route> routes() {
    return routes;
  }

  /** What can be exported and imported. */
  public List<Dataset> datasets() {
    return MissionDatasets.of(desk);
  }

  /**
   * Checks whether the shared Redis answers; connects if necessary. Blocks for at most three times
   * {@code missions.cache.shared-timeout}.
   *
   * @return what is wrong, in words for people; null when nothing is, or no Redis is set
   */
  public @Nullable String ping() throws InterruptedException {
    return shared == null ? null : shared.ping();
  }

  /** Forgets what is cached of a rider, here and in Redis, and reads the missions anew. */
  public long forget(String riderId) throws IOException, InterruptedException {
    riders.forget(riderId);
    catalog.refresh();
    return 0;
  }

  MissionService desk() {
    return desk;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Finishes requests in flight. The store can be closed afterwards. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    housekeeping.stop(patience);
    offload.drain(Drainable.left(until));
    settlements.close();
    catalog.close();
    if (changes != null) {
      changes.close();
    }
    if (shared != null) {
      shared.close();
    }
    smallFragmentCompressor.close();
  }
}
