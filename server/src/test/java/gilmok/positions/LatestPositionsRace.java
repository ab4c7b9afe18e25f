package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.geo.Box;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Readers beside the one writer, while riders come, move, are forgotten and give their numbers to
 * others, and events grow and shrink so that pages are emptied. Nobody gets another rider's event,
 * or one that is put together from two: each event says in four fields which one it is.
 */
@Tag("unit")
@Tag("soak")
final class LatestPositionsRace {
  private static final long NOON = 1_700_000_000_000L;
  private static final int RIDERS = 4000;
  private static final int STAYING = 50;

  @Test
  void readers_whileRidersComeAndGo_getTheirOwnWholeEvents() {
    Seeds.each(20, seed -> new Round(seed).run(), 1);
  }

  private static final class Round {
    private final LatestPositions positions = new LatestPositions(RIDERS, 256);
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final Random random;
    private volatile boolean isOver;

    Round(long seed) {
      random = new Random(seed);
      positions.begin(0);
    }

    void run() throws InterruptedException {
      Writer writer = new Writer(positions, new Random(random.nextLong()));
      writer.everybody();
      List<Thread> threads = new ArrayList<>();
      threads.add(start(this::readByRider));
      threads.add(start(this::readByPlace));
      threads.add(start(this::follow));
      for (int i = 0; i < 60_000 && broken.isEmpty(); i++) {
        writer.step(i);
      }
      isOver = true;
      for (Thread thread : threads) {
        assertThat(thread.join(Duration.ofSeconds(60))).as("ends").isTrue();
      }
      assertThat(broken).isEmpty();
    }

    private Thread start(Runnable work) {
      return Thread.ofPlatform()
          .start(
              () -> {
                try {
                  while (!isOver && broken.isEmpty()) {
                    work.run();
                  }
                } catch (RuntimeException | AssertionError bad) {
                  broken.add(bad);
                }
              });
    }

    private void readByRider() {
      PositionCopy copy = new PositionCopy();
      EventView view = new EventView();
      Random choice = new Random();
      for (int i = 0; i < 1000; i++) {
        int rider = choice.nextInt(i % 2 == 0 ? STAYING : RIDERS);
        if (positions.find(RiderKey.of("rider-" + rider), copy) == RiderTable.NONE) {
          assertThat(rider).as("one who stays is not found").isGreaterThanOrEqualTo(STAYING);
          continue;
        }
        byte[] event = copy.event();
        view.wrap(event, 0, event.length);
        assertThat(view.riderId()).isEqualTo("rider-" + rider);
        long at = view.at();
        assertThat(copy.sequence()).isEqualTo(at - NOON);
        assertThat(view.text(EventField.ID)).isEqualTo("rider-" + rider + "/" + at);
        assertThat(view.lat()).isEqualTo(lat(at));
        String filler = view.text(EventField.DELIVERY_ID);
        assertThat(filler).isEqualTo(filler(at));
      }
    }

    private void readByPlace() {
      PositionSearch search = new PositionSearch(positions, HiddenRiders.NONE);
      JsonBuffer out = new JsonBuffer();
      search.near(0, 0, 3e7, 300, NOON);
      search.writeJson(out);
      check(out);
      out.clear();
      search.within(new Box(-900_000_000, -900_000_000, 900_000_000, 900_000_000), 300, NOON);
      search.writeJson(out);
      check(out);
    }

    private static void check(JsonBuffer out) {
      JsonNode items = JsonMapper.shared().readTree(out.toString()).get("items");
      for (JsonNode item : items) {
        String rider = item.get("riderId").asString();
        JsonNode position = item.get("position");
        assertThat(position.get("riderId").asString()).isEqualTo(rider);
        assertThat(position.get("id").asString()).startsWith(rider + "/");
      }
    }

    /** A stream of some riders is sent those alone. */
    private void follow() {
      List<String> some = List.of("rider-1", "rider-100", "rider-2000", "rider-3000");
      Follower follower = new Follower(positions, some, null);
      for (int i = 0; i < 200 && !isOver; i++) {
        follower.listen();
      }
      assertThat(some).containsAll(follower.known.keySet());
    }
  }

  private static final class Writer {
    private final LatestPositions positions;
    private final EventWriter events = new EventWriter();
    private final Random random;
    private long sequence;

    Writer(LatestPositions positions, Random random) {
      this.positions = positions;
      this.random = random;
    }

    void everybody() {
      for (int rider = 0; rider < RIDERS; rider++) {
        take(rider);
      }
    }

    void step(int i) {
      take(random.nextInt(i % 3 == 0 ? STAYING : RIDERS));
      if (i % 5000 == 0) {
        for (int rider = 0; rider < STAYING; rider++) {
          take(rider);
        }
        positions.settle(sequence);
        long since = sequence - STAYING - random.nextInt(2000);
        assertThat(positions.forgetBefore(NOON + 1000 * since)).isTrue();
      }
    }

    private void take(int rider) {
      sequence++;
      events.take(positions, "rider-" + rider, NOON + sequence, NOON + 1000 * sequence, sequence);
    }
  }

  private static double lat(long at) {
    return at % 90;
  }

  /** Of another length each time. */
  private static String filler(long at) {
    return "x".repeat(1 + (int) (at * 7919 % 120));
  }

  /** Makes events that say in several fields which one they are. */
  private static final class EventWriter {
    private final JsonDecoder decoder = new JsonDecoder();
    private final Events events = new Events();

    void take(LatestPositions positions, String rider, long at, long arrived, long sequence) {
      byte[] body =
          ("{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":%d,\"id\":\"%s/%d\","
                  + "\"deliveryId\":\"%s\"}")
              .formatted(rider, at, lat(at), at % 180, rider, at, filler(at))
              .getBytes(StandardCharsets.UTF_8);
      events.clear();
      decoder.decode(EventKind.POSITION, body, 0, body.length, events);
      positions.take(events.bytes(), events.offset(0), events.length(0), arrived, sequence);
    }
  }
}
