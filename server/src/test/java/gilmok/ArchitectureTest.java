package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Architecture.Dependency;
import gilmok.Architecture.Fence;
import gilmok.Architecture.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks the compiled classes against the table of packages in ARCHITECTURE.md. A change of that
 * table is a decision about the architecture.
 */
@Tag("unit")
class ArchitectureTest {
  private static final List<Row> TABLE = table();

  private static final List<Fence> FENCES =
      List.of(
          new Fence("io.vertx.", ArchitectureTest::mayUseFramework),
          new Fence("io.netty.", name -> mayUseFramework(name) || mayUseRedis(name)),
          new Fence("io.lettuce.", ArchitectureTest::mayUseRedis),
          new Fence("org.sqlite.", name -> mayUseDatabase(name, "Sqlite")),
          new Fence("com.mongodb.", name -> mayUseDatabase(name, "Mongo")),
          new Fence("org.apache.kafka.", name -> name.startsWith("gilmok.sinks.kafka.")),
          new Fence("software.amazon.", ArchitectureTest::mayUseAmazons),
          new Fence("picocli.", name -> name.matches("gilmok\\.(accept|cli|doctor|process)\\..*")));

  private static final Pattern JDEPS_LINE = Pattern.compile(" +(gilmok\\.\\S+) +-> (\\S+) .*");

  @Test
  void theCode_followsTheTable() throws URISyntaxException {
    List<Dependency> edges = compiledEdges();
    assertThat(edges).contains(new Dependency("gilmok.process.Main", "gilmok.cli.Commands"));
    assertThat(Architecture.problems(TABLE, FENCES, edges)).isEmpty();
  }

