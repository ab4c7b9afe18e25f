package gilmok.sinks.kafka;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The file with properties of Kafka's client, in Java's form of properties, as Kafka's own tools
 * take them. It may hold secrets, so nothing of its values is shown. Immutable.
 */
final class ClientFile {
  /** No properties. */
  static final ClientFile NONE = new ClientFile(Map.of());

  private static final long BYTES_MAX = 1 << 20;

  /** Properties that are the sink's own, with the setting or the reason. */
  private static final Map<String, String> OWN =
      Map.ofEntries(
          Map.entry("bootstrap.servers", "set the sink's bootstrap-servers"),
          Map.entry("compression.type", "set the sink's compression"),
          Map.entry("delivery.timeout.ms", "set the sink's send-timeout"),
          Map.entry("request.timeout.ms", "it follows from the sink's send-timeout"),
          Map.entry("max.block.ms", "it follows from the sink's send-timeout"),
          Map.entry("acks", "it is always all: delivered means replicated"),
          Map.entry("enable.idempotence", "it is always true: retries repeat nothing"),
          Map.entry("max.in.flight.requests.per.connection", "it is always 1: riders' order"),
          Map.entry("retries", "it is always the client's own, within the sink's send-timeout"),
          Map.entry("transactional.id", "the sink uses no transactions"),
          Map.entry("key.serializer", "keys are bytes"),
          Map.entry("value.serializer", "values are bytes"),
          Map.entry("partitioner.class", "keys have Kafka's own partition: readers rely on it"),
          Map.entry("partitioner.ignore.keys", "keys decide the partition: riders' order"),
          Map.entry("interceptor.classes", "records are sent as they are"));

  private static final Pattern SECRET =
      Pattern.compile("(?i).*(password|secret|jaas|token|keystore\\.key|truststore\\.cert|cred).*");
  private static final Pattern QUOTED = Pattern.compile("[\"']([^\"']+)[\"']");

  private final Map<String, String> properties;

  private ClientFile(Map<String, String> properties) {
    this.properties = Collections.unmodifiableMap(properties);
  }

  /**
   * Reads a file.
   *
   * @throws IOException when it cannot be read, or sets what is the sink's own; the message names
   *     the file and no value
   */
  static ClientFile read(Path file) throws IOException {
    String text;
    try {
      if (!Files.isRegularFile(file) && Files.exists(file)) {
        throw new IOException(file + " is no plain file");
      }
      if (Files.exists(file) && Files.size(file) > BYTES_MAX) {
        throw new IOException(file + " is larger than 1 MiB");
      }
      text = Files.readString(file);
    } catch (NoSuchFileException missing) {
      throw new IOException(file + " is not there", missing);
    } catch (AccessDeniedException denied) {
      throw new IOException(file + " may not be read by this user", denied);
    } catch (CharacterCodingException binary) {
      throw new IOException(file + " is no text in UTF-8", binary);
    }
    Properties read = new Properties();
    try {
      read.load(new StringReader(text));
    } catch (IllegalArgumentException malformed) {
      throw new IOException(file + " has a malformed \\u escape", malformed);
    }
    Map<String, String> properties = new TreeMap<>();
    List<String> refused = new ArrayList<>();
    for (String key : read.stringPropertyNames()) {
      properties.put(key, read.getProperty(key).strip());
      String why = OWN.get(key);
      if (why != null) {
        refused.add(key + " (" + why + ")");
      }
    }
    if (!refused.isEmpty()) {
      Collections.sort(refused);
      throw new IOException(file + " may not set " + String.join(", ", refused));
    }
    return new ClientFile(properties);
  }

  /** The properties, secrets included. */
  Map<String, String> properties() {
    return properties;
  }

  /** A number among them; the fallback when it is not set or is none. */
  long number(String key, long fallback) {
    try {
      return Long.parseLong(properties.getOrDefault(key, ""));
    } catch (NumberFormatException none) {
      return fallback;
    }
  }

  /** The texts that may not be shown: values of secrets, and what is quoted in them. */
  List<String> secrets() {
    List<String> secrets = new ArrayList<>();
    properties.forEach(
        (key, value) -> {
          if (SECRET.matcher(key).matches() && !value.isEmpty()) {
            secrets.add(value);
            QUOTED.matcher(value).results().forEach(quoted -> secrets.add(quoted.group(1)));
          }
        });
    return secrets;
  }

  @Override
  public String toString() {
    return properties.keySet().toString();
  }
}
