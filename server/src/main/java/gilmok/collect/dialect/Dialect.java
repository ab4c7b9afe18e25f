package gilmok.collect.dialect;

import gilmok.event.JsonBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of phone app speaks: from its bytes to events, and from commands to its answer.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public interface Dialect {
  /** What it is called in metrics, lists and documents, as in {@code owntracks}. */
  String label();

  /**
   * Reads an upload, whatever its bytes are: each thing in it becomes an event or a reject of the
   * entry's events; an upload that cannot be read at all is one reject. Throws nothing.
   */
  void decode(Upload upload, DialectEvent out);

  /** Why phones of this dialect cannot be told that; null if they can. */
  @Nullable String refusal(PhoneCommand command);

  /** How many commands one answer can carry. */
  int commandsMax();

  /** The content type of the answer. */
  default String answerType() {
    return "application/json";
  }

  /**
   * Writes the body of the 200.
   *
   * @param commands those that wait for the phone, none of which is refused, at most {@link
   *     #commandsMax}
   * @param friends encoded positions of others of the phone's group; for dialects that show them
   */
  void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out);
}
