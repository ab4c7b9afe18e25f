package gilmok.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command: its name, its keys, and what follows them; or a script with its keys and arguments.
 * The arrays belong to it from now on.
 */
public final class Call {
  private final String name;
  private final @Nullable Script script;
  private final List<byte[]> keys;
  private final List<byte[]> arguments;

  private Call(String name, @Nullable Script script, List<byte[]> keys, List<byte[]> arguments) {
    this.name = name;
    this.script = script;
    this.keys = keys;
    this.arguments = arguments;
  }

  /**
   * A command.
   *
   * @param name in capitals, as in {@code GET}
   */
  public static Call of(String name, List<byte[]> keys, List<byte[]> arguments) {
    return new Call(name, null, keys, arguments);
  }

  /** A script; in a cluster all its keys lie in one slot. */
  public static Call of(Script script, List<byte[]> keys, List<byte[]> arguments) {
    return new Call("EVALSHA", script, keys, arguments);
  }

  /** A text as Redis has it. */
  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  boolean isScript() {
    return script != null;
  }

  /**
   * The driver's form of it, to be sent once.
   *
   * @param whole whether a script goes with its text
   */
  AsyncCommand<byte[], byte[], Reply> command(boolean whole) {
    CommandArgs<byte[], byte[]> all = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    Script called = script;
    if (called != null) {
      all.add(whole ? called.text() : called.hash()).add(keys.size());
    }
    keys.forEach(all::addKey);
    arguments.forEach(all::add);
    CommandType type = CommandType.valueOf(called != null && whole ? "EVAL" : name);
    return new AsyncCommand<>(new Command<>(type, new ReplyOutput(), all));
  }
}
