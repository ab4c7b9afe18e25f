package gilmok.http;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.util.concurrent.atomic.LongAdder;

/** What one caller uses: a key together with a program. Thread-safe; counting does not allocate. */
final class CallerMeter {
  /** Counts, and shows nothing. */
  static final CallerMeter NONE =
      new CallerMeter("", new Counter(), new Counter(), new Counter(), new Counter());

  private static final double SECONDS_IN_NANO = 1e-9;
  private static final int REFUSED_FROM = 400;

  private final String key;
  private final Counter requests;
  private final Counter refusals;
  private final Counter received;
  private final Counter sent;
  private final LongAdder busyNanos = new LongAdder();

  private CallerMeter(
      String key, Counter requests, Counter refusals, Counter received, Counter sent) {
    this.key = key;
    this.requests = requests;
    this.refusals = refusals;
    this.received = received;
    this.sent = sent;
  }

  /**
   * Registers a caller.
   *
   * @param key the label of its key
   * @param agent the label of its program
   */
  static CallerMeter of(Meters meters, String key, String agent) {
    String[] labels = {"key", key, "agent", agent};
    CallerMeter meter =
        new CallerMeter(
            key,
            meters.counter(
                "gilmok_http_caller_requests_total", "Requests answered, by caller.", labels),
            meters.counter(
                "gilmok_http_caller_refusals_total",
                "Requests answered with a status of 400 or more, by caller.",
                labels),
            meters.counter(
                "gilmok_http_caller_received_bytes_total",
                "Bytes of requests' bodies as they came, by caller.",
                labels),
            meters.counter(
                "gilmok_http_caller_sent_bytes_total",
                "Bytes of answers' bodies as they were sent, by caller.",
                labels));
    meters.counter(
        "gilmok_http_caller_processor_seconds_total",
        "Time that work for a caller took, without what it waited for.",
        () -> meter.busyNanos.sum() * SECONDS_IN_NANO,
        labels);
    return meter;
  }

  /** The label of its key. */
  String key() {
    return key;
  }

  /** Counts an answer, or the beginning of a streamed one. */
  void answered(int status, long bytesReceived, long bytesSent) {
    requests.increment();
    if (status >= REFUSED_FROM) {
      refusals.increment();
    }
    received.add(bytesReceived);
    sent.add(bytesSent);
  }

  /** Counts bytes of a streamed answer. */
  void sent(long bytes) {
    sent.add(bytes);
  }

  /** Counts time that work for this caller took. */
  void worked(long nanos) {
    busyNanos.add(nanos);
  }
}
