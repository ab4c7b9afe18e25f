package gilmok.positions;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import java.nio.charset.StandardCharsets;

/** Feeds positions in as if they came from the log. */
final class Fixes {
  private final LatestPositions positions;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();

  Fixes(LatestPositions positions) {
    this.positions = positions;
  }

  void take(String rider, long at, double lat, double lon, long arrived, long sequence) {
    String json =
        "{\"riderId\":\"" + rider + "\",\"at\":" + at + ",\"lat\":" + lat + ",\"lon\":" + lon + "}";
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    events.clear();
    decoder.decode(EventKind.POSITION, body, 0, body.length, events);
    positions.take(events.bytes(), events.offset(0), events.length(0), arrived, sequence);
  }
}
