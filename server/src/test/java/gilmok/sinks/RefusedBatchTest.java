package gilmok.sinks;

import static gilmok.sinks.ScriptedSink.done;
import static gilmok.sinks.ScriptedSink.sequences;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.config;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.QuarantinedEncoder;
import gilmok.log.AppendBatch;
import gilmok.log.Stream;
import gilmok.sinks.SinkStatus.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sink that refuses everything is held, and no record goes to the quarantine. A record that is
 * refused while others are accepted is set aside, wherever it is in its batch.
 */
@Tag("unit")
@Execution(ExecutionMode.CONCURRENT)
class RefusedBatchTest {
  @TempDir Path data;
  private SinksRig rig;
  private final SinksRig.Booked book = new SinksRig.Booked();
  private final AtomicBoolean isClosed = new AtomicBoolean();

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data);
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
    assertThat(rig.failures).isEmpty();
  }

  private ScriptedSink sink(boolean ordered, LongPredicate isPoison) {
    return new ScriptedSink(ordered)
        .usually(
            batch ->
                isClosed.get() || sequences(batch).stream().anyMatch(isPoison::test)
                    ? new Verdict.Refused("not this (400)")
                    : done(batch));
  }

  private Shipper start(Sink sink, int concurrency) throws Exception {
    Tuning tuning = new Tuning(10, 1 << 16, Duration.ofMillis(1), concurrency);
    return rig.start(config(tuning, EnumSet.of(Stream.TRACES)), sink, book);
  }

  private static long quarantined(Shipper shipper) {
    return row(shipper, Stream.TRACES).quarantined();
  }

  private static void awaitHeld(Shipper shipper) {
    await(() -> shipper.status().state() == State.BROKEN);
    assertThat(Objects.requireNonNull(shipper.fault())).contains("held", "not this (400)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void everythingIsRefused_isHeldAndComesBackByItself(int concurrency) throws Exception {
    isClosed.set(true);
    rig.appendTraces(1, 200);
    ScriptedSink sink = sink(false, sequence -> false);
    Shipper shipper = start(sink, concurrency);
    awaitHeld(shipper);
    int sent = sink.sent().size();
    await(() -> sink.sent().size() >= sent + 20);
    assertThat(sink.sent().subList(sent, sent + 20))
        .as("one record at a time")
        .allSatisfy(batch -> assertThat(batch).hasSize(1));
    assertThat(quarantined(shipper)).isZero();

    isClosed.set(false);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isZero();
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(200);
    await(() -> shipper.status().state() == State.RUNNING && shipper.fault() == null);
  }

  @Test
  void everythingIsRefused_afterARestartToo() throws Exception {
    isClosed.set(true);
    rig.appendTraces(1, 50);
    Shipper first = start(sink(false, sequence -> false), 4);
    awaitHeld(first);
    first.kill();
    Shipper second = start(sink(false, sequence -> false), 4);
    awaitHeld(second);

    isClosed.set(false);
    awaitShipped(second);

    assertThat(quarantined(second)).isZero();
    assertThat(row(second, Stream.TRACES).delivered()).isEqualTo(50);
  }

  @Test
  void turnsBadInTheMiddle_whatIsStillToGoIsNotSetAside() throws Exception {
    ScriptedSink sink = sink(false, sequence -> false);
    rig.appendTraces(1, 10);
    Shipper shipper = start(sink, 4);
    awaitShipped(shipper);
    isClosed.set(true);
    rig.appendTraces(11, 90);
    awaitHeld(shipper);

    isClosed.set(false);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isZero();
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10})
  void poisonAmongGood_isSetAside(int poison) throws Exception {
    rig.appendTraces(1, 10);
    Shipper shipper = start(sink(false, sequence -> sequence == poison), 1);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(1);
    await(() -> shipper.status().state() == State.RUNNING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void poisonAlone_waitsForEvidence_theNextRecordsAreIt(boolean ordered) throws Exception {
    rig.appendTraces(1, 1);
    Shipper shipper = start(sink(ordered, sequence -> sequence <= 2), 1);
    awaitHeld(shipper);
    rig.appendTraces(2, 1);
    await(() -> rig.log.durable() == 2);
    assertThat(quarantined(shipper)).isZero();

    rig.appendTraces(3, 5);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(2);
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(5);
    await(() -> shipper.status().state() == State.RUNNING);
  }

  @Test
  void aLongRunOfPoison_isPassed() throws Exception {
    rig.appendTraces(1, 400);
    Shipper shipper = start(sink(false, sequence -> sequence > 20 && sequence <= 320), 4);
    // Further records keep coming: that they are accepted proves the others to be poison.
    for (int next = 401; quarantined(shipper) < 300; next++) {
      rig.appendTraces(next, 1);
    }
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(300);
  }

  @Test
  void poisonIsTheOnlyOneLeft_laterOnesWereTakenBeforeIt_isSetAside() throws Exception {
    AtomicBoolean isSlow = new AtomicBoolean(true);
    ScriptedSink sink =
        new ScriptedSink(false)
            .usually(
                batch -> {
                  if (!sequences(batch).contains(1L)) {
                    return done(batch);
                  }
                  return isSlow.get()
                      ? new Verdict.Retry(Verdict.Cause.FAILED, "not now")
                      : new Verdict.Refused("not this (400)");
                });
    Shipper shipper = start(sink, 4);
    rig.appendTraces(1, 1);
    await(() -> !sink.sent().isEmpty());
    rig.appendTraces(2, 9);
    await(() -> row(shipper, Stream.TRACES).delivered() == 9);
    isSlow.set(false);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(1);
    await(() -> shipper.status().state() == State.RUNNING && shipper.fault() == null);
  }

  @Test
  void quarantineIsShippedToo_itsCopyOfThePoisonIsTheLast_isSetAside() throws Exception {
    ScriptedSink sink =
        new ScriptedSink(false)
            .usually(
                batch ->
                    sequences(batch).contains(5L) || batch.stream(0) == Stream.QUARANTINE
                        ? new Verdict.Refused("not this (400)")
                        : done(batch));
    rig.appendTraces(1, 20);
    Shipper shipper = startBoth(sink);
    await(() -> quarantined(shipper) == 1);
    await(() -> row(shipper, Stream.QUARANTINE).quarantined() == 1);
    awaitShipped(shipper);
    await(() -> shipper.status().state() == State.RUNNING && shipper.fault() == null);
  }

  @Test
  void quarantineIsShippedToo_copiesOfPoisonAreTheLast_holdNothing() throws Exception {
    ScriptedSink sink =
        new ScriptedSink(false)
            .usually(
                batch ->
                    sequences(batch).stream().anyMatch(sequence -> sequence % 4 == 0)
                            || batch.stream(0) == Stream.QUARANTINE
                        ? new Verdict.Refused("not this (400)")
                        : done(batch));
    rig.appendTraces(1, 19);
    Shipper shipper = startBoth(sink);
    await(() -> row(shipper, Stream.QUARANTINE).quarantined() == 4);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(4);
    await(() -> shipper.status().state() == State.RUNNING && shipper.fault() == null);
  }

  @Test
  void quarantineIsShippedToo_everythingIsRefused_staysHeldAndSetsNothingAside() throws Exception {
    isClosed.set(true);
    ScriptedSink sink = sink(false, sequence -> false);
    Shipper shipper = startBoth(sink);
    // This one comes first, so that it is judged alone: set aside while collecting, it is no copy
    // of a dead letter of the sink itself.
    appendSetAside(null, 1);
    awaitHeld(shipper);
    rig.appendTraces(1, 12);
    appendSetAside(null, 12);
    appendSetAside("another", 12);
    appendSetAside("scripted", 12);
    for (int sent = sink.sent().size(), i = 0; i < 200; i++) {
      int more = sent + i;
      await(() -> sink.sent().size() > more);
      assertThat(shipper.status().state()).isEqualTo(State.BROKEN);
    }
    assertThat(quarantined(shipper)).isZero();
    assertThat(row(shipper, Stream.QUARANTINE).quarantined()).isZero();

    isClosed.set(false);
    awaitShipped(shipper);
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(12);
    assertThat(row(shipper, Stream.QUARANTINE).delivered()).isEqualTo(37);
  }

  private Shipper startBoth(Sink sink) throws Exception {
    Tuning tuning = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);
    return rig.start(config(tuning, EnumSet.of(Stream.TRACES, Stream.QUARANTINE)), sink, book);
  }

  /**
   * Appends quarantined records: dead letters of that sink, or without one, set aside while
   * collecting.
   */
  private void appendSetAside(@Nullable String sink, int count) throws InterruptedException {
    QuarantinedEncoder quarantined = new QuarantinedEncoder();
    AppendBatch appendBatch = new AppendBatch();
    for (int i = 0; i < count; i++) {
      byte[] raw = (sink + "-" + count + "-" + i).getBytes(StandardCharsets.UTF_8);
      if (sink == null) {
        quarantined.encode("traces", i, "at", "too old", raw, 0, raw.length);
      } else {
        quarantined.encodeRefused("traces", sink, "42:" + i, "", "no", raw, 0, raw.length);
      }
      long[] key = new long[2];
      SinksRig.KEYS.key(Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size(), key);
      appendBatch.add(
          Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size(), key[0], key[1]);
    }
    rig.append(appendBatch);
  }

  @Test
  void poisonFirstAfterARestart_isSetAside() throws Exception {
    isClosed.set(true);
    rig.appendTraces(1, 1);
    Shipper first = start(sink(false, sequence -> sequence == 1), 1);
    awaitHeld(first);
    first.kill();
    isClosed.set(false);
    rig.appendTraces(2, 1);
    Shipper second = start(sink(false, sequence -> sequence == 1), 1);
    awaitShipped(second);

    assertThat(quarantined(second)).isEqualTo(1);
    assertThat(row(second, Stream.TRACES).delivered()).isEqualTo(1);
  }

  @Test
  void replayedPoison_goesBackAtOnce_andHoldsNothing() throws Exception {
    rig.appendTraces(1, 10);
    Shipper shipper = start(sink(false, sequence -> sequence == 4), 1);
    awaitShipped(shipper);
    assertThat(quarantined(shipper)).isEqualTo(1);

    assertThat(shipper.replay(4)).isTrue();
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(1);
    assertThat(shipper.fault()).isNull();
  }

  @Test
  void pausedWhileHeld_triesNothing_andResumes() throws Exception {
    isClosed.set(true);
    rig.appendTraces(1, 30);
    ScriptedSink sink = sink(false, sequence -> false);
    Shipper shipper = start(sink, 4);
    awaitHeld(shipper);
    shipper.pause();
    assertThat(shipper.status().state()).isEqualTo(State.PAUSED);
    isClosed.set(false);
    shipper.resume();

    awaitShipped(shipper);
    assertThat(quarantined(shipper)).isZero();
  }

  @Test
  void rewoundWhileHeld_beginsAnew() throws Exception {
    rig.appendTraces(1, 10);
    ScriptedSink sink = sink(false, sequence -> false);
    Shipper shipper = start(sink, 4);
    awaitShipped(shipper);
    isClosed.set(true);
    rig.appendTraces(11, 20);
    awaitHeld(shipper);

    shipper.rewind(1);
    awaitHeld(shipper);
    isClosed.set(false);
    awaitShipped(shipper);

    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readAnewWhileHeld_keepsTheOrder(boolean isRewound) throws Exception {
    rig.appendTraces(1, 60);
    AtomicBoolean isLost = new AtomicBoolean();
    ScriptedSink sink = sink(true, sequence -> false);
    sink.then(_ -> new Verdict.Held()).releases(_ -> isLost.get() ? BatchSender.UNKNOWN : null);
    isClosed.set(true);
    Shipper shipper = start(sink, 1);
    await(() -> sink.sequences().contains(40L)); // probed

    isLost.set(!isRewound);
    if (isRewound) {
      shipper.rewind(1);
    }
    await(() -> sink.discards() == 1 && sink.sequencesAnew().size() > 20);

    assertThat(sink.sequencesAnew().subList(0, 20))
        .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
  }

  @Test
  void aSinkThatThrowsOverOneRecord_setsThatAside() throws Exception {
    rig.appendTraces(1, 20);
    ScriptedSink sink =
        new ScriptedSink(false)
            .usually(
                batch -> {
                  if (sequences(batch).contains(7L)) {
                    throw new IllegalStateException("a bug over one record");
                  }
                  return done(batch);
                });
    Shipper shipper = start(sink, 1);
    awaitShipped(shipper);

    assertThat(quarantined(shipper)).isEqualTo(1);
    assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(19);
  }
}
