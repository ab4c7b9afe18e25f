package gilmok.sinks;

import static gilmok.sinks.ScriptedSink.counts;
import static gilmok.sinks.ScriptedSink.done;
import static gilmok.sinks.ScriptedSink.indexes;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.Verdict.Cause;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink that reports wrong counts on purpose is noticed: the residue says by how many records. */
@Tag("unit")
class LiarTest {
  private static final Tuning TENS = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);

  @TempDir Path data;

  /** The residue of traces after this sink has settled 100 of them and was restarted. */
  private long residue(ScriptedSink liar) throws Exception {
    long residue;
    try (SinksRig rig = new SinksRig(data)) {
      rig.appendTraces(1, 100);
      rig.append(Stream.ACTIONS, "a");
      Shipper shipper = rig.start(SinksRig.config(TENS, SinksRig.ALL), liar, new SinksRig.Booked());
      SinksRig.await(() -> shipper.rows().stream().allMatch(row -> row.waiting() == 0));
      residue = SinksRig.row(shipper, Stream.TRACES).residue();
      assertThat(SinksRig.row(shipper, Stream.ACTIONS).residue()).isZero();
    }
    try (SinksRig rig = new SinksRig(data)) {
      Shipper shipper = rig.start(new ScriptedSink(false));
      assertThat(SinksRig.row(shipper, Stream.TRACES).residue()).isEqualTo(residue);
    }
    return residue;
  }

  @Test
  void honest_residue_isZero() throws Exception {
    assertThat(residue(new ScriptedSink(false))).isZero();
  }

  @Test
  void done_butFewerAcknowledged_theyAreMissed() throws Exception {
    ScriptedSink liar = new ScriptedSink(false);
    liar.then(batch -> new Verdict.Done(counts(Stream.TRACES, batch.size() - 3), "p"));

    assertThat(residue(liar)).isEqualTo(3);
  }

  @Test
  void done_butNothingAcknowledged_allAreMissed() throws Exception {
    ScriptedSink liar = new ScriptedSink(false);
    liar.usually(
        batch ->
            batch.stream(0) == Stream.TRACES && batch.sequence(0) < 21
                ? new Verdict.Done(new StreamCounts(), "p")
                : done(batch));

    assertThat(residue(liar)).isEqualTo(20);
  }

  @Test
  void done_moreAcknowledged_theyAreTooMany() throws Exception {
    ScriptedSink liar = new ScriptedSink(false);
    liar.then(batch -> new Verdict.Done(counts(Stream.TRACES, batch.size() + 2), "p"));

    assertThat(residue(liar)).isEqualTo(-2);
  }

  @Test
  void retryThese_acknowledgedTwice_isSeen() throws Exception {
    ScriptedSink liar = new ScriptedSink(false);
    liar.then(
        batch ->
            new Verdict.RetryThese(
                indexes(0), counts(Stream.TRACES, batch.size()), "p", Cause.FAILED, "one"));

    assertThat(residue(liar)).isEqualTo(-1);
  }

  @Test
  void reject_butAcknowledgedAsWell_isSeen() throws Exception {
    ScriptedSink liar = new ScriptedSink(false);
    liar.then(
        batch ->
            new Verdict.RejectThese(
                indexes(0), "", "no", new Verdict.Done(counts(Stream.TRACES, batch.size()), "p")));

    assertThat(residue(liar)).isEqualTo(-1);
  }

  @Test
  void release_fewerAcknowledgedThanHeld_theyAreMissed() throws Exception {
    ScriptedSink liar = new ScriptedSink(true);
    liar.usually(batch -> new Verdict.Held());
    liar.releases(
        now -> {
          StreamCounts kept = counts(Stream.TRACES, 99);
          kept.add(Stream.ACTIONS);
          return liar.sequences().size() < 101 ? null : new Verdict.Done(kept, "p");
        });

    assertThat(residue(liar)).isEqualTo(1);
  }
}
