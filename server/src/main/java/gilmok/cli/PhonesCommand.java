package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.Scope;
import gilmok.phones.Guide;
import gilmok.phones.Guides;
import gilmok.phones.PhoneApp;
import gilmok.phones.PhoneSetup;
import gilmok.phones.Qr;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code gilmok phones}: prints how to set up a rider's phone, for each app. */
@Command(
    name = "phones",
    description =
        "Show how to set up a tracking app so that a rider's phone reports here, with a QR code."
            + " Unless a key is given, one is made for the phone: it is bound to the rider, can only"
            + " collect, and expires after 90 days.",
    footer = {
      "",
      "Examples:",
      "  gilmok phones --rider r-7 --phone-url https://fleet.example.com",
      "  gilmok phones --rider r-8 --app owntracks --expires-in 30d",
      "  K=$(gilmok keys create r-9 --scopes collect --rider r-9)",
      "  gilmok phones --rider r-9 --phone-key \"$K\" --no-qr"
    })
final class PhonesCommand extends CliCommand implements Callable<Integer> {
  /** The width of a terminal that was not resized; a wider QR code would be broken into lines. */
  private static final int USUAL_COLUMNS = 80;

  private static final String NEVER = "never";

  @Option(names = "--rider", required = true, paramLabel = "ID", description = "The phone's rider.")
  String rider = "";

  @Option(
      names = "--app",
      paramLabel = "APP",
      description = "Only this app, such as owntracks (default: every app).")
  @Nullable String app;

  @Option(
      names = "--phone-url",
      paramLabel = "URL",
      description = "The URL at which phones reach the server (default: that of --url).")
  @Nullable String phoneUrl;

  @Option(
      names = "--phone-key",
      paramLabel = "KEY",
      description = "The phone's key; then no server is called (default: a new key).")
  @Nullable String phoneKey;

  @Option(
      names = "--expires-in",
      paramLabel = "SPAN",
      defaultValue = "90d",
      description = "When the new key expires, or never (default: ${DEFAULT-VALUE}).")
  String expiresIn = "";

  @Option(names = "--no-qr", description = "Print no QR codes.")
  boolean withoutQr;

  @Mixin Access access = new Access();

  private boolean isServerAsked;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<PhoneApp> apps = apps();
    String url = phoneUrl == null ? access.base().toString() : phoneUrl;
    // Checked before a key is made for a wrong input.
    check(url, phoneKey == null ? "to-be-made-below" : phoneKey);
    Duration life = expiresIn.equals(NEVER) ? null : life();
    Keyring.Made made = phoneKey == null ? newKey(life) : null;
    String key = made == null ? Objects.requireNonNull(phoneKey) : made.key();
    PhoneSetup setup = new PhoneSetup(url, rider, key);
    List<Guide> guides = apps.stream().map(one -> Guides.of(one, setup)).toList();
    tie(guides.stream().map(Guide::device).filter(one -> !one.equals(rider)).distinct().toList());
    warnOfLoopback(url);
    out().println("Rider " + rider + ", key " + key);
    if (made != null) {
      out().println(untilWhen(made.expiresAt()));
    }
    print(guides);
    return 0;
  }

  private List<PhoneApp> apps() {
    return app == null
        ? List.of(PhoneApp.values())
        : List.of(
            PhoneApp.of(app)
                .orElseThrow(
                    () -> wronglyAsked("--app " + app + " is none of " + PhoneApp.labels())));
  }

  private void check(String url, String key) {
    PhoneSetup.Fault fault = PhoneSetup.fault(url, rider, key);
    if (fault == null) {
      return;
    }
    String option =
        switch (fault.field()) {
          case "riderId" -> "--rider";
          case "key" -> "--phone-key";
          default -> phoneUrl == null ? "--url" : "--phone-url";
        };
    throw wronglyAsked(option + " " + fault.reason());
  }

  private Duration life() {
    try {
      return new DurationOption().convert(expiresIn);
    } catch (TypeConversionException wrong) {
      throw wronglyAsked("--expires-in: " + wrong.getMessage());
    }
  }

  private static String untilWhen(@Nullable String expiresAt) {
    return expiresAt == null
        ? "This new key never expires; --expires-in gives one an end."
        : "This new key expires at %s; --expires-in 365d or never: later, or not."
            .formatted(expiresAt);
  }

  private Keyring.Made newKey(@Nullable Duration life) throws IOException, InterruptedException {
    KeyRequest wanted =
        new KeyRequest(
            // A name has 128 characters at most, and a rider's id alone can be as long.
            ("phone " + rider).substring(0, Math.min(128, rider.length() + 6)),
            Set.of(Scope.COLLECT),
            new Binding(Binding.Kind.RIDER, rider),
            life,
            null);
    try (Keyring keys = access.keyring(err())) {
      isServerAsked = keys instanceof HttpKeys;
      return keys.create(wanted);
    }
  }

  /** Ties devices to the rider: those that call themselves by another name than the rider's id. */
  private void tie(List<String> devices) throws InterruptedException {
    if (!isServerAsked) {
      devices.forEach(
          one -> err().println("gilmok: say whose it is: PUT /v1/devices/" + one + " {riderId}"));
      return;
    }
    try (ApiClient server = new ApiClient(access.target())) {
      for (String device : devices) {
        String path = "/v1/devices/" + PhoneSetup.encoded(device);
        JsonNode known = server.find(path);
        // A device that is tied to the rider keeps its group.
        if (known == null || !known.path("riderId").asString("").equals(rider)) {
          server.ask("PUT", path, JsonMapper.shared().createObjectNode().put("riderId", rider));
        }
      }
    }
  }

  private void warnOfLoopback(String url) {
    String host = URI.create(url).getHost();
    if (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]")) {
      err()
          .println(
              "gilmok: phones do not reach "
                  + url
                  + ": say with --phone-url where they find this server, which listens on this"
                  + " machine alone until it is started with --set http.host=0.0.0.0, and with"
                  + " TLS or a proxy in front (docs/running.md)");
    }
  }

  private void print(List<Guide> guides) {
    PrintWriter out = out();
    for (Guide guide : guides) {
      PhoneApp one = guide.app();
      out.println();
      out.println(
          "%s (%s), --app %s"
              .formatted(one.title(), String.join(", ", one.platforms()), one.label()));
      out.println("  " + guide.menu());
      List<List<String>> rows = new ArrayList<>();
      guide.settings().forEach(entry -> rows.add(List.of(entry.name(), entry.value())));
      Table.lines(rows).forEach(line -> out.println("    " + line));
      if (guide.link() != null) {
        out.println("  Or open on the phone: " + guide.link());
      }
      if (!withoutQr) {
        Qr code = new Qr(guide.code());
        if (code.columns() > USUAL_COLUMNS) {
          out.println("  (the code is " + code.columns() + " columns wide)");
        }
        code.lines().forEach(out::println);
      }
    }
    out.flush();
  }
}
