package gilmok.lab.story;

import io.vertx.core.http.HttpServerRequest;

/** A small server that does what a story tells, and nothing else. Called by event loops. */
@FunctionalInterface
interface StoryServer {
  /** Answers a request, now or later. */
  void answer(HttpServerRequest request);

  /** Answers that it was done. */
  static void ok(HttpServerRequest request) {
    request.response().setStatusCode(200).end("{}");
  }

  /** Answers that it was refused. */
  static void refuse(HttpServerRequest request) {
    request.response().setStatusCode(503).end("busy");
  }
}
