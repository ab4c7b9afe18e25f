package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a test run's report: what failed, why, and the command that repeats it. */
@Tag("process")
final class TestReportIT {
  @TempDir Path reports;

  @Test
  void failure_isShownWithWhatWasExpected_whatCame_andTheCommand() throws Exception {
    write(
        "Foo",
        """
        <testcase name="quick" classname="gilmok.FooTest" time="0.5"/>
        <testcase name="leftOut" classname="gilmok.FooTest" time="0"><skipped/></testcase>
        <testcase name="anySeed(long)[3]" classname="gilmok.FooTest" time="1,002.5">
        <failure type="AssertionError"><![CDATA[
        java.lang.AssertionError: seed 12; again with -Dgilmok.seed=12
        \tat gilmok.Seeds.failed(Seeds.java:1)
        Caused by: java.lang.AssertionError:
        expected: 3
         but was: 4
        \tat org.assertj.Something.else(X.java:1)
        \tat gilmok.FooTest.anySeed(FooTest.java:3)]]></failure></testcase>
        """);
    assertThat(report("0"))
        .contains("2 tests, 1 failed, 0 flaky, 1 left out", "1002.5 s  FooTest#anySeed")
        .endsWith(
            """
            FAILED FooTest#anySeed
              java.lang.AssertionError: seed 12; again with -Dgilmok.seed=12
              Caused by: java.lang.AssertionError:
              expected: 3
               but was: 4
              at gilmok.FooTest.anySeed(FooTest.java:3)
              again: ./gilmok test '-Dtest=FooTest#anySeed' -Dgilmok.seed=12
            """);
  }

  @Test
  void testThatPassedTheSecondTime_isNamedWithItsFirstFailure() throws Exception {
    write(
        "Bar",
        """
        <testcase name="seldom" classname="gilmok.BarTest" time="0.5">
        <flakyFailure message="waited in vain" type="java.lang.AssertionError"><stackTrace><![CDATA[
        java.lang.AssertionError: waited in vain
        \tat gilmok.BarTest.seldom(BarTest.java:3)]]></stackTrace>
        <system-out>chatter</system-out></flakyFailure></testcase>
        """);
    assertThat(report("0"))
        .contains("1 tests, 0 failed, 1 flaky, 0 left out")
        .endsWith(
            """
            FLAKY BarTest#seldom
              java.lang.AssertionError: waited in vain
              at gilmok.BarTest.seldom(BarTest.java:3)
              again: ./gilmok test '-Dtest=BarTest#seldom'
            """);
  }

  @Test
  void reportsOfAnEarlierRun_areNotCounted() throws Exception {
    write("Old", "<testcase name=\"a\" classname=\"gilmok.OldTest\" time=\"1\"/>");
    assertThat(report(Long.toString(System.currentTimeMillis() + 60_000)))
        .isEqualToIgnoringNewLines("no tests ran");
  }

  private void write(String name, String cases) throws IOException {
    Files.writeString(
        reports.resolve("TEST-gilmok." + name + "Test.xml"),
        "<testsuite>" + cases + "</testsuite>");
  }

  private String report(String began) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                Repository.root().resolve("server/src/main/build/TestReport.java").toString(),
                began,
                reports.toString(),
                reports.resolve("missing").toString())
            .redirectErrorStream(true)
            .start();
    try (var out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      return said;
    }
  }
}
