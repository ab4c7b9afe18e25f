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
import gilmok.http.Route;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The routes {@code GET} and {@code DELETE /v1/jobs/{id}}. A key that is bound sees the jobs that
 * it has asked for itself. Handlers run on event loops; the rest is left to {@link Offload}.
 */
public final class JobRoutes {
  private static final String PATH = "/v1/jobs/{id}";
  private static final int IN_FLIGHT_MAX = 32;

  private final Jobs jobs;
  private final Offload offload;

  /** The routes of these jobs. */
  public JobRoutes(Jobs jobs, Offloads offloads) {
    this.jobs = jobs;
    offload = offloads.of("jobs", "jobs cannot be read or ended", IN_FLIGHT_MAX, null);
  }

  /** Both. */
  public List<Route> routes() {
    return List.of(route("GET", this::show).queriedBy("format"), route("DELETE", this::end));
  }

  private Route route(String method, BiFunction<Exchange, Job, Offload.Work> work) {
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
            offload.ask(exchange, work.apply(exchange, job));
          }
        });
  }

  private Offload.Work show(Exchange exchange, Job job) {
    String format = exchange.query("format");
    return () -> shown(job, format);
  }

  private Answer shown(Job job, @Nullable String format) {
    boolean isDone = job.end() == Job.End.DONE;
    if (format != null && !format.equals("json") && !format.equals("csv")) {
      return Answer.invalid("format", "must be json or csv");
    }
    if ("csv".equals(format)) {
      return isDone
          ? exchange -> exchange.reply(200, "text/csv", csv(job))
          : Answer.conflict("id", "the job is not done");
    }
    return Answer.written(200, () -> json(job, isDone));
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

  private Offload.Work end(Exchange exchange, Job job) {
    return () ->
        jobs.end(job.id())
            ? Answer.empty(204)
            : Answer.refused(Refusal.NOT_FOUND, "id", "there is no such job, or not any more");
  }

  /** The answer to a request that has become a job: 202 with its id. */
  public static Answer accepted(@Nullable String id) {
    if (id == null) {
      return Answer.of(Refusal.BUSY);
    }
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"job\":\"").ascii(id).ascii("\"}");
    return Answer.json(202, out.copy());
  }
}
