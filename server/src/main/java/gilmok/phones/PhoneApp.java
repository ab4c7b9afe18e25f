package gilmok.phones;

import java.util.List;
import java.util.Optional;

/**
 * The apps that can be set up, the easiest first. {@code docs/phones.md} says where each is from.
 */
public enum PhoneApp {
  OWNTRACKS("owntracks", "OwnTracks", KeyPlace.BASIC, "Android,iOS"),
  TRACCAR("traccar", "Traccar Client 9, 10", KeyPlace.URL, "Android,iOS"),
  OVERLAND("overland", "Overland", KeyPlace.BEARER, "iOS"),
  COLOTA("colota", "Colota", KeyPlace.BEARER, "Android"),
  GPSLOGGER("gpslogger", "GPSLogger", KeyPlace.URL, "Android"),
  OSMAND("osmand", "OsmAnd", KeyPlace.URL, "Android,iOS"),
  TRACCAR8("traccar8", "Traccar Client up to 8", KeyPlace.URL, "Android,iOS"),
  GEOLOCATION(
      "geolocation", "background-geolocation (in your own app)", KeyPlace.HEADER, "Android,iOS");

  /** Where an app puts its key. */
  public enum KeyPlace {
    /** The parameter {@code key} of the URL, for an app that can be told nothing else. */
    URL("url"),
    /** {@code Authorization: Basic}, as the password. */
    BASIC("basic"),
    /** {@code Authorization: Bearer}. */
    BEARER("bearer"),
    /** {@code X-Api-Key}. */
    HEADER("header");

    private final String label;

    KeyPlace(String label) {
      this.label = label;
    }

    /** Its name in replies. */
    public String label() {
      return label;
    }
  }

  private final String label;
  private final String title;
  private final KeyPlace keyPlace;
  private final String platforms;

  PhoneApp(String label, String title, KeyPlace keyPlace, String platforms) {
    this.label = label;
    this.title = title;
    this.keyPlace = keyPlace;
    this.platforms = platforms;
  }

  /** The app with that name, as requests and commands write it. */
  public static Optional<PhoneApp> of(String label) {
    return List.of(values()).stream().filter(app -> app.label.equals(label)).findFirst();
  }

  /** All names, as messages list them. */
  public static String labels() {
    return String.join(", ", List.of(values()).stream().map(PhoneApp::label).toList());
  }

  /** Its name in requests, replies and commands. */
  public String label() {
    return label;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** What it runs on. */
  public List<String> platforms() {
    return List.of(platforms.split(",", -1));
  }

  /** Where it puts its key. */
  public KeyPlace keyPlace() {
    return keyPlace;
  }
}
