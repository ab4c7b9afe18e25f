package gilmok.phones;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The apps that can be set up, the easiest first. {@code docs/phones.md} names the source of each.
 */
public enum PhoneApp {
  OWNTRACKS("OwnTracks", KeyPlace.BASIC, "Android,iOS"),
  TRACCAR("Traccar Client 9, 10", KeyPlace.URL, "Android,iOS"),
  OVERLAND("Overland", KeyPlace.BEARER, "iOS"),
  COLOTA("Colota", KeyPlace.BEARER, "Android"),
  GPSLOGGER("GPSLogger", KeyPlace.URL, "Android"),
  OSMAND("OsmAnd", KeyPlace.URL, "Android,iOS"),
  TRACCAR8("Traccar Client up to 8", KeyPlace.URL, "Android,iOS"),
  GEOLOCATION("background-geolocation (in your own app)", KeyPlace.HEADER, "Android,iOS");

  /** The part of a request in which an app sends its key. */
  public enum KeyPlace {
    /** The parameter {@code key} of the URL, for an app that can send nothing else. */
    URL,
    /** {@code Authorization: Basic}, as the password. */
    BASIC,
    /** {@code Authorization: Bearer}. */
    BEARER,
    /** {@code X-Api-Key}. */
    HEADER;

    /** Its name in replies. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String title;
  private final KeyPlace keyPlace;
  private final String platforms;

  PhoneApp(String title, KeyPlace keyPlace, String platforms) {
    this.title = title;
    this.keyPlace = keyPlace;
    this.platforms = platforms;
  }

  /** The app with a name, as requests and commands write it; empty if there is none. */
  public static Optional<PhoneApp> of(String label) {
    return List.of(values()).stream().filter(app -> app.label().equals(label)).findFirst();
  }

  /** All names, for messages. */
  public static String labels() {
    return String.join(", ", List.of(values()).stream().map(PhoneApp::label).toList());
  }

  /** Its name in requests, replies and commands. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** The systems it runs on. */
  public List<String> platforms() {
    return List.of(platforms.split(",", -1));
  }

  /** The part of a request in which it sends its key. */
  public KeyPlace keyPlace() {
    return keyPlace;
  }
}
