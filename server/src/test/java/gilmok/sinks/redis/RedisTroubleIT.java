package gilmok.sinks.redis;

import static gilmok.sinks.redis.SinkRig.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.redis.RedisServer;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink with real Redis servers that fail. Each test starts its own. */
@Tag("engine")
@Timeout(120)
final class RedisTroubleIT {
  private static final int DENIALS_SEEN_WITHIN = 100;
  @TempDir Path folder;

  @Test
  void killedInTheMiddle_everythingIsThereAfterItsReturn() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      rig.ship(positions(1, 100));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread shipping =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 1; i < 100; i++) {
                        assertThat(rig.ship(positions(1 + 100 * i, 100))).isEqualTo(100);
                      }
                    } catch (InterruptedException | AssertionError failed) {
                      thrown.set(failed);
                    }
                  });
      while (rig.verdicts.size() < 20 && shipping.isAlive()) {
        Thread.onSpinWait();
      }
      server.kill();
      server.restart();
      shipping.join();
      assertThat(thrown.get()).isNull();
      assertThat(rig.verdicts).anyMatch(verdict -> verdict instanceof Verdict.Retry);

      List<String> expected = new ArrayList<>();
      for (int i = 1; i <= 10_000; i++) {
        expected.add(Positions.NODE + ":" + i);
      }
      // Batches in flight at the kill may be in the stream twice: its readers drop repeats.
      List<String> streamed = rig.streamed();
      assertThat(streamed).hasSizeBetween(10_000, 10_100);
      assertThat(new LinkedHashSet<>(streamed)).containsExactlyElementsOf(expected);
      assertThat(rig.at(0)).hasSize(10).containsValue(NOW - 100_000 + 10_000);
    }
  }

  @Test
  void down_isUnreachable_andNothingBlocks() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      rig.ship(positions(1, 10));
      server.kill();
      for (int i = 0; i < 3; i++) {
        Verdict verdict = rig.send(positions(11, 10));
        assertThat(verdict).isInstanceOf(Verdict.Retry.class);
        assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.UNREACHABLE);
        assertThat(((Verdict.Retry) verdict).detail()).contains(server.address());
      }
      server.restart();
      assertThat(rig.ship(positions(11, 10))).isEqualTo(10);
      assertThat(rig.streamed()).hasSize(20);
    }
  }

  @Test
  void paused_isATimeout_andGoesOnAfterwards() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server, "redis.command-timeout", "200 ms")) {
      rig.ship(positions(1, 10));
      server.ask("CLIENT", "PAUSE", "1000", "ALL");
      Verdict verdict = rig.send(positions(11, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.TIMEOUT);
      assertThat(((Verdict.Retry) verdict).detail())
          .isEqualTo(server.address() + ": no answer in time");
      assertThat(rig.ship(positions(11, 10))).isEqualTo(10);
      assertThat(new LinkedHashSet<>(rig.streamed())).hasSize(20);
      assertThat(rig.at(0)).hasSize(10).containsValue(NOW - 100_000 + 20);
    }
  }

  @Test
  void outOfMemory_isThrottled_andNothingIsDoubled() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      rig.ship(positions(1, 10));
      server.ask("CONFIG", "SET", "maxmemory", "1");
      Verdict verdict = rig.send(positions(11, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.THROTTLED);
      assertThat(((Verdict.Retry) verdict).detail()).startsWith(server.address() + ": OOM");
      server.ask("CONFIG", "SET", "maxmemory", "0");
      assertThat(rig.ship(positions(11, 10))).isEqualTo(10);
      assertThat(rig.streamed()).hasSize(20);
    }
  }

  @Test
  void replica_isFailed_untilItIsPrimary() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      rig.ship(positions(1, 10));
      server.ask("REPLICAOF", "127.0.0.1", "1");
      Verdict verdict = rig.send(positions(11, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.FAILED);
      assertThat(((Verdict.Retry) verdict).detail()).startsWith(server.address() + ": READONLY");
      server.ask("REPLICAOF", "NO", "ONE");
      assertThat(rig.ship(positions(11, 10))).isEqualTo(10);
      assertThat(rig.streamed()).hasSize(20);
    }
  }

  @Test
  void password_wrongOne_isDeniedAndNeverTold() throws Exception {
    String right = "right-p%23ss";
    try (RedisServer server =
        RedisServer.startWithUser(":" + right + "@", folder, "--requirepass", "right-p#ss")) {
      try (SinkRig rig = new SinkRig(server)) {
        assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
        assertThat(server.config(Map.of()).toString()).doesNotContain("right-p");
      }
      for (String user : List.of(":not-th3-one@", "")) {
        String url = server.url().replace(":" + right + "@", user);
        try (SinkRig rig = new SinkRig(server, "redis.url", url)) {
          Cause cause = Cause.UNREACHABLE;
          // At times the closed connection is noticed before the refusal that closed it.
          for (int i = 0; i < DENIALS_SEEN_WITHIN && cause == Cause.UNREACHABLE; i++) {
            Verdict verdict = rig.send(positions(11, 10));
            assertThat(verdict).isInstanceOf(Verdict.Retry.class);
            assertThat(verdict.toString()).doesNotContain("not-th3-one").contains(server.address());
            cause = ((Verdict.Retry) verdict).cause();
            if (cause == Cause.UNREACHABLE) {
              // A sink pauses between two tries as well.
              LockSupport.parkNanos(50_000_000);
            }
          }
          assertThat(cause).isEqualTo(Cause.DENIED);
        }
      }
    }
  }

  @Test
  void oneBucketFails_onlyItsRidersAreSentAgain_andNothingIsDoubled() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server, "sinks.redis.buckets", "2")) {
      server.ask("SET", rig.key(1, "positions"), "in the way");
      Verdict verdict = rig.send(positions(1, 50));
      assertThat(verdict).isInstanceOf(Verdict.RetryThese.class);
      Verdict.RetryThese some = (Verdict.RetryThese) verdict;
      assertThat(some.detail()).startsWith(server.address() + ": WRONGTYPE");
      int kept = 50 - some.again().cardinality();
      assertThat(kept).isBetween(1, 49);
      assertThat(some.acknowledged().of(Stream.TRACES)).isEqualTo(kept);
      // All are in the stream; those to retry lack only their latest position.
      assertThat(rig.streamed()).hasSize(50);
      Batch again = positions(1, 50).batch().only(some.again());
      assertThat(rig.sink.send(again)).isInstanceOf(Verdict.Retry.class);
      server.ask("DEL", rig.key(1, "positions"));
      Verdict done = rig.sink.send(again);
      assertThat(done).isInstanceOf(Verdict.Done.class);
      assertThat(((Verdict.Done) done).acknowledged().total()).isEqualTo(50 - kept);
      assertThat(rig.streamed()).hasSize(50);
      assertThat(rig.latest(0).size() + rig.latest(1).size()).isEqualTo(10);
      assertThat(rig.latest(1).keySet()).isEqualTo(rig.at(1).keySet()).isNotEmpty();
      // The sink remembers only the batch that it sends again: a rewind streams records again.
      rig.ship(positions(51, 1));
      assertThat(rig.ship(positions(1, 50))).isEqualTo(50);
      assertThat(rig.streamed()).hasSize(101);
    }
  }

  @Test
  void streamFails_allIsSentAgain() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      server.ask("SET", rig.prefix + ":positions", "in the way");
      Verdict verdict = rig.send(positions(1, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      server.ask("DEL", rig.prefix + ":positions");
      assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
      assertThat(rig.streamed()).hasSize(10);
    }
  }

  @Test
  void streamFailsInTheMiddle_whatIsThereIsAcknowledged_theRestComesAfterIt() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        SinkRig rig = new SinkRig(server)) {
      // With this id the stream has only two ids left.
      server.ask(
          "XADD", rig.prefix + ":positions", "18446744073709551615-18446744073709551613", "a", "b");
      Verdict verdict = rig.send(positions(1, 10));
      assertThat(verdict).isInstanceOf(Verdict.RetryThese.class);
      Verdict.RetryThese some = (Verdict.RetryThese) verdict;
      assertThat(some.acknowledged().of(Stream.TRACES)).isEqualTo(2);
      assertThat(some.again().stream()).containsExactly(2, 3, 4, 5, 6, 7, 8, 9);
      assertThat(some.cause()).isEqualTo(Cause.FAILED);
      assertThat(some.detail()).startsWith(server.address() + ": ERR").contains("exhausted");
      assertThat(some.place())
          .endsWith("-18446744073709551614 to " + "18446744073709551615-18446744073709551615");
      assertThat(rig.streamed()).containsExactly(Positions.NODE + ":1", Positions.NODE + ":2");

      Batch rest = positions(1, 10).batch().only(some.again());
      assertThat(rig.sink.send(rest)).isInstanceOf(Verdict.Retry.class);
      server.ask("DEL", rig.prefix + ":positions");
      Verdict done = rig.sink.send(rest);
      assertThat(done).isInstanceOf(Verdict.Done.class);
      assertThat(((Verdict.Done) done).acknowledged().total()).isEqualTo(8);
      assertThat(rig.streamed())
          .hasSize(8)
          .startsWith(Positions.NODE + ":3")
          .doesNotHaveDuplicates();
      assertThat(rig.at(0)).hasSize(10).containsValue(NOW - 100_000 + 10);
    }
  }

  @Test
  void cluster_keysOfABucketLieTogether() throws Exception {
    try (RedisServer server = RedisServer.start(folder, "--cluster-enabled", "yes")) {
      server.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
      while (!server.texts("CLUSTER", "INFO").getFirst().contains("cluster_state:ok")) {
        Thread.onSpinWait();
      }
      try (SinkRig rig =
          new SinkRig(server, "redis.cluster", "true", "sinks.redis.buckets", "16")) {
        assertThat(rig.ship(positions(1, 300))).isEqualTo(300);
        assertThat(rig.streamed()).hasSize(300).doesNotHaveDuplicates();
        int riders = 0;
        int used = 0;
        for (int bucket = 0; bucket < 16; bucket++) {
          assertThat(rig.latest(bucket).keySet()).isEqualTo(rig.at(bucket).keySet());
          riders += rig.at(bucket).size();
          used += rig.at(bucket).isEmpty() ? 0 : 1;
          assertThat(slot(server, rig.key(bucket, "positions")))
              .isEqualTo(slot(server, rig.key(bucket, "at")))
              .isEqualTo(slot(server, rig.key(bucket, "geo")));
        }
        assertThat(riders).isEqualTo(10);
        assertThat(used).isGreaterThan(3);
        server.kill();
        assertThat(rig.send(positions(301, 10))).isInstanceOf(Verdict.Retry.class);
        server.restart();
        assertThat(rig.ship(positions(301, 10))).isEqualTo(10);
        assertThat(rig.streamed()).hasSize(310);
      }
    }
  }

  private static String slot(RedisServer server, String key) throws InterruptedException {
    return server.texts("CLUSTER", "KEYSLOT", key).getFirst();
  }

  /** Positions of ten riders, one a millisecond. */
  private static Positions positions(long first, int count) {
    Positions positions = new Positions(first);
    for (long i = first; i < first + count; i++) {
      positions.add("rider-" + i % 10, NOW - 100_000 + i, 37 + i / 1e5, 127);
    }
    return positions;
  }
}
