package gilmok.accept;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import gilmok.doctor.DoctorCommand;
import gilmok.documents.MongoConfig;
import gilmok.redis.RedisConfig;
import gilmok.runtime.StopConfig;
import gilmok.runtime.Version;
import gilmok.sinks.setup.SinkPlan;
import gilmok.storage.NodeId;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gilmok accept}: tries a fleet's own engines, and says which of them keep what. */
@Command(
    name = "accept",
    description = {
      "Try the fleet's own engines, and print one page: pass, fail or not tried, with figures. Each"
          + " engine is used as a server uses it, in a place of its own whose name has \"accept\":"
          + " a database, keys, a topic, objects. What is written is bounded and removed at the end,"
          + " also after a failure or Ctrl-C; only what Firehose was sent stays, at its destination."
          + " Engines that no option names come from the settings.",
      "",
      "Secrets are better given by --config or the environment than on the command line, where"
          + " others on the machine can see them.",
      "",
      "Exit code: 0 if nothing failed; 1 if something did; 2 for wrong usage or settings. What was"
          + " not tried is said, and changes nothing."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok accept --config gilmok.yaml",
      "  gilmok accept --mongo-uri 'mongodb://db-1,db-2,db-3/?replicaSet=rs0'",
      "  gilmok accept --redis rediss://cache:6380/0 --json",
      "  gilmok accept --kafka kafka-1:9093 --config gilmok.yaml",
      "  gilmok accept --firehose fleet --config gilmok.yaml --allow-burst",
      "  gilmok accept --s3 s3://backups/gilmok --s3-region ap-northeast-2",
      "  gilmok accept --kube=pod.yaml --data /data"
    })
public final class AcceptCommand extends CliCommand implements Callable<Integer> {
  private static final String NODE = "[a-z2-7]{12}";

  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(
      names = "--mongo-uri",
      paramLabel = "URI",
      description = "A MongoDB (the setting documents.mongo-uri).")
  private @Nullable String mongoUri;

  @Option(names = "--redis", paramLabel = "URL", description = "A Redis (the setting redis.url).")
  private @Nullable String redis;

