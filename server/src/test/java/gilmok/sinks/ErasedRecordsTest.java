package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.RecordRewrite;
import gilmok.log.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that are erased from the log before a sink has them: not sent, and counted. */
@Tag("unit")
final class ErasedRecordsTest {
  private static final RecordRewrite ERASE_ODD =
      (stream, at, bytes, offset, length) -> {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        boolean isOdd = Integer.parseInt(text.substring(1)) % 2 == 1;
        return isOdd ? RecordRewrite.ERASE : RecordRewrite.KEEP;
      };

  @TempDir Path data;

  private static void erase(SinksRig rig) throws Exception {
    rig.log.rewriter().rewrite(ERASE_ODD, (through, of, soFar) -> {});
  }

  @Test
  void erasedBeforeTheyAreSent_areCountedAndNotSent() throws Exception {
    ScriptedSink sink = new ScriptedSink(true);
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper = rig.start(sink);
      rig.appendTraces(1, 100);
      SinksRig.awaitShipped(shipper);
      shipper.pause();
      rig.appendTraces(101, 100);
      erase(rig);
      SinksRig.assertAddsUp(shipper);
      shipper.readAnew(ERASE_ODD); // it may have read some before it was paused
      shipper.resume();
      SinksRig.awaitShipped(shipper);
      LedgerRow row = SinksRig.row(shipper, Stream.TRACES);
      assertThat(row.accepted()).isEqualTo(200);
      assertThat(row.delivered()).isEqualTo(150);
      assertThat(row.erased()).isEqualTo(50);
      assertThat(sink.sent().stream().flatMap(List::stream).filter(one -> one > 100))
          .hasSize(50)
          .allMatch(sequence -> sequence % 2 == 0);
    }
    // Its count is kept, and goes on to add up after a restart.
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper = rig.start(new ScriptedSink(true));
      SinksRig.awaitShipped(shipper);
      assertThat(SinksRig.row(shipper, Stream.TRACES).erased()).isEqualTo(50);
      byte[] note = rig.log.cursor("ship.scripted").note();
      assertThat(note[0]).as("a version that an earlier program refuses").isEqualTo((byte) 2);
    }
  }

  @Test
  void erasedWhileTheDestinationHangs_areNotSentAgain() throws Exception {
    ScriptedSink sink = new ScriptedSink(true);
    sink.usually(batch -> new Verdict.Retry(Verdict.Cause.FAILED, "it is down"));
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper = rig.start(sink);
      rig.appendTraces(1, 40);
      SinksRig.await(() -> sink.sent().size() > 3);
      erase(rig);
      shipper.readAnew(ERASE_ODD);
      int before = sink.sent().size();
      SinksRig.await(() -> sink.sent().size() > before + 3);
      assertThat(sink.sent().subList(before, sink.sent().size()).stream().flatMap(List::stream))
          .allMatch(sequence -> sequence % 2 == 0);
      sink.usually(ScriptedSink::done);
      SinksRig.awaitShipped(shipper);
      assertThat(SinksRig.row(shipper, Stream.TRACES).erased()).isEqualTo(20);
      assertThat(SinksRig.row(shipper, Stream.TRACES).delivered()).isEqualTo(20);
    }
  }

  @Test
  void erasedAfterAPlaceInTheRow_rewoundSinkCountsThemOnce() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper = rig.start(new ScriptedSink(false));
      rig.appendTraces(1, 300);
      SinksRig.awaitShipped(shipper);
      erase(rig);
      assertThat(SinksRig.row(shipper, Stream.TRACES).erased()).isZero();
      shipper.rewind(101);
      SinksRig.awaitShipped(shipper);
      LedgerRow row = SinksRig.row(shipper, Stream.TRACES);
      assertThat(row.accepted()).isEqualTo(200);
      assertThat(row.erased()).isEqualTo(100);
      assertThat(row.delivered()).isEqualTo(100);
    }
  }

  @Test
  void quarantinedRecordThatIsErased_cannotBeReplayed() throws Exception {
    ScriptedSink sink = new ScriptedSink(true);
    sink.usually(
        batch ->
            new Verdict.RejectThese(
                ScriptedSink.indexes(0),
                "",
                "no",
                new Verdict.Done(new gilmok.log.StreamCounts(), "")));
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper =
          rig.start(
              SinksRig.config(
                  new Tuning(1, 1 << 16, Duration.ofMillis(1), 1),
                  java.util.EnumSet.of(Stream.TRACES)),
              sink,
              new SinksRig.Booked());
      rig.append(Stream.TRACES, "t1");
      SinksRig.await(() -> SinksRig.row(shipper, Stream.TRACES).quarantined() == 1);
      rig.log
          .rewriter()
          .rewrite(
              (stream, at, bytes, offset, length) -> RecordRewrite.ERASE,
              (through, of, soFar) -> {});
      assertThat(shipper.replay(1)).isFalse();
      SinksRig.assertAddsUp(shipper);
      assertThat(SinksRig.row(shipper, Stream.TRACES).quarantined()).isEqualTo(1);
    }
  }

  @Test
  void deadLettersThatWaitForRoom_areRewrittenToo() throws IOException {
    PendingDeadLetters pending = new PendingDeadLetters();
    pending.add("t1".getBytes(StandardCharsets.UTF_8));
    pending.add("t2".getBytes(StandardCharsets.UTF_8));
    pending.rewrite(ERASE_ODD);
    assertThat(pending.all()).hasSize(1);
    assertThat(new String(pending.all().getFirst(), StandardCharsets.UTF_8)).isEqualTo("t2");
  }
}
