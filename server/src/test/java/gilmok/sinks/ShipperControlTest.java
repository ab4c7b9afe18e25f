package gilmok.sinks;

import static gilmok.sinks.ScriptedSink.indexes;
import static gilmok.sinks.SinksRig.ALL;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.SinkStatus.State;
import gilmok.sinks.Verdict.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands to a running sink, and a log that is full. */
@Tag("unit")
class ShipperControlTest {
  private static final Tuning TENS = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);

  @TempDir Path data;
  private SinksRig rig;
  private final ScriptedSink sink = new ScriptedSink(false);

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data);
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
  }

  private Shipper start(Sink one) throws IOException, InterruptedException {
    return rig.start(SinksRig.config(TENS, ALL), one, new SinksRig.Booked());
  }

  @Test
  void pause_holdsAlsoAfterARestart() throws Exception {
    Shipper shipper = start(sink);
    shipper.pause();
    rig.appendTraces(1, 30);
    shipper.kill();

    Shipper again = start(sink);
    assertThat(again.status().state()).isEqualTo(State.PAUSED);
    await(
        () ->
            again.status().progress().lagMillis() == 0
                && row(again, Stream.TRACES).waiting() == 30);
    assertThat(sink.sent()).isEmpty();
    again.resume();
    awaitShipped(again);

    assertThat(sink.sequences()).hasSize(30);
  }

  @Test
  void pause_holdsWhatWaitsForAnotherAttempt() throws Exception {
    rig.appendTraces(1, 5);
    sink.usually(batch -> new Verdict.Retry(Cause.UNREACHABLE, "down"));
    Shipper shipper = start(sink);
    await(() -> sink.sent().size() > 2);
    assertThat(shipper.status().state()).isEqualTo(State.RETRYING);
    shipper.pause();
    sink.usually(ScriptedSink::done);
    assertThat(row(shipper, Stream.TRACES).waiting()).isBetween(0L, 5L);
    shipper.resume();

    awaitShipped(shipper);
    // The batch is settled a moment before the fault is cleared.
    await(() -> shipper.status().fault() == null);
  }

  @Test
  void rewind_sendsAgainAndBeginsTheAccountAnew() throws Exception {
    rig.appendTraces(1, 50);
    Shipper shipper = start(sink);
    awaitShipped(shipper);

    shipper.rewind(21);
    awaitShipped(shipper);

    assertThat(sink.sequences()).hasSize(80);
    assertThat(row(shipper, Stream.TRACES).since()).isEqualTo(21);
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(30);
    assertThatThrownBy(() -> shipper.rewind(52)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void letGo_skipsWhatIsNotOnItsWayAndNeverBoth() throws Exception {
    rig.appendTraces(1, 100);
    CountDownLatch answer = new CountDownLatch(1);
    sink.then(
        batch -> {
          answer.await();
          return ScriptedSink.done(batch);
        });
    Shipper shipper = start(sink);
    await(() -> !sink.sent().isEmpty());

    assertThat(shipper.cursor().letGo(60)).isTrue();

    assertThat(rig.log.cursor("ship.scripted").sequence()).isGreaterThanOrEqualTo(60);
    assertThat(row(shipper, Stream.TRACES).skipped()).isEqualTo(50);
    assertThat(shipper.status().state()).isEqualTo(State.DETACHED);
    SinksRig.assertAddsUp(shipper);
    answer.countDown();
    awaitShipped(shipper);
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(50);
    assertThat(sink.sequences()).doesNotContain(11L, 60L).contains(1L, 10L, 61L, 100L);
    shipper.resume();
    assertThat(shipper.status().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void letGo_thenKilled_whatWasOnItsWayIsSkipped() throws Exception {
    rig.appendTraces(1, 20);
    sink.then(
        batch -> {
          new CountDownLatch(1).await();
          return ScriptedSink.done(batch);
        });
    Shipper shipper = start(sink);
    await(() -> !sink.sent().isEmpty());
    shipper.cursor().letGo(15);
    shipper.kill();

    Shipper again = start(sink);
    awaitShipped(again);

    assertThat(row(again, Stream.TRACES).skipped()).isEqualTo(15);
    assertThat(row(again, Stream.TRACES).delivered()).isEqualTo(5);
  }

  @Test
  void replay_aQuarantinedRecord_isSentOnceMore() throws Exception {
    rig.appendTraces(1, 3);
    sink.then(
        batch -> new Verdict.RejectThese(indexes(1), "", "no", new Verdict.Done(counts(2), "p")));
    Shipper shipper = start(sink);
    await(() -> row(shipper, Stream.TRACES).quarantined() == 1);
    awaitShipped(shipper);

    assertThat(shipper.replay(2)).isTrue();
    assertThat(shipper.replay(99)).isFalse();
    awaitShipped(shipper);

    assertThat(row(shipper, Stream.TRACES).quarantined()).isZero();
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(3);
    assertThat(sink.sent().getLast()).isEqualTo(List.of(2L));
  }

  private static StreamCounts counts(long traces) {
    return ScriptedSink.counts(Stream.TRACES, traces);
  }

  @Test
  void leftover_cursor_isShownAndForgotten() throws Exception {
    rig.appendTraces(1, 3);
    Shipper shipper =
        start(new ScriptedSink(false).usually(b -> new Verdict.Retry(Cause.DENIED, "x")));
    shipper.stop(Duration.ZERO);

    Sinks sinks = Sinks.start(rig.log, rig.context(Duration.ofMillis(1)), List.of());

    assertThat(sinks.statuses())
        .singleElement()
        .satisfies(one -> assertThat(one.state()).isEqualTo(State.UNCONFIGURED));
    assertThat(sinks.ledger().rows()).allSatisfy(row -> assertThat(row.residue()).isZero());
    assertThat(sinks.forget("scripted")).isTrue();
    assertThat(sinks.forget("scripted")).isFalse();
    assertThat(sinks.statuses()).isEmpty();
    assertThat(rig.log.cursors()).doesNotContain("ship.scripted");
    sinks.drain(Duration.ZERO);
  }

  @Test
  void stop_aSinkThatHangs_isInterruptedAndNothingIsLost() throws Exception {
    rig.appendTraces(1, 5);
    sink.then(
        batch -> {
          new CountDownLatch(1).await();
          return ScriptedSink.done(batch);
        });
    Shipper shipper = start(sink);
    await(() -> !sink.sent().isEmpty());

    shipper.stop(Duration.ZERO);

    assertThat(sink.closes()).isEqualTo(1);
    Shipper again = start(sink);
    awaitShipped(again);
    assertThat(sink.sequences()).hasSize(10);
  }
}
