package gilmok.sinks;

import gilmok.event.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Receipts on their way to a file: encoded one after the other, each relative to the one before. A
 * frame is self-contained: it can be read without those before it.
 *
 * <table>
 * <caption>One receipt</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>varint</td><td>the outcome in the lower two bits; above them 0 for a place that is new in
 *     the frame, or n for the n-th place of the frame</td></tr>
 * <tr><td>varint, bytes</td><td>only for a new place: its length and UTF-8</td></tr>
 * <tr><td>varint</td><td>zigzag: when it was settled, in ms after the one before, for the first
 *     after 1970</td></tr>
 * <tr><td>varint</td><td>the number of runs of sequences</td></tr>
 * <tr><td>varint, varint</td><td>for each run: zigzag, the distance of its first sequence from the
 *     last one before, at first from 0; its length less 1</td></tr>
 * </table>
 *
 * <p>Not thread-safe: {@link Receipts} guards it.
 */
final class ReceiptFrame {
  private static final int PLACE_CHARS_MAX = 200;
  private static final int VARINT_BYTES_MAX = 10;

  private final Map<String, Integer> places = new HashMap<>();
  byte[] bytes = new byte[4096];
  int size;

  /** When the newest receipt was settled, epoch ms. */
  long millis;

  private long sequence;

  /** The lowest sequence in it. */
  long min;

  /** The highest sequence in it. */
  long max;

  ReceiptFrame() {
    clear();
  }

  void clear() {
    places.clear();
    size = 0;
    millis = 0;
    sequence = 0;
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
  }

  void add(Receipt receipt) {
    String place = receipt.place();
    if (place.length() > PLACE_CHARS_MAX) {
      place = place.substring(0, PLACE_CHARS_MAX);
    }
    Sequences sequences = receipt.sequences();
    int code = code(receipt.outcome());
    Integer known = places.get(place);
    if (known == null) {
      places.put(place, places.size() + 1);
      byte[] text = place.getBytes(StandardCharsets.UTF_8);
      ensure(2 * VARINT_BYTES_MAX + text.length);
      put(code);
      put(text.length);
      System.arraycopy(text, 0, bytes, size, text.length);
      size += text.length;
    } else {
      ensure(VARINT_BYTES_MAX);
      put((long) known << 2 | code);
    }
    ensure(2 * VARINT_BYTES_MAX * (1 + sequences.runs()));
    put(zigzag(receipt.settledAtMillis() - millis));
    millis = receipt.settledAtMillis();
    put(sequences.runs());
    for (int run = 0; run < sequences.runs(); run++) {
      put(zigzag(sequences.first(run) - sequence));
      put(sequences.last(run) - sequences.first(run));
      sequence = sequences.last(run);
      min = Math.min(min, sequences.first(run));
      max = Math.max(max, sequence);
    }
  }

  private static int code(Receipt.Outcome outcome) {
    return switch (outcome) {
      case DELIVERED -> 0;
      case QUARANTINED -> 1;
      case SKIPPED -> 2;
    };
  }

  static Receipt.Outcome outcome(int code) {
    return switch (code) {
      case 0 -> Receipt.Outcome.DELIVERED;
      case 1 -> Receipt.Outcome.QUARANTINED;
      default -> Receipt.Outcome.SKIPPED;
    };
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  private void put(long value) {
    size = LittleEndian.putVarint(bytes, size, value);
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
