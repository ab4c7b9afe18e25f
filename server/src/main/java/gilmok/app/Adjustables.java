package gilmok.app;

import gilmok.http.HttpConfig;
import gilmok.http.Listeners;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** The parts of a running server that a reload of the settings can change. Thread-safe. */
public final class Adjustables {
  /** The server's listeners, as a reload uses them. */
  public interface Door {
    /** See {@link Adjustables#check}. */
    void check(ServerConfig other) throws IOException;

    /**
     * Loads the certificate and key again for new connections.
     *
     * @return whether either has changed
     * @throws IOException when they cannot be used; the old ones stay in force
     */
    boolean takeCertificate(ServerConfig other) throws IOException, InterruptedException;
  }

  private final Door door;
  private final Meters meters;
  private final List<BiConsumer<ServerConfig, ServerConfig>> all = new CopyOnWriteArrayList<>();

  public Adjustables(Door door, Meters meters) {
    this.door = door;
    this.meters = meters;
  }

  /** The listeners of a server with these settings. */
  static Door door(Listeners listeners, ServerConfig config) {
    return new ListenersDoor(listeners, config);
  }

  /** The listeners, as a reload uses them. */
  private record ListenersDoor(Listeners listeners, ServerConfig config) implements Door {
    @Override
    public void check(ServerConfig other) throws IOException {
      HttpConfig http = other.of(HttpConfig.class);
      http.checkFiles();
      if (other.parts().equals(config.parts())) { // the routes of other parts are not known here
        http.compressionLevels().check(listeners.routes());
      }
    }

    @Override
    public boolean takeCertificate(ServerConfig other) throws IOException, InterruptedException {
      return listeners.takeCertificate(other.of(HttpConfig.class));
    }
  }

  /**
   * Adds a part that applies changed settings. It must not fail: the settings have been checked. It
   * is called on the thread of a reload, one reload at a time, with the settings in force and the
   * new ones, which differ only in what a reload may change.
   */
  public void add(BiConsumer<ServerConfig, ServerConfig> one) {
    all.add(one);
  }

  /** The metrics of the server. */
  public Meters meters() {
    return meters;
  }

  /**
   * Checks whether a server could start with these settings, beyond what their values alone show.
   *
   * @throws IOException when it could not; the message says why
   * @throws gilmok.config.InvalidSettings when it could not
   */
  public void check(ServerConfig other) throws IOException {
    door.check(other);
  }

  /**
   * Applies new settings to all parts.
   *
   * @return whether the certificate or the key has changed
   * @throws IOException when they cannot be used; nothing is changed then
   */
  public boolean adjust(ServerConfig before, ServerConfig next)
      throws IOException, InterruptedException {
    boolean isOther = door.takeCertificate(next); // first, as it alone can fail
    all.forEach(part -> part.accept(before, next));
    return isOther;
  }
}
