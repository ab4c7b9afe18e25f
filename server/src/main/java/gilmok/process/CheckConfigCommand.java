package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code gilmok check-config FILE}: says whether {@code serve} would take a file of settings, as it
 * would say it, and starts nothing. Exits with 0 if it would, with 2 if not.
 */
@Command(
    name = "check-config",
    description = {
      "Say whether a YAML file of settings is valid, and which of them differ from the defaults, or"
          + " name everything that is wrong. Nothing is started, and the environment is not looked"
          + " at.",
      "",
      "Exit code: 0 if it is valid, else 2."
    },
    footer = {"", "Examples:", "  gilmok check-config gilmok.yaml"})
public final class CheckConfigCommand extends CliCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The file of settings.")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    Settings settings = new Settings(SettingsOptions.ofFile(file));
    ServerConfig _ = ServerConfig.from(settings);
    PrintWriter out = out();
    Map<String, String> changed = settings.changed();
    out.println(
        file + (changed.isEmpty() ? " is valid and changes nothing" : " is valid and sets"));
    changed.forEach((key, value) -> out.println("  " + key + " = " + value));
    return 0;
  }
}
