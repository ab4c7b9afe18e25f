package gilmok.positions;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.geo.Box;
import gilmok.http.ReplyStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of a stream, without the network: the positions it received, and where it would resume.
 */
final class Follower {
  private static final String NODE = "node";
  private static final Principal ANYBODY = new Principal("k", "k", Set.of(Scope.READ), null);

  /** Each rider's latitude and longitude, from the events received. */
  final Map<String, List<Double>> known = new HashMap<>();

  private final LatestPositions positions;
  private final StreamFilter filter;
  private final SseBatch batch;
  private final ChangeCursor cursor;
  private StreamReader reader;
  private long last = StreamReader.NOTHING;
  long events;

  Follower(LatestPositions positions, List<String> riders, @Nullable Box box) {
    this.positions = positions;
    this.batch = new SseBatch(positions, HiddenRiders.NONE, NODE);
    this.cursor = new ChangeCursor(positions);
    this.filter = new StreamFilter(riders.stream().map(RiderKey::of).toList(), box);
    this.reader = reader();
  }

  /** Connects again with the last id received. */
  void resume() {
    reader = reader();
  }

  private StreamReader reader() {
    return new StreamReader(new Nobody(), ANYBODY, filter, 0, last, 0, 0);
  }

  /** Receives one batch of events; returns whether there are more. */
  boolean listen() {
    batch.clear();
    boolean isCut = reader.tell(batch, positions, cursor, positions.through());
    for (String event : new String(batch.bytes(), StandardCharsets.UTF_8).split("\n\n", -1)) {
      if (!event.isEmpty()) {
        hear(event.split("\n", -1));
      }
    }
    return isCut;
  }

  void listenToTheEnd() {
    boolean isCut = true;
    while (isCut) {
      isCut = listen();
    }
  }

  private void hear(String[] lines) {
    events++;
    long sequence = Long.parseLong(lines[0].substring(("id: " + NODE + ":").length()));
    if (sequence <= last) {
      throw new AssertionError(sequence + " after " + last);
    }
    last = sequence;
    JsonNode data = JsonMapper.shared().readTree(lines[2].substring("data: ".length()));
    String rider = data.get("riderId").asString();
    if (lines[1].equals("event: left")) {
      known.remove(rider);
    } else {
      known.put(rider, List.of(data.get("lat").asDouble(), data.get("lon").asDouble()));
    }
  }

  private static final class Nobody implements ReplyStream {
    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public void write(byte[] bytes) {}

    @Override
    public void end() {}

    @Override
    public void breakOff() {}

    @Override
    public boolean isEnded() {
      return false;
    }
  }
}
