package gilmok.collect.dialect;

import gilmok.event.JsonBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of one kind of phone app: decodes its uploads to events, and encodes commands in its
 * answers.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public interface Dialect {
  /** Its name in metrics, lists and documents, as in {@code owntracks}. */
  String label();

  /**
   * Decodes an upload, whatever its bytes are. Each item becomes an event or a reject; an upload
   * that cannot be read at all is one reject. Throws nothing.
   */
  void decode(Upload upload, DialectEvent out);

  /** Why this dialect cannot carry a command; null if it can. */
  @Nullable String refusal(PhoneCommand command);

  /** How many commands one answer can carry. */
  int commandsMax();

  /** The status of the answer, 200 to 299. */
  default int answerStatus() {
    return 200;
  }

  /** The content type of the answer. */
  default String answerType() {
    return "application/json";
  }

  /**
   * Writes the body of the answer.
   *
   * @param commands those that wait for the phone, none of which is refused, at most {@link
   *     #commandsMax}
   * @param friends encoded positions of others in the phone's group, for dialects that show them
   */
  void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out);
}
