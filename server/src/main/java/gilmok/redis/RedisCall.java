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
 *
 * @param before words before the keys, as {@code STREAM} in {@code XINFO STREAM key}
 * @param into gets the values of the reply; null when the reply has them itself
 */
public record RedisCall(
    String name,
    List<byte[]> before,
    List<byte[]> keys,
    List<byte[]> words,
    @Nullable LuaScript script,
    ScriptArguments arguments,
    @Nullable FlatReply into) {
  /**
   * A command.
   *
   * @param name in capitals, as {@code GET}
   */
  public static RedisCall of(String name, List<byte[]> keys, List<byte[]> words) {
    return new RedisCall(name, List.of(), keys, words, null, new ScriptArguments(0), null);
  }

  /**
   * A command with a large reply. Its values are put into {@code into}, and {@link
   * RedisReply.Whole} says how many there are. After a fault the driver may still write there: do
   * not use it again.
   *
   * @param name in capitals, as {@code XREAD}
   * @param before words before the keys
   */
  public static RedisCall flat(
      String name, List<byte[]> before, List<byte[]> keys, List<byte[]> words, FlatReply into) {
    return new RedisCall(name, before, keys, words, null, new ScriptArguments(0), into);
  }

  /** A script. In a cluster all its keys must be in one hash slot. */
  public static RedisCall of(LuaScript script, List<byte[]> keys, ScriptArguments arguments) {
    return new RedisCall("EVALSHA", List.of(), keys, List.of(), script, arguments, null);
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
    before.forEach(all::add);
    keys.forEach(all::addKey);
    words.forEach(all::add);
    CommandType type = CommandType.valueOf(called != null && whole ? "EVAL" : name);
    FlatReply values = into;
    return new AsyncCommand<>(
        new Command<>(type, values == null ? new ReplyOutput() : new FlatReplyOutput(values), all));
  }
}
