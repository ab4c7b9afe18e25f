package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Architecture.Dependency;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No classes of one package depend on each other in a circle, so each can be read, tested and
 * changed on top of those that it needs. The compiled classes are checked.
 */
@Tag("unit")
class CirclesTest {
  @Test
  void theCode_hasNone() throws Exception {
    assertThat(Circles.in(ArchitectureTest.compiledEdges())).isEmpty();
  }

  @Test
  void in_twoThatNeedEachOther_areACircle() {
    assertThat(circles("gilmok.a.A > gilmok.a.B", "gilmok.a.B > gilmok.a.A"))
        .containsExactly("a: A B");
  }

  @Test
  void in_alongWay_areOneCircle() {
    assertThat(
            circles(
                "gilmok.a.C > gilmok.a.A",
                "gilmok.a.A > gilmok.a.B",
                "gilmok.a.B > gilmok.a.C",
                "gilmok.a.B > gilmok.a.Below",
                "gilmok.a.Above > gilmok.a.A"))
        .containsExactly("a: A B C");
  }

  @Test
  void in_twoCirclesThatShareAClass_areOne() {
    assertThat(
            circles(
                "gilmok.a.A > gilmok.a.B",
                "gilmok.a.B > gilmok.a.A",
                "gilmok.a.B > gilmok.a.C",
                "gilmok.a.C > gilmok.a.B"))
        .containsExactly("a: A B C");
  }

  @Test
  void in_twoApart_areTwo() {
    assertThat(
            circles(
                "gilmok.a.A > gilmok.a.B",
                "gilmok.a.B > gilmok.a.A",
                "gilmok.a.A > gilmok.a.C",
                "gilmok.a.C > gilmok.a.D",
                "gilmok.a.D > gilmok.a.C"))
        .containsExactly("a: A B", "a: C D");
  }

  @Test
  void in_nestedClass_countsAsTheOneAroundIt() {
    assertThat(circles("gilmok.a.A > gilmok.a.B$Part", "gilmok.a.B > gilmok.a.A$1"))
        .containsExactly("a: A B");
    assertThat(circles("gilmok.a.A > gilmok.a.A$Part", "gilmok.a.A$Part > gilmok.a.A")).isEmpty();
  }

  @Test
  void in_acrossPackages_isAnotherRulesMatter() {
    assertThat(circles("gilmok.a.A > gilmok.b.B", "gilmok.b.B > gilmok.a.A")).isEmpty();
    assertThat(circles("gilmok.a.A > gilmok.a.b.A", "gilmok.a.b.A > gilmok.a.A")).isEmpty();
  }

  private static Set<String> circles(String... edges) {
    List<Dependency> made =
        Arrays.stream(edges)
            .map(edge -> edge.split(" > ", 2))
            .map(ends -> new Dependency(ends[0], ends[1]))
            .toList();
    return Circles.in(made);
  }
}
