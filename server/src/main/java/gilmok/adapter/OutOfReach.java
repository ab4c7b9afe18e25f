package gilmok.adapter;

import gilmok.deliveries.ToldPartners;
import gilmok.erasure.Erasable;
import gilmok.erasure.Erasable.Left;
import gilmok.erasure.Erasable.Outcome;
import gilmok.event.RiderAlias;
import gilmok.observe.machine.OutOfMemoryDump;
import gilmok.privacy.Privacy;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.setup.SinkPlan;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has data of an erased rider, and this server cannot erase: the certificate names it, with
 * the key by which somebody else can. Looked for last, when the rider has the pseudonym.
 */
public final class OutOfReach {
  private static final String BY_RIDER = "record.riderId is the rider's id";

  /** They come into the folder in which the server runs: the data folder, as we ship it. */
  private static final Pattern MEMORY =
      Pattern.compile("(hs_err|replay)_pid\\d+.*\\.log.*|core(\\.\\d+)?|.*\\.(hprof|jfr)");

  /** What Redis keeps of what was deleted from it. */
  public static final List<Left> OF_REDIS =
      List.of(
          new Left(
              "Redis' own files, and the memory of its streams until newer entries take the place",
              "BGREWRITEAOF and BGSAVE write the files anew"));

  private OutOfReach() {}

  /** Finds what is left. */
  @FunctionalInterface
  private interface Search {
    List<Left> find(RiderAlias rider) throws IOException, InterruptedException;
  }

  private static Erasable named(String name, Search search) {
    return Erasable.of(name, Erasable.When.LAST, rider -> new Outcome(0, 0, search.find(rider)));
  }

  /** The partners that were told of the rider's deliveries by webhooks. */
  public static Erasable partners(ToldPartners partners) {
    return named(
        "partners",
        rider -> partners.of(rider.pseudonym()).stream().map(OutOfReach::ofPartner).toList());
  }

  private static Left ofPartner(ToldPartners.Told told) {
    long more = told.count() - told.orders().size();
    return new Left(
        "the partner %s, which webhooks may have told of %d deliveries"
            .formatted(told.partner(), told.count()),
        "orders "
            + String.join(", ", told.orders())
            + (more > 0 ? " and " + more + " more, listed under the pseudonym" : ""));
  }

  /** Whoever was given the rider's location: the register has it. */
  public static Erasable given(Privacy privacy) {
    return named(
        "given",
        rider -> {
          long times = privacy.timesGiven(rider.pseudonym());
          return times == 0
              ? List.of()
              : List.of(
                  new Left(
                      "customers and others who were given the location, %d times".formatted(times),
                      "GET /v1/privacy/records?rider=" + rider.pseudonym()));
        });
  }

  /** The other server that gets what phones send; nothing if there is none. */
  public static List<Erasable> tee(@Nullable URI url) {
    return url == null
        ? List.of()
        : List.of(
            named(
                "tee",
                _ ->
                    List.of(
                        new Left(
                            "the server of tee.url, " + url.getHost(),
                            "the rider's id and the phones', as phones send them"))));
  }

  /** Copies that were made before; a restored one erases the rider again. */
  public static Erasable backups() {
    return named(
        "backups",
        _ ->
            List.of(
                new Left(
                    "backups from before this erasure, until they are removed",
                    "the pseudonym, in the list of erased riders of each later backup")));
  }

  /** What sinks have shipped to where this server cannot erase it. */
  public static List<Erasable> shipped(List<SinkPlan> plans) {
    List<Erasable> all = new ArrayList<>();
    for (SinkPlan plan : plans) {
      Left left =
          switch (plan) {
            case SinkPlan.Files _, SinkPlan.Redis _ -> null;
            case SinkPlan.Firehose(var _, var firehose) ->
                new Left(
                    "what Firehose has delivered of the stream " + firehose.stream(), BY_RIDER);
            case SinkPlan.Kafka(var kafka) ->
                new Left(
                    "Kafka's topics " + kafka.topicPrefix() + "* and who has read them",
                    "the message's key, or " + BY_RIDER);
          };
      if (left != null) {
        all.add(named(plan.common().name(), _ -> List.of(left)));
      }
    }
    return all;
  }

  /**
   * What sinks have shipped that the settings no longer name.
   *
   * @param statuses of all sinks
   */
  public static Erasable former(Supplier<List<SinkStatus>> statuses) {
    return named(
        "former-sinks",
        _ ->
            statuses.get().stream()
                .filter(one -> one.state() == SinkStatus.State.UNCONFIGURED)
                .map(
                    one ->
                        new Left(
                            "what the sink "
                                + one.name()
                                + " has shipped, which the settings no longer name",
                            BY_RIDER))
                .toList());
  }

  /** Files of the data folder of which nobody can tell whose they are. */
  public static Erasable files(Path data, List<String> unused) {
    return named(
        "files-left",
        _ -> {
          List<Left> left = new ArrayList<>();
          for (String one : unused) {
            if (Files.exists(data.resolve(one))) {
              left.add(new Left(one + ", from before documents.mongo-uri was set", "delete it"));
            }
          }
          for (Path folder : List.of(data, data.resolve(OutOfMemoryDump.FOLDER))) {
            for (Path one : memory(folder)) {
              left.add(
                  new Left(
                      "what Java has written, " + data.relativize(one),
                      "delete it: it has what was in memory"));
            }
          }
          return left;
        });
  }

  /** Copies of memory, whole or in parts, that Java writes when it fails or is asked to. */
  private static List<Path> memory(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(one -> MEMORY.matcher(one.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }
}
