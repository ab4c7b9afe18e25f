package gilmok.lab.torture;

import java.io.IOException;
import java.util.Locale;

/** A fault of Redis: it is down, or does not answer. */
record RedisFault(Way way) implements Fault.OfAWhile {
  /** The kind of fault. */
  enum Way {
    KILLED,
    HELD_UP
  }

  @Override
  public String name() {
    return "redis " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public void begin(World world) throws IOException, InterruptedException {
    long pid = world.redis().pid();
    switch (way) {
      case KILLED -> world.redis().kill();
      case HELD_UP -> Fault.Hang.stop(pid);
    }
    boolean isStopped = ProcessLook.isStopped(pid);
    boolean hasEnded = world.redis().pid() == 0;
    if (pid == 0 || !(way == Way.KILLED ? hasEnded : isStopped)) {
      throw new DidNotTakeException(pid == 0 ? "there was none" : "it goes on");
    }
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    Fault.Hang.release(world.redis().pid());
    world.redis().start();
  }
}
