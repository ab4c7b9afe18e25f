package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A fault: the process may open no more files, or clients without a key take the ones it may open.
 */
final class Descriptors implements Fault.OfAWhile {
  private static final int CONNECT_MILLIS_MAX = 1_000;

  private final int idle;
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable Victim victim;
  private long usual;

  /**
   * A fault of descriptors.
   *
   * @param idle how many connections without a key take the remaining descriptors; 0: none remain
   *     from the beginning
   */
  Descriptors(int idle) {
    this.idle = idle;
  }

  @Override
  public String name() {
    return idle == 0 ? "descriptors" : "descriptors by " + idle + " idle connections";
  }

  @Override
  public boolean mayEndStart() {
    return true;
  }

  @Override
  public void begin(World world) throws IOException, InterruptedException {
    begin(Victim.of(world.node()), world.node().port());
  }

  void begin(Victim found, int port) throws IOException, InterruptedException {
    OptionalLong before = ProcessLook.filesMax(found.pid());
    OptionalLong open = ProcessLook.openFiles(found.pid());
    if (before.isEmpty() || open.isEmpty()) {
      found.mustHave(false, "the kernel does not say what it has open");
      return;
    }
    victim = found;
    usual = before.getAsLong();
    limit(found, open.getAsLong() + idle / 2);
    for (int i = 0; i < idle; i++) {
      Socket socket = new Socket();
      sockets.add(socket);
      try {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS_MAX);
      } catch (IOException refused) {
        found.mustHave(i > idle / 2, "only %d connections: %s".formatted(i, refused));
        break;
      }
    }
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    end();
  }

  void end() throws IOException, InterruptedException {
    for (Socket socket : sockets) {
      socket.close();
    }
    Victim found = victim;
    if (found != null) {
      limit(found, usual);
    }
  }

  /**
   * Sets the soft limit. The hard limit stays, so that the soft one can be raised again without
   * privileges.
   */
  private static void limit(Victim victim, long most) throws IOException, InterruptedException {
    String pid = Long.toString(victim.pid());
    Shell.Outcome outcome = Shell.run(List.of("prlimit", "--pid", pid, "--nofile=" + most + ":"));
    OptionalLong now = ProcessLook.filesMax(victim.pid());
    victim.mustHave(
        now.isPresent() && now.getAsLong() == most,
        "it may open %s, and not %d: %s".formatted(now, most, outcome.text()));
  }
}
