package gilmok.log;

import gilmok.config.Settings;
import gilmok.storage.DataFolder;
import java.time.Duration;

/**
 * The keys {@code log.*}: read here because the log itself imports the JDK only.
 *
 * @param config the log's own bounds
 * @param streams how long records of each stream are kept, if shorter
 * @param onClone what to do with a copied data folder
 */
public record LogSettings(LogConfig config, StreamRetention streams, DataFolder.OnClone onClone) {
  public static LogSettings from(Settings settings, int bodyBytesMax) {
    int segmentBytes = (int) settings.bytes("log.segment-bytes", "64 MiB", 1 << 20, 1 << 30);
    int groupBytesMax = (int) settings.bytes("log.group-bytes-max", "8 MiB", 1 << 16, 256 << 20);
    long bytesMax = settings.bytes("log.bytes-max", "16 GiB", 1 << 20, 1L << 50);
    Duration retention =
        settings.duration("log.retention", "7 d", Duration.ofSeconds(1), Duration.ofDays(3650));
    StreamRetention streams = StreamRetention.from(settings, "log.", retention);
    int repeatsMax = settings.number("log.dedup-entries-max", 4_000_000, 1, 16_000_000);
    Duration snapshots =
        settings.duration(
            "log.snapshot-interval", "1 min", Duration.ofMillis(10), Duration.ofHours(1));
    Duration commitInterval =
        settings.duration("log.commit-interval", "800 us", Duration.ZERO, Duration.ofMillis(100));
    LogConfig.WhenFull whenFull = settings.choice("log.when-full", LogConfig.WhenFull.REFUSE);
    DataFolder.OnClone onClone = settings.choice("log.on-clone", DataFolder.OnClone.REFUSE);
    // An encoded body grows by at most its records' frames and the reasons of its quarantined
    // records.
    if (groupBytesMax < 2L * bodyBytesMax) {
      settings.problem("log.group-bytes-max: must be at least twice collect.body-bytes-max");
    }
    try {
      LogConfig config =
          new LogConfig(
              segmentBytes,
              groupBytesMax,
              65_536,
              bytesMax,
              retention,
              repeatsMax,
              snapshots,
              whenFull,
              commitInterval);
      return new LogSettings(config, streams, onClone);
    } catch (IllegalArgumentException related) {
      settings.problem(
          bytesMax < 3L * segmentBytes
              ? "log.bytes-max: must be at least three times log.segment-bytes"
              : "log.segment-bytes: must be larger than log.group-bytes-max");
      return new LogSettings(LogConfig.DEFAULTS, streams, onClone);
    }
  }
}
