package gilmok.sinks.redis;

import static gilmok.sinks.redis.SinkRig.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.redis.RedisServer;
import gilmok.sinks.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink with a real Redis that works. Each test has keys of its own. */
@Tag("engine")
@Timeout(120)
final class RedisSinkIT {
  @AutoClose private static RedisServer server;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = RedisServer.any(folder);
  }

  @Test
  void send_positions_areInTheStreamAndTheLatest() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      Verdict verdict =
          rig.send(
              new Positions(7)
                  .add("김 \\\"one\\\"", NOW - 2000, 37.5665123, 126.978)
                  .add("two", NOW - 1000, -0.5, -179.9)
                  .add("two", NOW, 0.25, 179.9));
      assertThat(verdict).isInstanceOf(Verdict.Done.class);
      Verdict.Done done = (Verdict.Done) verdict;
      assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(3);
      assertThat(done.place()).matches(rig.prefix + ":positions \\d+-\\d+ to \\d+-\\d+");

      List<String> entries = server.texts("XRANGE", rig.prefix + ":positions", "-", "+");
      assertThat(entries.subList(1, 11))
          .containsExactly(
              "recordId",
              Positions.NODE + ":7",
              "dedupKey",
              entries.get(4),
              "riderId",
              "김 \"one\"",
              "at",
              Long.toString(NOW - 2000),
              "record",
              "{\"riderId\":\"김 \\\"one\\\"\",\"at\":\"2027-01-15T07:59:58Z\","
                  + "\"lat\":37.5665123,\"lon\":126.978}");
      assertThat(entries.get(4)).matches("[0-9a-f]{32}");
      assertThat(rig.streamed())
          .containsExactly(Positions.NODE + ":7", Positions.NODE + ":8", Positions.NODE + ":9");
      assertThat(rig.latest(0)).containsOnlyKeys("김 \"one\"", "two");
      assertThat(rig.latest(0).get("two"))
          .isEqualTo(
              "{\"riderId\":\"two\",\"at\":\"2027-01-15T08:00:00Z\",\"lat\":0.25,"
                  + "\"lon\":179.9,\"recordId\":\""
                  + Positions.NODE
                  + ":9\"}");
      assertThat(rig.at(0)).isEqualTo(Map.of("김 \"one\"", NOW - 2000, "two", NOW));
      assertThat(
              server.texts(
                  "GEOSEARCH",
                  rig.key(0, "geo"),
                  "FROMLONLAT",
                  "126.978",
                  "37.5665",
                  "BYRADIUS",
                  "1",
                  "km"))
          .containsExactly("김 \"one\"");
    }
  }

  @Test
  void latest_olderFixes_doNotMoveItBack() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      rig.ship(new Positions(1).add("one", NOW, 1, 1).add("one", NOW - 1, 2, 2));
      rig.ship(new Positions(3).add("one", NOW - 5000, 3, 3));
      assertThat(rig.latest(0).get("one")).contains("\"lat\":1,").contains(":1\"");
      // Of two fixes with the same time the later record wins, as in the server's own latest
      // positions.
      rig.ship(new Positions(4).add("one", NOW, 4, 4).add("one", NOW, 5, 5));
      assertThat(rig.latest(0).get("one")).contains("\"lat\":5,").contains(":5\"");
      assertThat(rig.streamed()).hasSize(5);
    }
  }

  @Test
  void latest_clockAheadOrOlderThanKept_isStreamedOnly() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      long acknowledged =
          rig.ship(
              new Positions(1)
                  .add("ahead", NOW + 600_001, 1, 1, NOW)
                  .add("ancient", 1000, 1, 1)
                  .add("fine", NOW + 600_000, 1, 1, NOW));
      assertThat(acknowledged).isEqualTo(3);
      assertThat(rig.streamed()).hasSize(3);
      assertThat(rig.latest(0)).containsOnlyKeys("fine");
    }
  }

  @Test
  void latest_nearAPole_isKeptButNotIndexed() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      rig.ship(new Positions(1).add("one", NOW - 2, 85, 10).add("edge", NOW, 85.05112878, 180));
      assertThat(server.texts("ZCARD", rig.key(0, "geo"))).containsExactly("2");
      rig.ship(new Positions(3).add("one", NOW - 1, 85.06, 10));
      assertThat(server.texts("ZRANGE", rig.key(0, "geo"), "0", "-1")).containsExactly("edge");
      assertThat(rig.latest(0).get("one")).contains("\"lat\":85.06,");
      rig.ship(new Positions(4).add("one", NOW, -85, 10));
      assertThat(server.texts("ZCARD", rig.key(0, "geo"))).containsExactly("2");
    }
  }

  @Test
  void latest_longUnheard_areForgottenABoundedNumberAtATime() throws Exception {
    try (SinkRig rig = new SinkRig(server, "sinks.redis.keep", "1 h")) {
      int many = LatestKeys.TRIM_MAX + 5;
      for (int i = 0; i < many; i++) {
        server.ask("ZADD", rig.key(0, "at"), Long.toString(NOW - 3_600_001), "old-" + i);
        server.ask("HSET", rig.key(0, "positions"), "old-" + i, "{}");
        server.ask("GEOADD", rig.key(0, "geo"), "1", "1", "old-" + i);
      }
      rig.ship(new Positions(1).add("edge", NOW - 3_600_000, 1, 1));
      assertThat(rig.at(0)).hasSize(6);
      rig.ship(new Positions(2).add("new", NOW, 1, 1));
      assertThat(rig.at(0)).containsOnlyKeys("edge", "new");
      assertThat(rig.latest(0)).containsOnlyKeys("edge", "new");
      assertThat(server.texts("ZRANGE", rig.key(0, "geo"), "0", "-1"))
          .containsExactlyInAnyOrder("edge", "new");
    }
  }

  @Test
  void stream_isCutToAboutItsLength() throws Exception {
    try (SinkRig rig = new SinkRig(server, "sinks.redis.stream-length-max", "500")) {
      for (int batch = 0; batch < 10; batch++) {
        Positions positions = new Positions(1 + 200 * batch);
        for (int i = 0; i < 200; i++) {
          positions.add("one", NOW - 2000 + 200 * batch + i, 1, 1);
        }
        rig.ship(positions);
      }
      assertThat(rig.streamed()).hasSizeBetween(500, 700).endsWith(Positions.NODE + ":2000");
    }
  }

  @Test
  void send_moreThanOneScriptTakes_keepsTheOrder() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      int many = 2 * RedisEncoder.COUNT_MAX + 7;
      Positions positions = new Positions(1);
      List<String> expected = new ArrayList<>();
      for (int i = 1; i <= many; i++) {
        positions.add("rider-" + i, NOW - many + i, 37, i / 1e3);
        expected.add(Positions.NODE + ":" + i);
      }
      assertThat(rig.send(positions))
          .isInstanceOfSatisfying(
              Verdict.Done.class, done -> assertThat(done.acknowledged().total()).isEqualTo(many));
      assertThat(rig.streamed()).isEqualTo(expected);
      assertThat(rig.at(0)).hasSize(many).containsEntry("rider-" + many, NOW);
      assertThat(server.texts("ZCARD", rig.key(0, "geo"))).containsExactly("" + many);
    }
  }

  @Test
  void send_largeRecords_areSpreadOverScripts() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      int many = RedisEncoder.BYTES_MAX / 3000 + 3;
      Positions positions = new Positions(1);
      for (int i = 0; i < many; i++) {
        positions.add(
            "{\"riderId\":\"r%d\",\"at\":%d,\"lat\":1,\"lon\":1,\"attributes\":{\"a\":\"%s\"}}"
                .formatted(i, NOW, "x".repeat(3000)),
            NOW);
      }
      assertThat(many).isLessThan(RedisEncoder.COUNT_MAX);
      assertThat(rig.ship(positions)).isEqualTo(many);
      assertThat(rig.streamed()).hasSize(many).doesNotHaveDuplicates();
      assertThat(rig.latest(0)).hasSize(many);
    }
  }

  @Test
  void send_damagedRecord_isRejectedAlone() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      Verdict verdict =
          rig.send(new Positions(1).add("one", NOW, 1, 1).addDamaged().add("two", NOW, 1, 1));
      assertThat(verdict).isInstanceOf(Verdict.RejectThese.class);
      Verdict.RejectThese some = (Verdict.RejectThese) verdict;
      assertThat(some.rejected().stream()).containsExactly(1);
      assertThat(some.rest()).isInstanceOf(Verdict.Done.class);
      assertThat(((Verdict.Done) some.rest()).acknowledged().total()).isEqualTo(2);
      assertThat(rig.streamed()).containsExactly(Positions.NODE + ":1", Positions.NODE + ":3");
    }
  }

  @Test
  void send_scriptsForgottenByTheServer_areSentAsAWhole() throws Exception {
    try (SinkRig rig = new SinkRig(server)) {
      rig.ship(new Positions(1).add("one", NOW - 1, 1, 1));
      server.ask("SCRIPT", "FLUSH");
      assertThat(rig.send(new Positions(2).add("one", NOW, 2, 2))).isInstanceOf(Verdict.Done.class);
      assertThat(rig.latest(0).get("one")).contains("\"lat\":2,");
      assertThat(rig.streamed()).hasSize(2);
    }
  }

  @Test
  void twoServers_interleaved_latestIsTheNewestOfBoth() throws Exception {
    try (SinkRig one = new SinkRig(server, "sinks.redis.buckets", "4");
        SinkRig two = new SinkRig(server, "redis.prefix", one.prefix, "sinks.redis.buckets", "4")) {
      Random random = new Random(20_261_121);
      Map<String, Long> newest = new HashMap<>();
      List<Long> times = new ArrayList<>();
      for (long i = 0; i < 8000; i++) {
        times.add(NOW - 8000 + i);
      }
      Collections.shuffle(times, random);
      for (int batch = 0; batch < 80; batch++) {
        Positions positions = new Positions(1 + 100L * batch);
        for (long at : times.subList(100 * batch, 100 * batch + 100)) {
          String rider = "rider-" + random.nextInt(1000);
          positions.add(rider, at, 37 + (at % 1000) / 1e3, 127 + (at % 777) / 1e3);
          newest.merge(rider, at, Math::max);
        }
        SinkRig rig = random.nextBoolean() ? one : two;
        assertThat(rig.ship(positions)).isEqualTo(100);
        if (random.nextInt(4) == 0) {
          (random.nextBoolean() ? one : two).ship(positions); // a repeat
        }
      }
      Map<String, Long> found = new HashMap<>();
      for (int bucket = 0; bucket < 4; bucket++) {
        Map<String, Long> at = one.at(bucket);
        found.putAll(at);
        Map<String, String> latest = one.latest(bucket);
        assertThat(latest.keySet()).isEqualTo(at.keySet()).hasSizeGreaterThan(150);
        latest.forEach(
            (rider, json) -> {
              long fix = at.getOrDefault(rider, 0L);
              assertThat(json).contains("\"lat\":" + plain(37 + (fix % 1000) / 1e3) + ",");
            });
        assertThat(places(one, bucket)).isEqualTo(expectedPlaces(at));
      }
      assertThat(found).isEqualTo(newest);
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** Each rider's place in the geo index, to a thousandth of a degree. */
  private static Map<String, String> places(SinkRig rig, int bucket) throws InterruptedException {
    List<String> texts =
        server.texts(
            "GEOSEARCH",
            rig.key(bucket, "geo"),
            "FROMLONLAT",
            "127",
            "37",
            "BYRADIUS",
            "500",
            "km",
            "WITHCOORD");
    Map<String, String> places = new HashMap<>();
    for (int i = 0; i < texts.size(); i += 3) {
      places.put(
          texts.get(i),
          place(Double.parseDouble(texts.get(i + 2)), Double.parseDouble(texts.get(i + 1))));
    }
    return places;
  }

  private static Map<String, String> expectedPlaces(Map<String, Long> at) {
    Map<String, String> places = new HashMap<>();
    at.forEach(
        (rider, fix) -> places.put(rider, place(37 + (fix % 1000) / 1e3, 127 + (fix % 777) / 1e3)));
    return places;
  }

  private static String place(double lat, double lon) {
    return Math.round(lat * 1e3) + " " + Math.round(lon * 1e3);
  }
}
