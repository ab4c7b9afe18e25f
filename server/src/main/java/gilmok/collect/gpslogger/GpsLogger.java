package gilmok.collect.gpslogger;

import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.FlatDecoder;
import gilmok.collect.dialect.Parameters;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.Upload;
import gilmok.event.JsonBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of GPSLogger with a custom URL: one position as the parameters of a query or form, or
 * JSON, if its user has written the body's template so. Names and units are the same as in {@code
 * osmand}, so an upload that is taken for the other dialect becomes the same events. The app does
 * not read answers.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class GpsLogger implements Dialect {
  private static final String REFUSAL = "GPSLogger does not read its answers";

  private static final Set<String> OWN =
      Set.of(
          "acc",
          "aid",
          "alt",
          "dir",
          "filename",
          "ischarging",
          "prov",
          "ser",
          "spd",
          "spd_kph",
          "starttimestamp",
          "timeoffset");

  private static final Set<String> OTHERS =
      Set.of("accuracy", "altitude", "bearing", "charge", "deviceid", "heading", "speed");

  private final FlatDecoder decoder = new FlatDecoder();

  /**
   * Whether parameters come from this app rather than from one that speaks {@code osmand}: more of
   * the names are GPSLogger's own than the others' own.
   */
  public static boolean speaks(Parameters parameters) {
    int own = 0;
    for (int i = 0; i < parameters.count(); i++) {
      String name = parameters.name(i);
      if (OWN.contains(name)) {
        own++;
      } else if (OTHERS.contains(name)) {
        own--;
      }
    }
    return own > 0;
  }

  @Override
  public String label() {
    return "gpslogger";
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    decoder.decode(upload, out);
  }

  @Override
  public @Nullable String refusal(PhoneCommand command) {
    return REFUSAL;
  }

  @Override
  public int commandsMax() {
    return 0;
  }

  @Override
  public String answerType() {
    return "text/plain; charset=utf-8";
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out) {}
}