  @Option(
      names = "--firehose",
      paramLabel = "STREAM",
      description = "A delivery stream of Firehose (sinks.firehose.stream).")
  private @Nullable String firehose;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT,...",
      description = "Brokers of Kafka (sinks.kafka.bootstrap-servers). Needs the pack kafka.")
  private @Nullable String kafka;

  @Option(
      names = "--kafka-prefix",
      paramLabel = "PREFIX",
      description = {
        "Do not make a topic, but use PREFIXtraces, which is there. Some 2,000 records stay in it."
      })
  private @Nullable String kafkaPrefix;

  @Option(
      names = "--s3",
      paramLabel = "s3://BUCKET/PREFIX",
      description = "A bucket, below that prefix.")
  private @Nullable String s3;

  @Option(
      names = "--s3-region",
      paramLabel = "REGION",
      description = "The bucket's region (default: AWS_REGION, or us-east-1).")
  private @Nullable String s3Region;

  @Option(
      names = "--s3-endpoint",
      paramLabel = "URL",
      description = "The address of an S3 that is not Amazon's.")
  private @Nullable String s3Endpoint;

  @Option(
      names = "--kube",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = "",
      description = {
        "The container that this runs in, by its files in /proc and /sys; with a FILE also a pod, as"
            + " a manifest or \"kubectl get pod -o yaml\" describes it. Kubernetes is not asked."
      })
  private @Nullable String kube;

  @Option(
      names = "--allow-failover",
      description = "Let MongoDB's primary step down, for 10 s, while it is written to.")
  private boolean mayFailOver;

  @Option(
      names = "--allow-burst",
      description = "Send Firehose more than its quota for a moment, 32 MiB at most.")
  private boolean mayBurst;

  @Option(
      names = "--scratch",
      paramLabel = "NAME",
      description = {
        "Name all that is made by these 12 letters a-z and digits 2-7 (default: random). The same"
            + " again also removes the database, keys and topic of a run that was killed."
      })
  private @Nullable String scratch;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "How long each engine may take (default: 120), cleaning up apart.")
  private int timeoutSeconds;

  @Option(names = "--json", description = "Print the page as JSON.")
  private boolean isJson;

  @Override
  public Integer call() throws InterruptedException {
    if (timeoutSeconds < 1) {
      throw wronglyAsked("--timeout: must be 1 or more");
    }
    if (scratch != null && !scratch.matches(NODE)) {
      throw wronglyAsked("--scratch: must be 12 letters a-z and digits 2-7");
    }
    NodeId node =
        scratch == null ? NodeId.random(RandomGenerator.getDefault()) : NodeId.parse(scratch);
    Settings settings = new Settings(sources());
    ServerConfig config = ServerConfig.from(settings);
    String relayCa = settings.effective().getOrDefault("relay.ca", "");
    List<EngineTrial> trials = trials(config, relayCa, node);
    if (trials.isEmpty()) {
      throw wronglyAsked(
          "No engine: name one, as --mongo-uri or --redis, or settings that have some by --config");
    }
    List<Findings> found;
    try (Acceptance acceptance = new Acceptance(Duration.ofSeconds(timeoutSeconds))) {
      found = acceptance.run(trials);
      AcceptPage page = new AcceptPage(heading(node), found);
      if (isJson) {
        out().println(page.json());
      } else {
        page.lines().forEach(out()::println);
      }
      out().flush();
      return page.hasFailed() ? 1 : 0;
    }
  }

  private static String heading(NodeId node) {
    return "gilmok %s accept %s at %s"
        .formatted(Version.ofThis(), node, Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /** The settings, with the engines of the options in them. */
  private SettingsSources sources() {
    SettingsSources sources = options.sources();
    SettingsOptions.lay(sources, "documents.mongo-uri", mongoUri);
    SettingsOptions.lay(sources, "redis.url", redis);
    SettingsOptions.lay(sources, "sinks.firehose.stream", firehose);
    SettingsOptions.lay(sources, "sinks.kafka.bootstrap-servers", kafka);
    String enabled = new Settings(sources).values().getOrDefault("sinks.enabled", "");
    List<String> words = new ArrayList<>(Arrays.asList(enabled.split("[,\\s]+")));
    Stream.of(kafka == null ? "" : "kafka", firehose == null ? "" : "firehose")
        .filter(word -> !word.isEmpty() && !words.contains(word))
        .forEach(words::add);
    words.removeIf(String::isEmpty);
    if (!words.isEmpty()) {
      sources.option("sinks.enabled", String.join(",", words));
    }
    return sources;
  }

  private boolean isNamed() {
    return Stream.of(mongoUri, redis, firehose, kafka, s3, kube).anyMatch(one -> one != null);
  }

  private List<EngineTrial> trials(ServerConfig config, String relayCa, NodeId node) {
    List<EngineTrial> trials = new ArrayList<>();
    boolean isAll = !isNamed();
    ScratchPositions positions = new ScratchPositions(node);
    MongoConfig mongo = config.of(MongoConfig.class);
    if (mongo.uri() != null && (isAll || mongoUri != null)) {
      trials.add(new MongoTrial(mongo, mongo.uri(), node.toString(), mayFailOver));
    }
    RedisConfig cache = config.sinks().redis();
    if (cache.url() != null && (isAll || redis != null)) {
      trials.add(new RedisTrial(cache, cache.url(), positions));
    }
    for (SinkPlan plan : config.sinks().sinks()) {
      switch (plan) {
        case SinkPlan.Kafka one when isAll || (kafka != null && isCalled(one, "kafka")) ->
            trials.add(
                new KafkaTrial(one.config(), kafkaPrefix == null ? "" : kafkaPrefix, positions));
        case SinkPlan.Firehose one when isAll || (firehose != null && isCalled(one, "firehose")) ->
            trials.add(new FirehoseTrial(one.config(), mayBurst, positions));
        default -> {}
      }
    }
    if (s3 != null) {
      trials.add(bucket(s3, node));
    }
    if (kube != null) {
      StopConfig stop = config.of(StopConfig.class);
      trials.add(
          new KubeTrial(
              Path.of("/"),
              config.data(),
              () -> DoctorCommand.machine(config, relayCa),
              kube.isEmpty() ? null : Path.of(kube),
              stop.grace().plus(stop.patience()).plus(stop.flush())));
    }
    return trials;
  }

  private static boolean isCalled(SinkPlan plan, String name) {
    return plan.common().name().equals(name);
  }

  private EngineTrial bucket(String place, NodeId node) {
    String region =
        s3Region != null ? s3Region : System.getenv().getOrDefault("AWS_REGION", "us-east-1");
    String endpoint = s3Endpoint != null ? s3Endpoint : "https://s3." + region + ".amazonaws.com";
    try {
      URI uri = URI.create(place);
      if ("s3".equals(uri.getScheme()) && uri.getHost() != null) {
        return new S3Trial(uri, region, URI.create(endpoint), node.toString());
      }
    } catch (IllegalArgumentException nonsense) {
      // Said below, like any other text that is no such address.
    }
    throw wronglyAsked("--s3: must look like s3://bucket/prefix, --s3-endpoint like http://host");
  }
}
