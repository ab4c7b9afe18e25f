package gilmok.accept;

import gilmok.doctor.Check;
import gilmok.observe.KernelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks at the container that it runs in, by the kernel's files, and at a pod's description in a
 * file, if one is given. It asks no Kubernetes, and writes nothing but what {@code gilmok doctor}
 * writes.
 */
final class KubeTrial implements EngineTrial {
  private static final List<String> IN_CONTAINER = List.of("overlay", "tmpfs", "aufs");
  private static final String MANIFEST = "the pod's description";

  private final Path root;
  private final Path data;
  private final Supplier<List<Check>> machine;
  private final @Nullable Path manifest;
  private final Duration stopping;

  /**
   * @param root of the file system
   * @param machine what {@code gilmok doctor} sees of it
   * @param manifest YAML of a pod or of what makes pods; null for none
   * @param stopping how long a server may take to stop, by its settings
   */
  KubeTrial(
      Path root,
      Path data,
      Supplier<List<Check>> machine,
      @Nullable Path manifest,
      Duration stopping) {
    this.root = root;
    this.data = data;
    this.machine = machine;
    this.manifest = manifest;
    this.stopping = stopping;
  }

  @Override
  public String engine() {
    return "kube";
  }

  @Override
  public String writes() {
    return "nothing that stays";
  }

  @Override
  public void run(Findings findings) throws IOException {
    findings.begin("the container, by /proc and /sys/fs/cgroup");
    machine.get().forEach(findings::add);
    findings.add(volume());
    findings.begin(MANIFEST);
    if (manifest == null) {
      findings.notTried(
          MANIFEST,
          "no file was given",
          "kubectl get pod POD -o yaml > pod.yaml, and --kube=pod.yaml; or a manifest");
      return;
    }
    pod(manifest, data, stopping).forEach(findings::add);
  }

  /** Whether the data folder is on a volume, by the mounts of this process. */
  private Check volume() {
    String what = "the data folder's volume";
    Path folder = data.toAbsolutePath().normalize();
    String type = "";
    String at = "";
    for (String line : KernelFile.text(root.resolve("proc/self/mounts")).split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words.length > 2 && folder.startsWith(words[1]) && words[1].length() >= at.length()) {
        at = words[1];
        type = words[2];
      }
    }
    return at.isEmpty()
        ? Check.unknown(what, "the kernel does not tell", "")
        : Check.of(
            what,
            "%s is on %s, mounted at %s".formatted(folder, type, at),
            !IN_CONTAINER.contains(type),
            "mount a volume there that outlives the container: on " + type + " it ends with it");
  }

  /** Looks at the first pod that a file describes. */
  static List<Check> pod(Path file, Path data, Duration stopping) throws IOException {
    try {
      String text = Files.readString(file);
      for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
        JsonNode document = JsonMapper.shared().valueToTree(one);
        JsonNode item = document.path("items").path(0);
        JsonNode read = item.isMissingNode() ? document : item;
        JsonNode spec =
            read.path("kind").asString("").equals("Pod")
                ? read.path("spec")
                : read.at("/spec/template/spec");
        if (spec.path("containers").isArray()) {
          return new PodSpec(spec, read.at("/spec/volumeClaimTemplates"), data, stopping).look();
        }
      }
    } catch (YamlEngineException malformed) {
      throw new IOException(file + " is no YAML", malformed);
    }
    throw new IOException(file + " describes no pod, nor anything that makes pods");
  }

  @Override
  public String cleanUp() {
    return "nothing was left";
  }
}
