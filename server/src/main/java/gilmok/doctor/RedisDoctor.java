package gilmok.doctor;

import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Bytes;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Many;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the connections that a Redis allows. Of a cluster one node is asked. */
public final class RedisDoctor {
  private static final Pattern OPEN = Pattern.compile("connected_clients:(\\d{1,9})");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final double FREE_MIN = 0.1;
  private static final int FEW = 10;

  private RedisDoctor() {}

  /** Looks at it. Each of our servers has a handful of connections, so what is free counts. */
  public static List<Check> look(RedisConfig config) throws InterruptedException {
    try (Redis redis = new Redis(config);
        RedisConnection connection = redis.connection()) {
      List<RedisReply> replies =
          connection.exchange(
              List.of(
                  RedisCall.of("INFO", List.of(), List.of(RedisCall.utf8("clients"))),
                  RedisCall.of(
                      "CONFIG",
                      List.of(),
                      List.of(RedisCall.utf8("GET"), RedisCall.utf8("maxclients")))));
      if (replies.getFirst() instanceof Fault fault && fault.kind() != RedisReply.Kind.REFUSED) {
        return List.of(
            Check.of(
                "connections",
                connection.told(fault),
                false,
                "start it, or correct redis.url: a sink of the kind redis waits, and nothing is"
                    + " lost meanwhile"));
      }
      return List.of(connections(replies.getFirst(), replies.getLast()));
    }
  }

  private static Check connections(RedisReply info, RedisReply setting) {
    Matcher open = OPEN.matcher(text(info));
    String limit =
        setting instanceof Many many && many.values().size() == 2
            ? text(many.values().getLast())
            : "";
    if (!open.find() || !NUMBER.matcher(limit).matches()) {
      return Check.unknown(
          "connections",
          "how many it takes it does not say to this user",
          "allow the user CONFIG GET and INFO to have it looked at, or compare them yourself:"
              + " maxclients, connected_clients");
    }
    long most = Long.parseLong(limit);
    long free = most - Long.parseLong(open.group(1));
    return Check.of(
        "connections",
        "%s open of %,d".formatted(open.group(1), most),
        free >= Math.max(FEW, FREE_MIN * most),
        "raise Redis' maxclients and its ulimit -n, or find out who holds them: CLIENT LIST");
  }

  private static String text(RedisReply reply) {
    return reply instanceof Bytes bytes ? new String(bytes.value(), StandardCharsets.UTF_8) : "";
  }
}
