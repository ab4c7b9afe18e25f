package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.http.HttpConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Prints where a server that runs alone is, as soon as it listens, and when it is ready. */
record StartNotice(ServerConfig config, PrintStream out) implements ServerExtension {
  @Override
  public void listening(int port, @Nullable Path adminKeyFile) {
    String url = url(port);
    out.println("Gilmok listens on " + url);
    out.println("  map    " + url + "/");
    out.println("  ops    " + url + "/ops");
    out.println("  API    " + url + "/docs");
    out.println("  key    " + key(adminKeyFile));
    out.println("  data   " + config.data().toAbsolutePath().normalize());
    out.flush();
  }

  @Override
  public void arrive(int port, @Nullable Path adminKeyFile) {
    out.println("Gilmok is ready: " + url(port));
    out.flush();
  }

  /** Where the admin key is; the key itself is not printed, as output is often kept. */
  private String key(@Nullable Path adminKeyFile) {
    if (adminKeyFile != null) {
      return "in " + adminKeyFile;
    }
    return config.auth().adminKey() != null
        ? "the one of the setting admin-key (GILMOK_ADMIN_KEY)"
        : "made at an earlier start; \"gilmok keys ls\" shows all keys";
  }

  /** The URL for a browser on this machine. */
  private String url(int port) {
    HttpConfig http = config.of(HttpConfig.class);
    String host =
        switch (http.host()) {
          case "0.0.0.0", "::" -> "127.0.0.1";
          case String name when name.contains(":") -> "[" + name + "]";
          case String name -> name;
        };
    return (http.tls() == null ? "http" : "https") + "://" + host + ":" + port;
  }
}