  @Test
  void everyPackage_isInTheTable() throws IOException {
    Path sources = Repository.root().resolve("server/src/main/java/gilmok");
    try (Stream<Path> files = Files.walk(sources)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                  .distinct())
          .isSubsetOf(TABLE.stream().map(Row::name).toList());
    }
  }

  @Test
  void everyRow_isOfAPackageThatIsThere() {
    Path sources = Repository.root().resolve("server/src/main/java/gilmok");
    assertThat(TABLE)
        .hasSizeGreaterThan(40)
        .allMatch(row -> Files.isDirectory(sources.resolve(row.name().replace('.', '/'))));
  }

  @Test
  void problems_importOutsideTheRow_isFound() {
    assertThat(problems("gilmok.log.Log", "gilmok.http.Route"))
        .containsExactly("log must not import http: gilmok.log.Log -> gilmok.http.Route");
    assertThat(problems("gilmok.positions.Index", "gilmok.collect.Collect")).hasSize(1);
    assertThat(problems("gilmok.http.Server", "gilmok.process.Main")).hasSize(1);
    assertThat(problems("gilmok.http.Server", "gilmok.cli.Commands")).hasSize(1);
    assertThat(problems("gilmok.collect.json.Scanner", "gilmok.collect.Batch")).hasSize(1);
  }

  @Test
  void problems_importWithinTheRow_isFine() {
    assertThat(problems("gilmok.collect.Collect", "gilmok.collect.json.Scanner")).isEmpty();
    assertThat(problems("gilmok.http.Server", "gilmok.warmup.Warmable")).isEmpty();
    assertThat(problems("gilmok.process.Main", "gilmok.collect.Collect")).isEmpty();
  }

  @Test
  void problems_foreignCodeInStarredPackage_isFound() {
    assertThat(problems("gilmok.log.Log", "com.github.luben.zstd.Zstd"))
        .containsExactly("log imports the JDK only: gilmok.log.Log -> com.github.luben.zstd.Zstd");
    assertThat(problems("gilmok.log.Log", "java.nio.ByteBuffer")).isEmpty();
    assertThat(problems("gilmok.compress.Fragment", "com.github.luben.zstd.Zstd")).isEmpty();
    assertThat(problems("gilmok.compress.Fragment", "io.vertx.core.Vertx")).hasSize(2);
    assertThat(problems("gilmok.log.Log", "org.jspecify.annotations.Nullable")).isEmpty();
    assertThat(problems("gilmok.collect.json.Fallback", "tools.jackson.databind.JsonNode"))
        .isEmpty();
  }

  @Test
  void problems_frameworkOutsideHttpAndRoutes_isFound() {
    assertThat(problems("gilmok.positions.Index", "io.vertx.core.Vertx"))
        .containsExactly("gilmok.positions.Index must not use io.vertx.*: io.vertx.core.Vertx");
    assertThat(problems("gilmok.positions.PositionRoutes$1", "io.vertx.core.Vertx")).isEmpty();
    assertThat(problems("gilmok.http.Server", "io.netty.buffer.ByteBuf")).isEmpty();
    assertThat(problems("gilmok.process.Main", "io.netty.buffer.ByteBuf")).hasSize(1);
    assertThat(problems("gilmok.sinks.redis.RedisSink", "io.lettuce.core.RedisClient")).hasSize(1);
    assertThat(problems("gilmok.deliveries.SqliteDeliveries", "org.sqlite.JDBC")).isEmpty();
    assertThat(problems("gilmok.deliveries.Deliveries", "org.sqlite.JDBC")).hasSize(1);
  }

  @Test
  void problems_unknownPackage_isFound() {
    assertThat(problems("gilmok.util.Strings", "java.lang.String"))
        .containsExactly("util is not in the table");
  }

  @Test
  void problems_cycle_isFoundEvenWhereRowsAllowIt() {
    List<Row> loose = List.of(row("a", "*"), row("b", "*"), row("c", "*"));
    List<Dependency> edges =
        List.of(
            new Dependency("gilmok.a.A", "gilmok.b.B"),
            new Dependency("gilmok.b.B", "gilmok.c.C"),
            new Dependency("gilmok.c.C", "gilmok.b.B2"));
    assertThat(Architecture.problems(loose, List.of(), edges))
        .containsExactly("b is part of a cycle", "c is part of a cycle");
  }

  private static List<String> problems(String from, String to) {
    return Architecture.problems(TABLE, FENCES, List.of(new Dependency(from, to)));
  }

  private static boolean mayUseFramework(String name) {
    return name.startsWith("gilmok.http.")
        || name.endsWith("Routes")
        || name.matches("gilmok\\.deliveries\\.relay\\.HttpWebhookSender(\\$.*)?");
  }

  /** The driver of Redis shows some of Netty's types, so the same classes may use Netty. */
  private static boolean mayUseRedis(String name) {
    return name.startsWith("gilmok.redis.");
  }

  private static boolean mayUseAmazons(String name) {
    return name.startsWith("gilmok.sinks.firehose.")
        || name.matches("gilmok\\.accept\\.S3Trial(\\$.*)?")
        || name.matches("gilmok\\.backup\\.repository\\.S3Store(\\$.*)?");
  }

  private static boolean mayUseDatabase(String name, String prefix) {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    return name.startsWith("gilmok.documents.") || simple.startsWith(prefix);
  }

  /** The dependencies between classes, as the compiled classes show them. */
  static List<Dependency> compiledEdges() throws URISyntaxException {
    Path classes =
        Path.of(
            gilmok.process.Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    int code =
        jdeps.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "-verbose:class",
            "-filter:none",
            classes.toString());
    assertThat(code).as(err.toString()).isZero();
    return out.toString()
        .lines()
        .map(JDEPS_LINE::matcher)
        .filter(Matcher::matches)
        .map(line -> new Dependency(line.group(1), line.group(2)))
        .toList();
  }

  private static Row row(String name, String... ours) {
    return new Row(name, false, Set.of(ours), Set.of());
  }

  private static List<Row> table() {
    try {
      return PackageTable.rows(Files.readString(Repository.root().resolve("ARCHITECTURE.md")));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
