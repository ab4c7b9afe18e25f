package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageTest {
  private static final byte[] SEGMENT = new byte[1_000];
  private static final String NAME = "log/00000000000000000001.log";

  @TempDir private Path data;

  @BeforeEach
  void aFolder() throws Exception {
    Files.createDirectories(data.resolve("log"));
    Files.createDirectories(data.resolve("snapshots"));
    Files.createDirectories(data.resolve("shipped"));
    SEGMENT[99] = 1;
    Files.write(data.resolve(NAME), SEGMENT);
    Files.writeString(data.resolve("node"), "abcdefgh");
    Files.writeString(data.resolve("snapshots/live"), "positions");
    Files.writeString(data.resolve("documents.db"), "documents");
    Files.writeString(data.resolve("shipped/file"), "not the server's any more");
    Files.writeString(data.resolve("gilmok.lock"), "");
  }

  @Test
  void choose_often_hurtsEveryFileOfTheServersAndNoOther() throws Exception {
    Set<String> hurt = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      String damage = Damage.choose(data, new SplittableRandom(seed)).toString();
      assertThat(damage).doesNotContain("documents.db flipped");
      hurt.add(damage.substring(0, damage.indexOf(' ')));
    }
    assertThat(hurt).containsExactlyInAnyOrder(NAME, "node", "snapshots/live", "documents.db");
  }

  @Test
  void hurtAndUndo_eachWay_bringTheGoodCopyBack() throws Exception {
    for (Damage.How how : Damage.How.values()) {
      Damage damage = new Damage(data, Path.of("node"), how, 4);
      damage.hurt();
      switch (how) {
        case DELETED -> assertThat(data.resolve("node")).doesNotExist();
        case CUT -> assertThat(data.resolve("node")).hasContent("abcd");
        case FLIPPED -> assertThat(Files.readString(data.resolve("node"))).startsWith("abcd?fgh");
      }
      damage.undo();
      assertThat(data.resolve("node")).hasContent("abcdefgh");
    }
  }

  @Test
  void isNamedLoudly_onlyInALineThatAsksForAttention() throws Exception {
    Damage damage = new Damage(data, Path.of("snapshots/live"), Damage.How.FLIPPED, 1);
    assertThat(damage.isNamedLoudly("… WARN gilmok snapshots/live is damaged")).isTrue();
    assertThat(damage.isNamedLoudly("… INFO gilmok.live live.keep = 30 d")).isFalse();
    assertThat(damage.isNamedLoudly("java.lang.IllegalStateException")).isFalse();
  }

  @Test
  void isOfAnOlderSegment_onlyWithANewerOneBesideIt() throws Exception {
    Damage damage = new Damage(data, Path.of(NAME), Damage.How.FLIPPED, 50);
    assertThat(damage.isOfAnOlderSegment()).isFalse();
    Files.write(data.resolve("log/00000000000000000090.log"), SEGMENT);
    assertThat(damage.isOfAnOlderSegment()).isTrue();
    assertThat(new Damage(data, Path.of("node"), Damage.How.CUT, 1).isOfAnOlderSegment()).isFalse();
  }

  @Test
  void isHarmless_onlyWhereNothingIsWritten() throws Exception {
    assertThat(new Damage(data, Path.of(NAME), Damage.How.CUT, 100).isHarmless()).isTrue();
    assertThat(new Damage(data, Path.of(NAME), Damage.How.FLIPPED, 100).isHarmless()).isTrue();
    assertThat(new Damage(data, Path.of(NAME), Damage.How.CUT, 99).isHarmless()).isFalse();
    assertThat(new Damage(data, Path.of(NAME), Damage.How.FLIPPED, 50).isHarmless()).isFalse();
    assertThat(new Damage(data, Path.of("node"), Damage.How.DELETED, 0).isHarmless()).isFalse();
    assertThat(new Damage(data, Path.of("snapshots/live"), Damage.How.DELETED, 0).isHarmless())
        .isTrue();
  }
}
