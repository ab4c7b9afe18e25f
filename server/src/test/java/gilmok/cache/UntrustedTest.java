package gilmok.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UntrustedTest {
  private long now = Long.MAX_VALUE - 5;
  private final Untrusted untrusted = new Untrusted(() -> now, 10);

  @Test
  void mark_lastsUntilItIsClearedOrOver() {
    assertThat(untrusted.of("k")).isNull();
    Untrusted.Mark first = untrusted.mark("k");
    assertThat(untrusted.of("k")).isSameAs(first);
    Untrusted.Mark second = untrusted.mark("k");
    untrusted.clear("k", first);
    assertThat(untrusted.of("k")).as("an earlier change's").isSameAs(second);
    untrusted.clear("k", second);
    assertThat(untrusted.of("k")).isNull();
    untrusted.mark("k");
    now += 9;
    assertThat(untrusted.of("k")).isNotNull();
    now += 1;
    assertThat(untrusted.of("k")).isNull();
    assertThat(untrusted.size()).isZero();
  }

  @Test
  void mark_moreThanThereIsRoomFor_untrustsAll() {
    for (int i = 0; i < Untrusted.MARKS_MAX; i++) {
      untrusted.mark("k" + i);
    }
    assertThat(untrusted.of("other")).isNull();
    untrusted.mark("more");
    assertThat(untrusted.size()).isZero();
    assertThat(untrusted.of("other")).isNotNull();
    assertThat(untrusted.of("k0")).isNotNull();
    now += 9;
    Untrusted.Mark later = untrusted.mark("k0");
    now += 1;
    assertThat(untrusted.of("other")).isNull();
    assertThat(untrusted.of("k0")).isSameAs(later);
  }
}
