package gilmok.lab.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The process may open no more files, or people without a key have taken what it may. */
final class Descriptors implements Fault.OfAWhile {
  private static final String USUAL = "20000";

  private final int idle;
  private final List<Socket> sockets = new ArrayList<>();
  private long pid;

  /**
   * @param idle how many connections without a key take what is left; 0: nothing is left at once
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
    pid = world.node().pid();
    if (pid == 0) {
      return;
    }
    long open;
    try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      open = all.count();
    }
    limit(Long.toString(open + idle / 2));
    for (int i = 0; i < idle; i++) {
      try {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), world.node().port()));
      } catch (IOException refused) {
        break;
      }
    }
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    for (Socket socket : sockets) {
      socket.close();
    }
    if (pid != 0) {
      limit(USUAL);
    }
  }

  /** The soft one: the hard one stays, so that anybody may raise it again. */
  private void limit(String most) throws IOException, InterruptedException {
    Shell.run(List.of("prlimit", "--pid", Long.toString(pid), "--nofile=" + most + ":"));
  }
}
