package gilmok.lab.dashboards;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One dashboard: rows of panels, with what is the same in all of them. That is the choice of the
 * source and of the servers, the marks, and links to the other dashboards. Not thread-safe: {@link
 * #json} is called once.
 */
final class Dashboard {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int SCHEMA = 39;
  private static final int COLUMNS = 24;
  private static final int HEIGHT = 8;

  /** Servers that the reader has chosen, as Grafana fills it in. */
  static final String CHOSEN = "instance=~\"$instance\"";

  /** When a process began, in milliseconds, as the time of a mark. */
  private static final String STARTS =
      "process_start_time_seconds{job=\"gilmok\"," + CHOSEN + "} * 1000";

  private final JsonNode source;
  private int id;
  private int row;
  private int column;

  Dashboard(JsonNode source) {
    this.source = source;
  }

  static JsonNode prometheus() {
    return JSON.createObjectNode().put("type", "prometheus").put("uid", "${datasource}");
  }

  /** The words of a key. */
  static String words(JsonNode of, String key) {
    String words = of.path(key).asString("").strip();
    if (words.isEmpty()) {
      throw new IllegalArgumentException("\"%s\" is missing in %s".formatted(key, of));
    }
    return words;
  }

  ObjectNode json() {
    ObjectNode json = JSON.createObjectNode();
    json.put("uid", words(source, "uid"));
    json.put("title", words(source, "title"));
    json.put("description", words(source, "look"));
    json.putArray("tags").add("gilmok");
    json.put("timezone", "browser").put("editable", false).put("graphTooltip", 1);
    json.put("schemaVersion", SCHEMA).put("refresh", "30s");
    json.putObject("time").put("from", "now-3h").put("to", "now");
    json.putObject("templating").set("list", JSON.valueToTree(List.of(sources(), servers())));
    json.putObject("annotations").set("list", marks());
    json.putArray("links").add(others());
    ArrayNode panels = json.putArray("panels");
    for (JsonNode group : source.path("rows")) {
      panels.add(heading(group));
      group.path("panels").forEach(panel -> panels.add(placed(panel)));
    }
    return json;
  }

  private static JsonNode sources() {
    ObjectNode variable = JSON.createObjectNode();
    variable.put("type", "datasource").put("name", "datasource").put("label", "Prometheus");
    return variable.put("query", "prometheus");
  }

  private static JsonNode servers() {
    ObjectNode variable = JSON.createObjectNode();
    variable.put("type", "query").put("name", "instance").put("label", "Server");
    variable.set("datasource", prometheus());
    variable.put("query", "label_values(up{job=\"gilmok\"}, instance)");
    return variable
        .put("refresh", 2)
        .put("sort", 1)
        .put("multi", true)
        .put("includeAll", true)
        .put("allValue", ".*");
  }

  /** Starts, versions that were not there before, and settings that were changed. */
  private static ArrayNode marks() {
    String build = "gilmok_build_info{" + CHOSEN + "}";
    ArrayNode marks = JSON.createArrayNode();
    marks.add(mark("Starts", "blue", STARTS, "{{instance}} started"));
    marks.add(
        mark(
            "Versions",
            "purple",
            "%s * on (instance) group_left (version, commit) %s unless on (version, commit) %s"
                .formatted(STARTS, build, build + " offset 1h"),
            "{{instance}}: version {{version}} of commit {{commit}}"));
    marks.add(
        mark(
            "Settings",
            "orange",
            "gilmok_settings_changed_timestamp_seconds{" + CHOSEN + "} * 1000 > 0",
            "{{instance}}: settings were changed"));
    return marks;
  }

  private static JsonNode mark(String name, String colour, String expression, String text) {
    ObjectNode mark = JSON.createObjectNode();
    mark.put("name", name).put("enable", true).put("iconColor", colour);
    mark.set("datasource", prometheus());
    mark.put("expr", expression).put("useValueForTime", true);
    return mark.put("titleFormat", name).put("textFormat", text);
  }

  private static JsonNode others() {
    ObjectNode link = JSON.createObjectNode();
    link.put("title", "Gilmok").put("type", "dashboards").put("icon", "external link");
    link.put("tooltip", "").put("asDropdown", true).put("targetBlank", false);
    link.put("includeVars", true).put("keepTime", true).putArray("tags").add("gilmok");
    return link;
  }

  private ObjectNode heading(JsonNode group) {
    if (column > 0) {
      row += HEIGHT;
      column = 0;
    }
    ObjectNode heading = JSON.createObjectNode();
    heading.put("type", "row").put("id", ++id).put("title", words(group, "title"));
    heading.put("collapsed", false).set("gridPos", place(1, COLUMNS));
    heading.putArray("panels");
    row++;
    return heading;
  }

  private ObjectNode placed(JsonNode source) {
    int width = source.path("width").asInt(HEIGHT);
    if (column + width > COLUMNS) {
      row += HEIGHT;
      column = 0;
    }
    ObjectNode panel = Panel.json(source, ++id, place(HEIGHT, width));
    column += width;
    return panel;
  }

  private ObjectNode place(int height, int width) {
    return JSON.createObjectNode().put("h", height).put("w", width).put("x", column).put("y", row);
  }
}
