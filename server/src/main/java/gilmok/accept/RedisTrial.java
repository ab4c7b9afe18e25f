package gilmok.accept;

import gilmok.config.Settings;
import gilmok.doctor.Check;
import gilmok.doctor.ClockOffset;
import gilmok.doctor.RedisDoctor;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Bytes;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Many;
import gilmok.redis.RedisReply.Nothing;
import gilmok.redis.RedisReply.Whole;
import gilmok.sinks.Batch;
import gilmok.sinks.redis.RedisSink;
import gilmok.sinks.redis.RedisSinkConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tries Redis: rights, the sink's contract and the cache's commands, under keys of its own. */
final class RedisTrial implements EngineTrial {
  private static final int PORT = 6379;
  private static final int ROUNDS = 50;
  private static final int BATCH = 100;
  private static final long EXPIRY_MILLIS = 600_000;
  private static final Pattern DENIED =
      Pattern.compile("permissions? to run the '([^']+)' command", Pattern.CASE_INSENSITIVE);
  private static final String RIGHTS =
      "let the user run what is named, on keys and channels of redis.prefix: ACL SETUSER … +COMMAND"
          + " ~PREFIX* &PREFIX*";
  private static final List<String> SUFFIXES =
      List.of(
          ":positions",
          ":{b0}:positions",
          ":{b0}:at",
          ":{b0}:geo",
          ":cache",
          ":cacheh",
          ":cachez",
          ":cacheg",
          ":cachex");

  private final RedisConfig config;
  private final URI address;
  private final ScratchPositions positions;
  private final Redis redis;
  private final RedisConnection connection;
  private final RedisSink sink;
  private boolean isThere;

  /**
   * @param fleet with an address; the keys are below its prefix
   */
  RedisTrial(RedisConfig fleet, String url, ScratchPositions positions) {
    config = fleet.below("accept:" + positions.node());
    address = URI.create(url);
    this.positions = positions;
    redis = new Redis(config);
    connection = redis.connection();
    RedisSinkConfig plain = RedisSinkConfig.from(new Settings(Map.of()), "redis");
    sink = new RedisSink(plain, redis, Clock.systemUTC());
  }

  @Override
  public String engine() {
    return "redis";
  }

  @Override
  public String writes() {
    return "the keys " + config.prefix() + ":*";
  }

  @Override
  public void run(Findings findings) throws IOException, InterruptedException {
    tls(findings);
    boolean answers =
        findings.step(
            "answers",
            "start it, or correct the address, the user or the password of redis.url",
            () -> answers(findings));
    if (!answers) {
      return;
    }
    if (!config.isCluster() && info("replication").contains("role:slave")) {
      findings.add(
          Check.of("primary", "this one is a replica", false, "name the primary in redis.url"));
      return;
    }
    isThere = true;
    findings.begin("connections");
    RedisDoctor.look(config).forEach(findings::add);
    findings.begin("clock");
    clock(findings);
    commands(findings);
    findings.step("the sink's positions arrive", RIGHTS, () -> arrives(findings));
    findings.step("the latest position is the newest", RIGHTS, this::newest);
    findings.begin("settings");
    settings(findings);
    replicas(findings);
    findings.step("hot operations answer", RIGHTS, () -> rounds(findings));
  }

  private void tls(Findings findings) {
    if (!"rediss".equals(address.getScheme()) || address.getHost() == null) {
      findings.notTried("TLS", "the address is no rediss://", "");
      return;
    }
    findings.begin("TLS");
    int port = address.getPort() < 0 ? PORT : address.getPort();
    new TlsProbe(address.getHost(), port, config.connectTimeout())
        .look(true)
        .forEach(findings::add);
  }

  private String answers(Findings findings) throws IOException, InterruptedException {
    String fault = connection.ping();
    Findings.require(fault == null, String.valueOf(fault));
    for (int i = 0; i < 100; i++) {
      findings.time("ping", () -> connection.ping() == null);
    }
    Matcher version = Pattern.compile("redis_version:(\\S+)").matcher(info("server"));
    return "Redis " + (version.find() ? version.group(1) : "of no version that this user is told");
  }

