package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that are taken out of a body, or lose their place, beside those that stay as they are. */
@Tag("unit")
final class EventsSiftTest {
  private static final String ACTIONS =
      """
      [{"riderId":"a","at":1,"type":"x","lat":1.5,"lon":2.5,"id":"1","attributes":{"k":"v"}},
       {"riderId":"b","at":2,"type":"y","lat":1.123456789012,"lon":2.5,"deliveryId":"d"},
       {"riderId":"b","at":3,"type":"y"},
       {"riderId":"LONG","at":4,"type":"z","lat":-1,"lon":-2.123456789012},
       {"riderId":"c","at":5,"type":"w","lat":3,"lon":4}]\
      """
          .replace("LONG", "라".repeat(128));

  private static Events decoded() {
    byte[] body = ACTIONS.getBytes(StandardCharsets.UTF_8);
    Events events = new Events();
    var _ = new JsonDecoder().decode(EventKind.ACTION, body, 0, body.length, events);
    assertThat(events.count()).isEqualTo(5);
    return events;
  }

  private static List<String> json(Events events) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < events.count(); i++) {
      JsonBuffer out = new JsonBuffer();
      new EventView().wrap(events.bytes(), events.offset(i), events.length(i)).writeJson(out);
      all.add(events.index(i) + " " + out);
    }
    return all;
  }

  @Test
  void unplaced_isTheSameEventWithoutLatAndLon() {
    Events events = decoded();
    List<String> before = json(events);
    events.sift((_, _, _) -> Events.Sifted.UNPLACED);
    assertThat(json(events))
        .containsExactlyElementsOf(
            before.stream()
                .map(one -> one.replaceAll("\"l(at|on)\":[^,}]+,?", "").replace(",}", "}"))
                .toList());
  }

  @Test
  void everyMixture_keepsTheOthersAsTheyWere() {
    List<String> before = json(decoded());
    for (int mixture = 0; mixture < 243; mixture++) {
      Events events = decoded();
      List<String> wanted = new ArrayList<>();
      List<Events.Sifted> verdicts = new ArrayList<>();
      int rest = mixture;
      for (String one : before) {
        Events.Sifted sifted = List.of(Events.Sifted.values()).get(rest % 3);
        rest /= 3;
        verdicts.add(sifted);
        if (sifted == Events.Sifted.KEPT) {
          wanted.add(one);
        } else if (sifted == Events.Sifted.UNPLACED) {
          wanted.add(one.replaceAll("\"l(at|on)\":[^,}]+,?", "").replace(",}", "}"));
        }
      }
      int[] next = {0};
      events.sift((_, _, _) -> verdicts.get(next[0]++));
      assertThat(json(events)).isEqualTo(wanted);
    }
  }

  @Test
  void removedRejects_leaveTheOthers() {
    Events events = new Events();
    for (int i = 0; i < 40; i++) {
      events.reject(i, "f" + i, "r" + i, 10 * i, 10 * i + 5);
    }
    events.removeRejects(i -> i % 3 != 0);
    assertThat(events.rejectCount()).isEqualTo(14);
    assertThat(events.rejectField(13)).isEqualTo("f39");
    assertThat(events.rejectReason(1)).isEqualTo("r3");
    assertThat(events.rejectStart(2)).isEqualTo(60);
    assertThat(events.rejectEnd(2)).isEqualTo(65);
    assertThat(events.rejectIndex(13)).isEqualTo(39);
  }
}
