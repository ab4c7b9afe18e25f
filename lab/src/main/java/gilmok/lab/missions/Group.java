package gilmok.lab.missions;

import gilmok.lab.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Servers of this build that share a database and Redis, or a single one. Not thread-safe. */
record Group(List<Subject> servers) implements AutoCloseable {
  /** Starts a number of servers. */
  static Group start(Rig rig, int count, List<String> settings)
      throws IOException, InterruptedException {
    Group group = new Group(new ArrayList<>());
    try {
      for (int i = 0; i < count; i++) {
        group.servers.add(rig.gilmok(settings));
      }
      return group;
    } catch (IOException | InterruptedException failed) {
      group.close();
      throw failed;
    }
  }

  Subject first() {
    return servers.getFirst();
  }

  /** How often each server has loaded a rider from its source. */
  List<Double> loads() throws IOException, InterruptedException {
    List<Double> loads = new ArrayList<>();
    for (Subject server : servers) {
      loads.add(Rig.loads(List.of(server)));
    }
    return loads;
  }

  @Override
  public void close() {
    servers.forEach(Subject::close);
  }
}
