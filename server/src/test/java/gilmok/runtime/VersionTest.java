package gilmok.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class VersionTest {
  @TempDir Path folder;

  @Test
  void origin_saysTheCommit_orThatItIsUnknown() throws IOException {
    Map<String, String> known =
        Map.of("Build-Commit", "abc-dirty", "Build-Commit-Time", "2026-01-02T03:04:05Z");
    assertThat(Version.origin(jar(known))).isEqualTo("commit abc-dirty of 2026-01-02T03:04:05Z");
    assertThat(Version.commit(jar(known))).isEqualTo("abc-dirty");
    assertThat(Version.built(jar(known))).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(Version.built(jar(Map.of("Build-Commit", "a", "Build-Commit-Time", "unknown"))))
        .isNull();
    assertThat(Version.built(folder)).isNull();
    assertThat(Version.commit(jar(Map.of()))).isEqualTo("unknown");
    assertThat(Version.commit(folder)).isEqualTo("unknown");
    String unknown = "commit unknown, built outside git";
    assertThat(Version.origin(jar(Map.of("Build-Commit", "unknown")))).isEqualTo(unknown);
    assertThat(Version.origin(jar(Map.of()))).isEqualTo(unknown);
    assertThat(Version.origin(folder)).isEqualTo("not from a jar");
    assertThat(Version.origin(Files.writeString(folder.resolve("torn.jar"), "torn")))
        .startsWith("commit unknown: ");
  }

  private Path jar(Map<String, String> entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    entries.forEach(manifest.getMainAttributes()::putValue);
    Path jar = folder.resolve("a.jar");
    try (JarOutputStream _ = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      return jar;
    }
  }
}
