package gilmok.lab.dashboards;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One panel: a title, a unit, what to look for, and one query or several. Each query asks for the
 * chosen servers alone, and each rate is drawn with the same hour a day before.
 */
final class Panel {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern METRIC =
      Pattern.compile("\\b((?:gilmok|jvm|process|system)[_:][a-zA-Z0-9_:]+)(\\{)?");
  private static final String RATE = "[$__rate_interval]";
  private static final String BEFORE = ", a day before";

  private Panel() {}

  static ObjectNode json(JsonNode source, int id, ObjectNode place) {
    boolean isStat = source.path("type").asString("").equals("stat");
    ObjectNode panel = JSON.createObjectNode();
    panel.put("type", isStat ? "stat" : "timeseries").put("id", id);
    panel.put("title", Dashboard.words(source, "title"));
    panel.put("description", Dashboard.words(source, "look"));
    panel.set("datasource", Dashboard.prometheus());
    panel.set("gridPos", place);
    panel.set("targets", targets(source));
    panel.set("fieldConfig", fields(Dashboard.words(source, "unit"), isStat));
    panel.set("options", isStat ? statOptions() : lineOptions());
    return panel;
  }

  private static ArrayNode targets(JsonNode source) {
    ArrayNode targets = JSON.createArrayNode();
    if (!source.has("queries")) {
      add(targets, source);
    }
    source.path("queries").forEach(query -> add(targets, query));
    return targets;
  }

  private static void add(ArrayNode targets, JsonNode query) {
    String expression = chosen(Dashboard.words(query, "expr"));
    String legend = Dashboard.words(query, "legend");
    targets.add(target(targets.size(), expression, legend));
    if (expression.contains(RATE)) {
      String before = expression.replace(RATE, RATE + " offset 1d");
      targets.add(target(targets.size(), before, legend + BEFORE));
    }
  }

  private static ObjectNode target(int index, String expression, String legend) {
    ObjectNode target = JSON.createObjectNode().put("refId", "Q" + (index + 1));
    target.set("datasource", Dashboard.prometheus());
    return target.put("expr", expression).put("legendFormat", legend);
  }

  /** An expression whose metrics are those of the chosen servers. */
  static String chosen(String expression) {
    Matcher metric = METRIC.matcher(expression);
    return metric.replaceAll(
        found ->
            Matcher.quoteReplacement(
                found.group(1) + "{" + Dashboard.CHOSEN + (found.group(2) == null ? "}" : ",")));
  }

  private static ObjectNode fields(String unit, boolean isStat) {
    ObjectNode fields = JSON.createObjectNode();
    ObjectNode defaults = fields.putObject("defaults").put("unit", unit).put("min", 0);
    ArrayNode overrides = fields.putArray("overrides");
    if (!isStat) {
      defaults.putObject("custom").put("showPoints", "never");
      ObjectNode before = overrides.addObject();
      before.putObject("matcher").put("id", "byRegexp").put("options", "/" + BEFORE + "$/");
      ArrayNode properties = before.putArray("properties");
      ObjectNode dash = JSON.createObjectNode().put("fill", "dash");
      dash.putArray("dash").add(4).add(8);
      property(properties, "custom.lineStyle", dash);
      ObjectNode grey = JSON.createObjectNode().put("mode", "fixed").put("fixedColor", "gray");
      property(properties, "color", grey);
    }
    return fields;
  }

  private static void property(ArrayNode properties, String id, JsonNode value) {
    properties.addObject().put("id", id).set("value", value);
  }

  private static ObjectNode lineOptions() {
    ObjectNode options = JSON.createObjectNode();
    ObjectNode legend = options.putObject("legend");
    legend.put("displayMode", "list").put("placement", "bottom").put("showLegend", true);
    legend.putArray("calcs");
    options.putObject("tooltip").put("mode", "multi").put("sort", "desc");
    return options;
  }

  private static ObjectNode statOptions() {
    ObjectNode options = JSON.createObjectNode();
    options.putObject("reduceOptions").put("values", false).putArray("calcs").add("lastNotNull");
    options.put("graphMode", "none").put("colorMode", "value").put("justifyMode", "auto");
    return options.put("textMode", "value_and_name").put("orientation", "auto");
  }
}
