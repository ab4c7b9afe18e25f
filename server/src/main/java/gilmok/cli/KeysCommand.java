package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok keys}: creates, lists and revokes the keys of a server. */
@Command(
    name = "keys",
    description = {
      "Create, list and revoke the keys that phones and programs use: those of a running",
      "server, or, without --url, those in the data folder of a stopped one."
    },
    synopsisSubcommandLabel = "create|list|revoke",
    footer = {
      "",
      "Examples:",
      "  gilmok keys create app --scopes collect",
      "  gilmok keys create rider-7 --scopes collect,read --rider r-7 --expires-in 90d",
      "  gilmok keys list",
      "  gilmok keys revoke k3J9"
    })
final class KeysCommand extends CliCommand implements Runnable {
  @Override
  public void run() {
    throw wronglyAsked("Say create, list or revoke");
  }

  /** The binding of a key. */
  static final class Bound {
    @Option(names = "--rider", paramLabel = "ID", description = "Only for this rider.")
    @Nullable String rider;

    @Option(names = "--shop", paramLabel = "ID", description = "Only for this shop.")
    @Nullable String shop;

    @Option(names = "--agency", paramLabel = "ID", description = "Only for this agency.")
    @Nullable String agency;

    @Nullable Binding binding() {
      if (rider != null) {
        return new Binding(Binding.Kind.RIDER, rider);
      }
      return shop != null
          ? new Binding(Binding.Kind.SHOP, shop)
          : agency == null ? null : new Binding(Binding.Kind.AGENCY, agency);
    }
  }

  @Command(
      name = "create",
      description = "Create a key and print it; its secret is shown only once.",
      footer = {
        "",
        "Examples:",
        "  gilmok keys create app --scopes collect",
        "  gilmok keys create rider-7 --scopes collect,read --rider r-7 --expires-in 90d --rate 5"
      })
  void create(
      @Mixin Help asked,
      @Mixin Access access,
      @Parameters(paramLabel = "NAME", description = "The key's name, such as rider-7.")
          String name,
      @Option(
              names = "--scopes",
              required = true,
              split = ",",
              paramLabel = "SCOPE",
              description = "Its scopes: collect, read, operate, admin; several with commas.")
          List<String> scopes,
      @ArgGroup @Nullable Bound bound,
      @Option(
              names = "--expires-in",
              paramLabel = "SPAN",
              converter = DurationOption.class,
              description = "When it expires, such as 90d (default: never).")
          @Nullable Duration expiresIn,
      @Option(
              names = "--rate",
              paramLabel = "N",
              description = "Its maximum of requests a second (default: auth.rate).")
          @Nullable Integer rate)
      throws IOException, InterruptedException {
    Binding binding = bound == null ? null : bound.binding();
    KeyRequest wanted = new KeyRequest(name, scopes(scopes), binding, expiresIn, rate);
    try (Keyring keys = access.keyring(err())) {
      out().println(keys.create(wanted));
    }
  }

  @Command(
      name = "list",
      description = "List the keys, without their secrets.",
      footer = {"", "Example:", "  gilmok keys list"})
  void list(@Mixin Help asked, @Mixin Access access) throws IOException, InterruptedException {
    try (Keyring keys = access.keyring(err())) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("ID", "NAME", "SCOPES", "BOUND TO", "EXPIRES", "RATE"));
      rows.addAll(keys.list());
      Table.lines(rows).forEach(out()::println);
    }
  }

  @Command(
      name = "revoke",
      description = "Revoke a key for good.",
      footer = {"", "Example:", "  gilmok keys revoke k3J9"})
  void revoke(
      @Mixin Help asked,
      @Mixin Access access,
      @Parameters(
              paramLabel = "ID",
              description = "The key's id, as \"gilmok keys list\" shows it.")
          String id)
      throws IOException, InterruptedException {
    try (Keyring keys = access.keyring(err())) {
      keys.revoke(id);
      out().println("revoked " + id);
    }
  }

  private Set<Scope> scopes(List<String> labels) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String label : labels) {
      String none = "--scopes " + label + " is none of collect, read, operate, admin";
      scopes.add(
          Stream.of(Scope.values())
              .filter(scope -> scope.label().equals(label))
              .findFirst()
              .orElseThrow(() -> wronglyAsked("create", none)));
    }
    return scopes;
  }
}
