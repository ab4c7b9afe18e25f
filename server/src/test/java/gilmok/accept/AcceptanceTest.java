package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.doctor.Check;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a trial does, the next one has its turn, and each cleans up. */
@Tag("unit")
@Timeout(60)
final class AcceptanceTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(100);

  /** A trial whose steps a test says. */
  private static final class Scripted implements EngineTrial {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Findings.Step run;
    private final Findings.Step cleanUp;
    private volatile boolean isClean;

    Scripted(Findings.@Nullable Step run, Findings.@Nullable Step cleanUp) {
      this.run = run == null ? this::hang : run;
      this.cleanUp = cleanUp == null ? this::hang : cleanUp;
    }

    private String hang() throws InterruptedException {
      begun.countDown();
      end.await();
      return "";
    }

    @Override
    public String engine() {
      return "scripted";
    }

    @Override
    public String writes() {
      return "its scratch";
    }

    @Override
    public void run(Findings findings) throws IOException, InterruptedException {
      findings.begin("the step");
      run.run();
    }

    @Override
    public String cleanUp() throws IOException, InterruptedException {
      String said = cleanUp.run();
      isClean = true;
      return said;
    }
  }

  private static String seen(Findings findings) {
    StringBuilder text = new StringBuilder();
    for (Check check : findings.checks()) {
      text.append(check.what() + " " + check.verdict() + ": " + check.seen() + "\n");
    }
    return text.toString();
  }

  @Test
  void aFailure_isAFinding_andIsCleanedUp_andTheNextOneRuns() throws Exception {
    Scripted failing =
        new Scripted(
            () -> {
              throw new IOException("no route");
            },
            () -> "gone");
    Scripted broken =
        new Scripted(
            () -> {
              throw new IllegalStateException("oops");
            },
            () -> "gone");
    Scripted well = new Scripted(() -> "", () -> "gone");
    try (Acceptance acceptance = new Acceptance(LONG)) {
      List<Findings> all = acceptance.run(List.of(failing, broken, well));
      assertThat(seen(all.get(0))).isEqualTo("the step look: no route\ncleaned up well: gone\n");
      assertThat(seen(all.get(1)))
          .contains("the step look: a bug of this program")
          .contains("oops");
      assertThat(seen(all.get(2))).isEqualTo("cleaned up well: gone\n");
      assertThat(broken.isClean).isTrue();
    }
  }

  @Test
  void whoHangs_isEndedInTime_andCleanedUp() throws Exception {
    Scripted hanging = new Scripted(null, () -> "gone");
    try (Acceptance acceptance = new Acceptance(SHORT, LONG)) {
      String said = seen(acceptance.run(List.of(hanging)).getFirst());
      assertThat(said)
          .startsWith("ends in time look: not within 0 s; it hangs in: the step\n")
          .endsWith("cleaned up well: gone\n");
    }
  }

  @Test
  void whatCannotBeRemoved_isNamed() throws Exception {
    Scripted leaving =
        new Scripted(
            () -> "",
            () -> {
              throw new IOException("denied: dropDatabase");
            });
    Scripted hanging = new Scripted(null, null);
    try (Acceptance acceptance = new Acceptance(SHORT, SHORT)) {
      Check left = acceptance.run(List.of(leaving)).getFirst().checks().getLast();
      assertThat(left.seen()).isEqualTo("denied: dropDatabase");
      assertThat(left.advice()).contains("by hand").contains("its scratch");
      assertThat(seen(acceptance.run(List.of(hanging)).getFirst()))
          .contains("cleaned up look: it took too long");
    }
  }

  @Test
  void whoIsInterrupted_cleansUp_andWhatFollowsIsNotTried() throws Exception {
    Scripted hanging = new Scripted(null, () -> "gone");
    Scripted next = new Scripted(() -> "", () -> "gone");
    try (Acceptance acceptance = new Acceptance(LONG)) {
      Thread stopping =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      assertThat(hanging.begun.await(20, TimeUnit.SECONDS)).isTrue();
                      acceptance.stop();
                    } catch (InterruptedException ended) {
                      Thread.currentThread().interrupt();
                    }
                  });
      List<Findings> all = acceptance.run(List.of(hanging, next));
      stopping.join();
      assertThat(seen(all.get(0)))
          .isEqualTo("the rest unknown: interrupted while: the step\ncleaned up well: gone\n");
      assertThat(seen(all.get(1))).isEqualTo("everything unknown: interrupted before it began\n");
      assertThat(next.isClean).isFalse();
    }
  }

  @Test
  void page_hasTheVerdicts_theAdviceAndTheFigures() {
    Findings findings = new Findings("redis");
    findings.add(Check.of("answers", "Redis 7", true, ""));
    findings.add(Check.of("rights", "denied: XADD", false, "grant it"));
    findings.notTried("TLS", "no rediss://", "");
    for (int i = 1; i <= 200; i++) {
      findings.note("ping", i * 1_000_000L);
    }
    AcceptPage page = new AcceptPage("gilmok 1 accept x", List.of(findings));
    assertThat(page.hasFailed()).isTrue();
    assertThat(String.join("\n", page.lines()))
        .containsPattern("answers +Redis 7 +pass\n")
        .containsPattern("rights +denied: XADD +FAIL\n")
        .containsPattern("TLS +no rediss:// +not tried\n")
        .contains("\nrights: grant it\n")
        .containsPattern("ping +200 +100\\.00 +198\\.00 +200\\.00\n")
        .endsWith("\n1 passed, 1 failed, 1 not tried");
    assertThat(page.json())
        .contains("\"verdict\" : \"not tried\"")
        .contains("\"p99Millis\" : 198.0")
        .contains("\"failed\" : 1");
  }
}
