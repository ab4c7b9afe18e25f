package gilmok.app;

import gilmok.observe.Meters;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** What of a server that runs can follow other settings. Thread-safe. */
public final class Adjustables {
  /** Where a server answers. */
  public interface Door {
    /** See {@link Adjustables#check}. */
    void check(ServerConfig other) throws IOException;

    /** Shows new connections what other files hold; whether it is another certificate or key. */
    boolean takeCertificate(ServerConfig other) throws IOException, InterruptedException;
  }

  private final Door door;
  private final Meters meters;
  private final List<BiConsumer<ServerConfig, ServerConfig>> all = new CopyOnWriteArrayList<>();

  public Adjustables(Door door, Meters meters) {
    this.door = door;
    this.meters = meters;
  }

  /**
   * Takes a part that follows what differs, without fail: the settings were checked. It is called
   * on the thread of a reload, one at a time, with what was in force and what is from now on, which
   * differs only in what a reload may change.
   */
  public void add(BiConsumer<ServerConfig, ServerConfig> one) {
    all.add(one);
  }

  /** The server's. */
  public Meters meters() {
    return meters;
  }

  /**
   * Looks whether a server could start with these, by what their values alone do not tell.
   *
   * @throws IOException when it could not; it says why
   * @throws gilmok.config.InvalidSettings as well
   */
  public void check(ServerConfig other) throws IOException {
    door.check(other);
  }

  /**
   * Has everything follow other settings.
   *
   * @return whether another certificate or key is shown now
   * @throws IOException when that cannot be used; nothing is changed then
   */
  public boolean adjust(ServerConfig before, ServerConfig next)
      throws IOException, InterruptedException {
    boolean isOther = door.takeCertificate(next); // first, as it alone can fail
    all.forEach(part -> part.accept(before, next));
    return isOther;
  }
}
