package gilmok.sinks.file;

import gilmok.event.ErasedRiders;
import gilmok.event.JsonTexts;
import gilmok.event.RiderErasure;
import gilmok.log.Stream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What an erasure of riders leaves of the rows of a stream, or of an archive. The same as of the
 * records in the log ({@link RiderErasure}).
 *
 * <p>Not thread-safe.
 */
final class ErasedRows implements RowRewrite {
  private static final String RIDER = "rider_id";
  private static final String RECORD = "record";

  private final ErasedRiders riders;
  private final RiderErasure erasure;

  /** The stream; null for an archive, whose rows stay. */
  private final @Nullable Stream stream;

  /** The rider that was asked about last, as files have many rows of one after the other. */
  private byte[] last = {};

  private byte @Nullable [] lastLeft;

  ErasedRows(ErasedRiders riders, @Nullable Stream stream) {
    this.riders = riders;
    this.stream = stream;
    erasure = new RiderErasure(riders);
  }

  private boolean areRiders() {
    return stream == Stream.TRACES || stream == Stream.ACTIONS || stream == Stream.LOGS;
  }

  @Override
  public boolean sees(String column) {
    return switch (column) {
      case RIDER -> true;
      case RECORD, "relays" -> !areRiders();
      case "raw", "raw_base64", "reason" -> stream == Stream.QUARANTINE;
      default -> false;
    };
  }

  @Override
  public byte @Nullable [] left(String column, byte[] bytes, int offset, int length) {
    return switch (column) {
      case RIDER -> ofRider(bytes, offset, length);
      case RECORD, "relays" -> erasure.renamed(bytes, offset, length);
      case "raw_base64" ->
          isAbout(Base64.getDecoder().decode(Arrays.copyOfRange(bytes, offset, offset + length)));
      default -> isAbout(Arrays.copyOfRange(bytes, offset, offset + length));
    };
  }

  private byte @Nullable [] ofRider(byte[] bytes, int offset, int length) {
    if (!Arrays.equals(bytes, offset, offset + length, last, 0, last.length)) {
      last = Arrays.copyOfRange(bytes, offset, offset + length);
      String pseudonym = riders.pseudonym(new String(last, StandardCharsets.UTF_8));
      lastLeft =
          pseudonym == null
              ? null
              : areRiders() ? GONE : pseudonym.getBytes(StandardCharsets.UTF_8);
    }
    return lastLeft;
  }

  private byte @Nullable [] isAbout(byte[] sent) {
    return erasure.isAbout(new String(sent, StandardCharsets.UTF_8)) ? GONE : null;
  }

  /** What is left of a shipped line; null if it stays, {@link #GONE} if nothing is. */
  byte @Nullable [] left(byte[] line, int offset, int length) {
    if (areRiders()) {
      return isOfRider(line, offset, length) ? GONE : null;
    }
    if (stream == Stream.QUARANTINE) {
      return JsonTexts.anyValue(line, offset, offset + length, (_, text) -> isSent(text))
          ? GONE
          : null;
    }
    return erasure.renamed(line, offset, length);
  }

  private boolean isSent(String text) {
    return !text.isEmpty() && (erasure.isAbout(text) || isAboutInBase64(text));
  }

  private boolean isAboutInBase64(String text) {
    try {
      byte[] sent = Base64.getDecoder().decode(text);
      return erasure.isAbout(new String(sent, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException noBase64) {
      return false;
    }
  }

  /** Whether the rider of a line is one of them: its record begins with the id. */
  private boolean isOfRider(byte[] line, int offset, int length) {
    int at = indexOf(line, offset, offset + length);
    if (at < 0) {
      return false;
    }
    int end = at;
    while (end < offset + length && line[end] != '"') {
      end += line[end] == '\\' ? 2 : 1;
    }
    boolean isEscaped = false;
    for (int i = at; i < end; i++) {
      isEscaped |= line[i] == '\\';
    }
    if (!isEscaped) {
      return ofRider(line, at, end - at) != null;
    }
    byte[] quoted = Arrays.copyOfRange(line, at - 1, end + 1);
    return JsonTexts.anyValue(
        quoted, 0, quoted.length, (_, text) -> riders.pseudonym(text) != null);
  }

  private static final byte[] BEGIN =
      "\"record\":{\"riderId\":\"".getBytes(StandardCharsets.US_ASCII);

  private static int indexOf(byte[] line, int from, int to) {
    for (int at = from; at + BEGIN.length <= to; at++) {
      if (line[at] == '"' && Arrays.equals(line, at, at + BEGIN.length, BEGIN, 0, BEGIN.length)) {
        return at + BEGIN.length;
      }
    }
    return -1;
  }
}
