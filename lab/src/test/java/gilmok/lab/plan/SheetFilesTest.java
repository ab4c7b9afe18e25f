package gilmok.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Planner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Run sheets in the forms of published sets, and their best costs by another way. */
@Tag("unit")
class SheetFilesTest {
  /** Two orders on a line, the start at 0: pickups at 10 and 40, drop-offs at 30 and 20. */
  private static final String SHEET =
      """
      {"name": "made-02-0", "comment": "",
       "nodes": ["+0", "-0", "+1", "+2", "-1", "-2"],
       "precedence": {"+0": "-0", "+1": "-1", "+2": "-2"},
       "edges": [[ 0, 0, 10, 40, 30, 20],
                 [ 0, 0,  0,  0,  0,  0],
                 [10, 0,  0, 30, 20, 10],
                 [40, 0, 30,  0, 10, 20],
                 [30, 0, 20, 10,  0, 10],
                 [20, 0, 10, 20, 10,  0]]}
      """;

  private static final String INSTANCE =
      """
      NAME: made
      TYPE: PDPTW
      DIMENSION: 7
      NODE_COORD_SECTION
      0 0 0
      2 3 4
      3 0 10
      4 6 8
      5 0 20
      6 30 0
      7 1 1
      PICKUP_AND_DELIVERY_SECTION
      0 0 0 960 0 0 0
      2 10 50 90 10 0 3
      3 -10 60 95 10 2 0
      4 20 5 90 10 0 5
      5 -20 60 95 10 4 0
      6 20 70.5 90 10 0 7
      7 -20 60 95 10 6 0
      DEPOT_SECTION
      1
      -1
      EOF
      """;

  @TempDir Path folder;

  @Test
  void tsppd_nodesInAnyOrder_areStartEndAndPairs() {
    Case sheet = SheetFiles.tsppd(SHEET);
    assertThat(sheet.name()).isEqualTo("made-02-0");
    assertThat(sheet.orders()).isEqualTo(2);
    assertThat(sheet.optimal()).as("not published").isZero();
    // The start, the end, +1, -1, +2, -2.
    assertThat(sheet.problem().cost(0, 3)).isEqualTo(30);
    assertThat(sheet.problem().cost(3, 4)).isEqualTo(10);
    assertThat(sheet.problem().cost(4, 5)).isEqualTo(20);
    // To 10, on to 40, back to 30 and 20.
    assertThat(ExactSearch.cost(sheet.problem())).isEqualTo(10 + 30 + 10 + 10);
  }

  @Test
  void tsppd_damaged_isNamed() {
    assertThatThrownBy(() -> SheetFiles.tsppd(SHEET.replace("\"+2\": \"-2\"", "\"+2\": \"-3\"")))
        .hasMessageContaining("no pair of nodes: +2, -3");
    assertThatThrownBy(() -> SheetFiles.tsppd(SHEET.replace(", \"+2\": \"-2\"", "")))
        .hasMessageContaining("some nodes are in no pair");
    assertThatThrownBy(() -> SheetFiles.tsppd(SHEET.replace("[40, 0, 30,", "[40, 0, 30.5,")))
        .hasMessageContaining("no whole number in edges[3][2]");
  }

  @Test
  void instance_isCutInOrderOfItsPickups() {
    PairedInstance instance = PairedInstance.read(INSTANCE);
    assertThat(instance.pairs())
        .extracting(PairedInstance.Pair::earliest)
        .containsExactly(5.0, 50.0, 70.5);
    List<Case> sheets = instance.sheets(new int[] {1, 2, 3, 4});
    assertThat(sheets)
        .extracting(Case::name)
        .containsExactly("made-01-0", "made-01-1", "made-01-2", "made-02-0", "made-03-0");
    // From the depot to (6, 8), on to (0, 20), and back, in hundredths.
    assertThat(ExactSearch.cost(sheets.get(0).problem())).isEqualTo(1000 + 1342 + 2000);
    assertThat(ExactSearch.cost(sheets.get(1).problem())).isEqualTo(500 + 671 + 1000);
    assertThat(sheets.get(3).problem().cost(1, 2)).as("the end is the depot").isEqualTo(1000);
  }

  @Test
  void instance_damaged_isNamed() {
    assertThatThrownBy(() -> PairedInstance.read(INSTANCE.replace("4 6 8", "4 6 x")))
        .hasMessageContaining("line 8: 4 6 x");
    assertThatThrownBy(() -> PairedInstance.read(INSTANCE.replace("4 6 8\n", "")))
        .hasMessageContaining("node 4 has no coordinates");
    assertThatThrownBy(() -> PairedInstance.read(INSTANCE.replace("10 2 0", "10 4 0")))
        .hasMessageContaining("node 2: its drop-off 3 has another pickup");
    assertThatThrownBy(() -> PairedInstance.read(INSTANCE.replace("5 90 10 0 5", "5 90 10 0")))
        .hasMessageContaining("line 16");
    assertThatThrownBy(() -> PairedInstance.read("NAME: made\n"))
        .hasMessageContaining("no PICKUP_AND_DELIVERY_SECTION");
  }

  @Test
  void read_aFolder_isSortedBySize_andTheFirstOfEachAreTaken() throws Exception {
    Files.writeString(folder.resolve("b.json"), SHEET.replace("made-02-0", "made-02-1"));
    Files.writeString(folder.resolve("c.json"), SHEET);
    Files.writeString(folder.resolve("d.vrp"), INSTANCE);
    Files.writeString(folder.resolve("README.md"), "is passed over");
    List<Case> all = SheetFiles.read(folder, new int[] {1});
    assertThat(all)
        .extracting(Case::name)
        .containsExactly("made-01-0", "made-01-1", "made-01-2", "made-02-0", "made-02-1");
    assertThat(KnownCases.first(all, 1))
        .extracting(Case::name)
        .containsExactly("made-01-0", "made-02-0");
    Files.writeString(folder.resolve("c.json"), "{}");
    assertThatThrownBy(() -> SheetFiles.read(folder, new int[] {1}))
        .hasMessageContaining("c.json: no pair of nodes: +0, ");
    assertThatThrownBy(
            () -> SheetFiles.read(Files.createDirectory(folder.resolve("e")), new int[0]))
        .hasMessageContaining("no run sheets are in it");
  }

  @Test
  void exactSearch_isThePlannersBest_whateverTheWays() {
    Random random = new Random(5);
    for (int orders = 1; orders <= 7; orders++) {
      long[][] matrix = new long[2 + 2 * orders][2 + 2 * orders];
      for (long[] row : matrix) {
        // Neither symmetric nor shortest, and an end that costs something.
        Arrays.setAll(row, _ -> random.nextInt(1, 1000));
      }
      Case made = Case.of("made", matrix, 0);
      Plan plan = Planner.plan(made.problem(), () -> 0, 1);
      assertThat(plan.optimal()).isTrue();
      assertThat(ExactSearch.cost(made.problem())).isEqualTo(plan.cost());
    }
    assertThatThrownBy(() -> ExactSearch.cost(Case.random(13, 1).problem()))
        .hasMessageContaining("1 to 12 orders");
  }
}
