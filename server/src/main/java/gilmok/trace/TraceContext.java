package gilmok.trace;

import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A place in a trace, as the header {@code traceparent} has it (W3C, Trace Context, level 1, 3.2).
 * Immutable.
 *
 * @param traceHigh the first half of the trace's id
 * @param traceLow its other half; not both are 0
 * @param spanId the span that what follows is a part of; not 0
 * @param isSampled whether somebody keeps this trace
 */
public record TraceContext(long traceHigh, long traceLow, long spanId, boolean isSampled) {
  /** The header's name. */
  public static final String HEADER = "traceparent";

  /** How long a header of version 00 is. */
  public static final int CHARS = 55;

  /** The request that the present thread works on, where it is traced. */
  private static final ScopedValue<TraceContext> CURRENT = ScopedValue.newInstance();

  private static final int TRACE_AT = 3;
  private static final int SPAN_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final HexFormat HEX = HexFormat.of();

  /** Reads a header; null where there is none, or one that must be ignored. */
  public static @Nullable TraceContext parse(@Nullable String header) {
    if (header == null || header.length() < CHARS || !isForm(header)) {
      return null;
    }
    long high = HexFormat.fromHexDigitsToLong(header, TRACE_AT, TRACE_AT + 16);
    long low = HexFormat.fromHexDigitsToLong(header, TRACE_AT + 16, SPAN_AT - 1);
    long span = HexFormat.fromHexDigitsToLong(header, SPAN_AT, FLAGS_AT - 1);
    boolean isSampled = (HexFormat.fromHexDigits(header, FLAGS_AT, CHARS) & 1) != 0;
    return (high | low) == 0 || span == 0 ? null : new TraceContext(high, low, span, isSampled);
  }

  /** Whether a text has the header's form; later versions may have more behind it. */
  private static boolean isForm(String header) {
    boolean isFirst = header.startsWith("00");
    if (header.startsWith("ff") || (isFirst && header.length() != CHARS)) {
      return false;
    }
    for (int i = 0; i < CHARS; i++) {
      boolean isDash = i == TRACE_AT - 1 || i == SPAN_AT - 1 || i == FLAGS_AT - 1;
      char c = header.charAt(i);
      boolean isHex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      if (isDash ? c != '-' : !isHex) {
        return false;
      }
    }
    return header.length() == CHARS || header.charAt(CHARS) == '-';
  }

  /** The first span of a new trace that is kept. */
  public static TraceContext begin() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new TraceContext(random.nextLong(), notZero(random), notZero(random), true);
  }

  /** Another span of this trace, one that is kept. */
  public TraceContext child() {
    return new TraceContext(traceHigh, traceLow, notZero(ThreadLocalRandom.current()), true);
  }

  private static long notZero(ThreadLocalRandom random) {
    return random.nextLong() | 1;
  }

  /** What the present thread works on; null where that is not traced. */
  public static @Nullable TraceContext current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Does work for this request: {@link #current} is this until it ends. */
  public <T> T call(Work<T> work) throws IOException, InterruptedException {
    try {
      return ScopedValue.where(CURRENT, this).call(work::run);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Work that may block. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException, InterruptedException;
  }

  /** The trace's id: 32 hexadecimal digits. */
  public String traceId() {
    return HEX.toHexDigits(traceHigh) + HEX.toHexDigits(traceLow);
  }

  /** The span's id: 16 hexadecimal digits. */
  public String span() {
    return HEX.toHexDigits(spanId);
  }

  /** The header's value. */
  public String header() {
    return "00-" + traceId() + '-' + span() + (isSampled ? "-01" : "-00");
  }
}
