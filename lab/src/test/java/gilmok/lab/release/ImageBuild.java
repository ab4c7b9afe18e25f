package gilmok.lab.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a Dockerfile's steps as scripts, in a folder that stands for the image's root. As in an
 * engine, each stage is built at the same path. A base image from elsewhere is an empty root: the
 * programs are those of this machine, of which some are replaced by scripts of the caller.
 *
 * <p>Not thread-safe.
 */
final class ImageBuild {
  /** The folders of an image that are ours; other paths are the machine's. */
  private static final String OURS = "(?<![\\w./-])(?=/(?:src|opt|data|tmp)\\b)";

  private static final long PATIENCE_SECONDS = 300;

  private final Path context;
  private final List<String> inContext;
  private final Path stages;
  private final Path root;
  private final Map<String, String> environment;
  private final List<String> leftOut = new ArrayList<>();
  private String stage = "";
  private String folder = "/";

  /**
   * A build in an empty folder.
   *
   * @param context the folder that COPY reads, as far as its .dockerignore lets it
   * @param programs scripts that stand for programs of the image
   * @param arguments of the build, for ARG
   */
  ImageBuild(Path context, Path work, Path programs, Map<String, String> arguments)
      throws IOException {
    this.context = context;
    inContext =
        Files.readAllLines(context.resolve(".dockerignore")).stream()
            .filter(line -> line.startsWith("!"))
            .map(line -> line.substring(1))
            .toList();
    stages = Files.createDirectories(work.resolve("stages"));
    root = work.resolve("root");
    environment = new HashMap<>(arguments);
    String java = System.getProperty("java.home");
    environment.put("PATH", programs + ":" + java + "/bin:" + System.getenv("PATH"));
    environment.put("JAVA_HOME", java);
  }

  /** Runs all steps; afterwards {@link #root} is the image's. */
  void run(Dockerfile file) throws IOException, InterruptedException {
    for (Dockerfile.Step step : file.steps()) {
      switch (step.name()) {
        case "FROM" -> from(step.words());
        case "WORKDIR" -> {
          folder = step.text();
          Files.createDirectories(inRoot(folder));
        }
        case "COPY" -> copy(step.words());
        case "RUN" -> script(step.text());
        case "ARG" -> assertThat(environment).containsKey(step.text().replaceFirst("=.*", ""));
        case "USER" -> leftOut.add("USER " + step.text());
        case "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD" -> {}
        default -> throw new IllegalStateException("no such instruction is known: " + step);
      }
    }
  }

  /** What was not tried. */
  List<String> leftOut() {
    return leftOut;
  }

  /** The folder that stands for the root, at the end that of the last stage. */
  Path root() {
    return root;
  }

  /** The environment of a program in the image. */
  Map<String, String> environment() {
    return environment;
  }

  /** A text with the image's own paths as they are here. */
  String here(String text) {
    return text.replaceAll(OURS, root.toString());
  }

  private Path inRoot(String path) {
    return root.resolve(path.startsWith("/") ? path.substring(1) : path);
  }

  private void from(List<String> words) throws IOException {
    if (!stage.isEmpty()) {
      Files.move(root, stages.resolve(stage));
    }
    Path base = stages.resolve(words.getFirst());
    if (Files.exists(base)) {
      copyAll(base, root);
    } else {
      leftOut.add("FROM " + words.getFirst());
      Files.createDirectories(root);
    }
    Files.createDirectories(inRoot("tmp"));
    stage = words.size() == 3 ? words.get(2) : "last";
    folder = "/";
  }

  private void copy(List<String> words) throws IOException {
    boolean isOfStage = words.getFirst().startsWith("--from=");
    String source = words.get(isOfStage ? 1 : 0);
    if (!isOfStage) {
      assertThat(inContext).as(".dockerignore and COPY").contains(source);
    }
    Path from =
        isOfStage
            ? stages.resolve(words.getFirst().substring(7)).resolve(source.substring(1))
            : context.resolve(source);
    String target = words.getLast();
    Path to = target.startsWith("/") ? inRoot(target) : inRoot(folder).resolve(target).normalize();
    copyAll(from, target.endsWith("/") ? to.resolve(from.getFileName()) : to);
  }

  private void script(String text) throws IOException, InterruptedException {
    Path said = root.resolveSibling("said");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", here(text))
            .directory(inRoot(folder).toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended && process.exitValue() == 0)
        .as("RUN %s%n%s", text, Files.readString(said))
        .isTrue();
  }

  /** Copies a file, or a folder with all of it, with times and rights. */
  static void copyAll(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (!Files.isDirectory(target)) {
          Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
