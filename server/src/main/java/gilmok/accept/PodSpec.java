package gilmok.accept;

import gilmok.doctor.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What a pod's description says that a server depends on: limits, probes, its volume, its time to
 * stop. Immutable.
 *
 * @param spec of the pod
 * @param claims the templates of volumes beside it; may be missing
 * @param data the data folder by the settings; the container's own argument counts before it
 * @param stopping how long a server may take to stop, by its settings
 */
record PodSpec(JsonNode spec, JsonNode claims, Path data, Duration stopping) {
  private static final int GRACE_USUAL = 30;

  /** Looks at everything. */
  List<Check> look() {
    List<Check> checks = new ArrayList<>();
    JsonNode server = server();
    JsonNode resources = server.path("resources");
    checks.add(
        said(
            "limit of memory",
            resources.at("/limits/memory"),
            "set limits.memory: the heap is a share of it"));
    checks.add(
        said(
            "request of memory",
            resources.at("/requests/memory"),
            "set requests.memory to the limit: who uses more than it asked for is ended first"));
    checks.add(
        said(
            "request of processors",
            resources.at("/requests/cpu"),
            "set requests.cpu to 1 or more: with a fraction, warming up takes many times as long"));
    checks.add(probe(server, "readinessProbe", "/health/ready"));
    checks.add(probe(server, "livenessProbe", "/health/live"));
    checks.add(volume(server));
    checks.add(grace(server));
    return checks;
  }

  /** The container named gilmok, else the first. */
  private JsonNode server() {
    return StreamSupport.stream(spec.path("containers").spliterator(), false)
        .filter(one -> one.path("name").asString("").contains("gilmok"))
        .findFirst()
        .orElse(spec.path("containers").path(0));
  }

  private static Check said(String what, JsonNode value, String advice) {
    String text = value.asString("");
    return Check.of(what, text.isEmpty() ? "none" : text, !text.isEmpty(), advice);
  }

  private static Check probe(JsonNode server, String name, String wanted) {
    String path = server.path(name).at("/httpGet/path").asString("");
    return Check.of(
        name,
        path.isEmpty() ? "none by HTTP" : path,
        path.equals(wanted),
        "ask " + wanted + ", as ops/kubernetes/gilmok.yaml does");
  }

  private Check volume(JsonNode server) {
    Path folder = folder(server);
    String name = "";
    int longest = -1;
    for (JsonNode mount : server.path("volumeMounts")) {
      Path at = Path.of(mount.path("mountPath").asString("/none"));
      if (folder.startsWith(at) && at.getNameCount() > longest) {
        longest = at.getNameCount();
        name = mount.path("name").asString("");
      }
    }
    boolean isClaimed = false;
    String kind = name.isEmpty() ? "none" : "unknown";
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.path("name").asString("").equals(name)) {
        isClaimed = volume.has("persistentVolumeClaim");
        kind =
            isClaimed
                ? "a claim"
                : volume.propertyNames().stream()
                    .filter(one -> !one.equals("name"))
                    .findFirst()
                    .orElse("unknown");
      }
    }
    for (JsonNode claim : claims) {
      if (claim.at("/metadata/name").asString("").equals(name)) {
        isClaimed = true;
        kind = "a claim of its own";
      }
    }
    return Check.of(
        "volume at " + folder,
        kind,
        isClaimed,
        "mount a persistent volume's claim there: with any other, what a node has not shipped ends"
            + " with the pod. Only collecting with collect.ack may do without"
            + " (ops/kubernetes/collecting.yaml)");
  }

  private Path folder(JsonNode server) {
    boolean isNext = false;
    for (JsonNode argument : server.path("args")) {
      String text = argument.asString("");
      if (isNext) {
        return Path.of(text);
      }
      isNext = text.equals("--data");
    }
    return data.toAbsolutePath();
  }

  private Check grace(JsonNode server) {
    int given = spec.path("terminationGracePeriodSeconds").asInt(GRACE_USUAL);
    JsonNode before = server.at("/lifecycle/preStop/exec/command");
    long asleep =
        before.path(0).asString("").endsWith("sleep")
            ? before.path(1).asInt(0)
            : server.at("/lifecycle/preStop/sleep/seconds").asInt(0);
    long needed = asleep + stopping.toSeconds();
    return Check.of(
        "terminationGracePeriodSeconds",
        "%d; a stop takes %d s at most: preStop %d and stop.grace, patience and flush"
            .formatted(given, needed, asleep),
        given >= needed,
        "raise it above " + needed + " s: what is not drained by then is killed");
  }
}
