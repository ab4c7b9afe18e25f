package gilmok.lab.story;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab story-way}: the server of one way of a story; runs until it is ended. */
@Command(
    name = "story-way",
    hidden = true,
    description = "Run the server of one way of a story, until Ctrl-C.",
    footer = {"", "Examples:", "  gilmok lab story-way --way POOL_10 --port 18081"})
public final class StoryServerCommand implements Callable<Integer> {
  @Option(names = "--way", required = true, paramLabel = "WAY", description = "Which way.")
  private StoryWay way = StoryWay.LOG_NONE;

  @Option(
      names = "--port",
      defaultValue = "18081",
      description = "The port to listen on (default: ${DEFAULT-VALUE}).")
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    listen(vertx, port, way.make(vertx, port + 1));
    new CountDownLatch(1).await();
    return 0;
  }

  /** Listens on loopback; one event loop answers. */
  static void listen(Vertx vertx, int port, StoryServer server) {
    HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(port);
    vertx.createHttpServer(options).requestHandler(server::answer).listen().await();
  }
}
