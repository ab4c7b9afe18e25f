package gilmok.phones;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do with one app.
 *
 * @param app which one
 * @param device what the server will know the phone as; tie it to the rider where it is not the
 *     rider's id
 * @param menu where in the app it is entered, in the app's own words
 * @param url what the app is to call; with the key in it where {@link PhoneApp#keyPlace} says so
 * @param settings all there is to enter, the URL and the key too, in the app's own words and order
 * @param link opens the app and sets it up; null when the app has no such link
 */
public record Guide(
    PhoneApp app,
    String device,
    String menu,
    String url,
    List<Setting> settings,
    @Nullable String link) {

  /** One thing to enter. */
  public record Setting(String name, String value) {}

  public Guide {
    settings = List.copyOf(settings);
  }

  /** What a QR code is made of: the link, or else the URL to paste. */
  public String code() {
    return link == null ? url : link;
  }

  static Setting set(String name, String value) {
    return new Setting(name, value);
  }
}
