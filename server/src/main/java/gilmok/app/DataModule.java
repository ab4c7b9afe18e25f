package gilmok.app;

import gilmok.adapter.OutOfReach;
import gilmok.audit.AuditStore;
import gilmok.auth.Binding;
import gilmok.auth.KeyInfo;
import gilmok.auth.Keys;
import gilmok.backup.BackupRoutes;
import gilmok.backup.BackupStage;
import gilmok.deliveries.DeliveryHandout;
import gilmok.deliveries.ToldPartners;
import gilmok.documents.SqliteDatabase;
import gilmok.erasure.Erasable;
import gilmok.erasure.ErasureConfig;
import gilmok.erasure.ErasureRoutes;
import gilmok.erasure.Erasures;
import gilmok.erasure.HandedOut;
import gilmok.erasure.HandedOutFiles;
import gilmok.erasure.HandedOutRecords;
import gilmok.erasure.HandoutRoute;
import gilmok.erasure.RestoredErasures;
import gilmok.event.RiderAlias;
import gilmok.keys.KeyDataset;
import gilmok.log.Log;
import gilmok.log.LogRewriter;
import gilmok.log.Stream;
import gilmok.missions.MissionHandout;
import gilmok.privacy.ConsentStore;
import gilmok.privacy.Privacy;
import gilmok.privacy.PrivacyHandout;
import gilmok.privacy.RecordErasure;
import gilmok.privacy.RestoredRiders;
import gilmok.redis.Redis;
import gilmok.runtime.Version;
import gilmok.sinks.file.ArchiveConfig;
import gilmok.sinks.file.ArchiveErasure;
import gilmok.sinks.file.FileFormat;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.file.FilesErasure;
import gilmok.sinks.redis.RedisErasure;
import gilmok.sinks.redis.RedisSinkConfig;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksModule;
import gilmok.statements.EntryHandout;
import gilmok.tee.TeeConfig;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of the data as a whole: it is copied for a backup, and a rider's is erased. */
final class DataModule {
  /** Hand-outs are rare, and read each footer once. */
  private static final long FOOTER_BYTES_MAX = 1L << 20;

  /** A time at which nothing has expired. */
  private static final long EXPIRED_TOO = 0;

  /** So many records are looked at at once. */
  private static final int PAGE_RECORDS = 500;

  private DataModule() {}

  /**
   * Lets {@code gilmok backup} copy this server's data, and riders be erased.
   *
   * @param sinks null if that part is switched off
   */
  static void start(ServerContext context, @Nullable SinksModule sinks) throws IOException {
    erasures(context, sinks, backup(context));
    handouts(context, sinks);
  }

  private static BackupStage backup(ServerContext context) throws IOException {
    SqliteDatabase database =
        context.documents instanceof Documents.InSqlite own ? own.database() : null;
    BackupStage stage =
        new BackupStage(
            context.folder,
            Version.ofThis(),
            context.node.log(),
            database,
            () -> context.settings,
            context.clock,
            context.archiving);
    context.meters.gauge(
        "gilmok_backup_copy_bytes",
        "Bytes of the copy that a backup reads, on this node's disk.",
        stage::bytes);
    String node = context.folder.node().toString();
    context.answers(new BackupRoutes(stage, context.audit, node, context.offloads).routes());
    return stage;
  }

