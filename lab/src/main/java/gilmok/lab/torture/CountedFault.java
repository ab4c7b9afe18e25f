package gilmok.lab.torture;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A fault of a system outside of the server. It counts how often the fault had an effect. */
abstract class CountedFault implements Fault.OfAWhile {
  private @Nullable Victim victim;
  private long before;
  private long met;

  /** The number of effects so far; negative if nothing counts them. */
  abstract long shown(World world);

  abstract void misbehave(World world) throws IOException;

  abstract void behave(World world);

  @Override
  public String effect() {
    return victim == null || before < 0 ? "" : met + " met";
  }

  @Override
  public void begin(World world) throws IOException {
    before = shown(world);
    victim = Victim.of(world.node());
    misbehave(world);
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    behave(world);
    if (victim != null && before >= 0) {
      met = shown(world) - before;
      victim.mustHave(met > 0, "nothing was asked of it meanwhile");
    }
  }
}
