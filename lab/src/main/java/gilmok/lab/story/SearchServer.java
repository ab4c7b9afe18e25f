package gilmok.lab.story;

import gilmok.background.LowPriority;
import gilmok.lab.plan.Searching;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Answers phones at once, and searches for two seconds for everybody else.
 *
 * @param searching where it searches
 */
record SearchServer(Executor searching) implements StoryServer {
  private static final double SEARCH_SECONDS = 2;

  /** It searches on the thread that answers phones. */
  static SearchServer onTheLoop() {
    return new SearchServer(Runnable::run);
  }

  /** It searches on one thread of low priority. */
  static SearchServer apart() {
    return new SearchServer(Executors.newSingleThreadExecutor(SearchServer::low));
  }

  private static Thread low(Runnable work) {
    return new Thread(
        () -> {
          LowPriority.lower();
          work.run();
        },
        "searching");
  }

  @Override
  public void answer(HttpServerRequest request) {
    if (request.path().equals("/phone")) {
      StoryServer.ok(request);
    } else {
      searching.execute(
          () -> {
            long _ = Searching.random(SEARCH_SECONDS);
            StoryServer.ok(request);
          });
    }
  }
}
