package gilmok.collect;

import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.Parameters;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.Upload;
import gilmok.collect.format.FormatDecoder;
import gilmok.collect.geolocation.Geolocation;
import gilmok.collect.gpslogger.GpsLogger;
import gilmok.collect.json.JsonDocument;
import gilmok.collect.osmand.Osmand;
import gilmok.collect.overland.Overland;
import gilmok.collect.owntracks.OwnTracks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All dialects; finds the one an upload is in, by its endpoint, and at an endpoint for all dialects
 * by its content.
 *
 * <p>Not thread-safe: one for each event loop; only {@link #refusal} may be called by several
 * threads at once.
 */
public final class Dialects {
  private static final int NONE = JsonDocument.NONE;

  private final Dialect osmand = new Osmand();
  private final Dialect gpsLogger = new GpsLogger();
  private final Dialect geolocation = new Geolocation();
  private final Dialect ownTracks = new OwnTracks();
  private final Dialect overland = new Overland();
  private final List<Dialect> all = List.of(osmand, gpsLogger, geolocation, ownTracks, overland);
  private final JsonDocument document = new JsonDocument();

  /** Why a dialect cannot carry a command; null if it can. Declared formats carry none. */
  public @Nullable String refusal(String label, PhoneCommand command) {
    for (Dialect dialect : all) {
      if (dialect.label().equals(label)) {
        return dialect.refusal(command);
      }
    }
    return FormatDecoder.NO_COMMANDS;
  }

  /**
   * Finds the dialect of an upload.
   *
   * @param isJson whether it is a JSON body rather than parameters
   */
  Dialect of(UploadEndpoint uploadEndpoint, Upload upload, boolean isJson) {
    return switch (uploadEndpoint) {
      case OWNTRACKS -> ownTracks;
      case OVERLAND -> overland;
      case GPSLOGGER -> isJson ? byContent(upload) : gpsLogger;
      case ANY -> isJson ? byContent(upload) : byNames(upload);
    };
  }

  /** Whether the dialect is the one whose phones send their identity outside of the messages. */
  boolean isOwnTracks(Dialect dialect) {
    return dialect == ownTracks;
  }

  private Dialect byNames(Upload upload) {
    Parameters parameters = Parameters.of(upload.bytes(), upload.offset(), upload.end());
    return GpsLogger.speaks(parameters) ? gpsLogger : osmand;
  }

  /**
   * Finds the dialect by a member that no other dialect has; in an array, by the first element with
   * such a member.
   */
  private Dialect byContent(Upload upload) {
    int root = document.read(upload.bytes(), upload.offset(), upload.length());
    if (!document.isArray(root)) {
      Dialect told = byMembers(root);
      return told == null ? osmand : told;
    }
    for (int one = document.first(root); one != NONE; one = document.next(one)) {
      Dialect told = byMembers(one);
      if (told != null) {
        return told;
      }
    }
    return osmand;
  }

  private @Nullable Dialect byMembers(int object) {
    if (document.member(object, "_type") != NONE) {
      return ownTracks;
    }
    int locations = document.member(object, "locations");
    if (locations != NONE) {
      return isGeolocation(locations) ? geolocation : overland;
    }
    int location = document.member(object, "location");
    boolean structured = document.isObject(location) || document.isArray(location);
    boolean nameless = document.member(object, "coords") != NONE;
    return structured || nameless ? geolocation : null;
  }

  /**
   * Whether {@code locations} is Geolocation's: its {@code rootProperty} can be set to that name,
   * but only Overland's elements are features.
   */
  private boolean isGeolocation(int locations) {
    if (!document.isArray(locations)) {
      return document.member(locations, "coords") != NONE;
    }
    for (int one = document.first(locations); one != NONE; one = document.next(one)) {
      if (document.member(one, "coords") != NONE) {
        return true;
      }
      if (document.member(one, "geometry") != NONE || document.member(one, "type") != NONE) {
        return false;
      }
    }
    return false;
  }
}
