package gilmok.lab.release;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A release, made in a clone by the real scripts, and what users do with it. Only Maven is another:
 * one that hands out the jar that this build has made, with the version that it is asked for.
 */
@Tag("process")
final class ReleaseIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path BUILT = ROOT.resolve("server/target");
  private static final String VERSION = "1.2.3";
  private static final String NAME = "gilmok-" + VERSION;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> PARTS =
      List.of(
          "gilmok",
          ".ci/release",
          ".ci/artifacts",
          "LICENSE",
          "README.md",
          "README.ko.md",
          "ARCHITECTURE.md",
          "docs",
          "ops",
          "pom.xml",
          "server/pom.xml");

  private static final String MAVEN =
      """
      #!/bin/bash
      if [[ " $* " == *' -v '* ]]; then echo 'Apache Maven 3.9.0'; exit; fi
      printf '%s\\n' "$@" >"${0%/*}/maven.told"
      mkdir -p server/target/packs
      cp "${0%/*}/gilmok-all.jar" "${0%/*}/sbom.json" server/target/
      cp "${0%/*}/gilmok-kafka.jar" server/target/packs/
      """;

  @TempDir static Path shared;
  private static Path clone = Path.of("");
  private static Path made = Path.of("");
  private static String commit = "";

  @TempDir Path folder;
  private String said = "";

  @BeforeAll
  static void release() throws Exception {
    clone = Files.createDirectory(shared.resolve("clone"));
    made = shared.resolve("made");
    for (String part : PARTS) {
      ImageBuild.copyAll(ROOT.resolve(part), clone.resolve(part));
    }
    write("changelog.d/README.md", "# About this folder\n");
    write("changelog.d/zone.md", "The zone, in [settings](../docs/settings.md).\n");
    write("changelog.d/at-the-door.md", "- One thing.\n- Another.\n");
    write("changelog.d/slow.fix.md", "# No longer slow\nIt waited.\n");
    write("changelog.d/keys.breaking.md", "Keys have another name.\n");
    ReleaseIT first = new ReleaseIT();
    first.folder = shared;
    first.git("init", "-q");
    first.git("add", "-A");
    first.git("commit", "-q", "-m", "all");
    first.git("rev-parse", "HEAD");
    commit = first.said.strip();
    Path programs = Files.createDirectory(shared.resolve("bin"));
    Files.setPosixFilePermissions(
        Files.writeString(programs.resolve("mvn"), MAVEN),
        PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.copy(BUILT.resolve("sbom.json"), programs.resolve("sbom.json"));
    Files.copy(BUILT.resolve("packs/gilmok-kafka.jar"), programs.resolve("gilmok-kafka.jar"));
    jar(programs.resolve("gilmok-all.jar"), first.committed());
    assertThat(first.launched(clone, "release", VERSION, "--to", made.toString()))
        .as(() -> first.said)
        .isZero();
  }

  @BeforeEach
  void clean() throws Exception {
    git("status", "--porcelain");
    assertThat(said).as("the tree stays as it is").isEmpty();
  }

  @Test
  void files_areWhatTheChecksumsSay_andTheArchiveIsTheFolder() throws Exception {
    assertThat(run(made, "sha256sum", "--check", "SHA256SUMS")).as(said).isZero();
    assertThat(said.lines()).hasSize(5).allMatch(line -> line.endsWith(": OK"));
    assertThat(run(folder, "tar", "-xf", made.resolve(NAME + ".tar.gz").toString())).isZero();
    assertThat(run(folder, "diff", "-r", NAME, made.resolve(NAME).toString())).as(said).isZero();
    assertThat(made.resolve(NAME + "/lib/gilmok-all.jar")).exists();
    assertThat(made.resolve(NAME + "/docs/running.md")).exists();
    assertThat(made.resolve(NAME + "/server")).doesNotExist();
    assertThat(made.resolve(NAME + ".cdx.json"))
        .hasSameTextualContentAs(BUILT.resolve("sbom.json"));
    assertThat(Files.readAllLines(shared.resolve("bin/maven.told")))
        .contains("-Drevision=" + VERSION, "-Dgilmok.commit=" + commit, "-pl", "server");
    try (Stream<Path> left = Files.list(made)) {
      assertThat(left.map(one -> one.getFileName().toString()))
          .containsExactlyInAnyOrder(
              NAME, NAME + ".tar.gz", NAME + ".cdx.json", "CHANGELOG-1.2.3.md", "SHA256SUMS");
    }
  }

  @Test
  void changelog_isGroupedInAStableOrder() throws Exception {
    assertThat(Files.readString(made.resolve("CHANGELOG-1.2.3.md")))
        .isEqualTo(
            """
            ## 1.2.3 (2026-01-02)

            ### What you must do

            #### Keys

            Keys have another name.

            ### New

            #### At the door

            - One thing.
            - Another.

            #### Zone

            The zone, in [settings](docs/settings.md).

            ### Mended

            #### No longer slow

            It waited.
            """);
    assertThat(Files.readString(made.resolve(NAME + "/CHANGELOG.md")))
        .startsWith("# Changelog\n")
        .contains("## 1.2.3 (2026-01-02)\n");
  }

  @Test
  void sameCommit_makesTheSameBytes() throws Exception {
    assertThat(launched(clone, "release", VERSION, "--to", folder.toString())).as(said).isZero();
    assertThat(folder.resolve("SHA256SUMS")).hasSameTextualContentAs(made.resolve("SHA256SUMS"));
  }

  @Test
  void release_whereItCannotBe_saysWhy() throws Exception {
    refused("a version is like 1.2.3", "release", "v1", "--to", folder.toString());
    refused("--to DIR says where to", "release", VERSION);
    refused("a folder for each release", "release", VERSION, "--to", made.toString());
    git("commit-tree", "HEAD^{tree}", "-m", "another");
    git("tag", "v1.2.4", said.strip());
    refused("the tag v1.2.4 is on another commit", "release", "1.2.4", "--to", folder.toString());
    git("tag", "-d", "v1.2.4");
    write("new.txt", "");
    refused("not committed:\n?? new.txt", "release", VERSION, "--to", folder.toString());
    Files.delete(clone.resolve("new.txt"));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void changelog_ofAVersion_isWrittenOnce() throws Exception {
    assertThat(launched(clone, "release", VERSION, "--changelog")).as(said).isZero();
    assertThat(clone.resolve("changelog.d")).isDirectoryNotContaining("glob:**.fix.md");
    assertThat(clone.resolve("changelog.d/README.md")).exists();
    git("commit", "-q", "-m", "1.2.3");
    refused("changelog.d has no entry", "release", "1.3.0", "--changelog");
    write("changelog.d/later.md", "Later.\n");
    git("add", "-A");
    git("commit", "-q", "-m", "later");
    refused("has 1.2.3 already", "release", VERSION, "--changelog");
    assertThat(launched(clone, "release", "1.3.0", "--changelog")).as(said).isZero();
    String all = Files.readString(clone.resolve("CHANGELOG.md"));
    assertThat(all)
        .startsWith("# Changelog\n\nWhat users see")
        .containsSubsequence("\n\n## 1.3.0 (", "Later.\n\n## 1.2.3 (", "It waited.\n")
        .doesNotContain("\n\n\n");
    git("reset", "-q", "--hard", commit);
  }

  @Test
  void folder_serves_andTakesPacks() throws Exception {
    run(folder, "tar", "-xf", made.resolve(NAME + ".tar.gz").toString());
    Path home = folder.resolve(NAME);
    assertThat(launched(home, "version")).isZero();
    assertThat(said).startsWith("gilmok 1.2.3 on Java").contains("commit " + commit);
    assertThat(said).contains("packs: kafka\n");

    pack(home.resolve("lib/packs/gilmok-toy.jar"));
    assertThat(launched(home, "version")).isZero();
    assertThat(said).contains("packs: kafka, toy");

    Path settings =
        Files.writeString(
            folder.resolve("kafka.yaml"),
            "sinks: {enabled: kafka, kafka: {bootstrap-servers: 'k:9092'}}\n");
    assertThat(launched(home, "check-config", settings.toString())).as(said).isZero();
    Files.delete(home.resolve("lib/packs/gilmok-kafka.jar"));
    assertThat(launched(home, "check-config", settings.toString())).isNotZero();
    assertThat(said)
        .contains(
            "sinks.enabled: \"kafka\" needs the pack kafka: put gilmok-kafka.jar into the folder"
                + " packs beside gilmok-all.jar");

    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> command = new ArrayList<>(List.of(home.resolve("gilmok").toString(), "serve"));
    command.addAll(List.of("--no-warmup", "--port", Integer.toString(port), "--data"));
    command.add(folder.resolve("data").toString());
    Path output = folder.resolve("output");
    try (Subject server = Subject.start("release", command, environment(), port, output)) {
      server.awaitAnswer("/health/ready", status -> status == 200, PATIENCE);
      String key = Files.readString(folder.resolve("data/admin.key")).strip();
      try (LabClient client = new LabClient(server.url(), key, PATIENCE)) {
        String position =
            "{\"riderId\":\"r-1\",\"at\":\"2026-03-01T09:00:00Z\",\"lat\":1,\"lon\":2}";
        assertThat(client.post("/v1/traces", position).status()).isEqualTo(202);
      }
      assertThat(server.stop()).isZero();
    }
    assertThat(launched(home, "keys", "ls", "--data", folder.resolve("data").toString()))
        .as(said)
        .isZero();
  }

  @Test
  void folder_hasNoSources_andSaysSo() throws Exception {
    Path home = made.resolve(NAME);
    for (String command : List.of("test", "build", "lab", "demo", "format", "vendor", "release")) {
      assertThat(launched(home, command)).as(command).isEqualTo(2);
      assertThat(said).contains("\"gilmok " + command + "\" needs the sources");
    }
    assertThat(launched(home, "train", "--help")).isZero();
    Path broken = folder.resolve("broken");
    Files.createDirectories(broken.resolve("lib"));
    Files.copy(home.resolve("gilmok"), broken.resolve("gilmok"));
    Files.setPosixFilePermissions(
        broken.resolve("gilmok"), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(launched(broken, "version")).isEqualTo(1);
    assertThat(said).contains("lib/gilmok-all.jar is missing: unpack the release again");
  }

  private void refused(String why, String... arguments) throws Exception {
    assertThat(launched(clone, arguments)).isEqualTo(1);
    assertThat(said).contains(why);
  }

  private int launched(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("gilmok").toString()));
    command.addAll(List.of(arguments));
    return run(folder, command.toArray(String[]::new));
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
    command.addAll(List.of("-c", "user.name=A", "-c", "user.email=a@example.com"));
    command.addAll(List.of(arguments));
    assertThat(run(folder, command.toArray(String[]::new))).as(said).isZero();
  }

  /** Runs a program to its end, and keeps what it said. */
  private int run(Path in, String... command) throws Exception {
    Path output = Files.createTempFile(shared, "said", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GI")); // GIT_ and GILMOK_
    builder.environment().putAll(environment());
    Process process = builder.start();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    said = Files.readString(output);
    return process.exitValue();
  }

  private static Map<String, String> environment() {
    return Map.of(
        "PATH", shared.resolve("bin") + ":" + System.getenv("PATH"),
        "JAVA_HOME", System.getProperty("java.home"),
        "GILMOK_OPTS", "-XX:TieredStopAtLevel=1",
        "GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z",
        "GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z");
  }

  private String committed() throws Exception {
    git("log", "-1", "--format=%ct");
    return Instant.ofEpochSecond(Long.parseLong(said.strip())).toString();
  }

  private static void write(String path, String text) throws IOException {
    Path file = clone.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** The jar that was built, with a manifest as Maven would write it for that version. */
  private static void jar(Path jar, String when) throws IOException {
    Files.copy(BUILT.resolve("gilmok-all.jar"), jar);
    try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
      Path file = files.getPath("META-INF/MANIFEST.MF");
      Manifest manifest;
      try (InputStream in = Files.newInputStream(file)) {
        manifest = new Manifest(in);
      }
      Attributes entries = manifest.getMainAttributes();
      assertThat(entries).containsKey(new Attributes.Name("Build-Commit"));
      entries.put(Attributes.Name.IMPLEMENTATION_VERSION, VERSION);
      entries.putValue("Build-Commit", commit);
      entries.putValue("Build-Commit-Time", when);
      try (OutputStream out = Files.newOutputStream(file)) {
        manifest.write(out);
      }
      Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    }
  }

  /** A pack that has nothing. */
  private static void pack(Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    try (JarOutputStream _ = new JarOutputStream(Files.newOutputStream(jar), new Manifest())) {}
  }
}
