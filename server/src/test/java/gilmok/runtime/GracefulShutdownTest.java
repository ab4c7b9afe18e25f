package gilmok.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A shutdown ends and closes every part, even if some of them throw. */
@Tag("unit")
final class GracefulShutdownTest {
  private final List<String> ended = new ArrayList<>();

  private Drainable part(String name, Runnable end) {
    return new Drainable() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void drain(Duration patience) {
        end.run();
        ended.add(name);
      }
    };
  }

  @Test
  void run_partsThrow_theOthersEnd() throws Exception {
    try (Meters meters = new Meters()) {
      new GracefulShutdown(StopConfig.hasty(), new Readiness(), meters)
          .run(
              List.of(
                  part(
                      "bug",
                      () -> {
                        throw new IllegalStateException("told to fail");
                      }),
                  part("one", () -> {}),
                  part(
                      "error",
                      () -> {
                        throw new NoClassDefFoundError("told to fail");
                      }),
                  part("two", () -> {})));
    }
    assertThat(ended).containsExactly("one", "two");
  }

  @Test
  void closeAll_someThrow_theOthersAreClosed_andItIsSaid() {
    CloseStack closeStack = new CloseStack();
    closeStack.add(() -> ended.add("last"));
    closeStack.add(
        () -> {
          throw new IOException("told to fail");
        });
    closeStack.add(
        () -> {
          throw new NoClassDefFoundError("told to fail");
        });
    closeStack.add(() -> ended.add("first"));

    assertThatThrownBy(closeStack::closeAll)
        .isInstanceOf(IOException.class)
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
    assertThat(ended).containsExactly("first", "last");
  }
}
