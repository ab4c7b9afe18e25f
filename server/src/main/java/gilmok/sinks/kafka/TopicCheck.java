package gilmok.sinks.kafka;

import gilmok.log.Stream;
import gilmok.sinks.kafka.KafkaConfig.TopicRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the topics of a sink: whether each is there, keeps what it acknowledged, and takes what
 * the sink sends. Makes those that are not there, if it is told to. Immutable; blocks, for some
 * seconds at most.
 */
final class TopicCheck {
  private static final String MIN_INSYNC = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
  private static final String CLEANUP = TopicConfig.CLEANUP_POLICY_CONFIG;
  private static final int NAMED_MAX = 3;

  /**
   * Kafka compacts no segment that is still written to. So the topic of newest positions has small
   * ones: 64 MiB, in place of a gigabyte, are what a reader from its begin reads in vain.
   */
  private static final String LATEST_SEGMENT_BYTES = Integer.toString(64 << 20);

  private final KafkaClient client;
  private final KafkaConfig config;
  private final TopicRules rules;
  private final String keys;
  private final Set<String> topics = new LinkedHashSet<>();

  TopicCheck(KafkaClient client) {
    this.client = client;
    config = client.config();
    rules = config.rules();
    keys = "sinks." + config.common().name() + ".";
    for (Stream stream : config.common().streams()) {
      topics.add(config.topic(stream));
    }
    if (config.latest() != null) {
      topics.add(config.latest().topic());
    }
  }

  /**
   * Looks once.
   *
   * @return what is wrong with topics, and what to do; null when all is well
   * @throws ExecutionException when Kafka does not answer, or refuses
   */
  @Nullable String fault() throws ExecutionException, InterruptedException {
    String clientId = "gilmok-" + config.common().name() + "-topics";
    try (TopicAdmin admin = new TopicAdmin(client, clientId)) {
      Map<String, TopicDescription> there = admin.described(topics);
      List<String> missing = topics.stream().filter(topic -> !there.containsKey(topic)).toList();
      if (!missing.isEmpty()) {
        if (!rules.isMade()) {
          return "no topic "
              + String.join(", ", missing)
              + ": make it, or set "
              + keys
              + "create-topics=true";
        }
        make(admin, missing);
        there.putAll(admin.described(topics));
      }
      return fault(there, configs(admin));
    }
  }

  private void make(TopicAdmin admin, Collection<String> missing)
      throws ExecutionException, InterruptedException {
    List<NewTopic> made = new ArrayList<>();
    for (String topic : missing) {
      made.add(
          new NewTopic(
                  topic,
                  rules.partitions() == 0 ? Optional.empty() : Optional.of(rules.partitions()),
                  rules.replicas() == 0 ? Optional.empty() : Optional.of((short) rules.replicas()))
              .configs(configs(topic)));
    }
    for (KafkaFuture<Void> one : admin.admin().createTopics(made).values().values()) {
      try {
        admin.got(one);
      } catch (ExecutionException cannot) {
        if (!(cannot.getCause() instanceof TopicExistsException)) { // by another node, meanwhile
          throw cannot;
        }
      }
    }
  }

  /** The config of a topic that is made. */
  private Map<String, String> configs(String topic) {
    String insync = Integer.toString(rules.minInsyncReplicas());
    return isLatest(topic)
        ? Map.of(
            MIN_INSYNC,
            insync,
            CLEANUP,
            TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.SEGMENT_BYTES_CONFIG,
            LATEST_SEGMENT_BYTES)
        : Map.of(MIN_INSYNC, insync, CLEANUP, TopicConfig.CLEANUP_POLICY_DELETE);
  }

  /** Each topic's config; without those that may not be seen. */
  private Map<String, Config> configs(TopicAdmin admin)
      throws ExecutionException, InterruptedException {
    List<ConfigResource> resources =
        topics.stream().map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic)).toList();
    Map<String, Config> configs = new TreeMap<>();
    for (var topic : admin.admin().describeConfigs(resources).values().entrySet()) {
      try {
        configs.put(topic.getKey().name(), admin.got(topic.getValue()));
      } catch (ExecutionException cannot) {
        boolean isLater = cannot.getCause() instanceof UnknownTopicOrPartitionException;
        if (!isLater && !(cannot.getCause() instanceof AuthorizationException)) {
          throw cannot;
        }
      }
    }
    return configs;
  }

  private @Nullable String fault(Map<String, TopicDescription> there, Map<String, Config> configs) {
    List<String> faults = new ArrayList<>();
    for (String topic : topics) {
      TopicDescription description = there.get(topic);
      String fault =
          description == null
              ? "is made, and not there yet"
              : fault(topic, description.partitions(), configs.get(topic));
      if (fault != null) {
        faults.add("topic " + topic + ": " + fault);
      }
    }
    if (faults.isEmpty()) {
      return null;
    }
    String more = faults.size() > NAMED_MAX ? "; and " + (faults.size() - NAMED_MAX) + " more" : "";
    return String.join("; ", faults.subList(0, Math.min(NAMED_MAX, faults.size()))) + more;
  }

  private @Nullable String fault(
      String topic, List<TopicPartitionInfo> partitions, @Nullable Config settings) {
    if (rules.partitions() != 0 && partitions.size() != rules.partitions()) {
      return "has "
          + partitions.size()
          + " partitions, and "
          + keys
          + "partitions says "
          + rules.partitions();
    }
    if (settings == null) {
      return rules.isUnsafe()
          ? null
          : "its min.insync.replicas cannot be seen: grant DescribeConfigs, or set "
              + keys
              + "unsafe-min-insync-replicas=true";
    }
    long insync = number(settings, MIN_INSYNC);
    int replicas =
        partitions.stream().mapToInt(partition -> partition.replicas().size()).min().orElse(0);
    if (insync < rules.minInsyncReplicas()) {
      return "has min.insync.replicas="
          + insync
          + ", so that an acknowledged record is lost with one machine: set it to "
          + rules.minInsyncReplicas()
          + (rules.isUnsafe()
              ? ""
              : ", or set "
                  + keys
                  + "unsafe-min-insync-replicas=true and "
                  + keys
                  + "min-insync-replicas=1");
    }
    if (replicas < insync) {
      return "has "
          + replicas
          + " replicas, fewer than its min.insync.replicas="
          + insync
          + ": it takes nothing; give it more";
    }
    if (!rules.isUnsafe()
        && text(settings, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG).equals("true")) {
      return "may get a leader that lacks acknowledged records: set"
          + " unclean.leader.election.enable=false";
    }
    long bytesMax = number(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    if (bytesMax < client.requestBytesMax()) {
      return "takes records of "
          + bytesMax
          + " bytes (max.message.bytes), and the client sends up to "
          + client.requestBytesMax()
          + ": raise it, or set max.request.size in the client's file";
    }
    boolean isCompacted = text(settings, CLEANUP).contains(TopicConfig.CLEANUP_POLICY_COMPACT);
    if (isCompacted != isLatest(topic)) {
      return isCompacted
          ? "is compacted, so that it would lose records: set cleanup.policy=delete"
          : "is not compacted: set cleanup.policy=compact";
    }
    return null;
  }

  private boolean isLatest(String topic) {
    return config.latest() != null && config.latest().topic().equals(topic);
  }

  private static String text(Config settings, String key) {
    ConfigEntry entry = settings.get(key);
    return entry == null ? "" : String.valueOf(entry.value());
  }

  private static long number(Config settings, String key) {
    try {
      return Long.parseLong(text(settings, key));
    } catch (NumberFormatException none) {
      return 0;
    }
  }
}
