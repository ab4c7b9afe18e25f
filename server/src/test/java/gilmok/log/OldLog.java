package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes the logs in {@code src/test/resources/log}: real bytes of a format, which must open for
 * ever. Run it once for each variant of the format and never again for the same one: {@code v1} was
 * written before footers had counts, {@code v1-footers} since then.
 */
final class OldLog {
  static final Path DATA = Path.of("/data");
  static final NodeId NODE = new NodeId(0x123456789ABCDEFL);
  static final LogConfig CONFIG =
      new LogConfig(2048, 1000, 50, 1 << 20, Duration.ofDays(36_500), 100, Duration.ofDays(1));
  static final long START = 1_767_225_600_000L;

  private OldLog() {}

  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]);
    write(closed(), target.resolve("closed"));
    write(torn(), target.resolve("torn"));
  }

  /** The records of both logs. */
  static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int i = 1; i <= 24; i++) {
      texts.add(Records.text("record-", i, i * 37 % 350));
    }
    return texts;
  }

  /** A log closed cleanly, opened, and closed again, with a cursor at 9. */
  static SavedFolder closed() throws IOException, InterruptedException {
    Disk disk = new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot();
    try (Log log = open(disk, 1)) {
      appendAll(log, texts().subList(0, 20));
      log.cursor("ship").advance(9);
    }
    try (Log log = open(disk, 2)) {
      appendAll(log, texts().subList(20, 24));
    }
    return SavedFolder.of(disk, DATA);
  }

  /** A log whose process died while it wrote a record that was never acknowledged. */
  static SavedFolder torn() throws IOException, InterruptedException {
    FaultyDisk disk = new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
    Log log = open(disk, 3);
    appendAll(log, texts());
    disk.set(
        (operation, path) -> {
          if (operation == FaultyDisk.Operation.WRITE && FaultyDisk.isOn("log-writer")) {
            throw new FaultyDisk.TornWrite();
          }
        });
    if (log.append(Records.draft("torn".repeat(50)), new Records.Waiting()) != AppendResult.TAKEN) {
      throw new IllegalStateException("not taken");
    }
    LogRig.await(log::isFailed);
    log.close();
    return SavedFolder.of(disk, DATA);
  }

  private static Log open(Disk disk, long seed) throws IOException, InterruptedException {
    InstantSource clock = () -> Instant.ofEpochMilli(START + seed * 3_600_000);
    LogContext context =
        new LogContext(disk, clock, new Random(seed), Records.KEYS, LogMeter.NONE, failure -> {});
    return Log.open(CONFIG, context, DATA, NODE, LogRig.QUICK);
  }

  private static void appendAll(Log log, List<String> texts) throws InterruptedException {
    for (String text : texts) {
      LogRig.awaitReady(log);
      Records.append(log, text);
    }
    LogRig.awaitReady(log);
  }

  private static void write(SavedFolder saved, Path target) throws IOException {
    for (Map.Entry<String, byte[]> file : saved.files().entrySet()) {
      Path path = target.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }
}
