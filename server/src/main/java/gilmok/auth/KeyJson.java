package gilmok.auth;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A key as JSON, in the form that is shown and in the form that is stored. Thread-safe. */
public final class KeyJson {
  /** The name of the field with a key's id. */
  static final String ID = "id";

  /** Parses strictly: a key that is not understood exactly must not let anybody in. */
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final String FIRST = "first";
  private static final int HASH_BYTES = 32;

  private KeyJson() {}

  /** A key in its stored form, with its secret's hash in hexadecimal. */
  static KeyStore.Kept write(StoredKey key) {
    ObjectNode item = shown(key.info());
    KeySecret secret = key.secret();
    switch (secret.kind()) {
      case OWN -> item.put("hash", HexFormat.of().formatHex(secret.hash()));
      case WHOLE -> item.put("whole", HexFormat.of().formatHex(secret.hash()));
      case BCRYPT -> item.put("bcrypt", secret.bcrypt()).put("begins", secret.begins());
    }
    if (key.isFirst()) {
      item.put(FIRST, true);
    }
    return new KeyStore.Kept(key.info().id(), JSON.writeValueAsString(item));
  }

  /** A key in its shown form: nothing of its secret, not even the hash. */
  public static ObjectNode shown(KeyInfo info) {
    ObjectNode item = JSON.createObjectNode();
    item.put(ID, info.id());
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

  /**
   * Reads a stored key.
   *
   * @throws DamagedKeys when it cannot be understood
   */
  static StoredKey read(KeyStore.Kept kept) throws DamagedKeys {
    String what = "the key " + kept.id() + " in the documents";
    try {
      JsonNode item = JSON.readTree(kept.json());
      StoredKey key = read(item, item.path(FIRST).asBoolean(false));
      if (!key.info().id().equals(kept.id())) {
        throw new DamagedKeys(what, "it says that it is " + key.info().id(), null);
      }
      return key;
    } catch (JacksonException e) {
      throw new DamagedKeys(what, "not JSON, " + e.getOriginalMessage(), e);
    } catch (RuntimeException e) { // whatever is wrong: one key must not keep the others out
      throw new DamagedKeys(what, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Reads a key that {@link #write} wrote.
   *
   * @throws RuntimeException when it cannot be understood
   */
  static StoredKey readLine(String json) {
    JsonNode item = JSON.readTree(json);
    return read(item, item.path(FIRST).asBoolean(false));
  }

  /**
   * Reads a key.
   *
   * @throws IllegalArgumentException or {@link DateTimeException} when it cannot be understood
   */
  static StoredKey read(JsonNode item, boolean first) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (JsonNode scope : item.path("scopes")) {
      scopes.add(Scope.valueOf(scope.asString().toUpperCase(Locale.ROOT)));
    }
    KeySecret secret = secret(item);
    if (secret.hash().length != HASH_BYTES || scopes.isEmpty()) {
      throw new IllegalArgumentException("the key " + text(item, ID) + " has no hash or scopes");
    }
    String expiresAt = optionalText(item, "expiresAt");
    KeyInfo info =
        new KeyInfo(
            text(item, ID),
            text(item, "name"),
            scopes,
            binding(item),
            Instant.parse(text(item, "createdAt")),
            expiresAt == null ? null : Instant.parse(expiresAt),
            rate(item));
    return new StoredKey(info, secret, first);
  }

  private static KeySecret secret(JsonNode item) {
    String whole = optionalText(item, "whole");
    String bcrypt = optionalText(item, "bcrypt");
    if (whole != null) {
      return KeySecret.whole(HexFormat.of().parseHex(whole));
    }
    return bcrypt != null
        ? KeySecret.bcrypt(bcrypt, text(item, "begins"))
        : KeySecret.own(HexFormat.of().parseHex(text(item, "hash")));
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

  static @Nullable String optionalText(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isString()) {
      throw new IllegalArgumentException(field + " is no text");
    }
    return value.stringValue();
  }
}
