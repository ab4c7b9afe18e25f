package gilmok.lab.day;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab day}: replays a day of meal deliveries against a server. Exits with 0 when every order
 * was finished, 1 when not, 2 when it cannot begin.
 */
@Command(
    name = "day",
    description = {
      "Replay a day of meal deliveries on a running server: orders, their steps, "
          + "and couriers' positions.",
      "",
      "A folder holds orders.txt, couriers.txt, restaurants.txt and "
          + "instance_parameters.txt, as mdrplib has them. Without one, a day is made up."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab day --key \"$(cat data/admin.key)\" \\",
      "      --orders 12 --couriers 4 --speed 4000",
      "  gilmok lab day --orders 500 --couriers 110 --write made-up-day",
      "",
      "A day of 300 orders takes eight minutes at --speed 100."
    })
public final class DayCommand implements Callable<Integer> {
  private static final int MISUSED = 2;

  @Option(
      names = "--url",
      defaultValue = "${env:GILMOK_URL:-http://127.0.0.1:8080}",
      paramLabel = "URL",
      description = "The server's URL (default: ${DEFAULT-VALUE}).")
  private String url = "";

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "The API key, with the scopes operate, collect and read. Only --write needs none.")
  private @Nullable String key;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "The folder with a day's files (default: a day is made up).")
  private @Nullable Path folder;

  @Option(
      names = "--orders",
      defaultValue = "300",
      description = "Orders of a made-up day (default: ${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--couriers",
      defaultValue = "40",
      description = "Couriers of a made-up day (default: ${DEFAULT-VALUE}).")
  private int couriers;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The seed of a made-up day (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--speed",
      defaultValue = "60",
      description = "How many times faster than life (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(
      names = "--write",
      paramLabel = "DIR",
      description = "Write the day's files into this folder, and do no more.")
  private @Nullable Path write;

  @Option(names = "--routes", description = "Take couriers' steps by routes, not by their actions.")
  private boolean byRoutes;

  @Option(names = "--quiet", description = "Show no progress.")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException {
    Day day;
    try {
      day = folder == null ? Day.madeUp(orders, couriers, seed) : Day.read(folder);
    } catch (IOException unreadable) {
      System.err.println(unreadable.getMessage());
      return MISUSED;
    }
    if (day.orders().isEmpty() || speed <= 0) {
      System.err.println(speed <= 0 ? "--speed: must be above 0" : "--orders: a day needs some");
      return MISUSED;
    }
    if (write != null) {
      return written(day, write);
    }
    if (key == null) {
      System.err.println("--key: is needed");
      return MISUSED;
    }
    String name = "day-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    try (OrderDesk desk = new OrderDesk(url, key.strip(), name)) {
      DayRun run = new DayRun(day, desk, speed, !byRoutes, quiet ? _ -> {} : System.err::println);
      Map<String, Integer> counts = run.run();
      System.out.printf("%,d orders: %s%n", day.orders().size(), counts);
      return Set.of("COMPLETED", "CANCELLED").containsAll(counts.keySet()) ? 0 : 1;
    } catch (IOException failed) {
      System.err.println(failed.getMessage());
      return 1;
    }
  }

  private static int written(Day day, Path folder) {
    try {
      DayFiles.write(day, folder);
      return 0;
    } catch (IOException failed) {
      System.err.println(folder + ": " + failed.getMessage());
      return 1;
    }
  }
}
