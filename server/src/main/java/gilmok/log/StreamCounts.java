package gilmok.log;

import java.util.Arrays;

/**
 * Numbers of records, one for each stream.
 *
 * <p>Not thread-safe: share a {@link #copy}.
 */
public final class StreamCounts {
  private static final Stream[] STREAMS = Stream.values();

  private final long[] byStream;

  /** All zero. */
  public StreamCounts() {
    this(new long[STREAMS.length]);
  }

  private StreamCounts(long[] byStream) {
    this.byStream = byStream;
  }

  /** The number of that stream. */
  public long of(Stream stream) {
    return byStream[stream.code() - 1];
  }

  /** The sum of all streams. */
  public long total() {
    return Arrays.stream(byStream).sum();
  }

  /** Adds one. */
  public void add(Stream stream) {
    byStream[stream.code() - 1]++;
  }

  /** Adds {@code more}, which may be negative. */
  public void add(Stream stream, long more) {
    byStream[stream.code() - 1] += more;
  }

  /** Adds the other's numbers to these. */
  public void add(StreamCounts other) {
    for (int i = 0; i < byStream.length; i++) {
      byStream[i] += other.byStream[i];
    }
  }

  /** Subtracts the other's numbers from these. */
  public void subtract(StreamCounts other) {
    for (int i = 0; i < byStream.length; i++) {
      byStream[i] -= other.byStream[i];
    }
  }

  /** An independent copy. */
  public StreamCounts copy() {
    return new StreamCounts(byStream.clone());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamCounts counts && Arrays.equals(byStream, counts.byStream);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(byStream);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Stream stream : STREAMS) {
      text.append(text.isEmpty() ? "" : " ").append(stream.label()).append('=').append(of(stream));
    }
    return text.toString();
  }
}
