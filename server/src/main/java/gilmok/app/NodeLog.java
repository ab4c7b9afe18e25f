package gilmok.app;

import gilmok.event.RepeatKey;
import gilmok.log.DataFolder;
import gilmok.log.FileDisk;
import gilmok.log.Log;
import gilmok.log.LogContext;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Consumer;

/** The log of a data folder that this process holds, and what repeats are known by. */
final class NodeLog {
  private final Log log;
  private final byte[] secret;

  private NodeLog(Log log, byte[] secret) {
    this.log = log;
    this.secret = secret;
  }

  /**
   * Opens it, with its meters.
   *
   * @param onFailure is told that the log has failed for good
   */
  static NodeLog open(
      LogSettings settings,
      DataFolder folder,
      Meters meters,
      InstantSource clock,
      SecureRandom random,
      Consumer<Throwable> onFailure)
      throws IOException, InterruptedException {
    Path data = folder.path();
    byte[] secret = KeptSecret.ofRepeats(data, random);
    LogContext context =
        new LogContext(
            new FileDisk(), clock, random, recordKeys(secret), new LogMeters(meters), onFailure);
    Log log = Log.open(settings.config(), context, data, folder.node());
    LogMeters.watch(meters, log, clock);
    return new NodeLog(log, secret);
  }

  Log log() {
    return log;
  }

  /** The secret under which repeats are known ({@link RepeatKey}). */
  byte[] secret() {
    return secret;
  }

  /** The keys of this log's records, for one thread. */
  RecordKeys recordKeys() {
    return recordKeys(secret);
  }

  private static RecordKeys recordKeys(byte[] secret) {
    RepeatKey repeat = new RepeatKey(secret);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }
}
