package gilmok.lab.story;

import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Logs each request in three lines, as an operator that logs a reactive chain's signals does, and
 * answers it.
 *
 * @param log written at once, under one lock
 */
record LoggingServer(Logger log) implements StoryServer {
  private static final List<String> SIGNALS = List.of("request", "subscribed", "answered");

  /** A logger to a file of its own, which is gone when the process ends. */
  static Logger logger() throws IOException {
    Path file = Files.createTempFile("story", ".log");
    file.toFile().deleteOnExit();
    FileHandler handler = new FileHandler(file.toString());
    handler.setFormatter(new SimpleFormatter());
    Logger log = Logger.getLogger("story");
    log.setUseParentHandlers(false);
    log.addHandler(handler);
    return log;
  }

  @Override
  public void answer(HttpServerRequest request) {
    for (String signal : SIGNALS) {
      log.log(Level.INFO, "{0} {1} {2}", new Object[] {signal, request.method(), request.uri()});
    }
    StoryServer.ok(request);
  }
}
