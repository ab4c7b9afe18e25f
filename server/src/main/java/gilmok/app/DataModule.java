package gilmok.app;

import gilmok.auth.Binding;
import gilmok.auth.KeyInfo;
import gilmok.auth.Keys;
import gilmok.backup.BackupRoutes;
import gilmok.backup.BackupStage;
import gilmok.deliveries.DeliveryHandout;
import gilmok.documents.SqliteDatabase;
import gilmok.erasure.Erasable;
import gilmok.erasure.ErasureConfig;
import gilmok.erasure.ErasureRoutes;
import gilmok.erasure.Erasures;
import gilmok.erasure.HandedOut;
import gilmok.erasure.HandedOutFiles;
import gilmok.erasure.HandedOutRecords;
import gilmok.erasure.HandoutRoute;
import gilmok.event.RiderAlias;
import gilmok.event.RiderErasure;
import gilmok.log.Log;
import gilmok.log.LogRewriter;
import gilmok.log.RecordRewrite;
import gilmok.log.Stream;
import gilmok.missions.MissionHandout;
import gilmok.privacy.PrivacyConfig;
import gilmok.privacy.Pseudonyms;
import gilmok.redis.Redis;
import gilmok.runtime.Version;
import gilmok.sinks.file.FileFormat;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.file.FilesErasure;
import gilmok.sinks.redis.RedisErasure;
import gilmok.sinks.redis.RedisSinkConfig;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksModule;
import gilmok.statements.EntryHandout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of the data as a whole: it is copied for a backup, and a rider's is erased. */
final class DataModule {
  private static final String BY_RIDER = "record.riderId is the rider's id";

  /** Hand-outs are rare, and read each footer once. */
  private static final long FOOTER_BYTES_MAX = 1L << 20;

  private DataModule() {}

  /**
   * Lets {@code gilmok backup} copy this server's data, and riders be erased.
   *
   * @param sinks null if that part is switched off
   */
  static void start(ServerContext context, @Nullable SinksModule sinks) throws IOException {
    backup(context);
    erasures(context, sinks);
    handouts(context, sinks);
  }

  private static void backup(ServerContext context) throws IOException {
    SqliteDatabase database =
        context.documents instanceof Documents.InSqlite own ? own.database() : null;
    BackupStage stage =
        new BackupStage(
            context.folder,
            Version.ofThis(),
            context.node.log(),
            database,
            () -> context.settings,
            context.clock);
    context.meters.gauge(
        "gilmok_backup_copy_bytes",
        "Bytes of the copy that a backup reads, on this node's disk.",
        stage::bytes);
    String node = context.folder.node().toString();
    context.answers(new BackupRoutes(stage, context.audit, node, context.offloads).routes());
  }

  /** Documents first: what follows from them is in the log and in files. */
  private static void erasures(ServerContext context, @Nullable SinksModule sinks)
      throws IOException {
    Log log = context.node.log();
    List<Erasable> all = new ArrayList<>();
    all.add(Erasable.erasing("keys", rider -> revoke(context.keys, rider)));
    all.addAll(context.documents.erasables(context.config.of(ErasureConfig.class)));
    all.addAll(context.erasables);
    all.add(ofLog(log));
    if (sinks != null) {
      all.add(
          Erasable.erasing(
              "sinks-in-hand",
              rider -> {
                sinks.sinks().readAnew(rewrite(rider));
                return 0;
              }));
      sinks.erasures().forEach((sink, files) -> all.add(ofFiles(sink, files)));
    }
    Redis redis = context.redis;
    RedisSinkConfig ofRedis = context.config.sinks().redisSink();
    if (redis != null && ofRedis != null) {
      RedisErasure erasure = new RedisErasure(redis, ofRedis.buckets());
      context.closeStack.add(erasure::close);
      all.add(Erasable.erasing("redis", rider -> erasure.erase(rider.id())));
    }
    for (SinkPlan plan : context.config.sinks().sinks()) {
      Erasable.Left left = left(plan);
      if (left != null) {
        all.add(
            Erasable.of(
                plan.common().name(),
                Erasable.When.LAST,
                _ -> Erasable.Outcome.left(left.place(), left.key())));
      }
    }
    Erasures erasures =
        new Erasures(
            all,
            new Erasures.Means(
                context.documents instanceof Documents.InMongo shared ? shared.documents() : null,
                context.folder.path(),
                context.node.disk(),
                log.node().toString(),
                Pseudonyms.of(
                    context.config.of(PrivacyConfig.class).pseudonymSecret(),
                    context.folder.path(),
                    context.random),
                context.phones,
                context.clock,
                context.random),
            context.loops,
            context.meters);
    context.ends(erasures);
    context.answers(new ErasureRoutes(erasures, context.audit, context.offloads).routes());
    erasures.start();
  }

  private static void handouts(ServerContext context, @Nullable SinksModule sinks) {
    Documents documents = context.documents;
    MissionHandout missions = new MissionHandout(documents.missions());
    List<HandedOut> all = new ArrayList<>(context.handedOut);
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

  private static RecordRewrite rewrite(RiderAlias rider) {
    RiderErasure erasure = new RiderErasure(rider);
    return (stream, receivedAtMillis, bytes, offset, length) -> {
      byte[] left = erasure.left(bytes, offset, length);
      return left == null
          ? RecordRewrite.KEEP
          : left.length == 0 ? RecordRewrite.ERASE : RecordRewrite.replaceBy(left);
    };
  }

  private static Erasable ofLog(Log log) {
    return Erasable.watched(
        "log",
        (rider, progress) -> {
          LogRewriter.Result result =
              log.rewriter()
                  .rewrite(rewrite(rider), (through, of, _) -> progress.reached(through, of));
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
          FilesErasure.Result result = files.erase(rider, progress::reached);
          return new Erasable.Outcome(
              result.erased(), result.replaced(), unreadable(result.unreadable()));
        });
  }

  private static List<Erasable.Left> unreadable(List<String> files) {
    return files.stream()
        .map(file -> new Erasable.Left(file, "cannot be read, so it is not known whose it is"))
        .toList();
  }

  /** What a sink has shipped to where this server cannot erase it; null for none. */
  private static Erasable.@Nullable Left left(SinkPlan plan) {
    return switch (plan) {
      case SinkPlan.Files _, SinkPlan.Redis _ -> null;
      case SinkPlan.Firehose(var _, var firehose) ->
          new Erasable.Left(
              "what Firehose has delivered of the stream " + firehose.stream(), BY_RIDER);
      case SinkPlan.Kafka(var kafka) ->
          new Erasable.Left(
              "Kafka's topics " + kafka.topicPrefix() + "* and who has read them",
              "the message's key, or " + BY_RIDER);
    };
  }
}
