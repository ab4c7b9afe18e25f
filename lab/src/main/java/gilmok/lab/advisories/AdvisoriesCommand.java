package gilmok.lab.advisories;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lab advisories}: which parts of the server published advisories are about. */
@Command(
    name = "advisories",
    description = {
      "Compare the server's bill of materials with advisories in OSV's format, and "
          + "name what they are about. Nothing is downloaded.",
      "",
      "Exit code: 0 if nothing was found, 1 if something was, 2 if a file is " + "unusable."
    },
    footer = {"", "Examples:", "  gilmok lab advisories advisories/"})
public final class AdvisoriesCommand implements Callable<Integer> {
  private static final int FOUND = 1;
  private static final int UNUSABLE = 2;

  @Option(
      names = "--sbom",
      paramLabel = "FILE",
      description =
          "The bill of materials, CycloneDX in JSON, which the build makes (default: "
              + "${DEFAULT-VALUE}).")
  private Path sbom = Path.of("server/target/sbom.json");

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "An advisory, a list of them, or a folder of such files (*.json).")
  private List<Path> files = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A part of the server. */
  private record Component(String name, String version) {}

  @Override
  public Integer call() throws IOException {
    try {
      List<Component> components = components();
      List<Advisory> advisories = new ArrayList<>();
      for (Path file : files) {
        read(file, advisories);
      }
      return report(components, advisories);
    } catch (IllegalArgumentException | JacksonException unusable) {
      spec.commandLine().getErr().println(unusable.getMessage());
      return UNUSABLE;
    }
  }

  private List<Component> components() throws IOException {
    if (!Files.isRegularFile(sbom)) {
      throw new IllegalArgumentException(
          "there is no " + sbom + ": make it by \"./gilmok build\", or name one with --sbom");
    }
    List<Component> components = new ArrayList<>();
    for (JsonNode one : JsonMapper.shared().readTree(Files.readString(sbom)).path("components")) {
      components.add(
          new Component(
              one.path("group").asString("") + ":" + one.path("name").asString(""),
              one.path("version").asString("")));
    }
    if (components.isEmpty()) {
      throw new IllegalArgumentException(sbom + " lists no components");
    }
    return components;
  }

  private static void read(Path file, List<Advisory> all) throws IOException {
    if (Files.isDirectory(file)) {
      List<Path> inside;
      try (Stream<Path> listed = Files.walk(file)) {
        inside = listed.filter(one -> one.toString().endsWith(".json")).sorted().toList();
      }
      for (Path one : inside) {
        read(one, all);
      }
      return;
    }
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("there is no " + file);
    }
    JsonNode json;
    try {
      json = JsonMapper.shared().readTree(Files.readString(file));
      for (JsonNode one : json.isArray() ? json : List.of(json)) {
        Advisory advisory = Advisory.read(one);
        if (advisory != null) {
          all.add(advisory);
        }
      }
    } catch (JacksonException | IllegalArgumentException broken) {
      throw new IllegalArgumentException(file + ": " + broken.getMessage(), broken);
    }
  }

  private int report(List<Component> components, List<Advisory> advisories) {
    PrintWriter out = spec.commandLine().getOut();
    int found = 0;
    for (Component part : components) {
      for (Advisory advisory : advisories) {
        if (advisory.isAbout(part.name, part.version)) {
          found++;
          out.println(line(part, advisory));
        }
      }
    }
    out.printf(
        "%d components, %d advisories about Maven: %d found%n",
        components.size(), advisories.size(), found);
    out.flush();
    return found == 0 ? 0 : FOUND;
  }

  private static String line(Component part, Advisory advisory) {
    List<String> fixed = advisory.fixedIn(part.name, part.version);
    List<String> ids = new ArrayList<>(List.of(advisory.id()));
    ids.addAll(advisory.aliases());
    return part.name
        + " "
        + part.version
        + ": "
        + String.join(", ", ids)
        + (advisory.summary().isEmpty() ? "" : ": " + advisory.summary())
        + (fixed.isEmpty()
            ? "; no version is free of it"
            : "; fixed in " + String.join(", ", fixed));
  }
}
