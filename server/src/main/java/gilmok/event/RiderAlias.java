package gilmok.event;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rider's id and the pseudonym that takes its place where a record stays after the rider's
 * erasure. The id of one of the rider's phones becomes the pseudonym, too. Immutable.
 *
 * <p>Within a text that people have written, as a name or a reason, the id is replaced where no
 * other name goes on; an id of up to 3 characters is not, as it would be found in addresses and
 * amounts.
 *
 * @param phones the ids of the rider's phones
 */
public record RiderAlias(String id, String pseudonym, List<String> phones) implements ErasedRiders {
  private static final int WITHIN_CHARS_MIN = 4;

  /** What joins the parts of an id. */
  private static final String JOINTS = "-_.@";

  public RiderAlias {
    phones = List.copyOf(phones);
  }

  /** Of a rider whose phones have no ids of their own. */
  public RiderAlias(String id, String pseudonym) {
    this(id, pseudonym, List.of());
  }

  /** By which what the phones have sent is kept: the rider's id, and those of the phones. */
  public List<String> ids() {
    return Stream.concat(Stream.of(id), phones.stream()).distinct().toList();
  }

  /** The pseudonym for the rider's id, and for that of one of the rider's phones. */
  @Override
  public @Nullable String pseudonym(String text) {
    return text.equals(id) || phones.contains(text) ? pseudonym : null;
  }

  @Override
  public String within(String text) {
    if (id.length() < WITHIN_CHARS_MIN || !text.contains(id)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + pseudonym.length());
    int from = 0;
    for (int at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
      int end = at + id.length();
      if (at >= from && isEnd(text, at - 1, -1) && isEnd(text, end, 1)) {
        out.append(text, from, at).append(pseudonym);
        from = end;
      }
    }
    return from == 0 ? text : out.append(text, from, text.length()).toString();
  }

  /** Whether a name that comes to a place does not go on there. */
  private static boolean isEnd(String text, int at, int step) {
    return !isOfName(text, at)
        && !(at >= 0
            && at < text.length()
            && JOINTS.indexOf(text.charAt(at)) >= 0
            && isOfName(text, at + step));
  }

  private static boolean isOfName(String text, int at) {
    return at >= 0 && at < text.length() && Character.isLetterOrDigit(text.charAt(at));
  }
}
