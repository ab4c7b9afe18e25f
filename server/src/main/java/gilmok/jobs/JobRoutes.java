package gilmok.jobs;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.ReplyRoom;
import gilmok.http.ReplyStream;
import gilmok.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The routes {@code GET} and {@code DELETE /v1/jobs/{id}}. A key that is bound sees the jobs that
 * it has asked for itself. Handlers run on event loops; the rest is left to {@link Offload}.
 */
public final class JobRoutes {
  private static final String PATH = "/v1/jobs/{id}";
  private static final int IN_FLIGHT_MAX = 32;

  /** A result is made in memory; few at a time, so that phones have room. */
  private static final int RESULTS_MAX = 2;

  private static final int PIECE_BYTES = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Jobs jobs;
  private final Offload offload;
  private final Offload results;

  /** The routes of these jobs. */
  public JobRoutes(Jobs jobs, Offloads offloads) {
    this.jobs = jobs;
    offload = offloads.of("jobs", "jobs cannot be read or ended", IN_FLIGHT_MAX, null);
    results = offloads.of("job_results", "results cannot be read", RESULTS_MAX, null);
  }

  /** Both. */
  public List<Route> routes() {
    return List.of(route("GET", this::show).queriedBy("format"), route("DELETE", this::end));
  }

  private Route route(String method, BiConsumer<Exchange, Job> answer) {
    return new Route(
        method,
        PATH,
        Scope.READ,
        OwnershipRule.BY_ID,
        Priority.REPORTS,
        0,
        exchange -> {
          Job job = jobs.find(exchange.pathParameter("id"));
          Principal asks = exchange.principal();
          if (job == null) {
            exchange.refuse(Refusal.NOT_FOUND, "id", "there is no such job, or not any more");
          } else if (asks.binding() != null && !asks.keyId().equals(job.keyId())) {
            exchange.refuse(Refusal.NOT_YOURS, "key", "bound to somebody else");
          } else {
            answer.accept(exchange, job);
          }
        });
  }

  private void show(Exchange exchange, Job job) {
    String format = exchange.query("format");
    boolean isDone = job.end() == Job.End.DONE;
    if (format != null && !format.equals("json") && !format.equals("csv")) {
      exchange.refuse(Refusal.INVALID, "format", "must be json or csv");
    } else if ("csv".equals(format)) {
      if (isDone) {
        results.stream(exchange, "text/csv", reply -> write(reply, csv(job)));
      } else {
        exchange.refuse(Refusal.CONFLICT, "id", "the job is not done");
      }
    } else if (isDone) {
      results.stream(exchange, "application/json", reply -> write(reply, json(job, true)));
    } else {
      offload.ask(exchange, () -> Answer.written(200, () -> json(job, false)));
    }
  }

  /** Writes a result, as fast as its client reads. */
  private static boolean write(ReplyStream reply, byte[] result) throws InterruptedException {
    for (int from = 0; from < result.length; from += PIECE_BYTES) {
      if (!ReplyRoom.await(reply, PATIENCE)) {
        return false;
      }
      reply.write(Arrays.copyOfRange(result, from, Math.min(result.length, from + PIECE_BYTES)));
    }
    return true;
  }

  private byte[] csv(Job job) {
    return jobs.kind(job).csv(job.request(), job.done());
  }

  private byte[] json(Job job, boolean isDone) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"id\":\"").ascii(job.id()).ascii("\",\"kind\":\"").ascii(job.kind());
    out.ascii("\",\"state\":\"").ascii(job.state());
    out.ascii("\",\"done\":").number((long) job.done().size());
    out.ascii(",\"of\":").number((long) job.of());
    out.ascii(",\"createdAt\":").time(job.createdAtMillis());
    String error = job.error();
    if (error != null) {
      out.ascii(",\"error\":").string(error);
    }
    if (isDone) {
      byte[] result = jobs.kind(job).json(job.request(), job.done());
      out.ascii(",\"result\":").raw(result, 0, result.length);
    }
    return out.put('}').copy();
  }

  private void end(Exchange exchange, Job job) {
    Principal asks = exchange.principal();
    if (!asks.keyId().equals(job.keyId()) && !asks.has(Scope.OPERATE)) {
      exchange.refuse(Refusal.NOT_YOURS, "key", "another key's job needs the scope operate");
      return;
    }
    offload.ask(
        exchange,
        () ->
            jobs.end(job.id())
                ? Answer.empty(204)
                : Answer.refused(Refusal.NOT_FOUND, "id", "there is no such job, or not any more"));
  }

  /** The answer to a request that becomes a job: 202 with its id. Blocks until it is durable. */
  public static Answer submitted(Jobs jobs, JobKind kind, String request, String keyId)
      throws IOException, InterruptedException {
    return switch (jobs.submit(kind, request, keyId)) {
      case Jobs.Submission.Accepted job ->
          Answer.json(
              202, new JsonBuffer().ascii("{\"job\":\"").ascii(job.id()).ascii("\"}").copy());
      case Jobs.Submission.Full _ -> Answer.of(Refusal.BUSY);
      case Jobs.Submission.Share(int count) ->
          Answer.refused(
              Refusal.TOO_FAST, "key", "has " + count + " jobs that are not done; wait or end one");
    };
  }
}
