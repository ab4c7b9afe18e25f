package gilmok.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class TraceContextTest {
  private static final String HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void header_isReadAndWritten() {
    TraceContext read = parse(HEADER);
    assertThat(read.header()).isEqualTo(HEADER).hasSize(TraceContext.CHARS);
    assertThat(read.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(read.span()).isEqualTo("00f067aa0ba902b7");
    assertThat(read.isSampled()).isTrue();
    assertThat(parse(HEADER.replace("-01", "-fe")).isSampled()).isFalse();
  }

  @Test
  void child_isAnotherSpanOfTheSameTrace() {
    TraceContext read = parse(HEADER.replace("-01", "-00"));
    TraceContext child = read.child();
    assertThat(child.traceId()).isEqualTo(read.traceId());
    assertThat(child.spanId()).isNotZero().isNotEqualTo(read.spanId());
    assertThat(child.isSampled()).isTrue();
    assertThat(TraceContext.parse(child.header())).isEqualTo(child);
    assertThat(TraceContext.parse(TraceContext.begin().header())).isNotNull();
  }

  /** A later version may have more behind it, after another dash. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-brings"
      })
  void laterVersion_isReadAsFarAsItIsKnown(String header) {
    assertThat(TraceContext.parse(header)).isEqualTo(TraceContext.parse(HEADER));
  }

  /** The specification has most of them as examples of what is to be ignored. */
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00.4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473\u0660-00f067aa0ba902b7-01"
      })
  void other_isIgnored(String header) {
    assertThat(TraceContext.parse(header)).isNull();
  }

  @Test
  void current_isThatOfTheWork() throws Exception {
    TraceContext read = parse(HEADER);
    assertThat(TraceContext.current()).isNull();
    assertThat(read.call(() -> Objects.requireNonNull(TraceContext.current()))).isSameAs(read);
    assertThat(TraceContext.current()).isNull();
  }

  private static TraceContext parse(String header) {
    return Objects.requireNonNull(TraceContext.parse(header));
  }
}
