package gilmok.missions;

import gilmok.auth.Scope;
import gilmok.cache.LoadResult;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.observe.RateLimitedLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of missions. A rider's cached answer is sent on the event loop; one that is not cached
 * is loaded through the cache. All other access to the store is left to {@link Offload}.
 */
final class MissionRoutes {
  /** The route that is read most. */
  static final String SHOW = "/v1/riders/{id}/missions";

  private static final String MISSION = "/v1/missions/{id}";
  private static final String PROFILE = "/v1/riders/{id}/profile";
  private static final String MISSION_ID = "missionId";
  private static final int MISSION_BYTES_MAX = 4 << 20;
  private static final int PROFILE_BYTES_MAX = 16 << 10;
  private static final int LIST_MAX = 100;

  /**
   * The size after which a page ends, as some missions name many riders: the mission that exceeds
   * it is the last.
   */
  private static final int LIST_BYTES = 1 << 20;

  private static final Answer NO_MISSION =
      Answer.refused(Refusal.NOT_FOUND, "mission", "there is none of that id");

  private static final Answer CLOSED =
      Answer.refused(Refusal.GONE, "mission", ClosedMissions.REASON);

  private final MissionService desk;
  private final Offload offload;
  private final MissionMeters meters;
  private final String cacheControl;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.missions", "missions cannot be loaded");

  MissionRoutes(MissionsConfig config, MissionService desk, Offload offload, MissionMeters meters) {
    this.desk = desk;
    this.offload = offload;
    this.meters = meters;
    // The answer belongs to one rider, and clients revalidate it each time.
    cacheControl =
        "private, max-age=0, stale-while-revalidate=" + config.staleWhileRevalidate().toSeconds();
  }

  /** All routes. */
  List<Route> routes() {
    return List.of(
        ofRider("GET", SHOW, Scope.READ, 0, this::show),
        ofRider("POST", SHOW + "/settle", Scope.READ, 0, this::settle).queriedBy("urgent"),
        ofRider("PUT", PROFILE, Scope.COLLECT, PROFILE_BYTES_MAX, this::putProfile),
        ofRider("GET", PROFILE, Scope.READ, 0, this::profile),
        ofRider(
            "PUT",
            SHOW + "/{" + MISSION_ID + "}/progress",
            Scope.OPERATE,
            MissionService.PROGRESS_BYTES_MAX,
            this::putProgress),
        ofFleet("PUT", MISSION, MISSION_BYTES_MAX, this::putMission),
        ofFleet("GET", MISSION, 0, this::mission),
        ofFleet("GET", "/v1/missions", 0, this::missions).queriedBy("cursor"));
  }

  private static Route ofRider(
      String method,
      String path,
      Scope scope,
      int bodyBytesMax,
      BiConsumer<Exchange, String> handler) {
    return new Route(
        method,
        path,
        scope,
        OwnershipRule.RIDER_IN_PATH,
        Priority.READS,
        bodyBytesMax,
        exchange -> {
          String riderId = exchange.pathParameter("id");
          String why = MissionBody.whyNoRider(riderId);
          if (why == null) {
            handler.accept(exchange, riderId);
          } else {
            exchange.refuse(Refusal.INVALID, "id", why);
          }
        });
  }

  private static Route ofFleet(
      String method, String path, int bodyBytesMax, Route.Handler handler) {
    return Route.operate(method, path, Priority.REPORTS, bodyBytesMax, handler);
  }

  private void show(Exchange exchange, String riderId) {
    long began = System.nanoTime();
    MissionResponse response = MissionResponse.toReader(exchange, cacheControl);
    RenderedMissions held = desk.held(riderId);
    if (held != null) {
      response.showNow(held);
      meters.seconds(MissionPurpose.SHOW).record(System.nanoTime() - began);
    } else {
      var _ =
          desk.riders()
              .get(riderId)
              .thenAccept(
                  result -> {
                    show(exchange, response, result, riderId);
                    meters.seconds(MissionPurpose.SHOW).record(System.nanoTime() - began);
                  })
              .exceptionally(
                  bug -> {
                    rateLimitedLog.bug(
                        "a bug in showing missions; the request was answered 500", bug);
                    exchange.refuse(Refusal.BROKEN);
                    return null;
                  });
    }
  }

  /** Answers, on the thread that has loaded the missions. */
  private void show(
      Exchange exchange,
      MissionResponse response,
      LoadResult<RiderMissions> result,
      String riderId) {
    try {
      RenderedMissions rendered = desk.rendered(result, riderId);
      if (rendered == null) {
        exchange.refuse(Refusal.BUSY);
      } else {
        response.show(rendered);
      }
    } catch (IOException failed) {
      meters.failures.increment();
      rateLimitedLog.about(failed);
      exchange.refuse(Refusal.BUSY);
    }
  }

  /** A change followed by the rider's answer; null when there is no room to load it. */
  private interface Change {
    @Nullable RenderedMissions run() throws IOException, InterruptedException;
  }

