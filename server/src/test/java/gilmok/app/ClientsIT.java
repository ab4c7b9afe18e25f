package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that generators make from the served document, in Kotlin, TypeScript and Python. Each is
 * compiled, and its program takes a delivery from its order to the door.
 */
@Tag("contract")
final class ClientsIT {
  /** What the program in Kotlin calls. Its compiler takes a minute for everything. */
  private static final String CALLED =
      "operationId:createDeliveries|listDeliveries|delivery|deliveryEvents|acceptDelivery"
          + "|assignDelivery|pickupDelivery|completeDelivery|declineDelivery";

  private static final Pattern WORD = Pattern.compile("\\w+");

  @TempDir Path data;
  @TempDir Path folder;

  @Test
  void kotlin() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ContractTool tool = new ContractTool("contract-java", folder);
      Path generated = folder.resolve("generated");
      generate(
          tool,
          server,
          List.of(
              "--generator-name=kotlin",
              "--library=jvm-okhttp4",
              "--openapi-normalizer=FILTER=" + CALLED,
              "--additional-properties=serializationLibrary=moshi,packageName=gilmok.client"
                  + ",omitGradleWrapper=true"));
      Path classes = folder.resolve("classes");
      List<Path> needed = jars(".*(kotlin-stdlib|kotlin-reflect|moshi|okhttp|okio|coroutines).*");
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "-no-stdlib",
                  "-no-reflect",
                  "-nowarn",
                  "-jvm-target",
                  "17",
                  "-d",
                  classes.toString(),
                  "-cp",
                  ContractTool.classPath(needed)));
      Path program = client("kotlin").resolve("Main.kt");
      used(generated, program).forEach(file -> arguments.add(file.toString()));
      tool.java(
          jars(".*(kotlin|annotations).*"),
          "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
          arguments);
      List<Path> path = new ArrayList<>(needed);
      path.add(classes);
      assertCompleted(
          server, "kotlin-1", tool.java(path, "MainKt", List.of(url(server), server.adminKey())));
    }
  }

  @Test
  void typescript() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ContractTool java = new ContractTool("contract-java", folder);
      ContractTool node = new ContractTool("contract-node", folder);
      generate(java, server, List.of("--generator-name=typescript-fetch"));
      for (String file : List.of("main.ts", "tsconfig.json")) {
        Files.copy(client("typescript").resolve(file), folder.resolve(file));
      }
      Files.createSymbolicLink(
          folder.resolve("node_modules"),
          Repository.root().resolve("target/contract-node/node_modules"));
      node.run("tsc", "--project", folder.toString());
      String said =
          node.run(folder.resolve("compiled/main.js").toString(), url(server), server.adminKey());
      assertCompleted(server, "typescript-1", said);
    }
  }

  @Test
  void python() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ContractTool tool = new ContractTool("contract-python", folder);
      tool.run(
          "openapi-python-client",
          "generate",
          "--path=" + document(server),
          "--meta=none",
          "--config=" + client("python").resolve("config.yaml"),
          "--output-path=" + folder.resolve("gilmok_client"));
      tool.run("../../../server/src/test/clients/python/compile.py", folder.toString());
      String said =
          tool.run(
              "../../../server/src/test/clients/python/main.py", url(server), server.adminKey());
      assertCompleted(server, "python-1", said);
    }
  }

  private void generate(ContractTool tool, RunningServer server, List<String> how)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("generate"));
    arguments.addAll(how);
    arguments.addAll(
        List.of(
            "--input-spec=" + document(server),
            "--output=" + folder.resolve("generated"),
            "--global-property=apis,models,supportingFiles,apiDocs=false,modelDocs=false"
                + ",apiTests=false,modelTests=false"));
    String said =
        tool.java(
            jars("openapi-generator-cli.*"),
            "org.openapitools.codegen.OpenAPIGenerator",
            arguments);
    assertThat(said).doesNotContain(" ERROR ");
  }

  /** The document as the server serves it, as a file. */
  private Path document(RunningServer server) throws IOException, InterruptedException {
    return Files.writeString(
        folder.resolve("openapi.json"), server.send("", "GET", "/openapi.json", "", "").body());
  }

  /** The program and what it uses of the generated sources, found by the names in them. */
  private static List<Path> used(Path generated, Path program) throws IOException {
    Map<String, Path> unused = new HashMap<>();
    try (Stream<Path> files = Files.walk(generated)) {
      files
          .filter(file -> file.toString().endsWith(".kt"))
          .forEach(file -> unused.put(file.getFileName().toString().replace(".kt", ""), file));
    }
    List<Path> used = new ArrayList<>();
    Deque<Path> unread = new ArrayDeque<>(List.of(program));
    // These declare more than the class that they are named for.
    for (String name : List.of("ApiAbstractions", "Errors", "ResponseExtensions")) {
      unread.add(Objects.requireNonNull(unused.remove(name)));
    }
    while (!unread.isEmpty()) {
      Path file = unread.remove();
      used.add(file);
      Matcher word = WORD.matcher(Files.readString(file));
      while (word.find()) {
        Path declared = unused.remove(word.group());
        if (declared != null) {
          unread.add(declared);
        }
      }
    }
    return used;
  }

  private static List<Path> jars(String name) throws IOException {
    try (Stream<Path> files = Files.list(Repository.root().resolve("target/contract-java"))) {
      return files.filter(file -> file.getFileName().toString().matches(name + "\\.jar")).toList();
    }
  }

  private static Path client(String language) {
    return Repository.root().resolve("server/src/test/clients").resolve(language);
  }

  private static String url(RunningServer server) {
    return server.uri("").toString();
  }

  private static void assertCompleted(RunningServer server, String orderId, String said)
      throws IOException, InterruptedException {
    assertThat(said).contains("completed ");
    String id = said.substring(said.indexOf("completed ") + 10).lines().findFirst().orElseThrow();
    var delivery = server.get("/v1/deliveries/" + id).json();
    assertThat(delivery.path("status").asString()).isEqualTo("COMPLETED");
    assertThat(delivery.path("orderId").asString()).isEqualTo(orderId);
  }
}
