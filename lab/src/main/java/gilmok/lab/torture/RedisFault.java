package gilmok.lab.torture;

import java.io.IOException;
import java.util.Locale;

/** Redis is away, or does not answer. */
record RedisFault(Way way) implements Fault.OfAWhile {
  /** How. */
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
    switch (way) {
      case KILLED -> world.redis().kill();
      case HELD_UP -> Fault.Hang.signal("-STOP", world.redis().pid());
    }
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    Fault.Hang.signal("-CONT", world.redis().pid());
    world.redis().start();
  }
}
