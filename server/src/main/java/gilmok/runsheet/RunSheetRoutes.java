package gilmok.runsheet;

import gilmok.auth.Scope;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.runsheet.Riders.Open;
import gilmok.runsheet.Riders.Sighting;
import gilmok.runsheet.RunSheetBody.Wish;
import gilmok.runsheet.RunSheetBody.Wrong;
import gilmok.runsheet.RunSheetMeters.Outcome;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/run-sheets} and {@code GET /v1/riders/{id}/run-sheet}. Both need only the scope
 * {@code read}, as they change nothing. A posted problem has no owner, so the POST refuses bound
 * keys, which may see only their own data; a rider's own run sheet is open to the rider's key.
 * Handlers copy the request on its event loop and leave the rest to {@link PlanService}.
 *
 * @param riders null if the server does not know riders' positions or deliveries
 */
record RunSheetRoutes(
    PlanService planning, RunSheetMeters meters, InstantSource clock, @Nullable Riders riders) {
  private static final int BODY_BYTES_MAX = 4 << 20;
  private static final long NANOS_IN_MILLI = 1_000_000;

  /** The routes that this server can answer: both, or only the POST. */
  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(
        new Route(
            "POST",
            "/v1/run-sheets",
            Scope.READ,
            OwnershipRule.UNBOUND_ONLY,
            Priority.READS,
            BODY_BYTES_MAX,
            this::plan));
    Riders known = riders;
    if (known != null) {
      routes.add(
          Route.read(
                  "/v1/riders/{id}/run-sheet",
                  OwnershipRule.RIDER_IN_PATH,
                  Priority.READS,
                  exchange -> plan(exchange, known))
              .queriedBy("objective", "speed", "serviceTime", "budgetMs"));
    }
    return routes;
  }

  private void plan(Exchange exchange) {
    long began = System.nanoTime();
    byte[] body = exchange.bodyCopy();
    planning.ask(
        exchange,
        caller ->
            switch (BodyReader.read(body, 0, body.length)) {
              case RunSheetBody.Unreadable _ -> invalid(Answer.unreadable("not a JSON object"));
              case Wrong wrong -> invalid(wrong);
              case Wish wish -> answer(caller, wish, began);
            });
  }

  private Answer answer(PlanCaller caller, Wish wish, long began)
      throws IOException, InterruptedException {
    if (wish.visits() != null) {
      PlanCheck check = PlanCheck.of(wish.problem(), wish.visits());
      meters.became(Outcome.CHECKED);
      return Answer.json(RunSheetJson.checked(wish, check, System.nanoTime() - began));
    }
    long until = began + wish.budgetMillis() * NANOS_IN_MILLI;
    Plan plan = planning.plan(caller, wish.problem(), until);
    return plan == null
        ? Answer.of(Refusal.BUSY)
        : Answer.json(RunSheetJson.planned(wish, plan, System.nanoTime() - began));
  }

  private void plan(Exchange exchange, Riders known) {
    long began = System.nanoTime();
    RiderQuestion question = RiderQuestion.of(exchange);
    if (question.wrong() != null) {
      invalid(question.wrong()).send(exchange);
      return;
    }
    planning.ask(
        exchange,
        caller -> {
          int most = ProblemDraft.ORDERS_MAX;
          List<Open> open = known.open(question.riderId(), most + 1);
          if (open.isEmpty()) {
            meters.became(Outcome.OPTIMAL);
            return Answer.json(RunSheetJson.idle(question.riderId(), System.nanoTime() - began));
          }
          Sighting from = known.latest(question.riderId());
          if (from == null) {
            return invalid(
                Answer.refused(Refusal.NOT_FOUND, "id", "it is not known where the rider is"));
          }
          if (open.size() > most) {
            return invalid(
                Answer.refused(
                    Refusal.CONFLICT, "id", "the rider has more than " + most + " deliveries"));
          }
          return answer(caller, question, RiderSheet.of(from, open, clock.millis()), began);
        });
  }

  private Answer answer(PlanCaller caller, RiderQuestion question, RiderSheet sheet, long began)
      throws IOException, InterruptedException {
    switch (sheet.problem(question)) {
      case Review.Fault fault -> {
        return invalid(Answer.refused(Refusal.CONFLICT, fault.field(), fault.reason()));
      }
      case Review.Sound(PlanProblem problem) -> {
        long until = began + question.budgetMillis() * NANOS_IN_MILLI;
        Plan plan = planning.plan(caller, problem, until);
        return plan == null
            ? Answer.of(Refusal.BUSY)
            : Answer.json(
                RunSheetJson.rider(question.riderId(), sheet, plan, System.nanoTime() - began));
      }
    }
  }

  private Answer invalid(Wrong wrong) {
    return invalid(Answer.refused(Refusal.INVALID, wrong.field(), wrong.reason()));
  }

  private Answer invalid(Answer refusal) {
    meters.became(Outcome.INVALID);
    return refusal;
  }
}
