package gilmok.sinks.file;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.log.StreamRetention;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a sink of kind {@code files}, under {@code sinks.<name>.*}.
 *
 * @param common the settings that all sinks have
 * @param folder where the files are published; null for one in the data folder, see {@link
 *     #folder(Path)}
 * @param zone the time zone of the folders' dates and hours
 * @param fileAgeMax files are published when their oldest record has waited this long,
 * @param fileBytesMax or when all of them together have this many bytes before compression
 * @param retention published files are deleted when they are older, by stream; zero: never
 * @param retentionBytesMax or, the oldest first, when all together have more bytes; 0: never
 * @param replacing how files become others
 */
public record FilesConfig(
    SinkConfig common,
    @Nullable Path folder,
    FileFormat format,
    ZoneId zone,
    Duration fileAgeMax,
    long fileBytesMax,
    StreamRetention retention,
    long retentionBytesMax,
    Replacing replacing) {
  /**
   * How files become others.
   *
   * @param compact whether small Parquet files become larger, sorted ones
   * @param keep how long what is replaced stays for those who read it, at least
   */
  public record Replacing(boolean compact, Duration keep) {}

  /** The kind, and the name of its first sink. */
  public static final String KIND = "files";

  /** Our own limits: a disk has none, and one batch at a time keeps the order. */
  public static final SinkLimits LIMITS = new SinkLimits(10_000, 64 << 20, 1);

  private static final Duration RETENTION_MAX = Duration.ofDays(3650);

  /** Reads the keys of one sink, as in {@code files} or {@code files-logs}. */
  public static FilesConfig from(Settings settings, String name) {
    String prefix = "sinks." + name + ".";
    String folder = settings.optionalText(prefix + "folder");
    return new FilesConfig(
        SinkConfig.from(
            settings, name, LIMITS, SinkConfig.Usual.ONE_BY_ONE, EnumSet.allOf(Stream.class)),
        folder == null ? null : Path.of(folder),
        settings.choice(prefix + "format", FileFormat.NDJSON),
        settings.zone(prefix + "zone", "UTC"),
        settings.duration(
            prefix + "file-age-max", "10 s", Duration.ofMillis(10), Duration.ofHours(1)),
        settings.bytes(prefix + "file-bytes-max", "64 MiB", 1024, 1 << 30),
        StreamRetention.from(
            settings,
            prefix,
            settings.duration(prefix + "retention", "0 s", Duration.ZERO, RETENTION_MAX)),
        settings.bytes(prefix + "retention-bytes-max", "0", 0, 1L << 50),
        new Replacing(
            settings.flag(prefix + "compact", true),
            settings.duration(
                prefix + "replaced-keep", "1 min", Duration.ZERO, Duration.ofHours(1))));
  }

  /** The same settings, with the files in the data folder. */
  public FilesConfig inDataFolder() {
    return new FilesConfig(
        common,
        null,
        format,
        zone,
        fileAgeMax,
        fileBytesMax,
        retention,
        retentionBytesMax,
        replacing);
  }

  /**
   * Whether both have one folder in their settings and would write files of the same names into it.
   */
  public boolean collidesWith(FilesConfig other) {
    return folder != null
        && other.folder != null
        && folder.toAbsolutePath().normalize().equals(other.folder.toAbsolutePath().normalize())
        && format == other.format
        && !Collections.disjoint(common.streams(), other.common.streams());
  }

  /**
   * Where the files go: {@code shipped} in the data folder, {@code shipped-logs} for files-logs.
   */
  public Path folder(Path data) {
    return folder != null
        ? folder
        : data.resolve("shipped" + common.name().substring(KIND.length()));
  }
}
