package gilmok.collect.owntracks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class FriendsTest {
  private static final JsonMapper JACKSON = JsonMapper.builder().build();
  private static final String[] PIECES = {
    "a", "7", "-", "\"", "\\", "/", "길", "\ud83d\ude00", " ", "{", "\u2028", "rider", "<", "'"
  };

  private static final JsonDecoder DECODER = new JsonDecoder();

  private final OwnTracks ownTracks = new OwnTracks();

  @Test
  void answer_aFriend_inOwnTracksUnits() {
    assertThat(
            answer(
                position(
                    "{'riderId':'rider-7','at':'2026-03-01T09:00:00.900Z','lat':37.5,'lon':127.25,"
                        + "'accuracy':4.6,'speed':10.1,'bearing':89.5,'altitude':-3.4,"
                        + "'attributes':{'tid':'JJ','vac':2.2}}")))
        .isEqualTo(
            json(
                "[{'_type':'location','tid':'JJ','lat':37.5,'lon':127.25,'tst':1772355600,"
                    + "'vel':36,'alt':-3,'cog':90,'acc':5,'vac':2,"
                    + "'topic':'owntracks/gilmok/rider-7'}]"));
  }

  @Test
  void answer_theLeastOfAFriend_hasNothingAbsent() {
    assertThat(answer(least("rider-7")))
        .isEqualTo(
            json(
                "[{'_type':'location','tid':'-7','lat':1,'lon':2,'tst':0,"
                    + "'topic':'owntracks/gilmok/rider-7'}]"));
  }

  @Test
  void answer_commandsAndFriends_inOneArray() {
    JsonBuffer out = new JsonBuffer();
    PhoneCommand report = new PhoneCommand("c", PhoneCommand.Type.REPORT, null, null);
    ownTracks.answer(List.of(report), List.of(least("a"), least("b")), out);
    JsonNode answer = JACKSON.readTree(out.toString());
    assertThat(answer.size()).isEqualTo(3);
    assertThat(answer.get(0).get("action").stringValue()).isEqualTo("reportLocation");
    assertThat(answer.get(2).get("tid").stringValue()).isEqualTo("b");
  }

  @Test
  void answer_friendsOfOneTid_areToldApart() {
    assertThat(
            tids(
                answer(
                    least("rider-117"),
                    least("rider-217"),
                    least("other-99"),
                    given("jane-phone", "ne"),
                    given("john-phone", "ne"),
                    given("x", "me"))))
        .containsExactly("117", "217", "99", "e-phone", "n-phone", "me");
  }

  @Test
  void answer_oneRiderTwice_ends() {
    assertThat(tids(answer(least("ab"), least("ab")))).containsExactly("ab", "ab");
  }

  @Test
  void answer_whatIsNoPosition_isLeftOut() {
    byte[] log =
        encoded(
            EventKind.LOG_LINE,
            "{'riderId':'r','at':'2026-03-01T09:00:00Z','level':'info','message':'m'}");
    assertThat(answer(log, least("r7"), log)).startsWith(json("[{'_type':'location','tid':'r7'"));
  }

  @Test
  void answer_anyRiders_isJsonWithATidEach() {
    Random random = new Random(1);
    for (int round = 0; round < 1000; round++) {
      Set<String> riders = new HashSet<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        riders.add(text(random, 1 + random.nextInt(6)));
      }
      List<byte[]> positions = new ArrayList<>();
      for (String rider : riders) {
        boolean given = random.nextInt(3) == 0;
        positions.add(given ? given(rider, text(random, 1)) : least(rider));
      }
      JsonNode answer = JACKSON.readTree(answer(positions.toArray(new byte[0][])));
      Set<String> tids = new HashSet<>();
      Set<String> topics = new HashSet<>();
      for (JsonNode friend : answer) {
        tids.add(friend.get("tid").stringValue());
        topics.add(friend.get("topic").stringValue().substring("owntracks/gilmok/".length()));
      }
      assertThat(topics).isEqualTo(riders);
      assertThat(answer.size()).isEqualTo(riders.size());
      assertThat(tids).as(answer.toString()).hasSameSizeAs(riders);
    }
  }

  private static String text(Random random, int pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private String answer(byte[]... positions) {
    JsonBuffer out = new JsonBuffer();
    ownTracks.answer(List.of(), Arrays.asList(positions), out);
    return out.toString();
  }

  private static List<String> tids(String answer) {
    List<String> tids = new ArrayList<>();
    for (JsonNode friend : JACKSON.readTree(answer)) {
      tids.add(friend.get("tid").stringValue());
    }
    return tids;
  }

  private static byte[] least(String rider) {
    return made(rider, "");
  }

  private static byte[] given(String rider, String tid) {
    return made(rider, ",\"attributes\":{\"tid\":" + JACKSON.writeValueAsString(tid) + "}");
  }

  private static byte[] made(String rider, String rest) {
    String quoted = JACKSON.writeValueAsString(rider);
    String record = "{\"riderId\":" + quoted + ",\"at\":0,\"lat\":1,\"lon\":2" + rest + "}";
    return encodedJson(EventKind.POSITION, record);
  }

  private static byte[] position(String record) {
    return encoded(EventKind.POSITION, record);
  }

  private static byte[] encoded(EventKind kind, String record) {
    return encodedJson(kind, json(record));
  }

  private static byte[] encodedJson(EventKind kind, String record) {
    byte[] body = record.getBytes(StandardCharsets.UTF_8);
    Events events = new Events();
    DECODER.decode(kind, body, 0, body.length, events);
    assertThat(events.count()).as(record).isEqualTo(1);
    return Arrays.copyOf(events.bytes(), events.length(0));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
