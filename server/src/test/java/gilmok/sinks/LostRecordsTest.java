package gilmok.sinks;

import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Salvage;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The oldest segments are removed while a sink is behind. The records that it had not settled are
 * lost and counted as lost, by stream, and the sink goes on after the gap.
 */
@Tag("unit")
class LostRecordsTest {
  private static final Set<Stream> STREAMS = EnumSet.of(Stream.TRACES, Stream.LOGS);
  private static final String LARGE = "x".repeat(1500);

  @TempDir Path data;
  private final SinksRig.Booked book = new SinksRig.Booked();

  private static SinkConfig config(int batch) {
    return SinksRig.config(new Tuning(batch, 1 << 16, Duration.ofMillis(1), 1), STREAMS);
  }

  /** Appends traces 1 to 200, with a log or an action after each tenth: several segments. */
  private static void fill(SinksRig rig) throws Exception {
    for (int i = 1; i <= 200; i++) {
      rig.append(Stream.TRACES, "t" + i + LARGE);
      if (i % 10 == 0) {
        rig.append(i % 20 == 0 ? Stream.LOGS : Stream.ACTIONS, "o" + i);
      }
    }
  }

  private void removeOldest(int count) throws IOException {
    try (var files = Files.list(data.resolve("log"))) {
      List<Path> segments = files.sorted().toList();
      for (Path segment : segments.subList(0, count)) {
        Files.delete(segment);
      }
    }
  }

  /**
   * Runs a sink that settles everything up to that sequence and retries the rest, and stops it
   * there.
   */
  private Shipper stopAfter(SinksRig rig, int settled) throws Exception {
    ScriptedSink sink =
        new ScriptedSink(false)
            .usually(
                batch ->
                    batch.sequence(batch.size() - 1) <= settled
                        ? ScriptedSink.done(batch)
                        : new Verdict.Retry(Verdict.Cause.UNREACHABLE, "down"));
    Shipper shipper = rig.start(config(1), sink, book);
    SinksRig.await(() -> shipper.status().progress().sequence() == settled);
    shipper.stop(Duration.ofSeconds(5));
    return shipper;
  }

  @Test
  void oldestSegmentsMissing_areCountedAsLost_andItGoesOn() throws Exception {
    long settledTraces;
    try (SinksRig rig = new SinksRig(data)) {
      fill(rig);
      settledTraces = row(stopAfter(rig, 5), Stream.TRACES).delivered();
    }
    removeOldest(2);
    try (SinksRig rig = new SinksRig(data);
        Meters meters = new Meters()) {
      long hole = rig.log.oldestSequence() - 1;
      assertThat(hole).isGreaterThan(20);
      long lostTraces = rig.log.acceptedThrough(hole).of(Stream.TRACES) - settledTraces;
      ScriptedSink sink = new ScriptedSink(false);
      SinksContext context =
          new SinksContext(rig.clock, new Random(1), SinksRig.KEYS, meters, Duration.ofMillis(1));
      Sinks sinks =
          Sinks.start(rig.log, context, List.of(new Sinks.Configured(config(10), sink, book)));
      Shipper shipper = Objects.requireNonNull(sinks.shipper("scripted"));
      awaitShipped(shipper);

      assertThat(row(shipper, Stream.TRACES).lost()).isEqualTo(lostTraces);
      assertThat(row(shipper, Stream.LOGS).lost())
          .isEqualTo(rig.log.acceptedThrough(hole).of(Stream.LOGS));
      assertThat(sinks.ledger().rows()).allSatisfy(row -> assertThat(row.residue()).isZero());
      assertThat(row(shipper, Stream.TRACES).delivered() + lostTraces).isEqualTo(200);
      assertThat(sink.sequences()).allMatch(sequence -> sequence > hole);
      assertThat(sinks.statuses()).hasSize(1);
      assertThat(new String(meters.scrape(), StandardCharsets.UTF_8))
          .containsPattern("gilmok_sink_lost_records_total\\{[^}]*traces[^}]*} [1-9]");
      sinks.drain(Duration.ofSeconds(5));
    }
    try (SinksRig rig = new SinksRig(data)) {
      Shipper again = rig.start(config(10), new ScriptedSink(false), book);
      awaitShipped(again);
      assertThat(row(again, Stream.TRACES).lost()).as("kept").isPositive();
    }
  }

  /** All records before and after the gap are sent; only those in it are lost, and counted once. */
  @Test
  void salvagedWithAHoleAhead_onlyTheHoleIsLost() throws Exception {
    long settledTraces;
    try (SinksRig rig = new SinksRig(data)) {
      fill(rig);
      settledTraces = row(stopAfter(rig, 5), Stream.TRACES).delivered();
    }
    Path segment;
    try (var files = Files.list(data.resolve("log"))) {
      segment = files.sorted().toList().get(2);
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length / 2] ^= 1;
    Files.write(segment, bytes);
    Path sound = data.resolveSibling(data.getFileName() + "-sound");
    Salvage.Result salvaged = Salvage.run(data, sound, new Random(1));
    long missing = salvaged.missing().getFirst().range().records();
    for (int start = 1; start <= 2; start++) {
      try (SinksRig rig = new SinksRig(sound)) {
        ScriptedSink sink = new ScriptedSink(false);
        Shipper shipper = start == 1 ? stopAfter(rig, 8) : rig.start(config(10), sink, book);
        if (start == 2) {
          awaitShipped(shipper);
          assertThat(row(shipper, Stream.TRACES).delivered())
              .isEqualTo(200 - row(shipper, Stream.TRACES).lost())
              .isGreaterThan(settledTraces);
        }
        assertThat(row(shipper, Stream.TRACES).lost() + row(shipper, Stream.LOGS).lost())
            .isBetween(1L, missing);
        assertThat(shipper.rows()).allSatisfy(row -> assertThat(row.residue()).isZero());
      }
    }
  }

