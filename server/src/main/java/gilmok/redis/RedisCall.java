package gilmok.redis;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call to Redis: a command with its name, keys and further words, or a script with its keys and
 * arguments. It owns its arrays: callers must not change them.
 */
public record RedisCall(
    String name,
    List<byte[]> keys,
    List<byte[]> words,
    @Nullable LuaScript script,
    ScriptArguments arguments) {
  /**
   * A command.
   *
   * @param name in capitals, as {@code GET}
   */
  public static RedisCall of(String name, List<byte[]> keys, List<byte[]> words) {
    return new RedisCall(name, keys, words, null, new ScriptArguments(0));
  }

  /** A script. In a cluster all its keys must be in one hash slot. */
  public static RedisCall of(LuaScript script, List<byte[]> keys, ScriptArguments arguments) {
    return new RedisCall("EVALSHA", keys, List.of(), script, arguments);
  }

  /** A text encoded in UTF-8. */
  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The call as a command of the driver; can be sent only once.
   *
   * @param whole whether a script is sent as its full text rather than its hash
   */
  AsyncCommand<byte[], byte[], RedisReply> command(boolean whole) {
    CommandArgs<byte[], byte[]> all = arguments.afterOthers();
    LuaScript called = script;
    if (called != null) {
      all.add(whole ? called.text() : called.hash()).add(keys.size());
    }
    keys.forEach(all::addKey);
    words.forEach(all::add);
    CommandType type = CommandType.valueOf(called != null && whole ? "EVAL" : name);
    return new AsyncCommand<>(new Command<>(type, new ReplyOutput(), all));
  }
}