  /** Documents first: what follows from them is in the log and in files. */
  private static void erasures(
      ServerContext context, @Nullable SinksModule sinks, BackupStage stage) throws IOException {
    Log log = context.node.log();
    List<Erasable> all = new ArrayList<>();
    all.add(Erasable.erasing("keys", rider -> revoke(context.keys, rider)));
    all.addAll(context.documents.erasables(context.config.of(ErasureConfig.class)));
    all.addAll(context.erasables);
    all.add(ofLog(log));
    ArchiveErasure archives = archives(context);
    all.add(
        Erasable.watched(
            "archive", (rider, progress) -> outcome(archives.erase(rider, progress::reached))));
    if (sinks != null) {
      all.add(
          Erasable.erasing(
              "sinks-in-hand",
              rider -> {
                sinks.sinks().readAnew(new RecordErasure(rider));
                return 0;
              }));
      sinks.erasures().forEach((sink, files) -> all.add(ofFiles(sink, files)));
    }
    Redis redis = context.redis;
    RedisSinkConfig ofRedis = context.config.sinks().redisSink();
    if (redis != null && ofRedis != null) {
      RedisErasure erasure = new RedisErasure(redis, ofRedis.buckets());
      context.closeStack.add(erasure::close);
      all.add(Erasable.of("redis", Erasable.When.TWICE, rider -> ofRedis(erasure, rider)));
    }
    all.add(Erasable.renaming("consents", rider -> consents(context.privacy, rider)));
    all.add(Erasable.erasing("register", rider -> names(context.privacy, rider)));
    all.addAll(outOfReach(context, sinks));
    all.add(
        Erasable.of(
            "backup-copy",
            Erasable.When.SHARED,
            _ -> {
              stage.deleteLeft();
              return Erasable.Outcome.NOTHING;
            }));
    Erasures erasures =
        new Erasures(
            all,
            new Erasures.Means(
                context.documents instanceof Documents.InMongo shared ? shared.documents() : null,
                context.folder.path(),
                context.node.disk(),
                log.node().toString(),
                context.privacy.pseudonyms(),
                rider -> phones(context, rider),
                context.clock,
                context.random),
            context.loops,
            context.meters);
    context.ends(erasures);
    context.answers(new ErasureRoutes(erasures, context.audit, context.offloads).routes());
    erasures.start();
    RestoredRiders restored = context.privacy.restored();
    if (restored != null) {
      again(context, restored, erasures);
    }
  }

  private static List<Erasable> outOfReach(ServerContext context, @Nullable SinksModule sinks) {
    Documents documents = context.documents;
    List<Erasable> all = new ArrayList<>();
    all.add(
        OutOfReach.partners(new ToldPartners(documents.deliveryErasure(), documents.partners())));
    all.add(OutOfReach.given(context.privacy));
    all.add(OutOfReach.backups());
    all.addAll(OutOfReach.tee(context.config.of(TeeConfig.class).url()));
    all.addAll(OutOfReach.shipped(context.config.sinks().sinks()));
    if (sinks != null) {
      all.add(OutOfReach.former(sinks.sinks()::statuses));
    }
    List<String> unused = documents.areShared() ? List.of(SqliteDatabase.FILE) : List.of();
    all.add(OutOfReach.files(context.folder.path(), unused));
    return all;
  }

  /**
   * The ids of a rider's phones, under which they have sent before they were the rider's; without
   * those that another rider has as an id.
   */
  private static List<String> phones(ServerContext context, String rider) {
    Set<String> bound = new HashSet<>();
    for (KeyInfo key : context.keys.list()) {
      Binding binding = key.binding();
      if (binding != null && binding.kind() == Binding.Kind.RIDER) {
        bound.add(binding.id());
      }
    }
    return context.phones.apply(rider).stream()
        .filter(phone -> !bound.contains(phone) && context.phones.apply(phone).isEmpty())
        .toList();
  }

