package gilmok.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.background.BackgroundLoops;
import gilmok.event.JsonBuffer;
import gilmok.observe.Meters;
import gilmok.privacy.ErasedList;
import gilmok.privacy.Pseudonyms;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of an erasure's steps, and how it goes on after whatever has stopped it. */
@Tag("unit")
final class ErasuresTest {
  private static final Pseudonyms PSEUDONYMS =
      new Pseudonyms("sixteen bytes ok".getBytes(StandardCharsets.UTF_8));

  @TempDir Path folder;
  private final List<String> taken = new ArrayList<>();
  private final Random ids = new Random(7);

  /** Fails as long as it says so. */
  private String broken = "";

  private String brokenRider = "";

  private Erasable store(String name, Erasable.When when, long count) {
    return Erasable.of(
        name,
        when,
        rider -> {
          if (broken.equals(name) || brokenRider.equals(rider.id())) {
            throw new IOException(name + " is away");
          }
          assertThat(rider.phones()).containsExactly("phone of " + rider.id());
          taken.add(name + " " + rider.id());
          return new Erasable.Outcome(count, 1, List.of());
        });
  }

  private Erasures erasures() throws IOException {
    return new Erasures(
        List.of(
            store("a", Erasable.When.TWICE, 2),
            store("end", Erasable.When.SHARED, 0),
            store("left", Erasable.When.LAST, 0),
            store("b", Erasable.When.TWICE, 3)),
        new Erasures.Means(
            null,
            folder,
            new FileDisk(),
            "n1",
            PSEUDONYMS,
            rider -> List.of("phone of " + rider),
            InstantSource.fixed(Instant.ofEpochMilli(50_000)),
            ids),
        BackgroundLoops.unwatched(),
        new Meters());
  }

  private static String ask(Erasures erasures, String rider) throws Exception {
    return Objects.requireNonNull(erasures.ask(rider, "k1"));
  }

  private static String shown(Erasures erasures, String id) throws Exception {
    JsonBuffer out = new JsonBuffer();
    erasures.write(Objects.requireNonNull(erasures.find(id)), out);
    return out.toString();
  }

  private static void toTheEnd(Erasures erasures) throws Exception {
    long wait = 0;
    while (wait <= 0) {
      wait = erasures.pass();
    }
  }

  @Test
  void allIsTakenTwice_thenWhatComesLast_andTheCertificateHasNoId() throws Exception {
    Erasures erasures = erasures();
    String id = ask(erasures, "rider-7");
    assertThat(shown(erasures, id)).contains("\"state\":\"waiting\"").contains("\"of\":6");
    toTheEnd(erasures);
    assertThat(taken)
        .containsExactly(
            "a rider-7", "b rider-7", "a rider-7", "b rider-7", "left rider-7", "end rider-7");
    assertThat(shown(erasures, id))
        .isEqualTo(
            "{\"id\":\""
                + id
                + "\",\"pseudonym\":\""
                + PSEUDONYMS.of("rider-7")
                + "\",\"state\":\"done\",\"askedAt\":\"1970-01-01T00:00:50Z\",\"key\":\"k1\","
                + "\"nodes\":[{\"node\":\"n1\",\"state\":\"done\","
                + "\"doneAt\":\"1970-01-01T00:00:50Z\",\"stores\":["
                + "{\"store\":\"a\",\"erased\":4,\"pseudonymised\":2},"
                + "{\"store\":\"b\",\"erased\":6,\"pseudonymised\":2},"
                + "{\"store\":\"left\",\"erased\":0,\"pseudonymised\":1},"
                + "{\"store\":\"end\",\"erased\":0,\"pseudonymised\":1}]}]}");
    assertThat(bytes()).noneMatch(text -> text.contains("rider-7"));
    ErasedList list = ErasedList.read(new FileDisk(), folder.resolve(ErasedList.FILE));
    assertThat(list.erased()).containsOnlyKeys(PSEUDONYMS.of("rider-7"));
    assertThat(list.erased()).containsValue(50_000L);
  }

