package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class DamageTest {
  private static final String AT = "2026-11-21T09:00:00.123Z";
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
  void isNamedLoudly_onlyByItsPathInALineThatAsksForAttention() throws Exception {
    Damage live = new Damage(data, Path.of("snapshots/live"), Damage.How.FLIPPED, 1);
    String path = data.resolve("snapshots/live").toString();
    assertThat(live.isNamedLoudly(AT + " WARN gilmok.positions " + path + " is damaged")).isTrue();
    assertThat(live.isNamedLoudly("gilmok: " + path + ": damaged at offset 1")).isTrue();
    assertThat(live.isNamedLoudly(AT + " INFO gilmok.positions " + path + " was read")).isFalse();
    assertThat(live.isNamedLoudly("java.io.IOException: " + path)).isFalse();
    assertThat(live.isNamedLoudly(AT + " WARN gilmok.positions positions.keep is long")).isFalse();
  }

  @Test
  void isNamedLoudly_itsNameAsAWordOrPartOfAnother_isNot() throws Exception {
    Damage node = new Damage(data, Path.of("node"), Damage.How.FLIPPED, 1);
    assertThat(node.isNamedLoudly(AT + " WARN gilmok.log " + data + " of node n1 was moved"))
        .isFalse();
    Damage documents = new Damage(data, Path.of("documents.db"), Damage.How.CUT, 1);
    assertThat(documents.isNamedLoudly("gilmok: " + data + "/documents.db-wal is damaged"))
        .isFalse();
    assertThat(documents.isNamedLoudly("gilmok: " + data + "/documents.db is damaged")).isTrue();
  }

  @Test
  void isNamedLoudly_segmentThatIsGone_alsoByItsNeighbour() throws Exception {
    Damage gone = new Damage(data, Path.of(NAME), Damage.How.DELETED, 0);
    String line = "gilmok: " + data.resolve("log/00000000000000000090.log") + ": damaged";
    assertThat(gone.isNamedLoudly(line)).isTrue();
    assertThat(new Damage(data, Path.of(NAME), Damage.How.CUT, 50).isNamedLoudly(line)).isFalse();
  }

  @Test
  void expected_smallFiles_areAsTheTableSays() throws Exception {
    assertThat(expected("node", Damage.How.FLIPPED, 4)).containsExactly(Outcome.NAMED);
    assertThat(expected("snapshots/live", Damage.How.DELETED, 0)).containsExactly(Outcome.SILENT);
    assertThat(expected("documents.db", Damage.How.CUT, 4)).containsExactly(Outcome.REFUSED);
    Files.writeString(data.resolve("documents.db-wal"), "more");
    assertThat(expected("documents.db", Damage.How.CUT, 4))
        .containsExactlyInAnyOrder(Outcome.REFUSED, Outcome.SILENT);
    assertThat(expected("documents.db", Damage.How.DELETED, 0)).containsExactly(Outcome.REFUSED);
  }

  @Test
  void expected_unknownFile_nothingIsRight() throws Exception {
    Files.writeString(data.resolve("novelty"), "of a later version");
    assertThat(expected("novelty", Damage.How.CUT, 1)).isEmpty();
  }

  @Test
  void expected_onlySegment_isRefusedOrATornEnd() throws Exception {
    assertThat(expected(NAME, Damage.How.FLIPPED, 50))
        .containsExactlyInAnyOrder(Outcome.REFUSED, Outcome.NAMED);
    assertThat(expected(NAME, Damage.How.DELETED, 0)).containsExactly(Outcome.REFUSED);
    assertThat(expected(NAME, Damage.How.CUT, 100))
        .containsExactlyInAnyOrder(Outcome.SILENT, Outcome.NAMED);
  }

  @Test
  void expected_olderSegment_isFoundByVerify() throws Exception {
    Files.write(data.resolve("log/00000000000000000090.log"), SEGMENT);
    assertThat(expected(NAME, Damage.How.FLIPPED, 50))
        .containsExactlyInAnyOrder(Outcome.REFUSED, Outcome.VERIFIED);
    assertThat(expected(NAME, Damage.How.DELETED, 0))
        .containsExactlyInAnyOrder(Outcome.NAMED, Outcome.SILENT);
    Files.write(data.resolve("log/00000000000000000000.log"), SEGMENT);
    assertThat(expected(NAME, Damage.How.DELETED, 0)).containsExactly(Outcome.REFUSED);
  }

  @Test
  void expected_repeatsGone_areNamedWhereTheLogHasLetGo() throws Exception {
    Files.writeString(data.resolve("snapshots/repeats"), "keys");
    assertThat(expected("snapshots/repeats", Damage.How.DELETED, 0))
        .containsExactly(Outcome.SILENT);
    Files.delete(data.resolve(NAME));
    assertThat(expected("snapshots/repeats", Damage.How.DELETED, 0)).containsExactly(Outcome.NAMED);
  }

  @Test
  void toll_cursorOfASink_isItsAccount() throws Exception {
    Files.createDirectories(data.resolve("cursors"));
    Files.writeString(data.resolve("cursors/ship.firehose.cursor"), "cursor");
    Files.writeString(data.resolve("cursors/live.cursor"), "cursor");
    Damage sink = new Damage(data, Path.of("cursors/ship.firehose.cursor"), Damage.How.CUT, 1);
    assertThat(sink.toll()).isEqualTo(new Toll(false, Set.of("firehose"), false));
    Damage live = new Damage(data, Path.of("cursors/live.cursor"), Damage.How.CUT, 1);
    assertThat(live.toll()).isEqualTo(Toll.NONE);
  }

  @Test
  void isOfAnOlderSegment_onlyWithANewerOneBesideIt() throws Exception {
    Damage damage = new Damage(data, Path.of(NAME), Damage.How.FLIPPED, 50);
    assertThat(damage.isOfAnOlderSegment()).isFalse();
    Files.write(data.resolve("log/00000000000000000090.log"), SEGMENT);
    assertThat(damage.isOfAnOlderSegment()).isTrue();
    assertThat(new Damage(data, Path.of("node"), Damage.How.CUT, 1).isOfAnOlderSegment()).isFalse();
  }

  private Set<Outcome> expected(String place, Damage.How how, long at) throws Exception {
    return new Damage(data, Path.of(place), how, at).expected();
  }
}
