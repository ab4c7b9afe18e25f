package gilmok.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The openapi.yaml that a server serves, and a check of the parts of JSON Schema that it uses. */
final class ApiDocument {
  private final JsonNode root;

  /** One operation; references in it are not followed. */
  record Operation(String method, String path, JsonNode node) {
    /** The scopes that the operation needs; none when it asks for no key. */
    List<String> scopes() {
      JsonNode security = node.path("security");
      boolean isOpen = security.isArray() && security.isEmpty(); // else the document's is meant
      if (isOpen == node.has("x-scope")) {
        throw new AssertionError(path + ": an operation has either a scope or no security");
      }
      return isOpen ? List.of() : List.of(node.path("x-scope").asString());
    }
  }

  ApiDocument(String yaml) {
    root =
        new ObjectMapper()
            .valueToTree(
                new Load(LoadSettings.builder().setMaxAliasesForCollections(0).build())
                    .loadFromString(yaml));
  }

  /** All operations, by method and path, as in {@code GET /version}. */
  Map<String, Operation> operations() {
    Map<String, Operation> operations = new TreeMap<>();
    root.path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        one -> {
                          String method = one.getKey().toUpperCase(Locale.ROOT);
                          operations.put(
                              method + " " + path.getKey(),
                              new Operation(method, path.getKey(), one.getValue()));
                        }));
    return operations;
  }

  JsonNode root() {
    return root;
  }

  JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : root.at(reference.substring(1));
  }

  /** Whether the document has an answer with that status and content type. */
  boolean hasAnswer(Operation operation, int status, String type) {
    return !answer(operation, status, type).isMissingNode();
  }

  /** The schema of an answer; missing when the document has no such answer. */
  JsonNode answer(Operation operation, int status, String type) {
    JsonNode responses = operation.node().path("responses");
    JsonNode listed = responses.path("" + status);
    JsonNode response =
        resolved(listed.isMissingNode() ? responses.path(status / 100 + "XX") : listed);
    return response.path("content").path(type).path("schema");
  }

  /** Where a value breaks its schema, one line each. */
  List<String> faults(JsonNode schemaOrReference, JsonNode value) {
    List<String> faults = new ArrayList<>();
    check("", schemaOrReference, value, faults);
    return faults;
  }

  private void check(
      String where, JsonNode schemaOrReference, JsonNode value, List<String> faults) {
    JsonNode schema = resolved(schemaOrReference);
    if (schema.has("oneOf")) {
      long fitting =
          schema.path("oneOf").valueStream().filter(one -> faults(one, value).isEmpty()).count();
      if (fitting != 1) {
        faults.add(where + ": fits " + fitting + " of oneOf: " + value);
      }
      return;
    }
    if (schema.has("anyOf")) {
      if (schema.path("anyOf").valueStream().noneMatch(one -> faults(one, value).isEmpty())) {
        faults.add(where + ": fits none of anyOf: " + value);
      }
      return;
    }
    if (!isOfType(schema.path("type"), value)) {
      faults.add(where + ": no " + schema.path("type") + ": " + value);
      return;
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      faults.add(where + ": none of " + schema.path("enum") + ": " + value);
    }
    if (value.isNumber()
        && (value.asDouble() < schema.path("minimum").asDouble(-Double.MAX_VALUE)
            || value.asDouble() > schema.path("maximum").asDouble(Double.MAX_VALUE))) {
      faults.add(where + ": out of range: " + value);
    }
    schema
        .path("required")
        .forEach(
            name -> {
              if (!value.has(name.asString())) {
                faults.add(where + ": lacks " + name);
              }
            });
    if (value.isObject() && schema.has("properties")) {
      value
          .properties()
          .forEach(
              member -> {
                JsonNode named = schema.path("properties").path(member.getKey());
                JsonNode known =
                    named.isMissingNode() ? schema.path("additionalProperties") : named;
                if (known.isObject()) {
                  check(where + "/" + member.getKey(), known, member.getValue(), faults);
                } else if (!known.asBoolean(false)) { // undeclared members must be allowed
                  faults.add(where + ": has " + member.getKey());
                }
              });
    }
    value
        .valueStream()
        .filter(_ -> value.isArray())
        .forEach(item -> check(where + "/-", schema.path("items"), item, faults));
  }

  private static boolean isOfType(JsonNode type, JsonNode value) {
    if (type.isMissingNode()) {
      return true; // a schema without a type takes all
    }
    if (type.isArray()) {
      return type.valueStream().anyMatch(one -> isOfType(one, value));
    }
    return switch (type.asString("")) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "number" -> value.isNumber();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      default -> false;
    };
  }
}