  /**
   * Records in the gap that were settled are not lost. The others are, counted once over all
   * starts.
   */
  @Test
  void holeThatWasSettledInPart_onlyTheRestIsLost_once() throws Exception {
    Path segment;
    long settled;
    try (SinksRig rig = new SinksRig(data)) {
      fill(rig);
      try (var files = Files.list(data.resolve("log"))) {
        segment = files.sorted().toList().get(2);
      }
      String name = segment.getFileName().toString();
      settled = Long.parseLong(name.substring(0, name.indexOf('.'))) + 5;
      ScriptedSink sink =
          new ScriptedSink(false)
              .usually(
                  batch ->
                      batch.sequence(0) == 3 || batch.sequence(0) > settled
                          ? new Verdict.Retry(Verdict.Cause.UNREACHABLE, "down")
                          : ScriptedSink.done(batch));
      Tuning tuning = new Tuning(1, 1 << 16, Duration.ofMillis(1), 4);
      Shipper shipper = rig.start(SinksRig.config(tuning, STREAMS), sink, book);
      long other = rig.log.acceptedThrough(settled).of(Stream.ACTIONS);
      SinksRig.await(
          () ->
              shipper.rows().stream().mapToLong(LedgerRow::delivered).sum() == settled - other - 1);
      shipper.stop(Duration.ofSeconds(5));
    }
    Files.delete(segment);
    Path sound = data.resolveSibling(data.getFileName() + "-sound");
    Salvage.Result salvaged = Salvage.run(data, sound, new Random(1));
    long end = salvaged.missing().getFirst().range().to();
    for (int start = 1; start <= 2; start++) {
      try (SinksRig rig = new SinksRig(sound)) {
        Shipper shipper = rig.start(config(10), new ScriptedSink(false), book);
        awaitShipped(shipper);
        LedgerRow traces = row(shipper, Stream.TRACES);
        LedgerRow logs = row(shipper, Stream.LOGS);
        assertThat(traces.lost() + logs.lost()).isBetween(end - settled - 5, end - settled);
        assertThat(traces.delivered()).isEqualTo(200 - traces.lost());
        assertThat(logs.delivered()).isEqualTo(10 - logs.lost());
        assertThat(shipper.rows()).allSatisfy(row -> assertThat(row.residue()).isZero());
      }
    }
  }

  @Test
  void settledAboveTheMark_isNotLost() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      fill(rig);
      ScriptedSink sink =
          new ScriptedSink(false)
              .usually(
                  batch ->
                      batch.sequence(0) == 3
                          ? new Verdict.Retry(Verdict.Cause.UNREACHABLE, "down")
                          : ScriptedSink.done(batch));
      Tuning tuning = new Tuning(1, 1 << 16, Duration.ofMillis(1), 4);
      Shipper shipper = rig.start(SinksRig.config(tuning, STREAMS), sink, book);
      SinksRig.await(() -> shipper.rows().stream().mapToLong(LedgerRow::waiting).sum() == 1);
      shipper.stop(Duration.ofSeconds(5));
    }
    removeOldest(2);
    try (SinksRig rig = new SinksRig(data)) {
      ScriptedSink sink = new ScriptedSink(false);
      Shipper shipper = rig.start(config(10), sink, book);
      awaitShipped(shipper);

      assertThat(row(shipper, Stream.TRACES).lost()).isEqualTo(1);
      assertThat(row(shipper, Stream.LOGS).lost()).isZero();
      assertThat(sink.sent()).isEmpty();
    }
  }

  @Test
  void aSinkThatTheSettingsNameNoMore_hasLostThemToo() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      fill(rig);
      stopAfter(rig, 5);
    }
    removeOldest(2);
    try (SinksRig rig = new SinksRig(data);
        Meters meters = new Meters()) {
      SinksContext context =
          new SinksContext(rig.clock, new Random(1), SinksRig.KEYS, meters, Duration.ofMillis(1));
      Sinks sinks = Sinks.start(rig.log, context, List.of());
      assertThat(sinks.ledger().rows())
          .hasSize(2)
          .allSatisfy(
              row -> {
                assertThat(row.lost()).isPositive();
                assertThat(row.residue()).isZero();
              });
      assertThat(sinks.statuses()).hasSize(1);
    }
  }

  @Test
  void note_ofAnOlderProgram_hasLostNothing() throws Exception {
    SinkCheckpoint before = new SinkCheckpoint(4);
    before.begin(Stream.TRACES, 1, 0);
    assertThat(SinkCheckpoint.decode(before.encode(), 4, data).counts.lost().total()).isZero();
    before.lose(9, ScriptedSink.counts(Stream.TRACES, 5));
    SinkCheckpoint after = SinkCheckpoint.decode(before.encode(), 9, data);
    assertThat(after.counts.lost().of(Stream.TRACES)).isEqualTo(5);
    assertThat(after.low()).isEqualTo(9);
  }
}
