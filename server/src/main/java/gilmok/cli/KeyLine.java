package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyInfo;
import gilmok.auth.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A key as a line of a table; what is not there is a dash. */
record KeyLine(List<String> cells) {
  static final KeyLine HEAD =
      new KeyLine(List.of("ID", "NAME", "SCOPES", "BOUND TO", "EXPIRES", "RATE"));

  private static final String NONE = "-";

  /** One element of the answer to {@code GET /v1/keys}. */
  static KeyLine of(JsonNode key) {
    List<String> scopes = new ArrayList<>();
    key.path("scopes").forEach(scope -> scopes.add(scope.asString("")));
    String bound = NONE;
    for (Binding.Kind kind : Binding.Kind.values()) {
      if (key.hasNonNull(kind.label())) {
        bound = kind.label() + " " + key.path(kind.label()).asString("");
      }
    }
    return new KeyLine(
        List.of(
            key.path("id").asString(NONE),
            key.path("name").asString(NONE),
            String.join(",", scopes),
            bound,
            key.path("expiresAt").asString(NONE),
            key.path("rate").asString(NONE)));
  }

  static KeyLine of(KeyInfo key) {
    Binding binding = key.binding();
    return new KeyLine(
        List.of(
            key.id(),
            key.name(),
            String.join(",", EnumSet.copyOf(key.scopes()).stream().map(Scope::label).toList()),
            binding == null ? NONE : binding.kind().label() + " " + binding.id(),
            key.expiresAt() == null ? NONE : key.expiresAt().toString(),
            key.rate() == null ? NONE : key.rate().toString()));
  }
}
