package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.cli.Terminal;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.observe.Logging;
import gilmok.runtime.Signals;
import gilmok.sinks.SinkStatus;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code gilmok ship}: ships the remaining records of a data folder whose server is gone; ends when
 * every required sink has received everything.
 */
@Command(
    name = "ship",
    description = {
      "Ship the records that are left in the data folder of a dead server, to the sinks of its"
          + " settings. It ends when all required sinks (stop.required-sinks) have everything. Then,"
          + " and only then, the folder gets a file \"drained\". Nothing is collected meanwhile.",
      "",
      "Exit code: 0 if everything is shipped; 1 if records are left, with the reason; 130 if"
          + " interrupted."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok ship --data old-node --config gilmok.yaml",
      "  gilmok ship --data old-node --set sinks.enabled=files"
    })
public final class ShipCommand extends CliCommand implements Callable<Integer> {
  private static final int LOOK_MILLIS = 200;
  private static final int LINE_EVERY = 50;
  private static final int HURRIED = 130;

  @Mixin private SettingsOptions options = new SettingsOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Logging _ = Logging.start(Level.WARNING)) {
      ServerConfig config = ServerConfig.from(new Settings(options.sources()));
      if (!Files.isDirectory(config.data().resolve("log"))) {
        throw new CommandFailure(
            config.data() + " is no data folder (it has no log): name one with --data DIR");
      }
      if (config.sinks().sinks().isEmpty()) {
        throw new InvalidSettings(
            List.of(
                "sinks.enabled: none is named, so there is nowhere to ship to: give the server's"
                    + " settings with --config FILE, or --set sinks.enabled=files"));
      }
      return empty(config);
    }
  }

  private int empty(ServerConfig config) throws IOException, InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    try (OfflineDrain offlineDrain = new OfflineDrain(config, _ -> stop.countDown())) {
      Signals.hear(
          () -> {
            if (stop.getCount() == 0) {
              Runtime.getRuntime().halt(HURRIED);
            }
            stop.countDown();
          });
      boolean terminal = Terminal.isThere();
      for (int looks = 0; !offlineDrain.isDone(); looks++) {
        if (terminal || looks % LINE_EVERY == 0) {
          show(offlineDrain.sinks(), terminal);
        }
        if (stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          err().println(terminal ? "\r\u001b[Kgilmok: interrupted" : "gilmok: interrupted");
          return HURRIED;
        }
      }
      show(offlineDrain.sinks(), terminal);
      return offlineDrain.finish(out(), err());
    } catch (IOException unusable) {
      err().println("gilmok: " + StartFailure.line(unusable, config.data()));
      return 1;
    }
  }

  private void show(List<SinkStatus> sinks, boolean terminal) {
    StringBuilder line = new StringBuilder(terminal ? "\r\u001b[K" : "");
    for (SinkStatus sink : sinks) {
      line.append(sink.name()).append(": ").append(String.format("%,d", sink.progress().waiting()));
      line.append(sink.fault() == null ? " to go  " : " to go, " + sink.fault() + "  ");
    }
    if (terminal) {
      err().print(line.toString().stripTrailing());
      err().flush();
    } else {
      err().println(line.toString().stripTrailing());
    }
  }
}
