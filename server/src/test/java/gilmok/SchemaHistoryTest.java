package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.ProgramFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Each build's schemas of what is shipped beside those that were released. A version only grows:
 * whoever reads it by the released schema reads it by this one.
 *
 * <p>After a release, {@code server/src/test/resources/schemas} gets that release's files.
 */
@Tag("unit")
final class SchemaHistoryTest {
  private static final String LINES = "shipped-1.json";
  private static final String COLUMNS = "parquet-1.json";

  @Test
  void schemas_onlyGrow() {
    assertThat(broken(released(LINES), ShippedSchema.read(LINES))).isEmpty();
    assertThat(brokenColumns(released(COLUMNS), ShippedSchema.read(COLUMNS))).isEmpty();
  }

  /** The comparison finds what a reader would stumble over, and lets pass what it would not. */
  @Test
  void comparison_findsWhatIsTakenAway() {
    Map<String, Consumer<ObjectNode>> bad = new TreeMap<>();
    bad.put(
        "a member is gone",
        all -> ((ObjectNode) all.at("/$defs/position/properties")).remove("speed"));
    bad.put(
        "another type",
        all -> ((ObjectNode) all.at("/$defs/position/properties/lat")).put("type", "string"));
    bad.put(
        "may be null now",
        all ->
            ((ObjectNode) all.at("/$defs/position/properties/lat"))
                .putArray("type")
                .add("number")
                .add("null"));
    bad.put("optional now", all -> ((ArrayNode) all.at("/$defs/position/required")).removeAll());
    bad.put("a stream is gone", all -> ((ArrayNode) all.path("oneOf")).remove(0));
    bad.put("a value is gone", all -> ((ArrayNode) all.at("/$defs/eventType/enum")).remove(0));
    bad.put(
        "another pattern",
        all -> ((ObjectNode) all.at("/properties/recordId")).put("pattern", ".*"));
    bad.put("a definition is gone", all -> ((ObjectNode) all.path("$defs")).remove("logLine"));
    bad.forEach(
        (name, change) -> {
          ObjectNode changed = (ObjectNode) released(LINES).deepCopy();
          change.accept(changed);
          assertThat(broken(released(LINES), changed)).as(name).isNotEmpty();
        });
    ObjectNode grown = (ObjectNode) released(LINES).deepCopy();
    ((ObjectNode) grown.at("/$defs/position/properties")).putObject("floor").put("type", "number");
    ((ArrayNode) grown.at("/$defs/eventType/enum")).add("delivery.weighed");
    ((ArrayNode) grown.at("/$defs/logLine/required")).add("id");
    grown.put("description", "another");
    assertThat(broken(released(LINES), grown)).isEmpty();
  }

  @Test
  void comparison_findsColumnsThatChange() {
    for (Consumer<ObjectNode> change :
        List.<Consumer<ObjectNode>>of(
            column -> column.put("name", "other"),
            column -> column.put("type", "DOUBLE"),
            column -> column.put("null", true))) {
      ObjectNode changed = (ObjectNode) released(COLUMNS).deepCopy();
      change.accept((ObjectNode) changed.at("/streams/logs/0"));
      assertThat(brokenColumns(released(COLUMNS), changed)).isNotEmpty();
    }
    ObjectNode grown = (ObjectNode) released(COLUMNS).deepCopy();
    ((ArrayNode) grown.at("/streams/logs"))
        .addObject()
        .put("name", "device")
        .put("type", "VARCHAR")
        .put("null", true);
    assertThat(brokenColumns(released(COLUMNS), grown)).isEmpty();
  }

  private static JsonNode released(String name) {
    byte[] bytes = ProgramFile.bytes(SchemaHistoryTest.class, "/schemas/released-" + name);
    return JsonMapper.shared().readTree(new String(bytes, StandardCharsets.UTF_8));
  }

  private static List<String> broken(JsonNode before, JsonNode after) {
    List<String> broken = new ArrayList<>();
    compare("", before, after, broken);
    return broken;
  }

  /** What the first has, the second must have alike, but for words; lists may be longer. */
  private static void compare(String where, JsonNode before, JsonNode after, List<String> broken) {
    if (before.isObject() && after.isObject()) {
      before
          .properties()
          .forEach(
              member -> {
                if (!member.getKey().equals("description") && !member.getKey().equals("title")) {
                  String there = where + "/" + member.getKey();
                  compare(there, member.getValue(), after.path(member.getKey()), broken);
                }
              });
    } else if (before.isArray() && after.isArray() && !where.endsWith("/type")) {
      List<JsonNode> there = after.valueStream().toList();
      before
          .valueStream()
          .filter(one -> !there.contains(one))
          .forEach(one -> broken.add(where + ": " + one + " is gone"));
    } else if (!before.equals(after)) {
      broken.add(where + ": was " + before + ", is " + after);
    }
  }

  private static List<String> brokenColumns(JsonNode before, JsonNode after) {
    List<String> broken = new ArrayList<>();
    before
        .path("streams")
        .properties()
        .forEach(
            stream -> {
              List<JsonNode> now =
                  after.path("streams").path(stream.getKey()).valueStream().toList();
              stream
                  .getValue()
                  .valueStream()
                  .filter(column -> !now.contains(column))
                  .forEach(column -> broken.add(stream.getKey() + ": " + column));
            });
    return broken;
  }
}
