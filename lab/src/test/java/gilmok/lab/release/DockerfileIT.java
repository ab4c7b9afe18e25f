package gilmok.lab.release;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Dockerfile's steps, run as scripts in an empty folder, as no container engine is here; and
 * what comes of them, started by its ENTRYPOINT. To save time, Maven packs the classes that are
 * built already, and the server does not warm up, neither for its training nor after it.
 */
@Tag("process")
final class DockerfileIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String WARM_UP = "warm-up.limit=30s";
  private static final String COLD = "warm-up.on=false";
  private static final String POSITION =
      """
      {"riderId":"r-1","at":"2026-03-01T09:00:00Z","lat":37.5,"lon":127.0}
      """;

  /** Says in a file that it was not run. */
  private static final String LEFT_OUT =
      """
      #!/bin/sh
      echo "${0##*/}" >>"${0%/*}/left-out"
      """;

  /** Makes the folder for whoever runs this. */
  private static final String INSTALL =
      """
      #!/bin/sh
      [ "$1 $2 $3 $4 $5" = '-d -o gilmok -g gilmok' ] || exit 1
      shift 5
      exec /usr/bin/install -d "$@"
      """;

  /**
   * Offline, and with classes that are compiled already. Offline, it leaves the bill of materials
   * out.
   */
  private static final String MAVEN =
      """
      #!/bin/sh
      case "$*" in
        *dependency:go-offline*) echo 'mvn dependency:go-offline' >>"${0%/*}/left-out" && exit ;;
      esac
      mkdir -p server/target && cp -r 'CLASSES' server/target/
      export MAVEN_OPTS='-XX:+UseSerialGC -XX:TieredStopAtLevel=1'
      exec 'MVN' -o -Dmaven.main.skip=true "$@"
      """;

  @TempDir Path work;

  @Test
  void steps_makeAnImage_whoseServerAnswers() throws Exception {
    Path programs = Files.createDirectory(work.resolve("programs"));
    program(programs, "groupadd", LEFT_OUT);
    program(programs, "useradd", LEFT_OUT);
    program(programs, "install", INSTALL);
    String classes = ROOT.resolve("server/target/classes").toString();
    program(programs, "mvn", MAVEN.replace("CLASSES", classes).replace("MVN", maven().toString()));
    String build = "-Drevision=9.8.7 -Dgilmok.commit=abc -Dgilmok.commit-time=2026-01-02T03:04:05Z";
    ImageBuild image = new ImageBuild(ROOT, work, programs, Map.of("BUILD", build, "AGENT", ""));
    Dockerfile file = Dockerfile.read(ROOT.resolve("Dockerfile"));
    assertThat(file.steps()).anyMatch(step -> step.text().contains(WARM_UP));

    image.run(quick(file));

    assertThat(image.leftOut())
        .containsExactly(
            "FROM maven:3-eclipse-temurin-25", "FROM eclipse-temurin:25-jre", "USER 10001:10001");
    assertThat(Files.readAllLines(programs.resolve("left-out")))
        .containsExactly("mvn dependency:go-offline", "groupadd", "useradd");
    try (Stream<Path> all = Files.list(image.root().resolve("opt/gilmok"))) {
      assertThat(all.map(one -> one.getFileName().toString()))
          .containsExactlyInAnyOrder("gilmok-all.jar", "gilmok.aot", "packs");
    }
    serves(image, file);
  }

  private void serves(ImageBuild image, Dockerfile file) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    // By "env", as only that looks for a program on the image's own PATH.
    List<String> entry = with(List.of("env"), here(image, file.last("ENTRYPOINT").words(), port));
    Path said = work.resolve("version");
    assertThat(ended(with(entry, List.of("version")), image, said)).isZero();
    assertThat(Files.readString(said))
        .startsWith("gilmok 9.8.7 on Java")
        .contains("commit abc of 2026-01-02T03:04:05Z")
        .contains("packs: kafka");

    List<String> command = with(entry, here(image, file.last("CMD").words(), port));
    command.addAll(List.of("--set", COLD));
    Path output = work.resolve("output");
    try (Subject server = Subject.start("image", command, image.environment(), port, output)) {
      server.awaitAnswer("/health/ready", status -> status == 200, PATIENCE);
      String key = Files.readString(image.root().resolve("data/admin.key")).strip();
      try (LabClient client = new LabClient(server.url(), key, PATIENCE)) {
        assertThat(client.post("/v1/traces", POSITION).status()).isEqualTo(202);
      }
      String health = file.last("HEALTHCHECK").text().replaceFirst(".*?CMD ", "");
      List<String> asked = new Dockerfile.Step("CMD", health).words();
      assertThat(ended(here(image, asked, port), image, work.resolve("health"))).isZero();
      assertThat(Files.readString(output)).contains("Gilmok 9.8.7", "AOT cache: used");
      assertThat(server.stop()).isZero();
    }
  }

  /** The same with a training of classes alone: the server has nothing else to do in it. */
  private static Dockerfile quick(Dockerfile file) {
    return new Dockerfile(
        file.steps().stream()
            .map(step -> new Dockerfile.Step(step.name(), step.text().replace(WARM_UP, COLD)))
            .toList());
  }

  /** Words of the image as they are here: its paths, a free port, loopback only. */
  private static List<String> here(ImageBuild image, List<String> words, int port) {
    return words.stream()
        .map(image::here)
        .map(word -> word.replace("8080", Integer.toString(port)))
        .map(word -> word.replace("0.0.0.0", "127.0.0.1"))
        .toList();
  }

  private static List<String> with(List<String> some, List<String> more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private static int ended(List<String> command, ImageBuild image, Path output) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(image.environment());
    Process process = builder.start();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** The Maven of this build. */
  private static Path maven() {
    Stream<String> folders = Stream.of(System.getenv("PATH").split(":"));
    String home = System.getenv("MAVEN_HOME");
    return Stream.concat(folders, Stream.ofNullable(home).map(one -> one + "/bin"))
        .map(folder -> Path.of(folder, "mvn"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Maven on the PATH, none in MAVEN_HOME"));
  }

  private static void program(Path folder, String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