  /** A part of INFO; empty where it is not shown. */
  private String info(String section) throws InterruptedException {
    return text(ask("INFO", List.of(), section));
  }

  private RedisReply ask(String name, List<String> keys, String... words)
      throws InterruptedException {
    List<byte[]> all = keys.stream().map(RedisCall::utf8).toList();
    List<byte[]> more = Arrays.stream(words).map(RedisCall::utf8).toList();
    return connection.exchange(List.of(RedisCall.of(name, all, more))).getFirst();
  }

  private static String text(RedisReply reply) {
    return switch (reply) {
      case Bytes bytes -> new String(bytes.value(), StandardCharsets.UTF_8);
      case Whole(long value) -> Long.toString(value);
      default -> "";
    };
  }

  private void clock(Findings findings) throws InterruptedException {
    Instant before = Instant.now();
    RedisReply reply = ask("TIME", List.of());
    Duration within = Duration.between(before, Instant.now()).dividedBy(2);
    if (!(reply instanceof Many(List<RedisReply> parts)) || parts.size() != 2) {
      findings.notTried("clock", "it does not tell this user: TIME", "");
      return;
    }
    Instant its =
        Instant.ofEpochSecond(
            Long.parseLong(text(parts.getFirst())), 1_000 * Long.parseLong(text(parts.getLast())));
    Duration ahead = Duration.between(before.plus(within), its);
    findings.add(ClockOffset.check(ahead, within, "nodes agree on times by them"));
  }

  /** Each command that a server sends, by itself, so that what is denied has a name. */
  private void commands(Findings findings) throws InterruptedException {
    findings.begin("rights");
    String key = config.prefix() + ":cache";
    List<String> denied = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    List<RedisCall> calls =
        List.of(
            call("SET", key, "1", "PX", Long.toString(EXPIRY_MILLIS)),
            call("GET", key),
            call("PTTL", key),
            call("DEL", key),
            call("HSET", key + "h", "f", "1"),
            call("HDEL", key + "h", "f"),
            call("ZADD", key + "z", "1", "m"),
            call("ZMSCORE", key + "z", "m"),
            call("ZRANGEBYSCORE", key + "z", "-inf", "+inf"),
            call("ZREM", key + "z", "m"),
            call("GEOADD", key + "g", "127", "37.5", "m"),
            call("XADD", key + "x", "MAXLEN", "~", "10", "*", "f", "1"),
            call("XRANGE", key + "x", "-", "+"),
            call("DEL", key + "g"),
            call("DEL", key + "x"),
            RedisCall.of("EVAL", List.of(), words("return 1", "0")),
            RedisCall.of("PUBLISH", List.of(), words(config.prefix() + ":channel", "1")));
    List<RedisReply> replies = connection.exchange(calls);
    for (int i = 0; i < calls.size(); i++) {
      if (replies.get(i) instanceof Fault fault) {
        String told = named(fault);
        (told.startsWith("denied") ? denied : failed).add(calls.get(i).name() + ": " + told);
      }
    }
    denied.addAll(failed);
    findings.add(
        Check.of(
            "rights",
            denied.isEmpty()
                ? calls.size() + " commands that servers send, none denied"
                : String.join("; ", denied),
            denied.isEmpty(),
            RIGHTS));
  }

  private static RedisCall call(String name, String key, String... words) {
    return RedisCall.of(name, words(key), words(words));
  }

  private static List<byte[]> words(String... words) {
    return Arrays.stream(words).map(RedisCall::utf8).toList();
  }

  private static String named(Fault fault) {
    if (!fault.code().equals("NOPERM")) {
      return fault.detail();
    }
    Matcher command = DENIED.matcher(fault.detail());
    return "denied (NOPERM)" + (command.find() ? ": " + command.group(1) : ", by key or channel");
  }

