package gilmok.trace;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are traced, and keeps their spans until they are sent. Faults and slow
 * requests are traced always, as long as they are not many; so are those that a trusted caller
 * traces. Bounded; what does not fit is dropped and counted. Thread-safe; nothing here blocks.
 */
public final class Tracer {
  /** Traces nothing. */
  public static final Tracer NONE = new Tracer();

  private static final int QUEUE_MAX = 4096;

  /** How many requests a second are traced beside those that were drawn. */
  private static final int BESIDE_MAX = 200;

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  private final ArrayBlockingQueue<TraceSpan> ended = new ArrayBlockingQueue<>(QUEUE_MAX);
  private final @Nullable Counter queueFull;
  private final @Nullable Counter tooMany;
  private final AtomicLong second = new AtomicLong();
  private final AtomicLong beside = new AtomicLong();
  private volatile TracingConfig config = TracingConfig.OFF;

  private Tracer() {
    queueFull = null;
    tooMany = null;
  }

  /** One that is off, and shows in the metrics what it drops. */
  public Tracer(Meters meters) {
    queueFull = dropped(meters, "queue");
    tooMany = dropped(meters, "rate");
    meters.gauge("gilmok_trace_spans_queued", "Spans that wait to be sent.", ended::size);
  }

  /** Counts spans that are not sent, by the cause. */
  public static Counter dropped(Meters meters, String cause) {
    return meters.counter(
        "gilmok_trace_spans_dropped_total", "Spans that were not sent.", "cause", cause);
  }

  /** From now on these settings hold. */
  public void take(TracingConfig next) {
    config = next;
  }

  /** The settings in force. */
  public TracingConfig config() {
    return config;
  }

  /** Whether spans are sent. */
  public boolean isOn() {
    return config.isOn();
  }

  /**
   * The trace of a request that begins; it is drawn now whether this server begins one.
   *
   * @param parent what a caller sent that may decide; null for nothing
   */
  public RequestTrace begin(@Nullable TraceContext parent) {
    TraceContext asked = parent != null && parent.isSampled() ? parent : null;
    TracingConfig now = config;
    if (!now.isOn()) {
      return asked == null ? RequestTrace.NONE : new RequestTrace(parent, asked, false);
    }
    boolean isDrawn =
        (now.every() > 0 && ThreadLocalRandom.current().nextInt(now.every()) == 0)
            || (asked != null && isRoomBeside());
    if (isDrawn) {
      return new RequestTrace(parent, parent == null ? TraceContext.begin() : parent.child(), true);
    }
    return parent == null ? RequestTrace.NONE : new RequestTrace(parent, asked, false);
  }

  /** Whether a request that was not drawn is traced after all, now that it is answered. */
  public boolean isWorthIt(boolean isFault, long nanos) {
    TracingConfig now = config;
    return now.isOn() && (isFault || nanos >= now.slow().toNanos()) && isRoomBeside();
  }

  private boolean isRoomBeside() {
    long now = System.nanoTime() / SECOND_NANOS;
    long before = second.get();
    if (before != now && second.compareAndSet(before, now)) {
      beside.set(0);
    }
    if (beside.incrementAndGet() <= BESIDE_MAX) {
      return true;
    }
    count(tooMany);
    return false;
  }

  /** Keeps a span until it is sent. */
  public void ended(TraceSpan span) {
    if (!ended.offer(span)) {
      count(queueFull);
    }
  }

  private static void count(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  /** How many spans wait to be sent. */
  public int queued() {
    return ended.size();
  }

  /** Takes spans that are to be sent, at most so many. */
  public void drainTo(List<TraceSpan> target, int most) {
    int _ = ended.drainTo(target, most);
  }
}
