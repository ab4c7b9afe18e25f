package gilmok.sinks.firehose;

import gilmok.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a Firehose sink, besides those that all sinks have.
 *
 * @param stream the delivery stream
 * @param region the stream's region; null: from the SDK's default chain
 * @param endpoint replaces the region's own endpoint; null: it does not
 * @param sendTimeout how long a call may take, and the wait for its turn
 */
public record FirehoseConfig(
    String stream,
    @Nullable String region,
    @Nullable URI endpoint,
    Identity identity,
    RecordPacking packing,
    Duration sendTimeout,
    Quota quota) {
  private static final Pattern STREAM = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
  private static final Pattern PROFILE = Pattern.compile("[^\\s\\[\\]]{1,128}");
  private static final Pattern ROLE =
      Pattern.compile("arn:aws[a-z-]*:iam::[0-9]{12}:role/[\\w+=,.@/-]{1,512}");
  private static final Pattern EXTERNAL_ID = Pattern.compile("[\\w+=,.@:/-]{2,1224}");

  /**
   * The identity that the sink sends with.
   *
   * @param profile the only profile to take credentials from; null: the default chain
   * @param roleArn the role to assume with them; null: none
   * @param externalId the external id that the role's owner requires; null: none
   */
  public record Identity(
      @Nullable String profile, @Nullable String roleArn, @Nullable String externalId) {}

  /**
   * How lines share a Firehose record.
   *
   * @param bytesMax the most bytes, with at most {@link FirehoseLimits#RECORD_LINES_MAX} lines; 0:
   *     each line has a record of its own
   * @param compression how such a record is compressed as a whole; {@code bytesMax} is counted
   *     before
   */
  public record RecordPacking(int bytesMax, PackCompression compression) {}

  /**
   * The stream's quota per second.
   *
   * @param recordsMax of Firehose records
   * @param bytesMax before base64
   */
  public record Quota(int recordsMax, long bytesMax, int callsMax) {}

  /** The compression of a Firehose record. */
  public enum PackCompression {
    /** None: the record consists of lines. */
    NONE,
    /** The record is a gzip member: several, one after the other, form a gzip file. */
    GZIP
  }

  /** Reads the keys of one sink, {@code sinks.<name>.*}. */
  public static FirehoseConfig from(Settings settings, String name) {
    String prefix = "sinks." + name + ".";
    return new FirehoseConfig(
        stream(settings, prefix + "stream"),
        matching(
            settings,
            prefix + "region",
            REGION,
            '"'
                + settings.optionalText(prefix + "region")
                + "\" is no region, such as ap-northeast-2"),
        endpoint(settings, prefix + "endpoint"),
        identity(settings, prefix),
        new RecordPacking(
            (int)
                settings.bytes(
                    prefix + "pack-bytes-max", "5 KiB", 0, FirehoseLimits.RECORD_BYTES_MAX),
            settings.choice(prefix + "pack-compression", PackCompression.NONE)),
        settings.duration(
            prefix + "send-timeout", "5 s", Duration.ofMillis(100), Duration.ofMinutes(5)),
        new Quota(
            settings.number(prefix + "records-per-second-max", 90_000, 1, 100_000_000),
            settings.bytes(prefix + "bytes-per-second-max", "900 KiB", 1 << 10, 10L << 30),
            settings.number(prefix + "calls-per-second-max", 900, 1, 1_000_000)));
  }

  private static Identity identity(Settings settings, String prefix) {
    return new Identity(
        matching(settings, prefix + "profile", PROFILE, "is no profile's name"),
        matching(
            settings,
            prefix + "role-arn",
            ROLE,
            "is no role, such as arn:aws:iam::123456789012:role/ships"),
        externalId(settings, prefix));
  }

  private static String stream(Settings settings, String key) {
    String stream = settings.optionalText(key);
    if (stream == null) {
      settings.problem(key + ": is needed: the name of the delivery stream");
      return "";
    }
    if (!STREAM.matcher(stream).matches()) {
      settings.problem(key + ": a stream's name is up to 64 letters, digits, \"_\", \".\", \"-\"");
    }
    return stream;
  }

  private static @Nullable String externalId(Settings settings, String prefix) {
    String key = prefix + "external-id";
    if (settings.optionalText(key) != null && settings.optionalText(prefix + "role-arn") == null) {
      settings.problem(key + ": is shown where a role is assumed: " + prefix + "role-arn");
    }
    return matching(
        settings, key, EXTERNAL_ID, "is 2 to 1224 letters, digits, \"+=,.@:/-\" and \"_\"");
  }

  private static @Nullable String matching(
      Settings settings, String key, Pattern pattern, String fault) {
    String text = settings.optionalText(key);
    if (text == null || pattern.matcher(text).matches()) {
      return text;
    }
    settings.problem(key + ": " + fault);
    return null;
  }

  private static @Nullable URI endpoint(Settings settings, String key) {
    String text = settings.optionalText(key);
    if (text == null) {
      return null;
    }
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Reported below, like any other text that is no such URL.
    }
    settings.problem(key + ": is no URL, such as http://127.0.0.1:5000");
    return null;
  }
}
