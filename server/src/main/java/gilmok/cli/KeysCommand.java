package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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
    description =
        "Create, list and revoke the keys that phones and programs use: those of a running server,"
            + " or those in the data folder of a stopped one, if none answers there and no --url is given.",
    footer = {
      "",
      "Examples:",
      "  gilmok keys create app --scopes collect",
      "  gilmok keys create rider-7 --scopes collect,read --rider r-7",
      "  gilmok keys ls",
      "  gilmok keys revoke app"
    })
final class KeysCommand extends CliCommand implements Runnable {
  @Override
  public void run() {
    throw verbMissing();
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
      description = "Create a key and print it. Its secret is shown only this once.",
      footer = {
        "",
        "Examples:",
        "  gilmok keys create partner --scopes operate --expires-in 90d --rate 5",
        "  gilmok keys create rider-8 --scopes collect,read --rider r-8"
      })
  void create(
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
          @Nullable Integer rate,
      @Mixin Access access)
      throws IOException, InterruptedException {
    Binding binding = bound == null ? null : bound.binding();
    KeyRequest wanted = new KeyRequest(name, scopes(scopes), binding, expiresIn, rate);
    try (Keyring keys = access.keyring(err())) {
      out().println(keys.create(wanted).key());
    }
  }

  @Command(
      name = "import",
      description = {
        "Bring keys that were made elsewhere, so that phones need no new ones: a file of JSON"
            + " objects, one a line, or CSV whose first line has the names, in UTF-8.",
        "",
        "Each has name, scopes (default: collect), perhaps rider, shop or agency, expiresAt, rate;"
            + " and key, the text itself, or sha256, its hash in hexadecimal, or bcrypt with"
            + " prefix, how the key begins. A text is hashed here and not sent. Bringing a key"
            + " again changes nothing."
      },
      footer = {"", "Examples:", "  gilmok keys import keys.csv"})
  void importAll(
      @Parameters(paramLabel = "FILE", description = "The file.") Path file, @Mixin Access access)
      throws IOException, InterruptedException {
    List<KeysImport.Row> all = KeysImport.read(file, Instant.now());
    AtomicInteger done = new AtomicInteger();
    try (Keyring keys = access.keyring(err());
        ProgressLine _ =
            new ProgressLine(err(), () -> "%,d of %,d keys".formatted(done.get(), all.size()))) {
      for (KeysImport.Row one : all) {
        try {
          var _ = keys.create(one.request());
        } catch (CommandFailure refused) {
          throw new CommandFailure(
              "line %d, key %d of %d, %s: %s; those before it are in force"
                  .formatted(
                      one.line(),
                      done.get() + 1,
                      all.size(),
                      one.request().name(),
                      refused.getMessage()));
        }
        done.incrementAndGet();
      }
    }
    out().println("brought %,d keys".formatted(all.size()));
  }

  /** The argument with the key. */
  static final class Named {
    @Parameters(paramLabel = "KEY", description = "The key's id, or its name if no other has it.")
    String name = "";
  }

  @Command(
      name = "ls",
      description = "List the keys, without their secrets.",
      footer = {"", "Examples:", "  gilmok keys ls"})
  void list(@Mixin Access access) throws IOException, InterruptedException {
    try (Keyring keys = access.keyring(err())) {
      print(keys.list());
    }
  }

  @Command(name = "list", hidden = true, description = "List the keys, as ls does.")
  void listAsBefore(@Mixin Access access) throws IOException, InterruptedException {
    list(access);
  }

  @Command(
      name = "show",
      description = "Show one key, without its secret.",
      footer = {
        "",
        "Examples:",
        "  gilmok keys create app-2 --scopes read",
        "  gilmok keys show app-2"
      })
  void show(@Mixin Named key, @Mixin Access access) throws IOException, InterruptedException {
    try (Keyring keys = access.keyring(err())) {
      print(List.of(row(keys, key.name)));
    }
  }

  @Command(
      name = "revoke",
      description = "Revoke a key for good.",
      footer = {
        "",
        "Examples:",
        "  gilmok keys create app-3 --scopes read",
        "  gilmok keys revoke app-3"
      })
  void revoke(@Mixin Named key, @Mixin Access access) throws IOException, InterruptedException {
    try (Keyring keys = access.keyring(err())) {
      String id = row(keys, key.name).getFirst();
      keys.revoke(id);
      out().println("revoked " + id);
    }
  }

  /** The row of the key with that id, else of the only one with that name. */
  private static List<String> row(Keyring keys, String named)
      throws IOException, InterruptedException {
    List<List<String>> all = keys.list();
    List<List<String>> found = all.stream().filter(row -> row.get(0).equals(named)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(row -> row.get(1).equals(named)).toList();
    }
    if (found.isEmpty()) {
      throw new CommandFailure("there is no key " + named + "; \"gilmok keys ls\" shows them");
    }
    if (found.size() > 1) {
      String ids = found.stream().map(List::getFirst).collect(Collectors.joining(", "));
      throw new CommandFailure(found.size() + " keys are called " + named + ": say which, " + ids);
    }
    return found.getFirst();
  }

  private void print(List<List<String>> keys) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "NAME", "SCOPES", "BOUND TO", "EXPIRES", "RATE"));
    rows.addAll(keys);
    Table.lines(rows).forEach(out()::println);
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
