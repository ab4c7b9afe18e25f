package gilmok.app;

import gilmok.adapter.ArchivedEntries;
import gilmok.adapter.ArchivedMissions;
import gilmok.adapter.RiddenDeliveries;
import gilmok.collect.UploadFollowup;
import gilmok.collect.devices.Devices;
import gilmok.config.Part;
import gilmok.erasure.Erasable;
import gilmok.history.History;
import gilmok.history.HistoryConfig;
import gilmok.history.ShippedStream;
import gilmok.http.HttpConfig;
import gilmok.jobs.JobRoutes;
import gilmok.jobs.Jobs;
import gilmok.jobs.JobsConfig;
import gilmok.log.Log;
import gilmok.log.LogSettings;
import gilmok.log.Stream;
import gilmok.missions.ClosedMissions;
import gilmok.missions.Missions;
import gilmok.missions.MissionsConfig;
import gilmok.performance.Performance;
import gilmok.performance.PerformanceConfig;
import gilmok.performance.TourPlanner;
import gilmok.privacy.Purpose;
import gilmok.retention.DocumentRetention;
import gilmok.runsheet.RunSheets;
import gilmok.runsheet.plan.Plan;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.sinks.Sinks;
import gilmok.sinks.file.ArchiveConfig;
import gilmok.sinks.file.FileFormat;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksModule;
import gilmok.statements.EntryRemoval;
import gilmok.statements.Statements;
import gilmok.statements.StatementsConfig;
import gilmok.statements.StatementsContext;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts what is told about riders: what they have earned, what they can fulfil, how they did,
 * where they were. Each belongs to a part that may be switched off.
 */
final class RidersModule {
  /** Footers of files that are kept in memory for the next question. */
  private static final long FOOTER_BYTES_MAX = 32L << 20;

  /** How long the planners may look for the best order of one tour. */
  private static final Duration TOUR_BUDGET = Duration.ofSeconds(1);

  private RidersModule() {}

  /**
   * Starts all of it.
   *
   * @param runSheets plans tours; null if that part is switched off
   * @param applied whether actions have moved deliveries; null if that part is switched off
   * @param phoned is given what can answer uploads with indicators
   */
  static void start(
      ServerContext context,
      @Nullable RunSheets runSheets,
      Performance.@Nullable Applied applied,
      CollectModule.Phoned phoned)
      throws IOException, InterruptedException {
    statements(context);
    missions(context);
    if (applied != null) {
      performance(context, runSheets, applied, phoned.uploads());
    }
  }

  /** Starts following the log, and the removal of old entries. */
  private static void statements(ServerContext context) throws IOException, InterruptedException {
    Log log = context.node.log();
    if (!context.config.has(Part.STATEMENTS)) {
      Statements.leftOff(log, context.meters);
      return;
    }
    StatementsConfig config = context.config.of(StatementsConfig.class);
    ArchiveConfig archive = context.config.of(ArchiveConfig.class);
    AtomicReference<Duration> keep = new AtomicReference<>(config.keep());
    context.adjustables.add((_, next) -> keep.set(next.of(StatementsConfig.class).keep()));
    Statements statements =
        new Statements(
            config,
            context.documents.statements(),
            new DocumentRetention<>(
                EntryRemoval.KIND,
                keep::get,
                archive.rests(),
                new ArchivedEntries(
                    archive.open(
                        context.folder.path(),
                        context.node.log().node(),
                        context.node.disk(),
                        context.clock,
                        context.archiving)),
                context.documents.entryRemoval()),
            new StatementsContext(
                log, context.meters, context.offloads, context.clock, context.loops));
    context.ends(statements);
    statements.start();
    context.warmables.add(statements);
    context.answers(statements.routes());
    context.datasets.add(statements.dataset());
  }

