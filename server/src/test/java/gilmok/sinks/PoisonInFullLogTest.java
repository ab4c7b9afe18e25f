package gilmok.sinks;

import static gilmok.sinks.SinksRig.assertAddsUp;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.QuarantinedView;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.LogConfig.WhenFull;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.sinks.Receipt.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
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
 * The log is full and refuses appends, and the oldest record is refused for good. The log has no
 * room for its dead letter, and gets none before the sink's cursor has passed the record.
 */
@Tag("unit")
@Execution(ExecutionMode.CONCURRENT)
class PoisonInFullLogTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofMillis(1);

  @TempDir Path data;
  private SinksRig rig;
  private SinksRig.Booked book = new SinksRig.Booked();
  private int texts;

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data, SinksRig.filling(WhenFull.REFUSE));
    // This cursor holds the segments until a sink starts.
    rig.log.cursor("ship.scripted");
    String large = "x".repeat(1500);
    while (rig.fill("t" + texts++ + large)) {
      assertThat(texts).isLessThan(10_000);
    }
    while (rig.fill("t" + texts++)) {
      assertThat(texts).isLessThan(10_000);
    }
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
  }

  private Shipper start(ScriptedSink sink, boolean ordered, Duration saving) throws Exception {
    Tuning tuning = new Tuning(10, 1 << 16, Duration.ofMillis(1), ordered ? 1 : 4);
    return rig.start(SinksRig.config(tuning, EnumSet.of(Stream.TRACES)), sink, book, saving);
  }

  private static ScriptedSink sink(boolean ordered, LongPredicate isPoison) {
    return new ScriptedSink(ordered)
        .usually(
            batch -> {
              BitSet poison = new BitSet();
              for (int i = 0; i < batch.size(); i++) {
                poison.set(i, isPoison.test(batch.sequence(i)));
              }
              BitSet good = new BitSet();
              good.set(0, batch.size());
              good.andNot(poison);
              Verdict.Done rest = ScriptedSink.done(batch.only(good));
              return poison.isEmpty() ? rest : new Verdict.RejectThese(poison, "f", "poison", rest);
            });
  }

  /** The sequences of the records in the quarantine, in the order in which they came there. */
  private List<Long> setAside() throws Exception {
    List<Long> origins = new ArrayList<>();
    try (LogReader reader = rig.log.reader(1)) {
      while (reader.next()) {
        if (reader.stream() == Stream.QUARANTINE) {
          QuarantinedView view =
              new QuarantinedView().wrap(reader.bytes(), reader.offset(), reader.length());
          assertThat(view.sink()).isEqualTo("scripted");
          assertThat(view.reason()).isEqualTo("poison");
          String origin = Objects.requireNonNull(view.origin());
          origins.add(Long.parseLong(origin.substring(origin.indexOf(':') + 1)));
        }
      }
    }
    return origins;
  }

  private static void awaitNoted(Shipper shipper, int noted) {
    await(
        () -> {
          assertAddsUp(shipper);
          return shipper.account().standing().noted() == noted;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oldestIsPoison_everythingGoesOn(boolean ordered) throws Exception {
    Shipper shipper = start(sink(ordered, sequence -> sequence == 1), ordered, OFTEN);
    awaitShipped(shipper);
    awaitNoted(shipper, 0);

    assertThat(setAside()).containsExactly(1L);
    assertThat(row(shipper, Stream.TRACES).quarantined()).isEqualTo(1);
    assertThat(rig.fill("and room again")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noted_savedAndKilled_isAppendedByTheNextLife(boolean ordered) throws Exception {
    LongPredicate isPoison = sequence -> sequence % 50 == 1;
    Shipper first = start(sink(ordered, isPoison), ordered, NEVER);
    awaitShipped(first);
    int poisons = first.account().standing().noted();
    assertThat(poisons).isGreaterThan(3);
    assertThat(row(first, Stream.TRACES).quarantined()).isEqualTo(poisons);
    assertThat(setAside()).isEmpty();
    first.cursor().save();
    first.kill();

    ScriptedSink silent = new ScriptedSink(ordered);
    Shipper second = start(silent, ordered, OFTEN);
    awaitNoted(second, 0);

    assertThat(silent.sent()).isEmpty();
    List<Long> setAside = setAside();
    assertThat(setAside).hasSize(poisons).doesNotHaveDuplicates().allMatch(isPoison::test);
    if (ordered) {
      assertThat(setAside).isSorted();
    }
    assertThat(row(second, Stream.TRACES).quarantined()).isEqualTo(poisons);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noted_killedUnsaved_isRefusedAgainAndSetAsideOnce(boolean ordered) throws Exception {
    LongPredicate isPoison = sequence -> sequence < 4;
    Shipper first = start(sink(ordered, isPoison), ordered, NEVER);
    awaitNoted(first, 3);
    first.kill();
    book = book.afterCrash();

    Shipper second = start(sink(ordered, isPoison), ordered, OFTEN);
    awaitShipped(second);
    awaitNoted(second, 0);

    assertThat(setAside()).containsExactly(1L, 2L, 3L);
    assertThat(book.written().stream().filter(one -> one.outcome() == Outcome.QUARANTINED))
        .isNotEmpty();
  }

  @Test
  void appendedAndKilledBeforeTheNoteIsSaved_isKnownAsARepeat() throws Exception {
    Shipper first = start(sink(true, sequence -> sequence == 1), true, NEVER);
    awaitShipped(first);
    awaitNoted(first, 1);
    first.cursor().save();
    // The log makes room and the dead letter is appended, but the saved checkpoint still lists it
    // as pending.
    DeadLetters deadLetters = new DeadLetters(rig.log, "scripted", SinksRig.KEYS, first.account());
    boolean[] isDone = {false};
    while (!isDone[0]) {
      rig.log.append(new AppendBatch(), new Nobody());
      isDone[0] = deadLetters.putNoted();
    }
    assertThat(first.account().standing().noted()).isZero();
    first.kill();

    Shipper second = start(new ScriptedSink(true), true, OFTEN);
    assertThat(row(second, Stream.TRACES).quarantined()).isEqualTo(1);
    awaitNoted(second, 0);

    assertThat(setAside()).containsExactly(1L);
  }

  @Test
  void allIsPoison_moreThanTheNoteTakes_waitsAndGoesOn() throws Exception {
    Shipper shipper = start(sink(false, sequence -> true), false, OFTEN);
    awaitShipped(shipper);
    awaitNoted(shipper, 0);

    long all = row(shipper, Stream.TRACES).accepted();
    assertThat(row(shipper, Stream.TRACES).quarantined()).isEqualTo(all);
    assertThat(rig.log.accepted().of(Stream.QUARANTINE)).isEqualTo(all);
  }

  @Test
  void rewind_whatIsNotedStays() throws Exception {
    Shipper shipper = start(sink(true, sequence -> sequence == 1), true, NEVER);
    awaitShipped(shipper);
    awaitNoted(shipper, 1);

    shipper.rewind(5);

    assertThat(shipper.account().standing().noted()).isEqualTo(1);
  }

  @Test
  void note_isBoundedByRecordsAndBytes() {
    PendingDeadLetters pendingDeadLetters = new PendingDeadLetters();
    LongStream.range(0, PendingDeadLetters.RECORDS_MAX)
        .forEach(i -> pendingDeadLetters.add(new byte[(int) i]));
    assertThat(pendingDeadLetters.size()).isEqualTo(PendingDeadLetters.RECORDS_MAX);
    assertThat(pendingDeadLetters.add(new byte[1000])).isFalse();
    assertThat(pendingDeadLetters.add(new byte[7])).as("there already").isTrue();
    pendingDeadLetters.remove(1);
    assertThat(pendingDeadLetters.add(new byte[1000])).isTrue();

    PendingDeadLetters large = new PendingDeadLetters();
    assertThat(large.add(new byte[PendingDeadLetters.BYTES_MAX])).isTrue();
    assertThat(large.add(new byte[1])).isFalse();
  }

  private static final class Nobody extends AppendCompletion {
    @Override
    protected void durable() {}
  }
}
