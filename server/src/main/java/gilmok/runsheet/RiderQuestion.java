package gilmok.runsheet;

import gilmok.http.Exchange;
import gilmok.runsheet.plan.Objective;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of {@code GET /v1/riders/{id}/run-sheet}.
 *
 * @param speed the rider's speed on the streets, metres a second
 * @param serviceSeconds how long each stop takes
 * @param wrong the first error; null if there is none
 */
record RiderQuestion(
    String riderId,
    Objective objective,
    double speed,
    long serviceSeconds,
    int budgetMillis,
    RunSheetBody.@Nullable Wrong wrong) {
  /** The same speed that the customer's page assumes when nothing is known of a rider. */
  private static final double USUAL_SPEED = 5;

  /** The same service time that the customer's page assumes. */
  private static final int USUAL_SERVICE_SECONDS = 180;

  private static final int SERVICE_SECONDS_MAX = 86_400;

  /** Parses the query, on the exchange's event loop. */
  static RiderQuestion of(Exchange exchange) {
    String named = exchange.query("objective");
    Objective objective = named == null ? Objective.TRAVEL : Objectives.of(named);
    double speed =
        number(exchange.query("speed"), USUAL_SPEED, GroundPoint.SPEED_MIN, GroundPoint.SPEED_MAX);
    double service =
        number(exchange.query("serviceTime"), USUAL_SERVICE_SECONDS, 0, SERVICE_SECONDS_MAX);
    double budget =
        number(
            exchange.query("budgetMs"),
            RunSheetBody.BUDGET_USUAL_MILLIS,
            RunSheetBody.BUDGET_MIN_MILLIS,
            RunSheetBody.BUDGET_MAX_MILLIS);
    RunSheetBody.Wrong wrong = null;
    if (objective == null) {
      wrong = new RunSheetBody.Wrong("objective", "must be " + Objectives.NAMES);
    } else if (Double.isNaN(speed)) {
      wrong = outside("speed", GroundPoint.SPEED_MIN, GroundPoint.SPEED_MAX);
    } else if (Double.isNaN(service)) {
      wrong = outside("serviceTime", 0, SERVICE_SECONDS_MAX);
    } else if (Double.isNaN(budget)) {
      wrong = outside("budgetMs", RunSheetBody.BUDGET_MIN_MILLIS, RunSheetBody.BUDGET_MAX_MILLIS);
    }
    return new RiderQuestion(
        exchange.pathParameter("id"),
        objective == null ? Objective.TRAVEL : objective,
        speed,
        Math.round(service),
        (int) budget,
        wrong);
  }

  private static RunSheetBody.Wrong outside(String field, double least, double most) {
    return new RunSheetBody.Wrong(field, "must be a number from " + least + " to " + most);
  }

  /** Parses a number; NaN if it is none or outside of the bounds. */
  private static double number(@Nullable String text, double usual, double least, double most) {
    if (text == null) {
      return usual;
    }
    if (!text.matches("[0-9]{1,9}([.][0-9]{1,9})?")) {
      return Double.NaN;
    }
    double said = Double.parseDouble(text);
    return said >= least && said <= most ? said : Double.NaN;
  }
}
