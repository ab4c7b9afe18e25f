package gilmok.deliveries.track;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * The settings of customers' links. Immutable.
 *
 * @param keep {@code track.keep}: how long a link is valid
 * @param url {@code track.url}: the part of links before {@code /track/…}, as {@code
 *     https://track.example.com}; empty for links without a host
 * @param secret {@code track.secret}: signs links, the same on all nodes; empty for a secret of
 *     this node's own
 * @param positionAgeMax {@code track.position-age-max}: an older position is not shown
 */
public record TrackConfig(Duration keep, String url, String secret, Duration positionAgeMax) {
  private static final int SECRET_CHARS_MIN = 16;

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "TrackConfig[keep=" + keep + ", url=" + url + "]";
  }

  /** Reads the keys {@code track.*}. */
  public static TrackConfig from(Settings settings) {
    String url = settings.text("track.url", "");
    if (!url.isEmpty() && !url.startsWith("http://") && !url.startsWith("https://")) {
      settings.problem("track.url: \"" + url + "\" is no http or https URL");
    }
    String said = settings.secret("track.secret");
    String secret = said == null ? "" : said;
    if (!secret.isEmpty() && secret.length() < SECRET_CHARS_MIN) {
      settings.problem("track.secret: has less than " + SECRET_CHARS_MIN + " characters");
    }
    return new TrackConfig(
        settings.duration("track.keep", "24 h", Duration.ofMinutes(1), Duration.ofDays(30)),
        url.endsWith("/") ? url.substring(0, url.length() - 1) : url,
        secret,
        settings.duration(
            "track.position-age-max", "5 min", Duration.ofSeconds(10), Duration.ofHours(1)));
  }
}
