package gilmok.statements;

import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.ReplyStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Statements with their entries, streamed: a page is read, written as fast as its reader takes it,
 * and only then the next one is asked for. A bounded number at once. Thread-safe.
 *
 * <p>A page is kept for each, and what of it was not sent: some hundreds of KiB. Sums are made of
 * what was written, so they are those of these entries also when more come meanwhile.
 */
final class EntryStreams {
  /** What is written at once; much less than the stream takes before it is not writable. */
  private static final int PIECE_BYTES = 16 << 10;

  private static final long LOOK_NANOS = 2_000_000L;

  private final EntryStore store;
  private final Offload offload;
  private final Offload writers;
  private final StatementMeters meters;
  private final long patienceNanos;
  private volatile boolean stopping;

  /**
   * @param offload where the first page is read
   * @param writers who write a statement to its end
   * @param patienceNanos how long a client may take nothing
   */
  EntryStreams(
      EntryStore store,
      Offload offload,
      Offload writers,
      StatementMeters meters,
      long patienceNanos) {
    this.store = store;
    this.offload = offload;
    this.writers = writers;
    this.meters = meters;
    this.patienceNanos = patienceNanos;
  }

  /** Breaks off what is under way, and waits for that. */
  void stop(Duration patience) throws InterruptedException {
    stopping = true;
    writers.drain(patience);
  }

  private static void park() throws InterruptedException {
    LockSupport.parkNanos(LOOK_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Answers with a statement and its entries. The first page is read before the reply begins. */
  void stream(Exchange exchange, StatementQuestion asked) {
    offload.ask(
        exchange,
        meters.sum,
        () -> {
          List<StatementEntry> first = page(asked, null);
          return answering ->
              writers.stream(answering, "application/json", reply -> write(reply, asked, first));
        });
  }

  /** Writes all of it, unless it is to be broken off. Blocks as long as its reader is slow. */
  private List<StatementEntry> page(StatementQuestion asked, @Nullable StatementEntry after)
      throws IOException, InterruptedException {
    DayRange days = asked.days();
    return store.page(
        asked.riderId(), days.fromMillis(), days.untilMillis(), after, EntryStore.ENTRIES_MAX);
  }

  private boolean write(ReplyStream reply, StatementQuestion asked, List<StatementEntry> first)
      throws IOException, InterruptedException {
    boolean isWhole = false;
    try {
      isWhole = new Streaming(reply, asked).write(first);
    } finally {
      if (!isWhole && !reply.isEnded()) {
        meters.brokenOff.increment();
      }
    }
    return isWhole;
  }

  /** One of them, on a thread of its own. */
  private final class Streaming {
    private final ReplyStream reply;
    private final StatementQuestion asked;
    private final DaySums sums;
    private final JsonBuffer out = new JsonBuffer();
    private int day;

    Streaming(ReplyStream reply, StatementQuestion asked) {
      this.reply = reply;
      this.asked = asked;
      sums = new DaySums(asked.days().count());
    }

    /** Whether all was written; otherwise nobody reads on, or the server stops. */
    boolean write(List<StatementEntry> first) throws IOException, InterruptedException {
      StatementJson.begin(asked, out);
      out.ascii(",\"entries\":[");
      List<StatementEntry> page = first;
      String before = "";
      while (!page.isEmpty()) {
        for (StatementEntry entry : page) {
          out.ascii(before);
          before = ",";
          add(entry);
          if (out.size() >= PIECE_BYTES && !flush()) {
            return false;
          }
        }
        page = page.size() < EntryStore.ENTRIES_MAX ? List.of() : page(asked, page.getLast());
      }
      out.put(']');
      StatementJson.end(asked.days(), sums, out);
      return flush();
    }

    private void add(StatementEntry entry) {
      StatementJson.write(entry, out);
      if (entry.currency().equals(asked.currency())) {
        day = asked.days().dayOf(entry.atMillis(), day);
        sums.add(day, entry.kind(), entry.amount(), entry.distance());
      } else {
        sums.leaveOut(entry.currency());
      }
    }

    /** Sends what was gathered once there is room; false when that is in vain. */
    private boolean flush() throws InterruptedException {
      long until = System.nanoTime() + patienceNanos;
      while (!reply.isWritable()) {
        if (reply.isEnded() || stopping || System.nanoTime() - until > 0) {
          return false;
        }
        park();
      }
      if (stopping) {
        return false;
      }
      reply.write(out.copy());
      out.clear();
      return true;
    }
  }
}