  private static void handouts(ServerContext context, @Nullable SinksModule sinks) {
    Documents documents = context.documents;
    MissionHandout missions = new MissionHandout(documents.missions());
    List<HandedOut> all = new ArrayList<>(context.handedOut);
    PrivacyHandout privacy = context.privacy.handout();
    all.add(new HandedOut("consent", privacy::consent));
    all.add(new HandedOut("register", privacy::register));
    all.add(new HandedOut("deliveries", new DeliveryHandout(documents.deliveries())::write));
    all.add(new HandedOut("statement-entries", new EntryHandout(documents.statements())::write));
    all.add(new HandedOut("profile", missions::profile));
    all.add(new HandedOut("missions", missions::progress));
    for (Stream stream : List.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS)) {
      all.add(new HandedOut(stream.label(), new HandedOutRecords(context.node.log(), stream)));
      for (SinkPlan plan : context.config.sinks().sinks()) {
        if (sinks != null
            && plan instanceof SinkPlan.Files(FilesConfig files)
            && files.format() == FileFormat.PARQUET
            && files.common().streams().contains(stream)) {
          all.add(
              new HandedOut(
                  stream.label() + "-of-" + files.common().name(),
                  new HandedOutFiles(sinks.shippedFiles(files, FOOTER_BYTES_MAX), stream)));
        }
      }
    }
    context.answers(new HandoutRoute(all, context.offloads).routes());
  }

  private static long revoke(Keys keys, RiderAlias rider) throws IOException {
    Binding theirs = new Binding(Binding.Kind.RIDER, rider.id());
    long revoked = 0;
    for (KeyInfo key : keys.list()) {
      revoked += theirs.equals(key.binding()) && keys.revoke(key.id()) ? 1 : 0;
    }
    return revoked;
  }

  private static long consents(Privacy privacy, RiderAlias rider)
      throws IOException, InterruptedException {
    long changed = 0;
    for (String id : rider.ids()) {
      changed += privacy.consents().erase(id);
    }
    return changed;
  }

  private static long names(Privacy privacy, RiderAlias rider)
      throws IOException, InterruptedException {
    long forgotten = 0;
    for (String id : rider.ids()) {
      forgotten += privacy.forget(id);
    }
    return forgotten;
  }

  private static Erasable.Outcome ofRedis(RedisErasure redis, RiderAlias rider)
      throws IOException, InterruptedException {
    long erased = 0;
    for (String id : rider.ids()) {
      erased += redis.erase(id);
    }
    return new Erasable.Outcome(erased, 0, erased == 0 ? List.of() : OutOfReach.OF_REDIS);
  }

  private static Erasable ofLog(Log log) {
    return Erasable.watched(
        "log",
        (rider, progress) -> {
          LogRewriter.Result result =
              log.rewriter()
                  .rewrite(
                      new RecordErasure(rider), (through, of, _) -> progress.reached(through, of));
          return new Erasable.Outcome(
              result.counts().erased().total(),
              result.counts().replaced().total(),
              unreadable(result.unreadable()));
        });
  }

  private static Erasable ofFiles(String sink, FilesErasure files) {
    return Erasable.watched(
        "files-" + sink,
        (rider, progress) -> {
          return outcome(files.erase(rider, progress::reached));
        });
  }

  private static Erasable.Outcome outcome(FilesErasure.Result result) {
    return new Erasable.Outcome(
        result.erased(), result.replaced(), unreadable(result.unreadable()));
  }

  /** The archives of old documents, for one thread. */
  private static ArchiveErasure archives(ServerContext context) {
    return new ArchiveErasure(
        context
            .config
            .of(ArchiveConfig.class)
            .open(
                context.folder.path(),
                context.node.log().node(),
                context.node.disk(),
                context.clock,
                context.archiving));
  }

  /** Erases whom a restored folder may have, before the server is ready. */
  private static void again(ServerContext context, RestoredRiders riders, Erasures erasures) {
    List<Dataset> datasets = new ArrayList<>(context.datasets);
    datasets.add(new KeyDataset(context.keys));
    datasets.forEach(one -> riders.lookIn(look -> look(one, look)));
    riders.lookIn(look -> audit(context, look));
    riders.lookIn(look -> consents(context.documents.privacy().consents(), look));
    riders.lookIn(
        look ->
            context
                .documents
                .privacy()
                .register()
                .names(riders.listed())
                .values()
                .forEach(look::text));
    ArchiveErasure archives = archives(context);
    riders.lookIn(_ -> archives.erase(riders, (_, _) -> {}));
    RestoredErasures again = new RestoredErasures(riders, erasures, context.loops);
    context.readiness.condition("erased-riders", again::lack);
    context.ends(again);
    again.start();
  }

  private static void look(Dataset dataset, RestoredRiders.Look look)
      throws IOException, InterruptedException {
    @Nullable String cursor = "";
    while (cursor != null) {
      DatasetPage page = dataset.page(cursor, PAGE_RECORDS);
      page.records().forEach(look::json);
      cursor = page.next();
    }
  }

  private static void consents(ConsentStore store, RestoredRiders.Look look)
      throws IOException, InterruptedException {
    ConsentStore.Page page = store.page(null);
    page.consents().forEach(one -> look.text(one.riderId()));
    while (page.next() != null) {
      page = store.page(page.next());
      page.consents().forEach(one -> look.text(one.riderId()));
    }
  }

  private static void audit(ServerContext context, RestoredRiders.Look look)
      throws IOException, InterruptedException {
    AuditStore store = context.documents.audit();
    String below = "~"; // behind every id
    List<AuditStore.Row> page;
    do {
      page = store.page(new AuditStore.Question("", below, null, PAGE_RECORDS), EXPIRED_TOO);
      for (AuditStore.Row row : page) {
        look.json(row.json().getBytes(StandardCharsets.UTF_8));
        below = row.id();
      }
    } while (!page.isEmpty());
  }

  private static List<Erasable.Left> unreadable(List<String> files) {
    return files.stream()
        .map(file -> new Erasable.Left(file, "cannot be read, so it is not known whose it is"))
        .toList();
  }
}