  private List<String> bytes() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all;
  }

  @Test
  void anotherProcess_goesOnWhereTheFirstWasKilled_afterEachStep() throws Exception {
    for (int passes = 0; passes < 8; passes++) {
      taken.clear();
      Erasures first = erasures();
      String id = ask(first, "rider-" + passes);
      for (int i = 0; i < passes; i++) {
        first.pass();
      }
      Erasures second = erasures();
      toTheEnd(second);
      assertThat(taken).as("after " + passes).hasSize(6);
      assertThat(shown(second, id)).contains("\"state\":\"done\"").doesNotContain("atLeast");
    }
  }

  @Test
  void whatFails_isTriedAgain_isNamed_andItsCountIsAtLeast() throws Exception {
    Erasures erasures = erasures();
    String id = ask(erasures, "rider-7");
    broken = "b";
    erasures.pass();
    assertThatThrownBy(erasures::pass).hasMessage("b is away");
    assertThatThrownBy(erasures::pass).hasMessage("b is away");
    assertThat(shown(erasures, id))
        .contains("\"state\":\"running\"")
        .contains("\"step\":\"b/1\"")
        .contains("\"error\":\"b is away\"");
    broken = "";
    toTheEnd(erasures);
    assertThat(shown(erasures, id))
        .contains("{\"store\":\"b\",\"erased\":6,\"pseudonymised\":2,\"atLeast\":true}")
        .contains("{\"store\":\"a\",\"erased\":4,\"pseudonymised\":2}");
  }

  @Test
  void oneThatFails_doesNotHoldUpOthers() throws Exception {
    Erasures erasures = erasures();
    String bad = ask(erasures, "rider-bad");
    String good = ask(erasures, "rider-good");
    brokenRider = "rider-bad";
    for (int i = 0; i < 20; i++) {
      try {
        erasures.pass();
      } catch (IOException expected) {
        assertThat(expected).hasMessage("a is away");
      }
    }
    assertThat(shown(erasures, good)).contains("\"state\":\"done\"");
    assertThat(shown(erasures, bad)).contains("\"state\":\"running\"");
    brokenRider = "";
    toTheEnd(erasures);
    assertThat(shown(erasures, bad)).contains("\"state\":\"done\"");
  }

  @Test
  void severalAtOnce_shareTheLastStep() throws Exception {
    Erasures erasures = erasures();
    String one = ask(erasures, "rider-1");
    String two = ask(erasures, "rider-2");
    toTheEnd(erasures);
    assertThat(taken).filteredOn(step -> step.startsWith("end ")).hasSize(1);
    assertThat(taken).filteredOn(step -> step.startsWith("a ")).hasSize(4);
    assertThat(shown(erasures, one)).contains("\"state\":\"done\"").contains("\"end\"");
    assertThat(shown(erasures, two)).contains("\"state\":\"done\"").contains("\"end\"");
  }

  @Test
  void asked_againWhileItWaits_isTheSame_andLaterAnother() throws Exception {
    Erasures erasures = erasures();
    String id = ask(erasures, "rider-7");
    assertThat(ask(erasures, "rider-7")).isEqualTo(id);
    erasures.pass();
    String later = ask(erasures, "rider-7");
    assertThat(later).as("more may have come since it began").isNotEqualTo(id);
    toTheEnd(erasures);
    assertThat(shown(erasures, later)).contains("\"state\":\"done\"");
    assertThat(erasures.find("0123456789abcdef")).isNull();
  }

  @Test
  void tooMany_areRefused() throws Exception {
    Erasures erasures = erasures();
    for (int i = 0; i < Erasures.OPEN_MAX; i++) {
      assertThat(erasures.ask("rider-" + i, "k1")).isNotNull();
    }
    assertThat(erasures.ask("one more", "k1")).isNull();
  }

  @Test
  void damagedFile_isNamed_andNothingIsForgotten() throws Exception {
    String id = ask(erasures(), "rider-7");
    Path file = folder.resolve("erasures").resolve(id + ".open");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(this::erasures).isInstanceOf(IOException.class).hasMessageContaining(id);
  }
}
