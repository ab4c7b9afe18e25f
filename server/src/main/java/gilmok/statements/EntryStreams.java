package gilmok.statements;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Asking;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.observe.Complaint;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Statements with their entries, streamed: a page is read, written as fast as its reader takes it,
 * and only then the next one is asked for. A bounded number at once. Thread-safe.
 *
 * <p>A page is kept for each, and what of it was not sent: some hundreds of KiB. Sums are made of
 * what was written, so they are those of these entries also when more come meanwhile.
 */
final class EntryStreams {
  private static final Logger LOG = System.getLogger("gilmok.statements");

  /** What is written at once; much less than the stream takes before it is not writable. */
  private static final int PIECE_BYTES = 16 << 10;

  private static final long LOOK_NANOS = 2_000_000L;

  private final EntryStore store;
  private final Asking asking;
  private final StatementMeters meters;
  private final int streamsMax;
  private final long patienceNanos;
  private final AtomicInteger streams = new AtomicInteger();
  private final Complaint complaint =
      new Complaint("gilmok.statements", "a statement was broken off");
  private volatile boolean stopping;

  /**
   * @param patienceNanos how long a client may take nothing
   */
  EntryStreams(
      EntryStore store, Asking asking, StatementMeters meters, int streamsMax, long patienceNanos) {
    this.store = store;
    this.asking = asking;
    this.meters = meters;
    this.streamsMax = streamsMax;
    this.patienceNanos = patienceNanos;
  }

  /** Shows how many there are. */
  void watch(Meters shown) {
    shown.gauge("gilmok_statements_streams", "Statements being streamed.", streams::get);
    shown.gauge(
        "gilmok_statements_streams_max", "The bound of gilmok_statements_streams.", this::max);
  }

  private int max() {
    return streamsMax;
  }

  /** Breaks off what is under way, and waits for that. */
  void stop(Duration patience) throws InterruptedException {
    stopping = true;
    long until = System.nanoTime() + patience.toNanos();
    while (streams.get() > 0 && System.nanoTime() - until < 0) {
      park();
    }
  }

  private static void park() throws InterruptedException {
    LockSupport.parkNanos(LOOK_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Answers with a statement and its entries. The first page is read before the reply begins. */
  void stream(Exchange exchange, StatementQuestion asked) {
    asking.ask(
        exchange,
        meters.sum(),
        () -> {
          List<Entry> first =
              store.page(
                  asked.riderId(),
                  asked.days().fromMillis(),
                  asked.days().untilMillis(),
                  null,
                  EntryStore.ENTRIES_MAX);
          return answering -> answering.execute(() -> begin(answering, asked, first));
        });
  }

  /** On the event loop. */
  private void begin(Exchange exchange, StatementQuestion asked, List<Entry> first) {
    if (streams.incrementAndGet() > streamsMax) {
      streams.decrementAndGet();
      Answer.of(Refusal.BUSY).send(exchange);
      return;
    }
    ReplyStream reply = exchange.stream("application/json");
    Thread.ofVirtual()
        .name("gilmok-statement-entries")
        .start(
            () -> {
              write(reply, asked, first);
              streams.decrementAndGet();
            });
  }

  /** Writes all of it, or breaks it off. Blocks as long as its reader is slow. */
  void write(ReplyStream reply, StatementQuestion asked, List<Entry> first) {
    boolean isWhole = false;
    try {
      isWhole = new Streaming(reply, asked).write(first);
    } catch (IOException failed) {
      meters.failures().increment();
      complaint.about(failed);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, "a statement's entries could not be written", bug);
    }
    if (isWhole) {
      reply.end();
    } else if (!reply.isEnded()) {
      meters.brokenOff();
      reply.breakOff();
    }
  }

  /** One of them, on a thread of its own. */
  private final class Streaming {
    private final ReplyStream reply;
    private final StatementQuestion asked;
    private final Sums sums;
    private final JsonBuffer out = new JsonBuffer();
    private int day;

    Streaming(ReplyStream reply, StatementQuestion asked) {
      this.reply = reply;
      this.asked = asked;
      sums = new Sums(asked.days().count());
    }

    /** Whether all was written; otherwise nobody reads on, or the server stops. */
    boolean write(List<Entry> first) throws IOException, InterruptedException {
      StatementJson.begin(asked, out);
      out.ascii(",\"entries\":[");
      List<Entry> page = first;
      String before = "";
      while (!page.isEmpty()) {
        for (Entry entry : page) {
          out.ascii(before);
          before = ",";
          add(entry);
          if (out.size() >= PIECE_BYTES && !flush()) {
            return false;
          }
        }
        page = page.size() < EntryStore.ENTRIES_MAX ? List.of() : after(page.getLast());
      }
      out.put(']');
      StatementJson.end(asked.days(), sums, out);
      return flush();
    }

    private List<Entry> after(Entry last) throws IOException, InterruptedException {
      Days days = asked.days();
      return store.page(
          asked.riderId(), days.fromMillis(), days.untilMillis(), last, EntryStore.ENTRIES_MAX);
    }

    private void add(Entry entry) {
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
      reply.write(Arrays.copyOf(out.bytes(), out.size()));
      out.clear();
      return true;
    }
  }
}