  private String arrives(Findings findings) throws IOException, InterruptedException {
    Batch batch = positions.batch(10, System.currentTimeMillis(), "");
    SinkAnswer.requireDone(sink.send(batch));
    RedisReply length = ask("XLEN", List.of(config.prefix() + ":positions"));
    if (length instanceof Whole(long there)) {
      Findings.require(there == 10, "10 were acknowledged, " + there + " are there");
      return "10 of 10";
    }
    findings.notTried("the stream's length", "XLEN is not answered to this user", "");
    return "10 were acknowledged";
  }

  private String newest() throws IOException, InterruptedException {
    String key = config.prefix() + ":{b0}:positions";
    String rider = ScratchPositions.rider(0);
    String before = text(ask("HGET", List.of(key), rider));
    SinkAnswer.requireDone(sink.send(positions.batch(1, System.currentTimeMillis() - 600_000, "")));
    RedisReply after = ask("HGET", List.of(key), rider);
    Findings.require(!(after instanceof Nothing), "the rider is not there");
    Findings.require(
        after instanceof Fault || text(after).equals(before), "an older fix has replaced it");
    return "an older fix has not replaced it";
  }

  private void settings(Findings findings) throws InterruptedException {
    RedisReply reply = ask("CONFIG", List.of(), "GET", "maxmemory-policy");
    if (!(reply instanceof Many(List<RedisReply> pair)) || pair.size() != 2) {
      findings.notTried(
          "nothing is evicted", "it does not tell this user: CONFIG GET maxmemory-policy", "");
      return;
    }
    String policy = text(pair.getLast());
    findings.add(
        Check.of(
            "nothing is evicted",
            "maxmemory-policy " + policy,
            policy.equals("noeviction") || policy.startsWith("volatile"),
            "set noeviction or a volatile- policy: any other drops the latest positions and their"
                + " stream, which have no expiry"));
  }

  private void replicas(Findings findings) throws InterruptedException {
    String info = info("replication");
    Matcher connected = Pattern.compile("connected_slaves:(\\d{1,4})").matcher(info);
    if (!info.contains("role:master") || !connected.find()) {
      findings.notTried("replicas are fresh", "it does not tell this user: INFO replication", "");
      return;
    }
    int count = Integer.parseInt(connected.group(1));
    if (count == 0) {
      findings.notTried("replicas are fresh", "it has none: one machine's loss is its loss", "");
      return;
    }
    long began = System.nanoTime();
    RedisReply seen = ask("WAIT", List.of(), Integer.toString(count), "1000");
    findings.note("until all replicas have a write", System.nanoTime() - began);
    boolean isAll = seen instanceof Whole(long have) && have >= count;
    findings.add(
        Check.of(
            "replicas are fresh",
            "%s of %d within 1 s".formatted(text(seen), count),
            isAll,
            "look at INFO replication: lag"));
  }

  private String rounds(Findings findings) throws IOException, InterruptedException {
    String key = config.prefix() + ":cache";
    String expiry = Long.toString(EXPIRY_MILLIS);
    long now = System.currentTimeMillis();
    for (int i = 0; i < ROUNDS; i++) {
      findings.time("SET", () -> ask("SET", List.of(key), "1", "PX", expiry));
      findings.time("GET", () -> ask("GET", List.of(key)));
      Batch batch = positions.batch(BATCH, now + (long) i * BATCH, "");
      SinkAnswer.requireDone(
          findings.time("a batch of " + BATCH + " positions", () -> sink.send(batch)));
    }
    return ROUNDS + " rounds, see the times below";
  }

  @Override
  public String cleanUp() throws IOException, InterruptedException {
    try {
      List<String> left = new ArrayList<>();
      for (String suffix : isThere ? SUFFIXES : List.<String>of()) {
        String key = config.prefix() + suffix;
        if (ask("DEL", List.of(key)) instanceof Fault fault) {
          left.add(key + ": " + named(fault));
        }
      }
      Findings.require(left.isEmpty(), String.join("; ", left));
      return "nothing is left of " + writes();
    } finally {
      sink.close();
      connection.close();
      redis.close();
    }
  }
}
