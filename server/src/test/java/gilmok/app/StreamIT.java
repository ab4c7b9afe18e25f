package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.EventStream.Event;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions followed over the network: what a reader gets, and where it resumes. */
@Tag("server")
final class StreamIT {
  private static final String FAR = "rider-far";

  @TempDir Path data;

  private final HttpClient client = HttpClient.newHttpClient();
  private final long now = System.currentTimeMillis();

  @Test
  void reader_isToldEveryone_thenWhoMoves() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      post(server, "a", now, 1);
      post(server, "b", now, 2);
      post(server, "c", now, 3);
      post(server, "a", now + 1, 4);
      server.awaitSeen();
      try (EventStream stream = new EventStream(server, client, "")) {
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.header("content-type")).startsWith("text/event-stream");
        assertThat(stream.header("cache-control")).isEqualTo("no-store");
        assertThat(stream.header("x-accel-buffering")).isEqualTo("no");
        List<Event> all = stream.next(3);
        assertThat(all).extracting(Event::rider).containsExactly("b", "c", "a");
        assertThat(all).extracting(Event::type).containsOnly("position");
        assertThat(all.get(2).json()).isEqualTo(server.get("/v1/riders/a/position").json());
        assertThat(stream.beside()).containsExactly("retry: 2000");
        post(server, "b", now + 1, 5);
        Event moved = stream.next();
        assertThat(moved.rider()).isEqualTo("b");
        assertThat(moved.json().get("lat").asInt()).isEqualTo(5);
        assertThat(sequence(moved)).isGreaterThan(sequence(all.get(2)));
      }
    }
  }

  @Test
  void latePoints_andClocksInTheFuture_areToldToNobody() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      post(server, "a", now, 1);
      server.awaitSeen();
      try (EventStream stream = new EventStream(server, client, "")) {
        assertThat(stream.next().rider()).isEqualTo("a");
        post(server, "a", now - 1, 2);
        post(server, "a", now + 11 * 60_000, 3);
        server.awaitSeen();
        post(server, "b", now, 4);
        assertThat(stream.next().rider()).isEqualTo("b");
        post(server, "a", now + 1, 5);
        assertThat(stream.next().json().get("lat").asInt()).isEqualTo(5);
      }
    }
  }

  @Test
  void resuming_goesOnWhereItWas_alsoInTheMiddle_andAfterARestart() throws Exception {
    List<Event> all;
    try (RunningServer server = RunningServer.start(data)) {
      for (int i = 0; i < 5; i++) {
        post(server, "r" + i, now, i);
      }
      server.awaitSeen();
      try (EventStream stream = new EventStream(server, client, "")) {
        all = stream.next(5);
      }
      try (EventStream stream = resumed(server, all.get(1).id(), "")) {
        assertThat(stream.next(3)).isEqualTo(all.subList(2, 5));
      }
      try (EventStream stream = new EventStream(server, client, "lastEventId=" + all.get(3).id())) {
        assertThat(stream.next()).isEqualTo(all.get(4));
      }
    }
    try (RunningServer server = RunningServer.start(data)) {
      try (EventStream stream = new EventStream(server, client, "")) {
        assertThat(stream.next(5)).as("the same sequences").isEqualTo(all);
      }
      try (EventStream stream = resumed(server, all.get(3).id(), "")) {
        assertThat(stream.next()).isEqualTo(all.get(4));
        post(server, "r0", now + 1, 9);
        assertThat(stream.next().rider()).isEqualTo("r0");
      }
    }
  }

  @Test
  void ids_thatThisNodeDidNotGive_reset() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      post(server, "a", now, 1);
      server.awaitSeen();
      String node;
      try (EventStream stream = new EventStream(server, client, "")) {
        node = stream.next().id().split(":", -1)[0];
      }
      for (String id :
          List.of("other:1", node + ":1000", node, node + ":", node + ":-1", node + ":1x", "1")) {
        try (EventStream stream = resumed(server, id, "")) {
          Event first = stream.next();
          assertThat(first.type()).as(id).isEqualTo("reset");
          assertThat(first.data()).isEqualTo("{}");
          assertThat(stream.next().rider()).isEqualTo("a");
        }
      }
    }
  }

  @Test
  void box_tellsWhoIsInIt_andOnceWhoLeft() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      post(server, "in", now, 10);
      post(server, FAR, now, 50);
      server.awaitSeen();
      String last;
      try (EventStream stream = new EventStream(server, client, "bbox=126,0,128,20")) {
        assertThat(stream.next().rider()).isEqualTo("in");
        post(server, "in", now + 1, 60);
        Event left = stream.next();
        assertThat(left.type()).isEqualTo("left");
        assertThat(left.data()).isEqualTo("{\"riderId\":\"in\"}");
        post(server, "in", now + 2, 61);
        server.awaitSeen();
        post(server, FAR, now + 3, 20);
        Event entered = stream.next();
        assertThat(entered.type()).isEqualTo("position");
        assertThat(entered.rider()).isEqualTo(FAR);
        last = entered.id();
      }
      post(server, FAR, now + 4, 70);
      server.awaitSeen();
      try (EventStream stream = resumed(server, last, "bbox=126,0,128,20")) {
        Event left = stream.next();
        assertThat(left.type()).isEqualTo("left");
        assertThat(left.rider()).isEqualTo(FAR);
      }
    }
  }

  @Test
  void riders_areToldAlone_alsoOnesNotYetKnown() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      post(server, "a", now, 1);
      post(server, "b", now, 2);
      server.awaitSeen();
      try (EventStream stream = new EventStream(server, client, "rider=a,new&rider=%EA%B0%80")) {
        assertThat(stream.next().rider()).isEqualTo("a");
        post(server, "b", now + 1, 3);
        post(server, "new", now, 4);
        assertThat(stream.next().rider()).isEqualTo("new");
        post(server, "가", now, 5);
        assertThat(stream.next().rider()).isEqualTo("가");
      }
    }
  }

  @Test
  void boundKey_followsItsOwnRiderOnly_andIsGoneWhenRevoked() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String key = server.key("{\"name\":\"p\",\"scopes\":[\"read\"],\"rider\":\"mine\"}");
      post(server, "mine", now, 1);
      server.awaitSeen();
      String path = "/v1/stream/positions";
      for (String query : List.of("", "?rider=other", "?rider=mine,other", "?bbox=1,2,3,4")) {
        assertThat(server.send(key, "GET", path + query, "", "").status()).as(query).isEqualTo(403);
      }
      try (EventStream stream = new EventStream(server, client, key, "rider=mine", null)) {
        assertThat(stream.next().rider()).isEqualTo("mine");
        String id = key.split("_", -1)[1];
        server.send(server.adminKey(), "DELETE", "/v1/keys/" + id, "", "");
        assertThat(stream.endsNext()).isTrue();
      }
    }
  }

  @Test
  void streams_areBounded_refusedByName_andEndWithTheServer() throws Exception {
    EventStream stream;
    try (RunningServer server = RunningServer.start(data, "positions.streams-max=1")) {
      String many = IntStream.range(0, 1001).mapToObj(i -> "" + i).collect(Collectors.joining(","));
      assertWrong(server, "rider=", "rider", "empty");
      assertWrong(server, "rider=" + many, "rider", "more than 1000");
      assertWrong(server, "bbox=1", "bbox", "not of the form minLon,minLat,maxLon,maxLat");
      assertWrong(server, "interval=99", "interval", "not from 100 to 60000");
      stream = new EventStream(server, client, "");
      assertThat(server.get("/v1/stream/positions").status()).isEqualTo(503);
      assertThat(server.metric("gilmok_positions_streams")).isEqualTo(1);
    }
    assertThat(stream.endsNext()).isTrue();
  }

  @Test
  void manyReaders_areEachToldTheirOwn() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      List<EventStream> streams = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        streams.add(new EventStream(server, client, "rider=r" + i + ",r" + (i + 1)));
      }
      for (int round = 1; round <= 20; round++) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i <= 100; i++) {
          body.append(position("r" + i, now + round, round)).append('\n');
        }
        assertThat(
                server
                    .send(
                        server.adminKey(), "POST", "/v1/traces", "application/x-ndjson", "" + body)
                    .status())
            .isEqualTo(202);
      }
      for (int i = 0; i < 100; i++) {
        List<String> last = new ArrayList<>();
        while (last.size() < 2) {
          Event event = streams.get(i).next();
          assertThat(event.rider()).isIn("r" + i, "r" + (i + 1));
          if (event.json().get("lat").asInt() == 20) {
            last.add(event.rider());
          }
        }
        assertThat(last).containsExactly("r" + i, "r" + (i + 1));
        streams.get(i).close();
      }
    }
  }

  private EventStream resumed(RunningServer server, String id, String query) throws Exception {
    return new EventStream(server, client, server.adminKey(), query, id);
  }

  private static void assertWrong(RunningServer server, String query, String field, String reason)
      throws Exception {
    RunningServer.Reply reply = server.get("/v1/stream/positions?" + query);
    assertThat(reply.status()).as(query).isEqualTo(400);
    assertThat(reply.json().get("field").asString()).as(query).isEqualTo(field);
    assertThat(reply.json().get("reason").asString()).as(query).isEqualTo(reason);
  }

  private static long sequence(Event event) {
    return Long.parseLong(event.id().substring(event.id().indexOf(':') + 1));
  }

  private static String position(String rider, long at, int lat) {
    return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%d,\"lon\":127}".formatted(rider, at, lat);
  }

  private static void post(RunningServer server, String rider, long at, int lat) throws Exception {
    assertThat(server.post("/v1/traces", position(rider, at, lat)).status()).isEqualTo(202);
  }
}
