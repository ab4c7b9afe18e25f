package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Events for tests. */
final class Samples {
  private Samples() {}

  static Event position(String rider, long at, double lat, double lon) {
    Event event = new Event();
    event.clear(EventKind.POSITION);
    text(event, EventField.RIDER_ID, rider);
    assertThat(event.at(at)).isNull();
    assertThat(event.number(EventField.LAT, lat)).isNull();
    assertThat(event.number(EventField.LON, lon)).isNull();
    return event;
  }

  static void text(Event event, EventField field, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(event.text(field, utf8, 0, utf8.length)).isNull();
  }

  static byte[] encoded(Event event) {
    assertThat(event.fault()).isNull();
    Events events = new Events();
    events.add(event, 0);
    return Arrays.copyOf(events.bytes(), events.length(0));
  }

  static String json(byte[] encoded) {
    JsonBuffer json = new JsonBuffer();
    new EventView().wrap(encoded, 0, encoded.length).writeJson(json);
    return json.toString();
  }
}
