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
 * What GPSLogger sends to a custom URL: one position as the parameters of a query or form; JSON, if
 * that is what its user made of the body's template. A name and its unit are the same as in {@code
 * osmand}: an upload taken for the other of the two becomes the same events. It does not read its
 * answers.
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
   * Whether those parameters are of this app rather than of one that speaks {@code osmand}: whether
   * more of them are this one's own names than the other's.
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
