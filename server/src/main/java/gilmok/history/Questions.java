package gilmok.history;

import gilmok.event.JsonBuffer;
import gilmok.history.HistoryMeters.Kind;
import gilmok.history.HistoryMeters.Result;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.StreamOutput;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about the past: few at once, by few threads of low priority, and none longer
 * than allowed. A short answer is sent when it is whole. A longer one is streamed, as fast as its
 * reader reads; if it cannot be ended it is broken off, so that nobody takes it for the whole.
 * Thread-safe.
 */
final class Questions implements Drainable {
  /** A longer answer is streamed. With a piece more, its buffer is one that collectors like. */
  private static final int WHOLE_BYTES_MAX = 128 << 10;

  /**
   * So many times as long as a question may be worked at, its answer may take to begin: on a busy
   * machine it rests most of the time.
   */
  private static final int RESTS = 10;

  private final HistoryConfig config;
  private final ProcessorShare share;
  private final Offload asks;
  private final Offload streams;
  private final LowPriorityThreads threads;
  private final HistoryMeters meters;
  private final RateLimitedLog damagedFiles =
      new RateLimitedLog("gilmok.history", "questions about the past meet a damaged file");
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean stopping;

  Questions(HistoryConfig config, ProcessorShare share, Meters meters, Offloads offloads) {
    this.config = config;
    this.share = share;
    String failed = "questions about the past cannot be answered";
    asks =
        offloads.of(
            new Offload.Part(
                "history", failed, config.openMax(), config.timeout().multipliedBy(RESTS), null));
    streams = offloads.of("history_streams", failed, config.openMax(), null);
    threads = new LowPriorityThreads(config.concurrency(), share);
    this.meters = new HistoryMeters(meters, config.openMax(), open::get);
  }

  /** Answers a question. On the exchange's event loop. */
  void ask(Exchange exchange, Kind kind, HistoryAnswer.Check check, HistoryAnswer.Begin begin) {
    String known = exchange.header("If-None-Match");
    if (!asks.ask(exchange, Offload.PLAIN, () -> checked(kind, known, check, begin))) {
      meters.busy(kind);
    }
  }

  private Answer checked(
      Kind kind, @Nullable String known, HistoryAnswer.Check check, HistoryAnswer.Begin begin)
      throws IOException, InterruptedException {
    Answer refusal = check.refusal();
    return refusal == null ? answer(kind, known, begin) : refusal;
  }

  /** Reckons the answer, or its beginning. On a virtual thread. */
  private Answer answer(Kind kind, @Nullable String known, HistoryAnswer.Begin begin)
      throws IOException, InterruptedException {
    if (open.incrementAndGet() > config.openMax()) {
      open.decrementAndGet();
      meters.busy(kind);
      return Answer.of(Refusal.BUSY);
    }
    Question question = new Question(kind, known, begin);
    boolean isStreamed = false;
    try {
      Answer answer = question.answer();
      isStreamed = question.isStreamed;
      return answer;
    } catch (QuestionTime.TooLongException tooLong) {
      question.result = Result.TOO_LONG;
      return Answer.refused(
          Refusal.BUSY, "to", "took longer than history.timeout: ask for a shorter time");
    } catch (DamagedFile damaged) {
      question.result = Result.DAMAGED;
      damagedFiles.about(damaged);
      return Answer.refused(
          Refusal.BUSY,
          "file",
          damaged.file()
              + " is damaged: whoever runs the server renames it to end with .damaged; what it has"
              + " is not found then");
    } finally {
      if (!isStreamed) {
        question.end();
      }
    }
  }

  @Override
  public String name() {
    return "history";
  }

