package gilmok.phones;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions for setting up one app. Immutable.
 *
 * @param app the app
 * @param device the id under which the server will know the phone; tie it to the rider if it
 *     differs from the rider's id
 * @param menu where in the app the settings are, in the app's own words
 * @param url the URL that the app is to call; it contains the key if {@link PhoneApp#keyPlace} says
 *     so
 * @param settings everything to enter, including the URL and the key, in the app's own words and
 *     order
 * @param link opens the app and sets it up; null if the app has no such link
 */
public record Guide(
    PhoneApp app,
    String device,
    String menu,
    String url,
    List<Setting> settings,
    @Nullable String link) {

  /** One value to enter. */
  public record Setting(String name, String value) {}

  public Guide {
    settings = List.copyOf(settings);
  }

  /** The text of the QR code: the link, or the URL to paste if there is no link. */
  public String code() {
    return link == null ? url : link;
  }

  static Setting set(String name, String value) {
    return new Setting(name, value);
  }
}
