package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a real JVM uses an AOT cache: one that fits, and several that do not. */
@Tag("process")
final class AotCacheIT {
  @TempDir Path folder;

  /** Prints, in a JVM of its own, whether that JVM uses its cache. */
  static final class Said {
    private Said() {}

    public static void main(String[] arguments) {
      AotCache state = AotCache.ofThisProcess();
      System.out.println(
          state == AotCache.USED ? state + " " + AotCache.optionsForAnother() : state);
    }
  }

  @Test
  void ofThisProcess_fitsOrNot_isTold() throws Exception {
    Path jar = jar();
    Path cache = folder.resolve("cache.aot");
    assertThat(run(jar, "-XX:AOTCacheOutput=" + cache)).contains("MAKING");
    String given = "-XX:AOTCache=" + cache;

    assertThat(run(jar, given)).isEqualTo("USED [" + given + "]");
    assertThat(run(jar, given, "-XX:+UseCompactObjectHeaders")).isEqualTo("UNUSED");
    assertThat(run(jar)).isEqualTo("NONE");
    try (RandomAccessFile file = new RandomAccessFile(cache.toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    assertThat(run(jar, given)).isEqualTo("UNUSED");
    Files.delete(cache);
    assertThat(run(jar, given)).isEqualTo("UNUSED");
  }

  /** As an APM's: it wants to see each class. */
  static final class Agent {
    private Agent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
      instrumentation.addTransformer(new ClassFileTransformer() {}, true);
    }
  }

  /** What {@code gilmok train --with-agent} rests on. */
  @Test
  void ofThisProcess_anAgent_needsACacheThatWasTrainedForOne() throws Exception {
    Path jar = jar();
    Path agentJar = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(agentJar), manifest)) {
      add(out, Agent.class);
      add(out, Class.forName(Agent.class.getName() + "$1"));
    }
    Path cache = folder.resolve("cache.aot");
    String given = "-XX:AOTCache=" + cache;
    String agent = "-javaagent:" + agentJar;
    String module = "--add-modules=java.instrument";

    assertThat(run(jar, "-XX:AOTCacheOutput=" + cache)).contains("MAKING");
    assertThat(run(jar, given, agent)).isEqualTo("UNUSED");
    assertThat(Files.readString(folder.resolve("err"))).contains("java.instrument");
    assertThat(run(jar, "-XX:AOTCacheOutput=" + cache, module)).contains("MAKING");
    assertThat(run(jar, given, agent)).isEqualTo("USED [" + given + ", " + module + "]");
    assertThat(run(jar, given, module, agent)).isEqualTo("USED [" + given + ", " + module + "]");
    assertThat(run(jar, given, module)).isEqualTo("USED [" + given + ", " + module + "]");
    assertThat(run(jar, given)).isEqualTo("UNUSED");
  }

  /**
   * The text that {@link Said} printed. The JVM's own warnings go to standard error, as they do
   * under the launcher.
   */
  private String run(Path jar, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+UseSerialGC"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", jar.toString(), Said.class.getName()));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out).strip();
  }

  /** A jar of the two classes: an AOT cache takes no classes from a folder. */
  private Path jar() throws IOException {
    Path jar = folder.resolve("said.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> one : List.of(AotCache.class, Said.class)) {
        add(out, one);
      }
    }
    return jar;
  }

  private static void add(JarOutputStream out, Class<?> one) throws IOException {
    String name = one.getName().replace('.', '/') + ".class";
    out.putNextEntry(new JarEntry(name));
    try (InputStream in = one.getClassLoader().getResourceAsStream(name)) {
      assertThat(in).isNotNull().satisfies(found -> found.transferTo(out));
    }
  }
}
