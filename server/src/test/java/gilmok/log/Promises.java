package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a log has promised so far, over any number of crashes, and the checks that it is kept:
 *
 * <ul>
 *   <li>a record whose completion was called is there, under its sequence, with its bytes;
 *   <li>sequences have no gap, and no record is there twice;
 *   <li>what was once seen durable stays so until every cursor has passed it;
 *   <li>a cursor is neither behind the last {@code advance} that returned nor ahead of the last one
 *       that was called;
 *   <li>the counts are of all records that were ever durable, also those deleted by now;
 *   <li>a repeat of a durable record is marked as one; a lost record is stored when it comes again.
 * </ul>
 *
 * <p>All texts differ, and the deduplication table holds all of them. Thread-safe.
 */
final class Promises {
  private static final List<String> CURSORS = List.of("ship", "live");

  private final Map<Long, String> durable = new TreeMap<>();
  private final Map<String, Long> sequences = new HashMap<>();
  private final List<String> attempted = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private final Map<String, Standing> standings = new HashMap<>();

  /** The arguments of a cursor's last {@code advance} that returned, and of the last one called. */
  private record Standing(long returned, long asked) {}

  /** Notes texts that are about to be appended. */
  synchronized void attempt(List<String> texts) {
    for (String text : texts) {
      if (known.add(text)) {
        attempted.add(text);
      }
    }
  }

  /** Notes that the completion of these texts was called. */
  synchronized void acknowledge(
      List<String> texts, AppendBatch batch, AppendCompletion completion) {
    long sequence = completion.first();
    for (int i = 0; i < texts.size(); i++) {
      if (batch.isRepeat(i)) {
        assertThat(sequences).as("original of an acknowledged repeat").containsKey(texts.get(i));
      } else {
        keep(sequence++, texts.get(i));
      }
    }
    assertThat(sequence).isEqualTo(completion.first() + completion.stored());
  }

  /** Any text that was tried before. */
  synchronized String anyAttempted(Random random) {
    return attempted.isEmpty() ? "none" : attempted.get(random.nextInt(attempted.size()));
  }

  /** Advances the cursor of that number to a random sequence, at most the durable one. */
  void advance(Log log, int number, Random random) throws IOException, InterruptedException {
    Cursor cursor = log.cursor(CURSORS.get(number % CURSORS.size()));
    long from = cursor.sequence();
    long to = from + random.nextLong(log.durable() - from + 1);
    set(cursor.name(), new Standing(from, to));
    cursor.advance(to);
    set(cursor.name(), new Standing(to, to));
    assertThat(cursor.sequence()).isEqualTo(to);
  }

  /** Checks a log that has just been opened, and makes its cursors. */
  void check(Log log) throws IOException, InterruptedException {
    long passed = Long.MAX_VALUE;
    for (String name : CURSORS) {
      long at = log.cursor(name).sequence();
      Standing standing = get(name);
      assertThat(at).as("cursor " + name).isBetween(standing.returned(), standing.asked());
      assertThat(at)
          .as("cursor " + name + " is behind what is durable")
          .isBetween(0L, log.durable());
      set(name, new Standing(at, at));
      passed = Math.min(passed, at);
    }
    checkRecords(Records.read(log.reader(1)), log.durable(), passed);
    checkCounts(log);
  }

  /** Appends every text ever tried again: a durable one is a repeat, a lost one is stored. */
  void checkRepeats(Log log, int draftBytesMax, Runnable before) throws InterruptedException {
    List<String> texts = new ArrayList<>();
    for (String text : List.copyOf(attempted)) {
      if (Records.size(texts) + AppendBatch.FRAME_BYTES + text.length() > draftBytesMax) {
        before.run();
        appendAgain(log, texts);
        texts.clear();
      }
      texts.add(text);
    }
    before.run();
    appendAgain(log, texts);
  }

  private void appendAgain(Log log, List<String> texts) throws InterruptedException {
    AppendBatch batch = Records.draft(texts);
    List<Boolean> expected = new ArrayList<>();
    synchronized (this) {
      texts.forEach(text -> expected.add(sequences.containsKey(text)));
    }
    Records.Waiting ticket = appendNow(log, batch);
    if (ticket == null) {
      return;
    }
    for (int i = 0; i < texts.size(); i++) {
      assertThat(batch.isRepeat(i))
          .as("is it a repeat: %s", texts.get(i))
          .isEqualTo(expected.get(i));
    }
    acknowledge(List.copyOf(texts), batch, ticket);
  }

  /** Null when the log has no room or does not answer: this check leaves the cause to others. */
  private static Records.@Nullable Waiting appendNow(Log log, AppendBatch batch)
      throws InterruptedException {
    Records.Waiting ticket = new Records.Waiting();
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    AppendResult result = log.append(batch, ticket);
    while (result == AppendResult.FULL && !log.isShortOfRoom() && System.nanoTime() < giveUp) {
      Thread.sleep(0, 20_000);
      result = log.append(batch, ticket);
    }
    if (result != AppendResult.TAKEN) {
      return null;
    }
    while (!ticket.isDurable() && System.nanoTime() < giveUp) {
      if (log.isFailed()) {
        return null;
      }
      Thread.sleep(0, 20_000);
    }
    ticket.await();
    return ticket;
  }

  private synchronized void checkRecords(Map<Long, String> read, long last, long passed) {
    long expected = 1;
    for (long sequence : read.keySet()) {
      if (sequence != expected) {
        assertThat(sequence - 1).as("gone, but not passed by all").isLessThanOrEqualTo(passed);
      }
      expected = sequence + 1;
    }
    assertThat(Math.max(expected - 1, passed)).as("the last sequence").isEqualTo(last);
    assertThat(new HashSet<>(read.values())).as("no record twice").hasSize(read.size());
    durable.forEach(
        (sequence, text) -> {
          if (sequence > passed || read.containsKey(sequence)) {
            assertThat(read.get(sequence)).as("record %d", sequence).isEqualTo(text);
          }
        });
    read.forEach(
        (sequence, text) -> {
          assertThat(known).as("a record that was appended").contains(text);
          keep(sequence, text);
        });
  }

  private synchronized void checkCounts(Log log) throws IOException {
    StreamCounts counts = new StreamCounts();
    long before = log.oldestSequence() - 1;
    durable.forEach(
        (sequence, text) -> {
          if (sequence <= before) {
            counts.add(Records.stream(text));
          }
        });
    try {
      assertThat(log.acceptedThrough(before)).as("counted of what was deleted").isEqualTo(counts);
    } catch (IOException | IllegalArgumentException failed) {
      // Retention may run meanwhile and overtake this reader.
      if (log.oldestSequence() - 1 == before) {
        throw failed;
      }
    }
    durable.forEach(
        (sequence, text) -> {
          if (sequence > before) {
            counts.add(Records.stream(text));
          }
        });
    assertThat(log.accepted()).as("counted").isEqualTo(counts);
  }

  /** Requires the record from now on: it was acknowledged, or a recovered log showed it. */
  private void keep(long sequence, String text) {
    String other = durable.putIfAbsent(sequence, text);
    assertThat(other == null || other.equals(text)).as("sequence %d used twice", sequence).isTrue();
    Long earlier = sequences.putIfAbsent(text, sequence);
    assertThat(earlier == null || earlier == sequence).as("%s stored twice", text).isTrue();
  }

  private synchronized Standing get(String cursor) {
    return standings.getOrDefault(cursor, new Standing(0, 0));
  }

  private synchronized void set(String cursor, Standing standing) {
    standings.put(cursor, standing);
  }
}
