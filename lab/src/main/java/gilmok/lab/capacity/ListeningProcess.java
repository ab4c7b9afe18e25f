package gilmok.lab.capacity;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The process that listens on a port of this machine, as {@code /proc} shows it to who may look.
 * Linux only. Stateless.
 */
final class ListeningProcess {
  private static final String LISTENING = "0A";
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ListeningProcess() {}

  /** Its id; 0 if it is on another machine, or may not be looked at. */
  static long of(InetSocketAddress address) {
    if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
      return 0;
    }
    try {
      Set<String> sockets = sockets(address.getPort());
      try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
        for (Path process : all) {
          if (hasAny(process.resolve("fd"), sockets)) {
            return Long.parseLong(process.getFileName().toString());
          }
        }
      }
    } catch (IOException notLinux) {
      return 0;
    }
    return 0;
  }

  /** What listens on the port, as the links of file descriptors name it. */
  private static Set<String> sockets(int port) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (String file : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
      if (!Files.exists(Path.of(file))) {
        continue;
      }
      for (String line : Files.readAllLines(Path.of(file))) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > INODE
            && fields[STATE].equals(LISTENING)
            && fields[LOCAL].endsWith(String.format(":%04X", port))) {
          sockets.add("socket:[" + fields[INODE] + "]");
        }
      }
    }
    return sockets;
  }

  private static boolean hasAny(Path descriptors, Set<String> sockets) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path one : all) {
        if (sockets.contains(Files.readSymbolicLink(one).toString())) {
          return true;
        }
      }
    } catch (IOException endedOrAnothers) {
      return false;
    }
    return false;
  }
}
