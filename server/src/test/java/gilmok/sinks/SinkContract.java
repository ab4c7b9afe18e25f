package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.AppendBatch;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Receipt.Outcome;
import gilmok.storage.FileDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What every sink promises, over its real destination: each record arrives, under its id and one
 * dedup key, in order for each rider if the sink keeps order; ledger and receipts tell of it.
 */
@Timeout(180)
abstract class SinkContract {
  private static final int RIDERS = 7;
  private static final Set<Stream> TRACES = Set.of(Stream.TRACES);

  @TempDir Path data;
  private final Meters meters = new Meters();
  private final Map<String, List<Long>> sequences = new TreeMap<>();
  private int appended;

  /** A record at the destination. */
  record Arrived(String id, String dedupKey, String rider) {
    /** Reads the line that most sinks ship. */
    static Arrived of(String line) {
      JsonNode json = JsonMapper.shared().readTree(line);
      return new Arrived(
          json.path("recordId").asString(),
          json.path("dedupKey").asString(),
          json.path("record").path("riderId").asString());
    }
  }

  /** A sink to the test's own place at the destination: the same place each time. */
  abstract Sink sink(SinksRig rig, Meters meters) throws Exception;

  /** Everything at that place, each rider's records in their order there. */
  abstract List<Arrived> arrived() throws Exception;

  @AfterEach
  void closeMeters() {
    meters.close();
  }

  /** What the sink makes at its destination may take a moment to be there. */
  private static boolean isThere(Sink sink) {
    try {
      return sink.probe() == null;
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
  }

  @Test
  void records_arriveOnce_andLedgerAndReceiptsTellOfEach() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      append(rig, 400);
      Path folder = data.resolve("receipts");
      new FileDisk().createFolder(folder);
      try (Receipts receipts =
          Receipts.open(new FileDisk(), folder, Duration.ofDays(1), 1 << 20, rig.clock)) {
        Sink sink = sink(rig, meters);
        SinksRig.await(() -> isThere(sink));
        Shipper shipper = rig.start(config(), sink, receipts);
        append(rig, 100);
        SinksRig.awaitShipped(shipper);
        assertThat(SinksRig.row(shipper, Stream.TRACES).delivered()).isEqualTo(500);
        shipper.stop(Duration.ofSeconds(20));
        for (long sequence = 1; sequence <= 500; sequence++) {
          Receipt receipt = Objects.requireNonNull(receipts.find(sequence), "no receipt");
          assertThat(receipt.outcome()).isEqualTo(Outcome.DELIVERED);
          assertThat(receipt.place()).isNotBlank();
        }
      }
      assertThat(arrived()).hasSize(500);
      assertAllArrived(rig);
    }
  }

  @Test
  void damagedRecord_isQuarantined_andTheOthersArrive() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      append(rig, 20);
      rig.append(Stream.TRACES, "no event");
      append(rig, 20);
      Shipper shipper = rig.start(config(), sink(rig, meters), new SinksRig.Booked());
      SinksRig.awaitShipped(shipper);
      assertThat(SinksRig.row(shipper, Stream.TRACES).quarantined()).isEqualTo(1);
      shipper.stop(Duration.ofSeconds(20));
      assertAllArrived(rig);
    }
  }

  @Test
  void killedAgainAndAgain_nothingIsLost_andRepeatsHaveEqualKeys() throws Exception {
    Random random = new Random(20_261_127);
    SinksRig.Booked book = new SinksRig.Booked();
    try (SinksRig rig = new SinksRig(data)) {
      for (int life = 0; life < 4; life++) {
        append(rig, 150);
        Shipper shipper = rig.start(config(), sink(rig, new Meters()), book);
        long some = random.nextInt(150);
        SinksRig.await(
            () ->
                SinksRig.row(shipper, Stream.TRACES).delivered() >= some
                    || SinksRig.row(shipper, Stream.TRACES).waiting() == 0);
        shipper.kill();
        book = book.afterCrash();
      }
      Shipper last = rig.start(config(), sink(rig, new Meters()), book);
      SinksRig.awaitShipped(last);
      last.stop(Duration.ofSeconds(20));
      assertAllArrived(rig);
    }
  }

  private static SinkConfig config() {
    Tuning tuning = new Tuning(40, 1 << 16, Duration.ofMillis(5), 1);
    return SinksRig.config(tuning, TRACES);
  }

  private void append(SinksRig rig, int count) throws InterruptedException {
    JsonDecoder decoder = new JsonDecoder();
    Events events = new Events();
    AppendBatch batch = new AppendBatch();
    for (int i = 0; i < count; i++) {
      String rider = "rider-" + appended % RIDERS;
      String json =
          "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":127}"
              .formatted(rider, rig.now.get() - 100_000 + appended);
      byte[] body = json.getBytes(StandardCharsets.UTF_8);
      events.clear();
      decoder.decode(EventKind.POSITION, body, 0, body.length, events);
      long[] key = new long[2];
      SinksRig.KEYS.key(Stream.TRACES, events.bytes(), events.offset(0), events.length(0), key);
      batch.add(Stream.TRACES, events.bytes(), events.offset(0), events.length(0), key[0], key[1]);
      appended++;
    }
    long before = rig.log.durable();
    rig.append(batch);
    for (int i = 0; i < count; i++) {
      String rider = "rider-" + (appended - count + i) % RIDERS;
      sequences.computeIfAbsent(rider, _ -> new ArrayList<>()).add(before + 1 + i);
    }
  }

  /** All records are there; of repeats, the first counts for the order. */
  private void assertAllArrived(SinksRig rig) throws Exception {
    Map<String, String> keys = new HashMap<>();
    Map<String, Set<String>> found = new TreeMap<>();
    for (Arrived one : arrived()) {
      assertThat(keys.merge(one.id(), one.dedupKey(), (before, _) -> before))
          .isEqualTo(one.dedupKey());
      found.computeIfAbsent(one.rider(), _ -> new LinkedHashSet<>()).add(one.id());
    }
    assertThat(keys).hasSize(appended);
    assertThat(keys.values()).doesNotHaveDuplicates();
    boolean isOrdered = isOrdered(rig);
    sequences.forEach(
        (rider, all) -> {
          List<String> ids = all.stream().map(one -> SinksRig.NODE + ":" + one).toList();
          Set<String> there = found.getOrDefault(rider, Set.of());
          if (isOrdered) {
            assertThat(there).containsExactlyElementsOf(ids);
          } else {
            assertThat(there).containsExactlyInAnyOrderElementsOf(ids);
          }
        });
  }

  private boolean isOrdered(SinksRig rig) throws Exception {
    try (Meters own = new Meters();
        Sink sink = sink(rig, own)) {
      return sink.isOrdered();
    }
  }
}
