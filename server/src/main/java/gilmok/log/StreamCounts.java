package gilmok.log;

import java.util.Arrays;

/**
 * Numbers of records, one for each stream.
 *
 * <p>Not thread-safe: whoever shares one shares a {@link #copy}.
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

  /** How many of that stream. */
  public long of(Stream stream) {
    return byStream[stream.code() - 1];
  }

  /** How many of all streams. */
  public long total() {
    return Arrays.stream(byStream).sum();
  }

  /** One more. */
  public void add(Stream stream) {
    byStream[stream.code() - 1]++;
  }

  /** So many more; fewer, if negative. */
  public void add(Stream stream, long more) {
    byStream[stream.code() - 1] += more;
  }

  /** Adds each of the other's to this one's. */
  public void add(StreamCounts other) {
    for (int i = 0; i < byStream.length; i++) {
      byStream[i] += other.byStream[i];
    }
  }

  /** Takes each of the other's from this one's. */
  public void subtract(StreamCounts other) {
    for (int i = 0; i < byStream.length; i++) {
      byStream[i] -= other.byStream[i];
    }
  }

  /** The same numbers, apart from these. */
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
