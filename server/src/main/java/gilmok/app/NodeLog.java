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
 * The log of the data folder that this process owns, and the secret of its deduplication keys.
 *
 * @param disk the disk that holds it, for the files beside it
 * @param secret the secret of the deduplication keys ({@link DedupKey})
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NodeLog(Log log, Stores stores, Disk disk, byte[] secret) {
  /**
   * Opens the log and its metrics.
   *
   * @param readiness names a log that accepts nothing: full, hung or failed
   * @param loops where its background work is watched
   * @param onFailure is called when the log has failed for good
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
    // The secret keeps outsiders from making two records collide. A new secret would only lose the
    // deduplication of older records.
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
              } finally { // even if memory is short, the process has to end
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

  /** Another node can take the records: load balancers should choose that one. */
  private static Readiness.@Nullable Lack lack(@Nullable String why) {
    return why == null ? null : new Readiness.Lack(why, false);
  }

  /** Appends collected records to the log. */
  RecordAppender acceptor() {
    return stores.acceptor(log::append);
  }

  /** The deduplication keys of this log, for one thread. */
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
