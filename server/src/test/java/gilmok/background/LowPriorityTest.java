package gilmok.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Reads nice and policy from the kernel: fields 19 and 41 of proc(5)'s stat. */
@Tag("unit")
@EnabledOnOs(OS.LINUX)
class LowPriorityTest {
  private static final int NICE_AFTER_NAME = 16;
  private static final int POLICY_AFTER_NAME = 38;
  private static final int SCHED_IDLE = 5;

  @Test
  void threads_yieldToTheUsualOnes() throws Exception {
    int own = nice(); // another test may have lowered it
    FutureTask<Integer> theirs = new FutureTask<>(LowPriorityTest::nice);
    Thread thread = LowPriority.threads("low").newThread(theirs);
    thread.start();
    assertThat(theirs.get()).isEqualTo(LowPriority.NICE);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).startsWith("low-");
    assertThat(nice()).as("this thread is as it was").isEqualTo(own);
  }

  @Test
  void idleThreads_yieldToAll() throws Exception {
    FutureTask<Integer> theirs = new FutureTask<>(() -> field(POLICY_AFTER_NAME));
    LowPriority.idleThreads("idle").newThread(theirs).start();
    assertThat(theirs.get()).isEqualTo(SCHED_IDLE);
    assertThat(field(POLICY_AFTER_NAME)).as("this thread is as it was").isNotEqualTo(SCHED_IDLE);
  }

  private static int nice() throws Exception {
    return field(NICE_AFTER_NAME);
  }

  private static int field(int afterName) throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[afterName]);
  }
}
