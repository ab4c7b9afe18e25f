package gilmok.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys on disk: {@code {"format":1,"adminKey":id or null,"keys":[…]}}, hashes in hexadecimal.
 * Not thread-safe: {@link Keys} lets one in at a time.
 */
final class KeysFile {
  private static final int FORMAT = 1;
  private static final int HASH_BYTES = 32;

  private final JsonMapper json =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private final Path file;

  KeysFile(Path file) {
    this.file = file;
  }

  /**
   * What the file says.
   *
   * @param adminKeyId the key whose text is in {@code admin.key}; null when there is none
   */
  record Content(@Nullable String adminKeyId, List<StoredKey> keys) {}

  /** Nothing when there is no file. */
  Content read() throws IOException {
    if (!Files.exists(file)) {
      return new Content(null, List.of());
    }
    try {
      return content(json.readTree(Files.readAllBytes(file)));
    } catch (JacksonException e) {
      throw damaged(e, "not JSON, " + e.getOriginalMessage());
    } catch (IllegalArgumentException | DateTimeException e) {
      throw damaged(e, String.valueOf(e.getMessage()));
    }
  }

  void write(@Nullable String adminKeyId, Collection<StoredKey> keys) throws IOException {
    ObjectNode root = json.createObjectNode();
    root.put("format", FORMAT);
    root.put("adminKey", adminKeyId);
    ArrayNode items = root.putArray("keys");
    keys.forEach(key -> items.add(written(key)));
    PrivateFile.write(file, json.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
  }

  private ObjectNode written(StoredKey key) {
    KeyInfo info = key.info();
    ObjectNode item = json.createObjectNode();
    item.put("id", info.id());
    item.put("hash", HexFormat.of().formatHex(key.hash()));
    item.put("name", info.name());
    ArrayNode scopes = item.putArray("scopes");
    EnumSet.copyOf(info.scopes()).forEach(scope -> scopes.add(scope.label()));
    if (info.binding() != null) {
      item.put(info.binding().kind().label(), info.binding().id());
    }
    item.put("createdAt", info.createdAt().toString());
    if (info.expiresAt() != null) {
      item.put("expiresAt", info.expiresAt().toString());
    }
    if (info.rate() != null) {
      item.put("rate", info.rate());
    }
    return item;
  }

  private static Content content(JsonNode root) {
    JsonNode format = root.path("format");
    if (!format.isInt() || format.intValue() != FORMAT) {
      throw new IllegalArgumentException("its format is not " + FORMAT);
    }
    JsonNode items = root.path("keys");
    if (!items.isArray()) {
      throw new IllegalArgumentException("it has no list of keys");
    }
    List<StoredKey> keys = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (JsonNode item : items) {
      StoredKey key = read(item);
      if (!ids.add(key.info().id())) {
        throw new IllegalArgumentException("the key " + key.info().id() + " is there twice");
      }
      keys.add(key);
    }
    return new Content(optionalText(root, "adminKey"), List.copyOf(keys));
  }

  private static StoredKey read(JsonNode item) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (JsonNode scope : item.path("scopes")) {
      scopes.add(Scope.valueOf(scope.asString().toUpperCase(Locale.ROOT)));
    }
    byte[] hash = HexFormat.of().parseHex(text(item, "hash"));
    if (hash.length != HASH_BYTES || scopes.isEmpty()) {
      throw new IllegalArgumentException("the key " + text(item, "id") + " has no hash or scopes");
    }
    String expiresAt = optionalText(item, "expiresAt");
    KeyInfo info =
        new KeyInfo(
            text(item, "id"),
            text(item, "name"),
            scopes,
            binding(item),
            Instant.parse(text(item, "createdAt")),
            expiresAt == null ? null : Instant.parse(expiresAt),
            rate(item));
    return new StoredKey(info, hash);
  }

  private static @Nullable Binding binding(JsonNode item) {
    Binding binding = null;
    for (Binding.Kind kind : Binding.Kind.values()) {
      String id = optionalText(item, kind.label());
      if (id != null && binding != null) {
        throw new IllegalArgumentException("a key is bound twice");
      }
      binding = id == null ? binding : new Binding(kind, id);
    }
    return binding;
  }

  private static @Nullable Integer rate(JsonNode item) {
    JsonNode rate = item.path("rate");
    if (rate.isMissingNode()) {
      return null;
    }
    if (!rate.isInt() || rate.intValue() < 1) {
      throw new IllegalArgumentException("a rate is no number above 0");
    }
    return rate.intValue();
  }

  private static String text(JsonNode node, String field) {
    String text = optionalText(node, field);
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException("a key has no " + field);
    }
    return text;
  }

  private static @Nullable String optionalText(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isString()) {
      throw new IllegalArgumentException(field + " is no text");
    }
    return value.stringValue();
  }

  private DamagedKeys damaged(Exception cause, String reason) {
    DamagedKeys damaged = new DamagedKeys(file, reason);
    damaged.initCause(cause);
    return damaged;
  }
}
