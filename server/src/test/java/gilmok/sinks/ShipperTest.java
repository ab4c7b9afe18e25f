package gilmok.sinks;

import static gilmok.sinks.ScriptedSink.counts;
import static gilmok.sinks.ScriptedSink.done;
import static gilmok.sinks.ScriptedSink.indexes;
import static gilmok.sinks.SinksRig.ALL;
import static gilmok.sinks.SinksRig.QUICK;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.config;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.Receipt.Outcome;
import gilmok.sinks.Verdict.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a batch, for each verdict. */
@Tag("unit")
class ShipperTest {
  private static final Tuning ONE_AT_A_TIME = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);

  @TempDir Path data;
  private SinksRig rig;
  private final SinksRig.Booked book = new SinksRig.Booked();
  private final ScriptedSink sink = new ScriptedSink(false);

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data);
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
    assertThat(rig.failures).isEmpty();
  }

  private Shipper start(Tuning tuning) throws IOException, InterruptedException {
    return rig.start(config(tuning, ALL), sink, book);
  }

  private Map<Long, Outcome> outcomes() {
    Map<Long, Outcome> outcomes = new TreeMap<>();
    for (Receipt receipt : book.written()) {
      for (int run = 0; run < receipt.sequences().runs(); run++) {
        LongStream.rangeClosed(receipt.sequences().first(run), receipt.sequences().last(run))
            .forEach(sequence -> outcomes.put(sequence, receipt.outcome()));
      }
    }
    return outcomes;
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void done_everything_oncePutDownAndSaved() throws Exception {
    rig.appendTraces(1, 100);
    rig.append(Stream.ACTIONS, "a", "b");
    Shipper shipper = start(QUICK);

    awaitShipped(shipper);

    assertThat(sink.sequences()).containsExactlyInAnyOrderElementsOf(upTo(102));
    assertThat(sink.sent()).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(10));
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(100);
    assertThat(row(shipper, Stream.ACTIONS).delivered()).isEqualTo(2);
    assertThat(outcomes().values()).hasSize(102).containsOnly(Outcome.DELIVERED);
    await(() -> cursor() == 102);
    assertThat(book.forced()).isEqualTo(book.written().size());
    SinkStatus status = shipper.status();
    assertThat(status.state()).isEqualTo(SinkStatus.State.RUNNING);
    assertThat(status.progress().sequence()).isEqualTo(102);
    assertThat(status.progress().lagMillis()).isZero();
  }

  private long cursor() {
    try {
      return rig.log.cursor("ship.scripted").sequence();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void batch_bytesMax_closesItAndALargerRecordGoesAlone() throws Exception {
    rig.append(Stream.TRACES, "x".repeat(60), "y".repeat(60), "z".repeat(300), "w");
    Shipper shipper = start(new Tuning(10, 100, Duration.ofMillis(1), 1));

    awaitShipped(shipper);

    assertThat(sink.sent()).containsExactly(List.of(1L), List.of(2L), List.of(3L), List.of(4L));
  }

  @Test
  void batch_completeWhileAnotherIsSent_isPreparedOnce_andSentAsItIs() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    List<Batch> seen = new CopyOnWriteArrayList<>();
    sink.then(
            batch -> {
              held.await();
              return done(batch);
            })
        .usually(
            batch -> {
              seen.add(batch);
              return done(batch);
            })
        .prepares(
            batch -> {
              throw new IllegalStateException("as told");
            });
    rig.appendTraces(1, 25);
    Shipper shipper = start(ONE_AT_A_TIME);
    await(() -> !sink.prepared().isEmpty());
    rig.appendTraces(26, 1); // the loop looks again, and finds it prepared
    held.countDown();

    awaitShipped(shipper);

    Batch first = sink.prepared().getFirst();
    assertThat(ScriptedSink.sequences(first)).isEqualTo(upTo(20).subList(10, 20));
    assertThat(first).isSameAs(seen.getFirst());
    assertThat(sink.prepared()).doesNotHaveDuplicates();
    assertThat(sink.sequences()).isEqualTo(upTo(26));
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(26);
  }

  @Test
  void retryThese_only_theFailedGoAgain() throws Exception {
    rig.appendTraces(1, 10);
    sink.then(
            batch ->
                new Verdict.RetryThese(
                    indexes(1, 4), counts(Stream.TRACES, 8), "p", Cause.FAILED, "two"))
        .then(
            batch ->
                new Verdict.RetryThese(
                    indexes(1), counts(Stream.TRACES, 1), "p", Cause.THROTTLED, "one"));
    Shipper shipper = start(ONE_AT_A_TIME);

    awaitShipped(shipper);

    assertThat(sink.sent()).containsExactly(upTo(10), List.of(2L, 5L), List.of(5L));
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(10);
  }

  @Test
  void retry_all_goAgainInOrderBeforeTheNext() throws Exception {
    rig.appendTraces(1, 30);
    ScriptedSink ordered = new ScriptedSink(true);
    for (int i = 0; i < 4; i++) {
      ordered.then(batch -> new Verdict.Retry(Cause.TIMEOUT, "late"));
    }
    Shipper shipper = rig.start(config(ONE_AT_A_TIME, ALL), ordered, book);

    awaitShipped(shipper);

    assertThat(ordered.sent().subList(0, 5)).containsOnly(upTo(10));
    assertThat(ordered.sequences().subList(40, 70)).isEqualTo(upTo(30));
  }

  @Test
  void reject_these_areSetAsideAndTheRestIsTold() throws Exception {
    rig.appendTraces(1, 10);
    sink.then(
        batch ->
            new Verdict.RejectThese(
                indexes(0, 9), "lat", "too far", new Verdict.Done(counts(Stream.TRACES, 8), "p")));
    Shipper shipper = start(ONE_AT_A_TIME);

    await(() -> rig.log.durable() == 12);
    awaitShipped(shipper);

    LedgerRow row = row(shipper, Stream.TRACES);
    assertThat(row.delivered()).isEqualTo(8);
    assertThat(row.quarantined()).isEqualTo(2);
    assertThat(outcomes())
        .containsEntry(1L, Outcome.QUARANTINED)
        .containsEntry(2L, Outcome.DELIVERED);
    assertThat(rig.read().get(11L))
        .contains("quarantine", "traces", "lat", "too far", "scripted", SinksRig.NODE + ":1", "t1");
    // A dead letter is a record too, and is shipped like any other.
    assertThat(sink.sequences()).contains(11L, 12L);
  }

  @Test
  void reject_unsentRest_goesAtOnceWithoutAPauseCounted() throws Exception {
    rig.appendTraces(1, 3);
    sink.then(
        batch ->
            new Verdict.RejectThese(indexes(1), "", "no", new Verdict.Retry(Cause.FAILED, "")));
    Shipper shipper = start(ONE_AT_A_TIME);

    awaitShipped(shipper);

    assertThat(sink.sent().subList(0, 2)).containsExactly(upTo(3), List.of(1L, 3L));
  }

  @Test
  void reject_ofTheQuarantine_isNotPutThereAgain() throws Exception {
    rig.append(Stream.QUARANTINE, "q1");
    sink.usually(
        batch ->
            new Verdict.RejectThese(
                indexes(0), "", "no", new Verdict.Done(new StreamCounts(), "")));
    Shipper shipper = start(ONE_AT_A_TIME);

    awaitShipped(shipper);

    assertThat(rig.log.durable()).isEqualTo(1);
    assertThat(row(shipper, Stream.QUARANTINE).quarantined()).isEqualTo(1);
  }

  @Test
  void refused_whole_theCulpritIsFoundByHalves() throws Exception {
    rig.appendTraces(1, 10);
    sink.usually(
        batch ->
            ScriptedSink.sequences(batch).contains(7L) ? new Verdict.Refused("bad") : done(batch));
    Shipper shipper = start(ONE_AT_A_TIME);

    await(() -> row(shipper, Stream.TRACES).quarantined() == 1);
    awaitShipped(shipper);

    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(9);
    assertThat(outcomes()).containsEntry(7L, Outcome.QUARANTINED);
    assertThat(sink.sequences().stream().filter(s -> s == 1).count()).isEqualTo(2);
  }

  @Test
  void rejected_andNothingElseToSend_leavesNoFaultBehind() throws Exception {
    rig.appendTraces(1, 1);
    sink.then(batch -> new Verdict.Retry(Cause.UNREACHABLE, "down"));
    sink.usually(
        batch ->
            new Verdict.RejectThese(all(batch), "", "poison", new Verdict.Retry(Cause.FAILED, "")));
    Shipper shipper = rig.start(config(ONE_AT_A_TIME, EnumSet.of(Stream.TRACES)), sink, book);

    await(() -> row(shipper, Stream.TRACES).quarantined() == 1);
    await(() -> shipper.status().state() == SinkStatus.State.RUNNING);
  }

  private static BitSet all(Batch batch) {
    BitSet all = new BitSet();
    all.set(0, batch.size());
    return all;
  }

  @Test
  void send_throws_isTriedAgain() throws Exception {
    rig.appendTraces(1, 3);
    sink.then(
        batch -> {
          throw new IllegalStateException("a bug");
        });
    Shipper shipper = start(ONE_AT_A_TIME);

    awaitShipped(shipper);

    assertThat(sink.sent()).containsExactly(upTo(3), upTo(3));
    assertThat(shipper.status().fault()).isNull();
  }

  @Test
  void held_batches_waitUntilTheyAreReleased() throws Exception {
    rig.appendTraces(1, 30);
    ScriptedSink ordered = new ScriptedSink(true).usually(batch -> new Verdict.Held());
    Shipper shipper = rig.start(config(ONE_AT_A_TIME, ALL), ordered, book);

    await(() -> ordered.sequences().size() == 30);
    assertThat(row(shipper, Stream.TRACES).waiting()).isEqualTo(30);
    assertThat(shipper.status().progress().lagMillis()).isZero();
    rig.now.addAndGet(5000);
    assertThat(shipper.status().progress().lagMillis()).isEqualTo(5000);
    SinksRig.assertAddsUp(shipper);
    ordered.releases(now -> new Verdict.Done(counts(Stream.TRACES, 30), "file"));

    awaitShipped(shipper);

    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(30);
    assertThat(outcomes()).hasSize(30);
    assertThat(book.written()).hasSize(1);
    assertThat(book.written().getFirst().place()).isEqualTo("file");
  }

  @Test
  void held_notKept_isReadAgain() throws Exception {
    rig.appendTraces(1, 30);
    ScriptedSink ordered = new ScriptedSink(true).usually(batch -> new Verdict.Held());
    Shipper shipper = rig.start(config(ONE_AT_A_TIME, ALL), ordered, book);
    await(() -> ordered.sequences().size() == 30);

    ordered.usually(ScriptedSink::done);
    ordered.releases(now -> new Verdict.Retry(Cause.FAILED, "disk"));
    await(() -> ordered.discards() == 1);
    awaitShipped(shipper);

    assertThat(ordered.sequences().subList(30, 60)).isEqualTo(upTo(30));
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(30);
  }

  @Test
  void receipts_cannotBeWritten_nothingIsSettledAndNothingSentAgain() throws Exception {
    rig.appendTraces(1, 10);
    book.fail(true);
    Shipper shipper = start(ONE_AT_A_TIME);

    await(() -> shipper.status().fault() != null);
    assertThat(row(shipper, Stream.TRACES).waiting()).isEqualTo(10);
    assertThat(shipper.status().state()).isEqualTo(SinkStatus.State.RETRYING);
    book.fail(false);
    awaitShipped(shipper);

    assertThat(sink.sent()).containsExactly(upTo(10));
  }

  @Test
  void streams_few_theMarkMovesOnPastTheOthers() throws Exception {
    rig.appendTraces(1, 200);
    Shipper shipper =
        rig.start(config(QUICK, EnumSet.of(Stream.ACTIONS)), sink, book, Duration.ofMillis(1));

    await(() -> cursor() == 200);
    rig.append(Stream.ACTIONS, "a");
    awaitShipped(shipper);

    assertThat(sink.sequences()).containsExactly(201L);
    assertThat(shipper.rows()).hasSize(1);
  }
}
