package gilmok.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code gilmok keys}: creates, lists and revokes the keys of a server. */
@Command(
    name = "keys",
    description = "Create, list and revoke the keys that phones and programs use.",
    synopsisSubcommandLabel = "create|list|revoke",
    footer = {
      "",
      "Examples:",
      "  gilmok keys create app --scopes collect",
      "  gilmok keys create rider-7 --scopes collect,read --rider r-7 --expires-in 90d",
      "  gilmok keys list",
      "  gilmok keys revoke k3J9"
    })
final class KeysCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;
  @Mixin Help help = new Help();

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "Say create, list or revoke");
  }

  /** Whose a key is. */
  static final class Bound {
    @Option(names = "--rider", paramLabel = "ID", description = "Only for this rider.")
    @Nullable String rider;

    @Option(names = "--shop", paramLabel = "ID", description = "Only for this shop.")
    @Nullable String shop;

    @Option(names = "--agency", paramLabel = "ID", description = "Only for this agency.")
    @Nullable String agency;
  }

  @Command(
      name = "create",
      description = "Create a key and print it; its secret is shown this once.",
      footer = {
        "",
        "Examples:",
        "  gilmok keys create app --scopes collect",
        "  gilmok keys create rider-7 --scopes collect,read --rider r-7 --expires-in 90d --rate 5"
      })
  void create(
      @Mixin Help asked,
      @Mixin Access access,
      @Parameters(paramLabel = "NAME", description = "What you call it, as in rider-7.")
          String name,
      @Option(
              names = "--scopes",
              required = true,
              split = ",",
              paramLabel = "SCOPE",
              description = "What it may do: collect, read, operate, admin; several with commas.")
          List<String> scopes,
      @ArgGroup @Nullable Bound bound,
      @Option(
              names = "--expires-in",
              paramLabel = "SPAN",
              converter = Spans.class,
              description = "When it ends, as in 90d (default: never).")
          @Nullable Duration expiresIn,
      @Option(
              names = "--rate",
              paramLabel = "N",
              description = "How many requests a second it may make (default: any number).")
          @Nullable Integer rate)
      throws IOException, InterruptedException {
    try (HttpKeys keys = new HttpKeys(access.target())) {
      ObjectNode wanted = keys.object().put("name", name);
      ArrayNode list = wanted.putArray("scopes");
      scopes.forEach(list::add);
      if (bound != null) {
        put(wanted, "rider", bound.rider);
        put(wanted, "shop", bound.shop);
        put(wanted, "agency", bound.agency);
      }
      if (expiresIn != null) {
        wanted.put("expiresIn", expiresIn.toSeconds());
      }
      if (rate != null) {
        wanted.put("rate", rate);
      }
      out().println(keys.create(wanted).path("key").asString(""));
    }
  }

  @Command(
      name = "list",
      description = "List the keys, without their secrets.",
      footer = {"", "Example:", "  gilmok keys list"})
  void list(@Mixin Help asked, @Mixin Access access) throws IOException, InterruptedException {
    try (HttpKeys keys = new HttpKeys(access.target())) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("ID", "NAME", "SCOPES", "BOUND TO", "EXPIRES", "RATE"));
      for (JsonNode key : keys.list().path("items")) {
        rows.add(row(key));
      }
      Table.lines(rows).forEach(out()::println);
    }
  }

  @Command(
      name = "revoke",
      description = "End a key for good.",
      footer = {"", "Example:", "  gilmok keys revoke k3J9"})
  void revoke(
      @Mixin Help asked,
      @Mixin Access access,
      @Parameters(paramLabel = "ID", description = "As \"gilmok keys list\" shows it.") String id)
      throws IOException, InterruptedException {
    try (HttpKeys keys = new HttpKeys(access.target())) {
      keys.revoke(id);
      out().println("revoked " + id);
    }
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private static void put(ObjectNode wanted, String member, @Nullable String value) {
    if (value != null) {
      wanted.put(member, value);
    }
  }

  private static List<String> row(JsonNode key) {
    List<String> scopes = new ArrayList<>();
    key.path("scopes").forEach(scope -> scopes.add(scope.asString("")));
    String bound = "-";
    for (String kind : List.of("rider", "shop", "agency")) {
      if (key.hasNonNull(kind)) {
        bound = kind + " " + key.path(kind).asString("");
      }
    }
    return List.of(
        key.path("id").asString("-"),
        key.path("name").asString("-"),
        String.join(",", scopes),
        bound,
        key.path("expiresAt").asString("-"),
        key.path("rate").asString("-"));
  }
}
