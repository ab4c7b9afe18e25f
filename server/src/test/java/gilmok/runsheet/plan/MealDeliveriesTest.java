package gilmok.runsheet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real run sheets of meal deliveries with proven optima: the planner must reach and prove each
 * optimum. {@code -Dgilmok.data} names their folder.
 */
@Tag("unit")
class MealDeliveriesTest {
  private static final String FILE = "tsppd/grubhub.ndjson";

  @Test
  void plan_realRunSheets_areOptimalAndProven() throws IOException {
    Path file = Path.of(System.getProperty("gilmok.data", "../../shared/data")).resolve(FILE);
    Assumptions.assumeTrue(Files.exists(file), () -> "no run sheets: " + file + " is not there");
    int count = 0;
    for (String line : Files.readAllLines(file)) {
      String name = line.substring(0, line.indexOf(",\"nodes\""));
      long optimal = Long.parseLong(line.replaceAll(".*\"optimal\":(\\d+).*", "$1"));
      Plan plan = Planner.plan(problem(line), Cases.ENDLESS, 1);
      assertThat(plan.cost()).as(name).isEqualTo(optimal);
      assertThat(plan.bound()).as(name).isEqualTo(optimal);
      assertThat(plan.optimal()).as(name).isTrue();
      count++;
    }
    assertThat(count).isEqualTo(70);
  }

  /** Node 0 is the start; 1, an end that costs nothing; then each order's pickup and drop-off. */
  private static PlanProblem problem(String line) {
    String edges = line.replaceAll(".*\"edges\":\\[\\[(.*)\\]\\].*", "$1");
    long[][] matrix =
        Arrays.stream(edges.split("\\],\\["))
            .map(row -> Arrays.stream(row.split(",")).mapToLong(Long::parseLong).toArray())
            .toArray(long[][]::new);
    List<PlanOrder> orders = new ArrayList<>();
    for (int pickup = 2; pickup < matrix.length; pickup += 2) {
      orders.add(new PlanOrder("o" + pickup, pickup, pickup + 1));
    }
    return Cases.problem(new ProblemDraft(matrix, 0, 1, orders));
  }
}
