package gilmok.sinks.redis;

import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.ShippedRecordKey;
import gilmok.redis.LuaScript;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
import gilmok.redis.ScriptArguments;
import gilmok.sinks.Batch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The key in Redis of the stream of all positions, and the script that adds many of them.
 *
 * <p>Not thread-safe: owned by the sink.
 */
final class StreamKey {
  /**
   * KEYS: the stream. ARGV: about how many entries it keeps; then for each entry: recordId,
   * dedupKey, riderId, at, record, receivedAt. Adds one after the other, up to the first that is
   * refused. Returns how many it added, the ids of the first and the last, and the error if it did
   * not add all; if it added none, only the error.
   *
   * <p>Only the last addition trims the stream, as once is enough: the stream exceeds its length by
   * at most one call.
   */
  private static final LuaScript ADD =
      new LuaScript(
          """
          local stream, argv, count, call = KEYS[1], ARGV, #ARGV, redis.pcall
          local added, first, last = 0, '', ''
          for i = 2, count, 6 do
            local id
            if i + 5 < count then
              id = call('XADD', stream, '*', 'recordId', argv[i], 'dedupKey', argv[i + 1],
                'riderId', argv[i + 2], 'at', argv[i + 3], 'record', argv[i + 4],
                'receivedAt', argv[i + 5])
            else
              id = call('XADD', stream, 'MAXLEN', '~', argv[1], '*',
                'recordId', argv[i], 'dedupKey', argv[i + 1],
                'riderId', argv[i + 2], 'at', argv[i + 3], 'record', argv[i + 4],
                'receivedAt', argv[i + 5])
            end
            if type(id) == 'table' then
              if added == 0 then
                return id
              end
              return {added, first, last, id.err}
            end
            added = added + 1
            if added == 1 then
              first = id
            end
            last = id
          end
          return {added, first, last}
          """);

  private final String name;
  private final List<byte[]> keys;
  private final int lengthMax;
  private final ShippedRecordKey shippedRecordKey = new ShippedRecordKey();
  private final JsonBuffer text = new JsonBuffer();

  StreamKey(String prefix, int lengthMax) {
    name = prefix + ":positions";
    keys = List.of(RedisCall.utf8(name));
    this.lengthMax = lengthMax;
  }

  /** The stream's key. */
  String name() {
    return name;
  }

  /** Begins the arguments of a call. */
  ScriptArguments begin(ScriptArguments empty) {
    return empty.add(lengthMax);
  }

  /**
   * Adds an entry to the arguments of a call.
   *
   * @param view of record {@code i} of the batch
   * @param records contains its JSON
   */
  void add(
      Batch batch,
      int i,
      EventView view,
      JsonBuffer records,
      int start,
      ScriptArguments arguments) {
    text.clear();
    batch.writeId(i, text);
    arguments.add(text.bytes(), 0, text.size());
    text.clear();
    shippedRecordKey.write(batch.stream(i).code(), view, batch.offset(i), batch.length(i), text);
    arguments.add(text.bytes(), 0, text.size());
    arguments.add(view.bytes(), view.offset(EventField.RIDER_ID), view.length(EventField.RIDER_ID));
    arguments.add(view.at());
    arguments.add(records.bytes(), start, records.size() - start);
    arguments.add(batch.receivedAtMillis(i));
  }

  /** Makes the call from the arguments. */
  TransferPart part(ScriptArguments arguments, int entries) {
    return new TransferPart(RedisCall.of(ADD, keys, arguments), entries, RedisTransfer.NONE);
  }

  /** Reads the script's answer. */
  static PartOutcome outcome(TransferPart part, RedisReply reply) {
    if (reply instanceof RedisReply.Many(List<RedisReply> told)
        && told.size() >= 3
        && told.get(0) instanceof RedisReply.Whole(long added)
        && told.get(1) instanceof RedisReply.Bytes first
        && told.get(2) instanceof RedisReply.Bytes last) {
      if (added == part.count() && told.size() == 3) {
        return new PartOutcome((int) added, null, text(first), text(last));
      }
      if (added > 0
          && added < part.count()
          && told.size() == 4
          && told.get(3) instanceof RedisReply.Bytes why) {
        String detail = text(why);
        Fault fault = new Fault(Kind.REFUSED, detail.split(" ", 2)[0], detail);
        return new PartOutcome((int) added, fault, text(first), text(last));
      }
    }
    return PartOutcome.none(reply);
  }

  private static String text(RedisReply.Bytes bytes) {
    return new String(bytes.value(), StandardCharsets.UTF_8);
  }
}