  /** Breaks off what is under way. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    stopping = true;
    asks.drain(patience);
    streams.drain(Drainable.left(until));
    threads.close();
  }

  /** One question; one thread at a time has it. */
  private final class Question {
    private final Kind kind;
    private final @Nullable String known;
    private final HistoryAnswer.Begin begin;
    private final QuestionTime time =
        new QuestionTime(config.timeout(), config.pageTime(), () -> stopping, share::restIfDue);
    private final QuestionCounts counts = new QuestionCounts();
    private final JsonBuffer out = new JsonBuffer();
    private @Nullable HistoryAnswer reckoning;
    private @Nullable String tag;
    private boolean isKnown;
    private boolean goesOn = true;
    private boolean isStreamed;
    private Result result = Result.FAILED;

    Question(Kind kind, @Nullable String known, HistoryAnswer.Begin begin) {
      this.kind = kind;
      this.known = known;
      this.begin = begin;
    }

    Answer answer() throws IOException, InterruptedException {
      HistoryAnswer begun = worked(this::begun);
      while (goesOn && !isKnown && out.size() < WHOLE_BYTES_MAX) {
        boolean _ = worked(() -> more(begun));
      }
      if (isKnown) {
        result = Result.UNCHANGED;
        return exchange -> exchange.execute(() -> dressed(exchange).reply(304));
      }
      String type = begun.contentType();
      if (goesOn) {
        isStreamed = true;
        Offload.Writing rest = new Rest(begun);
        return exchange -> exchange.execute(() -> streams.stream(dressed(exchange), type, rest));
      }
      result = Result.ANSWERED;
      byte[] whole = out.copy();
      return exchange ->
          exchange.execute(
              () -> {
                dressed(exchange);
                exchange.reply(200, type, whole);
              });
    }

    /** Begins, and finds out whether its asker has the answer. On a thread of low priority. */
    private HistoryAnswer begun() throws IOException, InterruptedException {
      time.check();
      HistoryAnswer now = begin.begin(time, counts);
      reckoning = now;
      String own = now.tag();
      tag = own;
      isKnown = own != null && known != null && EntityTag.isAmong(own, known);
      return now;
    }

    /** Sets the headers. On the exchange's event loop. */
    private Exchange dressed(Exchange exchange) {
      exchange.replyHeader("Cache-Control", "private, no-cache");
      String own = tag;
      if (own != null) {
        exchange.replyHeader("ETag", own);
      }
      return exchange;
    }

    /** What is reckoned while it is written. */
    private final class Rest implements Offload.Writing {
      private final HistoryAnswer begun;

      Rest(HistoryAnswer begun) {
        this.begun = begun;
      }

      @Override
      public boolean write(ReplyStream reply) throws IOException, InterruptedException {
        return stream(begun, reply);
      }

      @Override
      public void ended() {
        end();
      }
    }

    /** Writes what is reckoned, and reckons on. On a virtual thread. */
    private boolean stream(HistoryAnswer begun, ReplyStream reply)
        throws IOException, InterruptedException {
      StreamOutput output = new StreamOutput(reply);
      try {
        output.write(out.bytes(), 0, out.size());
        while (goesOn) {
          out.clear();
          boolean _ = worked(() -> more(begun));
          output.write(out.bytes(), 0, out.size());
        }
        result = Result.ANSWERED;
        return true;
      } catch (StreamOutput.ClientGoneException gone) {
        result = Result.NOT_READ;
        return false;
      } catch (QuestionTime.TooLongException tooLong) {
        result = Result.TOO_LONG;
        return false;
      }
    }

    /** Does a piece; its wait for a thread is none of the question's time. */
    private <T> T worked(Callable<T> work) throws IOException, InterruptedException {
      return threads.run(
          () -> {
            time.begin();
            try {
              return work.call();
            } finally {
              time.pause();
            }
          });
    }

    /** Reckons a piece. On a thread of low priority. */
    private boolean more(HistoryAnswer begun) throws IOException, InterruptedException {
      time.check();
      goesOn = begun.write(out);
      return goesOn;
    }

    /** Gives back all that it has. Once, when nothing works at it any more. */
    private void end() {
      open.decrementAndGet();
      meters.ended(kind, result, time.workedNanos(), counts);
      HistoryAnswer ended = reckoning;
      if (ended != null) {
        ended.close();
      }
    }
  }
}