  /** Reads the catalog of missions, and starts the removal of old ones. */
  private static void missions(ServerContext context) throws IOException, InterruptedException {
    if (!context.config.has(Part.MISSIONS)) {
      return;
    }
    MissionsConfig config = context.config.of(MissionsConfig.class);
    ArchiveConfig archive = context.config.of(ArchiveConfig.class);
    AtomicReference<Duration> keep = new AtomicReference<>(config.keep());
    context.adjustables.add((_, next) -> keep.set(config.keep(next.of(MissionsConfig.class))));
    Missions missions =
        new Missions(
            config,
            new DocumentRetention<>(
                ClosedMissions.KIND,
                keep::get,
                archive.rests(),
                new ArchivedMissions(
                    archive.open(
                        context.folder.path(),
                        context.node.log().node(),
                        context.node.disk(),
                        context.clock,
                        context.archiving)),
                context.documents.missionRemoval()),
            new Missions.Means(
                context.documents.missions(),
                context.documents.areShared(),
                context.redis,
                context
                    .config
                    .of(HttpConfig.class)
                    .compressionLevels()
                    .level("GET", Missions.ROUTE, Missions.LEVEL),
                context.clock,
                context.loops,
                context.meters,
                context.offloads,
                context.node.log().node().toString()));
    context.ends(missions);
    context.warmables.add(missions);
    if (context.redis != null) {
      context.connections.redis(missions::ping);
    }
    context.answers(missions.routes());
    context.datasets.addAll(missions.datasets());
    context.erasables.add(Erasable.erasing("missions-cache", rider -> missions.forget(rider.id())));
  }

  /** Goes on with the jobs that were not done. */
  private static void performance(
      ServerContext context,
      @Nullable RunSheets runSheets,
      Performance.Applied applied,
      Consumer<UploadFollowup> uploads)
      throws IOException, InterruptedException {
    PerformanceConfig config = context.config.of(PerformanceConfig.class);
    Performance.Sources sources =
        new Performance.Sources(
            new RiddenDeliveries(context.documents.deliveries()),
            context.node.log(),
            runSheets == null ? null : planner(runSheets),
            applied,
            rider -> context.privacy.consents().hides(Purpose.HISTORY, rider),
            context.clock);
    Jobs jobs =
        new Jobs(
            context.config.of(JobsConfig.class),
            List.of(Performance.kind(config, sources)),
            new Jobs.Means(
                context.folder.path(),
                context.node.disk(),
                context.clock,
                context.random,
                context.loops,
                context.meters));
    Performance performance = new Performance(config, sources, jobs, context.offloads);
    context.ends(performance);
    context.ends(jobs);
    context.answers(performance.routes());
    context.answers(new JobRoutes(jobs, context.offloads).routes());
    context.warmables.add(performance);
    context.erasables.add(Erasable.erasing("jobs", jobs::forget));
    uploads.accept(performance::answer);
    jobs.start();
  }

  /**
   * Answers questions about the past.
   *
   * @param devices null if that part is switched off
   * @param sinks likewise
   */
  static void history(
      ServerContext context, @Nullable Devices devices, @Nullable SinksModule sinks) {
    if (!context.config.has(Part.HISTORY)) {
      return;
    }
    History history =
        new History(
            context.config.of(HistoryConfig.class),
            new History.Sources(
                context.node.log(),
                context.config.of(LogSettings.class).streams(),
                shipped(context, sinks),
                devices == null ? null : devices::riders,
                rider -> context.privacy.consents().hides(Purpose.HISTORY, rider),
                context.clock),
            context.meters,
            context.offloads);
    context.ends(history);
    context.warmables.add(history);
    context.answers(history.routes());
  }

  /** The files of the first sink for each stream whose files can be read. */
  private static Map<Stream, ShippedStream> shipped(
      ServerContext context, @Nullable SinksModule sinks) {
    Map<Stream, ShippedStream> shipped = new EnumMap<>(Stream.class);
    Log log = context.node.log();
    for (SinkPlan plan : context.config.sinks().sinks()) {
      if (plan instanceof SinkPlan.Files(FilesConfig config)
          && config.format() == FileFormat.PARQUET) {
        String sink = config.common().name();
        ShippedFiles files =
            sinks == null
                ? new ShippedFiles(
                    config.folder(context.folder.path()),
                    context.node.disk(),
                    new FileLeases(),
                    FOOTER_BYTES_MAX)
                : sinks.shippedFiles(config, FOOTER_BYTES_MAX);
        ShippedStream all = new ShippedStream(files, () -> Sinks.settled(log, sink));
        config.common().streams().forEach(stream -> shipped.putIfAbsent(stream, all));
      }
    }
    return shipped;
  }

  private static TourPlanner planner(RunSheets runSheets) {
    return (matrix, orders) -> {
      Plan plan = runSheets.tour(matrix, orders, TOUR_BUDGET);
      return plan == null ? null : new TourPlanner.Best(plan.cost(), plan.optimal());
    };
  }
}
