package gilmok.lab.story.database;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.ClassPathJar;
import gilmok.lab.Servers;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments with databases, small and short: what they show is to be seen even then. */
@Tag("engine")
final class DatabaseStoriesIT {
  private static final Path TOOLS = Path.of("../.ci").toAbsolutePath().normalize();

  @TempDir Path folder;

  private Path labJar;

  @BeforeEach
  void asAfterABuild() throws IOException {
    ClassPathJar.write(folder, "server/target/gilmok-all.jar", "gilmok.process.Main");
    ClassPathJar.write(folder, "lab/target/gilmok-lab-all.jar", "gilmok.lab.Lab");
    Files.createSymbolicLink(folder.resolve(".ci"), TOOLS);
    labJar = folder.resolve("lab/target/gilmok-lab-all.jar");
  }

  private StoryStage stage(double seconds) {
    return new StoryStage(new Servers(labJar, folder), "256m", folder, seconds);
  }

  @Test
  void inserts_inChunks_areFewRoundTrips_andSoFastFarAway() throws Exception {
    List<InsertsStory.Outcome> outcomes = new InsertsStory(200, 10).outcomes(stage(0.1));

    assertThat(outcomes).hasSize(2 * InsertWay.values().length);
    assertThat(outcomes)
        .allSatisfy(one -> assertThat(one.commands()).isEqualTo(one.way().commands(200)));
    // 200 answers that each take 10 ms at least, and two of them.
    double oneByOne = farMillis(outcomes, InsertWay.ONE_BY_ONE);
    assertThat(oneByOne).isGreaterThan(2_000);
    assertThat(farMillis(outcomes, InsertWay.CHUNKS)).isLessThan(oneByOne / 2);
    assertThat(farMillis(outcomes, InsertWay.PARALLEL)).isLessThan(oneByOne / 2);
  }

  private static double farMillis(List<InsertsStory.Outcome> outcomes, InsertWay way) {
    return outcomes.stream()
        .filter(one -> one.way() == way && !one.database().equals("near"))
        .findFirst()
        .orElseThrow()
        .median();
  }

  @Test
  void ids_thatLieApart_readPagesOfTheirOwn() throws Exception {
    IdsStory story = new IdsStory(20_000, List.of(10, 200), 20);
    try (SqliteIds sqlite = SqliteIds.with(20_000, folder.resolve("ids.db"))) {
      List<IdsStory.Outcome> outcomes = story.outcomes(sqlite, 1);
      double scattered = pages(outcomes, IdsWay.SCATTERED, 200);
      assertThat(scattered).isGreaterThan(5 * pages(outcomes, IdsWay.SCATTERED, 10));
      assertThat(scattered).isGreaterThan(5 * pages(outcomes, IdsWay.NEIGHBOURS, 200));
      assertThat(scattered).isGreaterThan(5 * pages(outcomes, IdsWay.RANGE, 200));
      assertThat(scattered).isGreaterThan(pages(outcomes, IdsWay.FIELDS, 200));
    }
  }

  private static double pages(List<IdsStory.Outcome> outcomes, IdsWay way, int ids) {
    return outcomes.stream()
        .filter(one -> one.way() == way && one.ids() == ids)
        .findFirst()
        .orElseThrow()
        .pages();
  }

  @Test
  void ids_inTheStandIn_areFoundByEachQuestion() throws Exception {
    IdsStory story = new IdsStory(500, List.of(10, 100), 3);
    try (MongoIds mongo = MongoIds.with(500, StandInDatabase.start(stage(1)))) {
      assertThat(story.outcomes(mongo, 0.2))
          .hasSize(2 * IdsWay.values().length)
          .allSatisfy(one -> assertThat(one.latencies().getTotalCount()).isPositive());
    }
  }

  @Test
  void database_thatIsFarOrGone_isNotFeltByPositions() throws Exception {
    List<SlowDatabaseStory.Outcome> outcomes =
        new SlowDatabaseStory(List.of(0, 40), 50, 2).outcomes(stage(1));

    assertThat(outcomes)
        .extracting(SlowDatabaseStory.Outcome::database)
        .containsExactly("0 ms away", "40 ms away", "gone");
    assertThat(outcomes)
        .allSatisfy(
            one -> {
              assertThat(one.positions().answered()).isPositive();
              assertThat(one.positions().errorCount()).isZero();
            });
    assertThat(outcomes.get(1).steps().errorCount()).isZero();
    assertThat(outcomes.get(1).steps().p50()).isGreaterThan(40);
    assertThat(outcomes.get(2).steps().errorCount()).isPositive();
  }

  @Test
  void statement_isTheSame_byEachPoolBatchAndMapping() throws Exception {
    List<PoolAndBatchStory.Outcome> outcomes = new PoolAndBatchStory(300, 2).outcomes(stage(0.2));

    assertThat(outcomes)
        .allSatisfy(one -> assertThat(one.statement()).isEqualTo(outcomes.getFirst().statement()))
        .allSatisfy(one -> assertThat(one.roundTrips()).isPositive());
    assertThat(outcomes.getFirst().statement()).isNotEmpty();
    assertThat(outcomes.getLast().roundTrips()).isEqualTo(1);
    assertThat(outcomes.getFirst().roundTrips()).isGreaterThan(1);
  }
}
