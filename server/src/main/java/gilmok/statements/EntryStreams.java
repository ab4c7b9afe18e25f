package gilmok.statements;

import gilmok.event.DayRange;
import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.ReplyStream;
import gilmok.observe.PartTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Streams statements with their entries. The next page is read only after the client has taken the
 * one before. The number of streams is limited. Thread-safe.
 *
 * <p>Each stream holds one page and its unsent bytes: some hundreds of KiB. The sums are made from
 * the entries that were written, so they agree with them even if new entries are added meanwhile.
 */
final class EntryStreams {
  /** The size of one write; much less than a stream takes before it is not writable. */
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
   * @param writers the threads that write a statement to its end
   * @param patienceNanos how long a client may take nothing before its stream is broken off
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

  /** Breaks off all streams, and waits for their end. */
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
          if (isTooOld(asked)) {
            return TooOld.STATEMENT;
          }
          return answering ->
              writers.stream(answering, "application/json", reply -> write(reply, asked, first));
        });
  }

  /** Reads the page after that entry; the first page for null. */
  private List<StatementEntry> page(StatementQuestion asked, @Nullable StatementEntry after)
      throws IOException, InterruptedException {
    DayRange days = asked.days();
    return store.page(
        asked.riderId(), days.fromMillis(), days.untilMillis(), after, EntryStore.ENTRIES_MAX);
  }

  /** Whether entries may have been missing in what was read of it. */
  private boolean isTooOld(StatementQuestion asked) throws IOException, InterruptedException {
    return asked.days().fromMillis() < store.keptFromMillis();
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

  /** One stream, on a thread of its own. */
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

    /**
     * Writes the statement. Blocks while the client is slow. Returns false if it was broken off, as
     * the client took nothing for too long or has gone, the server is stopping, or the entries have
     * become too old meanwhile.
     */
    boolean write(List<StatementEntry> first) throws IOException, InterruptedException {
      StatementJson.begin(asked, out);
      out.ascii(",\"entries\":[");
      List<StatementEntry> page = first;
      String before = "";
      while (!page.isEmpty()) {
        long began = PartTimes.clock();
        for (StatementEntry entry : page) {
          out.ascii(before);
          before = ",";
          add(entry);
          if (out.size() >= PIECE_BYTES) {
            PartTimes.worked(PartTimes.SERIALISE, PartTimes.clock() - began);
            if (!flush()) {
              return false;
            }
            began = PartTimes.clock();
          }
        }
        PartTimes.worked(PartTimes.SERIALISE, PartTimes.clock() - began);
        if (page.size() < EntryStore.ENTRIES_MAX) {
          break;
        }
        page = page(asked, page.getLast());
        if (isTooOld(asked)) {
          return false;
        }
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

    /** Sends the buffer when there is room; false if the stream is broken off instead. */
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
