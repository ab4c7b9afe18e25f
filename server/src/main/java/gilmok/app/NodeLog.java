package gilmok.app;

import gilmok.background.BackgroundLoops;
import gilmok.collect.RecordAppender;
import gilmok.event.DedupKey;
import gilmok.log.Log;
import gilmok.log.LogContext;
import gilmok.log.LogMeters;
import gilmok.log.LogSettings;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.storage.DataFolder;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a data folder that this process holds, and what repeats are known by.
 *
 * @param disk where it lies, for what is kept beside it
 * @param secret under which repeats are known ({@link DedupKey})
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NodeLog(Log log, Stores stores, Disk disk, byte[] secret) {
  /**
   * Opens it, with its meters.
   *
   * @param readiness names a log that takes nothing: full, hung, or failed
   * @param loops where its background work is watched
   * @param onFailure is told that the log has failed for good
   */
  public static NodeLog open(
      LogSettings settings,
      Stores stores,
      DataFolder folder,
      Meters meters,
      InstantSource clock,
      SecureRandom random,
      Readiness readiness,
      BackgroundLoops loops,
      Consumer<Throwable> onFailure)
      throws IOException, InterruptedException {
    Path data = folder.path();
    // By it nobody outside can make two records collide; a new one would only forget repeats.
    byte[] secret = SecretFile.of(data.resolve("repeats.secret"), DedupKey.SECRET_BYTES, random);
    Disk disk = stores.disk(new FileDisk());
    LogContext context =
        new LogContext(
            disk,
            clock,
            random,
            recordKeys(secret),
            new LogMeters(meters),
            failure -> {
              try {
                readiness.notReady("log", "the log failed for good");
              } finally { // short of memory or not: the process is to end
                onFailure.accept(failure);
              }
            });
    Log log = Log.open(settings.config(), context, folder, loops);
    readiness.condition("log-room", () -> lack(log.standstill().whyFull()));
    readiness.condition("log-commit", () -> lack(log.standstill().whyHung()));
    LogMeters.watch(meters, log, clock);
    meters.gauge(
        "gilmok_data_folder_moved",
        "1 if the data folder was found on another device, file system or machine at this start.",
        () -> folder.isMoved() ? 1 : 0);
    return new NodeLog(log, stores, disk, secret);
  }

  /** Another node takes what is sent: a balancer is to choose that one. */
  private static Readiness.@Nullable Lack lack(@Nullable String why) {
    return why == null ? null : new Readiness.Lack(why, false);
  }

  /** Takes what is collected. */
  RecordAppender acceptor() {
    return stores.acceptor(log::append);
  }

  /** The keys of this log's records, for one thread. */
  public RecordKeys recordKeys() {
    return recordKeys(secret);
  }

  private static RecordKeys recordKeys(byte[] secret) {
    DedupKey repeat = new DedupKey(secret);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }
}
