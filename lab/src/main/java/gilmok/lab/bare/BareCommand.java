package gilmok.lab.bare;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab bare}: the collecting endpoint without a disk; runs until it is ended. */
@Command(
    name = "bare",
    description = {
      "Run the collecting endpoint without a disk, to compare Gilmok with. It runs "
          + "until Ctrl-C."
    },
    footer = {"", "Examples:", "  gilmok lab bare --port 18081"})
public final class BareCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "18081",
      description = "The port to listen on (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--event-loops",
      defaultValue = "0",
      description = "Event loops (default: ${DEFAULT-VALUE}, one a processor).")
  private int eventLoops;

  @Override
  public Integer call() throws InterruptedException {
    int loops = eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
    AtomicLong sequence = new AtomicLong();
    DeploymentOptions options =
        new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP).setInstances(loops);
    vertx.deployVerticle(() -> new BareEndpoint(port, sequence), options).await();
    System.out.printf(
        "bare endpoint on 127.0.0.1:%d, %d event loops, native transport %b%n",
        port, loops, vertx.isNativeTransportEnabled());
    new CountDownLatch(1).await();
    return 0;
  }
}
