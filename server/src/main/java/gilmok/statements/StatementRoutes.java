package gilmok.statements;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The routes of statements and their entries. Handlers read the request's parameters on its event
 * loop; parsing bodies and calling the store is left to {@link Offload}.
 */
record StatementRoutes(
    StatementsConfig config,
    EntryStore store,
    Offload offload,
    StatementMeters meters,
    EntryStreams streams) {
  private static final int BODY_BYTES_MAX = 4 << 20;

  /** All routes. */
  List<Route> routes() {
    return List.of(
        Route.operate("POST", "/v1/statement-entries", Priority.READS, BODY_BYTES_MAX, this::post),
        Route.read(
                "/v1/riders/{id}/statement",
                OwnershipRule.RIDER_IN_PATH,
                Priority.REPORTS,
                this::statement)
            .queriedBy("from", "to", "currency", "entries"));
  }

  private void post(Exchange exchange) {
    // Parsing thousands of entries would block the event loop. The body's bytes belong to the
    // exchange, so the work gets a copy.
    byte[] body = exchange.bodyCopy();
    offload.ask(
        exchange,
        meters.add,
        () ->
            switch (new EntryBody(config.currency()).read(body, 0, body.length)) {
              case EntryBody.Read.Good good -> add(good.entries());
              case EntryBody.Read.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
              case EntryBody.Read.Unreadable bad -> Answer.unreadable(bad.reason());
              case EntryBody.Read.TooMany _ ->
                  Answer.refused(
                      Refusal.TOO_LARGE,
                      "body",
                      "over " + EntryBody.ENTRIES_MAX + " entries at once");
            });
  }

  private Answer add(List<StatementEntry> entries) throws IOException, InterruptedException {
    long kept = store.keptFromMillis();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).atMillis() < kept) {
        meters.posted.tooOld();
        return TooOld.entry("[" + i + "].at");
      }
    }
    return added(entries);
  }

  private Answer added(List<StatementEntry> entries) throws IOException, InterruptedException {
    long accepted = 0;
    long duplicates = 0;
    List<String> differing = new ArrayList<>();
    for (int i = 0; i < entries.size(); i += EntryStore.ENTRIES_MAX) {
      int end = Math.min(entries.size(), i + EntryStore.ENTRIES_MAX);
      EntryStore.Added added = store.add(entries.subList(i, end));
      meters.posted.added(added);
      if (!added.tooOld().isEmpty()) { // they have become so meanwhile; the others are stored
        return TooOld.entry("at");
      }
      accepted += added.accepted();
      duplicates += added.duplicates();
      differing.addAll(added.differing());
    }
    JsonBuffer out = new JsonBuffer();
    StatementJson.added(accepted, duplicates, differing, out);
    return Answer.json(out.copy());
  }

  private void statement(Exchange exchange) {
    StatementQuestion.Read read = StatementQuestion.of(exchange, config);
    StatementQuestion question = read.question();
    if (question == null) {
      read.refusal().send(exchange);
    } else if (question.hasEntries()) {
      streams.stream(exchange, question);
    } else {
      offload.ask(exchange, meters.sum, () -> summed(question));
    }
  }

  private Answer summed(StatementQuestion asked) throws IOException, InterruptedException {
    DaySums sums = store.sum(asked.riderId(), asked.days(), asked.currency());
    if (asked.days().fromMillis() < store.keptFromMillis()) { // asked after the sum was read
      return TooOld.STATEMENT;
    }
    return Answer.written(
        200,
        () -> {
          JsonBuffer out = new JsonBuffer();
          StatementJson.begin(asked, out);
          StatementJson.end(asked.days(), sums, out);
          return out.copy();
        });
  }
}
