package gilmok.keys;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeySecret;
import gilmok.auth.Scope;
import gilmok.http.JsonBody;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of {@code POST /v1/keys}: {@code {name, scopes, rider? or shop? or agency?, expiresIn?
 * s, rate?}}, and for a key that was made elsewhere {@code key} or {@code sha256} or {@code bcrypt}
 * with {@code prefix}. A field that is null counts as absent.
 */
sealed interface KeyBody {
  /** A request whose shape is right; {@code Keys} checks its values. */
  record Wish(KeyRequest request) implements KeyBody {}

  /** The body is not a JSON object. */
  record Unreadable() implements KeyBody {}

  /** A field has the wrong shape. */
  record Wrong(String field, String reason) implements KeyBody {}

  Set<String> FIELDS =
      Set.of(
          "name",
          "scopes",
          "rider",
          "shop",
          "agency",
          "expiresIn",
          "rate",
          "key",
          "sha256",
          "bcrypt",
          "prefix");

  /** Of a key that was made elsewhere. */
  List<String> OF_BROUGHT = List.of("key", "sha256", "bcrypt", "prefix");

  /** Reads a body. From any thread. */
  static KeyBody read(byte[] bytes, int offset, int length) {
    JsonNode root = JsonBody.object(bytes, offset, length);
    return root == null ? new Unreadable() : read(root);
  }

  private static KeyBody read(JsonNode root) {
    String unknown = JsonBody.unknown(root, FIELDS);
    if (unknown != null) {
      return new Wrong(unknown, "is not a field of a key");
    }
    Wrong wrong = wrongShape(root);
    if (wrong != null) {
      return wrong;
    }
    Binding binding = null;
    for (Binding.Kind kind : Binding.Kind.values()) {
      JsonNode bound = root.path(kind.label());
      if (JsonBody.isAbsent(bound)) {
        continue;
      }
      if (binding != null) {
        return new Wrong(kind.label(), "only one of rider, shop and agency can be given");
      }
      binding = new Binding(kind, bound.stringValue());
    }
    return wish(root, binding);
  }

  private static @Nullable String text(JsonNode root, String field) {
    JsonNode value = root.path(field);
    return JsonBody.isAbsent(value) ? null : value.stringValue();
  }

  private static KeyBody wish(JsonNode root, @Nullable Binding binding) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (JsonNode label : root.path("scopes")) {
      Scope scope = label.isString() ? scope(label.stringValue()) : null;
      if (scope == null) {
        return new Wrong("scopes", "each must be one of collect, read, operate, admin");
      }
      scopes.add(scope);
    }
    KeySecret secret = null;
    if (OF_BROUGHT.stream().anyMatch(field -> !JsonBody.isAbsent(root.path(field)))) {
      switch (KeySecret.brought(
          text(root, "key"), text(root, "sha256"), text(root, "bcrypt"), text(root, "prefix"))) {
        case KeySecret.Brought.Good good -> secret = good.secret();
        case KeySecret.Brought.Wrong wrong -> {
          return new Wrong(wrong.field(), wrong.reason());
        }
      }
    }
    JsonNode expiresIn = root.path("expiresIn");
    JsonNode rate = root.path("rate");
    return new Wish(
        new KeyRequest(
            root.path("name").stringValue(),
            scopes,
            binding,
            JsonBody.isAbsent(expiresIn) ? null : Duration.ofSeconds(expiresIn.longValue()),
            JsonBody.isAbsent(rate) ? null : (Integer) rate.intValue(),
            secret));
  }

  private static @Nullable Wrong wrongShape(JsonNode root) {
    if (!root.path("name").isString()) {
      return new Wrong("name", "needs a text");
    }
    if (!root.path("scopes").isArray()) {
      return new Wrong("scopes", "needs a list");
    }
    for (Binding.Kind kind : Binding.Kind.values()) {
      JsonNode bound = root.path(kind.label());
      if (!JsonBody.isAbsent(bound) && !bound.isString()) {
        return new Wrong(kind.label(), "needs a text");
      }
    }
    for (String field : OF_BROUGHT) {
      JsonNode value = root.path(field);
      if (!JsonBody.isAbsent(value) && !value.isString()) {
        return new Wrong(field, "needs a text");
      }
    }
    JsonNode expiresIn = root.path("expiresIn");
    if (!JsonBody.isAbsent(expiresIn)
        && !(expiresIn.isIntegralNumber() && expiresIn.canConvertToLong())) {
      return new Wrong("expiresIn", "needs a whole number of seconds");
    }
    JsonNode rate = root.path("rate");
    return JsonBody.isAbsent(rate) || (rate.isIntegralNumber() && rate.canConvertToInt())
        ? null
        : new Wrong("rate", "needs a whole number of requests a second");
  }

  private static @Nullable Scope scope(String label) {
    return Arrays.stream(Scope.values())
        .filter(scope -> scope.label().equals(label))
        .findAny()
        .orElse(null);
  }
}
