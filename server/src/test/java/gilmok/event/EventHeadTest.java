package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The head says the same as the view of the whole event. */
@Tag("unit")
final class EventHeadTest {
  @Test
  void heads_ofIdsOfAllLengths_withAPlaceAndWithout() {
    for (EventKind kind : new EventKind[] {EventKind.POSITION, EventKind.ACTION}) {
      for (int length = 1; length <= EventField.RIDER_ID.max(); length++) {
        for (boolean isPlaced : new boolean[] {true, false}) {
          if (kind == EventKind.ACTION || isPlaced) {
            check(kind, "r".repeat(length), isPlaced);
          }
        }
      }
    }
  }

  private static void check(EventKind kind, String rider, boolean isPlaced) {
    Event event = new Event();
    event.clear(kind);
    byte[] id = rider.getBytes(StandardCharsets.UTF_8);
    assertThat(event.text(EventField.RIDER_ID, id, 0, id.length)).isNull();
    assertThat(event.at(1_772_000_000_000L)).isNull();
    if (kind == EventKind.ACTION) {
      assertThat(event.text(EventField.TYPE, id, 0, 1)).isNull();
    }
    if (isPlaced) {
      assertThat(event.number(EventField.LAT, 37.123456789)).isNull();
      assertThat(event.number(EventField.LON, 127)).isNull();
    }
    Events events = new Events();
    events.add(event, 0);
    EventView view = new EventView();
    view.wrap(events.bytes(), events.offset(0), events.length(0));
    ByteBuffer direct = ByteBuffer.allocateDirect(events.length(0) + 5);
    direct.put(5, events.bytes(), events.offset(0), events.length(0));
    long head = EventHead.of(direct, 5);
    assertThat(EventHead.hasPlace(head)).isEqualTo(view.has(EventField.LAT));
    assertThat(EventHead.hasPlace(events.bytes(), events.offset(0)))
        .isEqualTo(view.has(EventField.LAT));
    assertThat(EventHead.riderLength(head)).isEqualTo(view.length(EventField.RIDER_ID));
    assertThat(EventHead.riderLength(events.bytes(), events.offset(0)))
        .isEqualTo(view.length(EventField.RIDER_ID));
    assertThat(EventHead.riderOffset(events.bytes(), events.offset(0)))
        .isEqualTo(view.offset(EventField.RIDER_ID));
    int from = events.offset(0) - 5;
    assertThat(EventHead.riderOffset(head, 5)).isEqualTo(view.offset(EventField.RIDER_ID) - from);
  }
}
