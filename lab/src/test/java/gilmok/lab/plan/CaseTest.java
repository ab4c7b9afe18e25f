package gilmok.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Planner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A made-up case is the same for everyone who makes or reads it. */
@Tag("unit")
class CaseTest {
  @TempDir Path folder;

  @Test
  void read_whatWasWritten_isTheSame() {
    Case made = Case.random(6, 3);
    Case read = Case.read(made.line());
    assertThat(read.name()).isEqualTo("random-6-3");
    assertThat(read.line()).isEqualTo(made.line());
    assertThat(read.orders()).isEqualTo(6);
  }

  @Test
  void body_isWhatAServerIsAskedFor() {
    JsonNode body = JsonMapper.shared().readTree(Case.random(3, 1).body(250));
    assertThat(body.get("matrix")).hasSize(8).allMatch(row -> row.size() == 8);
    assertThat(body.get("matrix").get(2).get(3).asLong())
        .isEqualTo(Case.random(3, 1).problem().cost(2, 3))
        .isPositive();
    assertThat(body.get("start").asInt()).isZero();
    assertThat(body.get("end").asInt()).isEqualTo(1);
    assertThat(body.get("orders").get(2).toString())
        .isEqualTo("{\"orderId\":\"o2\",\"pickup\":6,\"dropoff\":7}");
    assertThat(body.get("budgetMs").asLong()).isEqualTo(250);
  }

  @Test
  void planCommand_failsWhenABetterPlanIsKnown() throws Exception {
    Case made = Case.random(4, 1);
    long best = ExactSearch.cost(made.problem());
    assertThat(plan(new Case("made", made.problem(), best))).isZero();
    assertThat(plan(new Case("made", made.problem(), best - 1))).isEqualTo(1);
    assertThat(plan(new Case("made", made.problem(), 0))).as("nobody knows").isZero();
  }

  private int plan(Case one) throws IOException {
    Path file = folder.resolve("cases.ndjson");
    Files.writeString(file, one.line() + "\n");
    return new CommandLine(new PlanCommand())
        .execute("--file", file.toString(), "--runs", "1", "--orders", "3", "--seeds", "1");
  }

  @Test
  void randomSearch_findsPlans_notBelowTheBest() {
    Case made = Case.random(3, 1);
    Plan best = Planner.plan(made.problem(), () -> 0, 1);
    // Three orders have 90 plans; the search tries each of them many times.
    assertThat(RandomSearch.cost(made.problem(), 0.05, 1)).isEqualTo(best.cost());
    assertThat(RandomSearch.cost(Case.random(20, 1).problem(), 0, 1))
        .isGreaterThan(Planner.plan(Case.random(20, 1).problem(), () -> 1, 1).cost());
  }
}
