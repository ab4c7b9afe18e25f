package gilmok.lab.advisories;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Advisories that are made up, against a bill that is, too. */
@Tag("unit")
class AdvisoriesCommandTest {
  private static final String BILL =
      """
      {"bomFormat":"CycloneDX","components":[
        {"group":"io.made-up","name":"edge","version":"4.2.18.Final"},
        {"group":"io.made-up","name":"other","version":"1.0"}]}
      """;

  @TempDir Path folder;
  private StringWriter out = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'introduced':'0'},{'fixed':'4.2.19.Final'}] | 1 | fixed in 4.2.19.Final",
        "[{'introduced':'4.2.0.Final'},{'fixed':'4.2.18.Final'}] | 0 | 0 found",
        "[{'introduced':'4.2.18.Final'}] | 1 | no version is free of it",
        "[{'introduced':'0'},{'last_affected':'4.2.18.Final'}] | 1 | no version is free of it",
        "[{'introduced':'0'},{'last_affected':'4.2.9.Final'}] | 0 | 0 found",
        "[{'introduced':'0'},{'fixed':'4.1.5'},{'introduced':'4.2.0'},{'fixed':'4.2.20'}]"
            + " | 1 | fixed in 4.2.20",
        "[{'introduced':'4.3.0.Alpha1'},{'fixed':'4.3.1'}] | 0 | 0 found",
      })
  void ranges_areThoseOfMavensOrder(String events, int code, String said) throws Exception {
    assertThat(
            run(advisory("io.made-up:edge", "'ranges':[{'type':'ECOSYSTEM','events':%s}]", events)))
        .isEqualTo(code);
    assertThat(out.toString()).contains(said);
    if (code == 1) {
      assertThat(out.toString())
          .contains("io.made-up:edge 4.2.18.Final: MADE-UP-1, CVE-0-1: it opens")
          .contains("2 components, 1 advisories about Maven: 1 found");
    }
  }

  @Test
  void versionsThatAreListed_count_andOthersDoNot() throws Exception {
    assertThat(run(advisory("io.made-up:other", "'versions':%s", "['0.9','1.0']"))).isEqualTo(1);
    assertThat(run(advisory("io.made-up:other", "'versions':%s", "['1.0.1']"))).isZero();
    assertThat(run(advisory("io.made-up:nobody", "'versions':%s", "['1.0']"))).isZero();
    String npm = advisory("io.made-up:other", "'versions':%s", "['1.0']").replace("Maven", "npm");
    assertThat(run(npm)).isZero();
    String withdrawn =
        advisory("io.made-up:other", "'versions':%s", "['1.0']")
            .replaceFirst("\\{", "{\"withdrawn\":\"2026-01-01T00:00:00Z\",");
    assertThat(run(withdrawn)).isZero();
  }

  @Test
  void listsAndFolders_areRead() throws Exception {
    String one = advisory("io.made-up:other", "'versions':%s", "['1.0']");
    assertThat(run("[" + one + "," + one + "]")).isEqualTo(1);
    assertThat(out.toString()).contains("2 found");
    Files.createDirectories(folder.resolve("db/deep"));
    Files.writeString(folder.resolve("db/deep/a.json"), one);
    Files.writeString(folder.resolve("db/readme.txt"), "not one");
    Files.writeString(folder.resolve("sbom.json"), BILL);
    assertThat(run(folder.resolve("db"))).isEqualTo(1);
  }

  @Test
  void whatIsUnusable_isNamed() throws Exception {
    assertThat(run("{")).isEqualTo(2);
    assertThat(out.toString()).contains("advisories.json: ");
    assertThat(run("{\"name\":\"x\"}")).isEqualTo(2);
    assertThat(out.toString()).contains("it has no id");
    assertThat(run(folder.resolve("nowhere.json"))).isEqualTo(2);
    assertThat(out.toString()).contains("nowhere.json");
    Files.writeString(folder.resolve("sbom.json"), "{}");
    assertThat(run(folder)).isEqualTo(2);
    assertThat(out.toString()).contains("lists no components");
    Files.delete(folder.resolve("sbom.json"));
    assertThat(run(folder)).isEqualTo(2);
    assertThat(out.toString()).contains("./gilmok build");
  }

  private static String advisory(String name, String affected, String value) {
    return """
        {'id':'MADE-UP-1','aliases':['CVE-0-1'],'summary':'it opens',
         'affected':[{'package':{'ecosystem':'Maven','name':'%s'},%s}]}"""
        .formatted(name, affected.formatted(value))
        .replace('\'', '"');
  }

  private int run(String advisories) throws Exception {
    Files.writeString(folder.resolve("sbom.json"), BILL);
    Path file = folder.resolve("advisories.json");
    Files.writeString(file, advisories);
    return run(file);
  }

  private int run(Path advisories) {
    out = new StringWriter();
    PrintWriter to = new PrintWriter(out, true);
    String sbom = folder.resolve("sbom.json").toString();
    return new CommandLine(new AdvisoriesCommand())
        .setOut(to)
        .setErr(to)
        .execute("--sbom", sbom, advisories.toString());
  }
}