  private void change(Exchange exchange, MissionPurpose purpose, String location, Change change) {
    long began = System.nanoTime();
    MissionResponse response = MissionResponse.toWriter(exchange, cacheControl, location);
    offload.ask(
        exchange,
        meters.call(purpose),
        () -> {
          RenderedMissions rendered = change.run();
          meters.seconds(purpose).record(System.nanoTime() - began);
          return rendered == null ? Answer.of(Refusal.BUSY) : _ -> response.show(rendered);
        });
  }

  private void settle(Exchange exchange, String riderId) {
    String urgent = exchange.query("urgent");
    if (urgent != null && !urgent.equals("true") && !urgent.equals("false")) {
      exchange.refuse(Refusal.INVALID, "urgent", "must be true or false");
      return;
    }
    boolean urgentOnly = "true".equals(urgent);
    change(
        exchange,
        urgentOnly ? MissionPurpose.SETTLE_URGENT : MissionPurpose.SETTLE,
        parent(exchange.path()),
        () -> desk.settle(riderId, urgentOnly));
  }

  private void putProfile(Exchange exchange, String riderId) {
    switch (new MissionBody()
        .object(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength())) {
      case MissionBody.Read.Good<String>(String json) ->
          change(
              exchange,
              MissionPurpose.PROFILE,
              parent(exchange.path()) + "/missions",
              () -> desk.profile(riderId, json));
      case MissionBody.Read.Refused<String>(Answer answer) -> answer.send(exchange);
    }
  }

  /** A path without its last segment. */
  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private void profile(Exchange exchange, String riderId) {
    offload.ask(
        exchange,
        meters.read,
        () -> {
          String json = desk.store().profile(riderId);
          return json == null
              ? refused -> refused.refuse(Refusal.NOT_FOUND, "id", "no profile was put")
              : Answer.json(json.getBytes(StandardCharsets.UTF_8));
        });
  }

  private void putProgress(Exchange exchange, String riderId) {
    String missionId = exchange.pathParameter(MISSION_ID);
    switch (new MissionBody()
        .progress(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength())) {
      case MissionBody.Read.Good<String>(String json) ->
          offload.ask(
              exchange,
              meters.write,
              () -> {
                Mission mission = desk.find(missionId);
                if (mission == null) {
                  return NO_MISSION;
                }
                MissionStore.Progress put = desk.put(riderId, mission, json);
                return put == null ? CLOSED : Answer.json(shown(put));
              });
      case MissionBody.Read.Refused<String>(Answer answer) -> answer.send(exchange);
    }
  }

  private static byte[] shown(MissionStore.Progress progress) {
    JsonBuffer out = new JsonBuffer();
    byte[] json = progress.json().getBytes(StandardCharsets.UTF_8);
    RiderMissions.write(json, 0, json.length, progress.settledAt(), out);
    return out.copy();
  }

  private void putMission(Exchange exchange) {
    String id = exchange.pathParameter("id");
    // Parsing a hundred thousand riders would block the event loop. The body's bytes belong to the
    // exchange, so the work gets a copy.
    byte[] body = exchange.bodyCopy();
    offload.ask(
        exchange,
        meters.write,
        () ->
            switch (new MissionBody().mission(id, body, 0, body.length)) {
              case MissionBody.Read.Good<Mission>(Mission mission) -> put(mission);
              case MissionBody.Read.Refused<Mission>(Answer answer) -> answer;
            });
  }

  private Answer put(Mission mission) throws IOException, InterruptedException {
    Catalog.Put put = desk.catalog().put(mission);
    return switch (put) {
      case DONE -> Answer.json(mission.whole());
      case CLOSED, ENDED -> Answer.refused(Refusal.GONE, put.field(), put.reason());
      default -> Answer.conflict(put.field(), put.reason());
    };
  }

  private void mission(Exchange exchange) {
    String id = exchange.pathParameter("id");
    offload.ask(
        exchange,
        meters.read,
        () -> {
          Mission mission = desk.find(id);
          return mission == null ? NO_MISSION : Answer.json(mission.whole());
        });
  }

  private void missions(Exchange exchange) {
    String cursor = exchange.query("cursor");
    offload.ask(
        exchange,
        meters.read,
        () -> {
          List<Mission> page = desk.after(cursor == null ? "" : cursor, LIST_MAX + 1);
          return Answer.written(200, () -> listed(page));
        });
  }

  private static byte[] listed(List<Mission> page) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"items\":[");
    int shown = 0;
    while (shown < Math.min(LIST_MAX, page.size()) && out.size() < LIST_BYTES) {
      byte[] whole = page.get(shown).whole();
      out.ascii(shown++ == 0 ? "" : ",").raw(whole, 0, whole.length);
    }
    out.put(']');
    if (page.size() > shown) {
      out.ascii(",\"next\":").string(page.get(shown - 1).id());
    }
    return Arrays.copyOf(out.put('}').bytes(), out.size());
  }
}
