package gilmok;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import gilmok.config.ProgramFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas of what is shipped, as they are served, and checks against them. */
public final class ShippedSchema {
  private static final Schema LINE =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(read("shipped-1.json"));

  private ShippedSchema() {}

  /** Where a line breaks its schema; nothing where it fits. */
  public static List<String> faults(String line) {
    List<Error> errors =
        LINE.validate(
            line,
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    return errors.stream().map(Error::toString).toList();
  }

  /** Where a text breaks a part of the schema, as in {@code redisEntry}. */
  public static List<String> faults(String part, String json) {
    JsonNode whole = read("shipped-1.json");
    JsonNode one =
        JsonMapper.shared()
            .createObjectNode()
            .put("$ref", "#/$defs/" + part)
            .set("$defs", whole.path("$defs"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(one)
        .validate(json, InputFormat.JSON)
        .stream()
        .map(Error::toString)
        .toList();
  }

  /** A file of the program's folder of schemas. */
  public static JsonNode read(String name) {
    byte[] bytes = ProgramFile.bytes(ShippedSchema.class, "/schemas/" + name);
    return JsonMapper.shared().readTree(new String(bytes, StandardCharsets.UTF_8));
  }
}
