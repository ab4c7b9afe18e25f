package gilmok.erasure;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.LowPriority;
import gilmok.observe.Readiness;
import gilmok.privacy.RestoredRiders;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Erases riders again whom a restored data folder may have ({@link RestoredRiders}), before the
 * server is ready. Whatever was restored beside the log is gone through; of each rider who is found
 * an erasure is asked for, as a person would. A process that is killed begins anew at its next
 * start, and finds those who are left.
 *
 * <p>Owned by its loop, but for {@link #lack}.
 */
public final class RestoredErasures implements BackgroundLoop.Work, Drainable {
  private static final Logger LOG = System.getLogger("gilmok.erasure");
  private static final Duration LOOK = Duration.ofMillis(200);

  /** Who asks for these erasures, in their certificates. */
  private static final String KEY = "restore";

  private final RestoredRiders riders;
  private final Erasures erasures;
  private final BackgroundLoop loop;

  /** The riders for whom an erasure was asked for. */
  private final Set<String> asked = new HashSet<>();

  private boolean hasLooked;
  private volatile @Nullable String state = "what was restored is gone through";

  /** Of those riders. */
  public RestoredErasures(RestoredRiders riders, Erasures erasures, BackgroundLoops loops) {
    this.riders = riders;
    this.erasures = erasures;
    loop = loops.optional("erase-again", "erased riders are back", this);
  }

  /** Begins. */
  public void start() {
    loop.start();
  }

  /** Why the server is not ready; null when all are erased. From any thread. */
  public Readiness.@Nullable Lack lack() {
    String now = state;
    return now == null
        ? null
        : new Readiness.Lack("riders who were erased are erased again: " + now, false);
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (state == null) {
      return BackgroundLoops.SLEEP_MAX.toNanos();
    }
    if (!hasLooked) {
      LowPriority.lower();
      riders.look();
      hasLooked = true;
    }
    List<String> found = riders.found();
    for (String rider : found) {
      if (!asked.contains(rider) && erasures.ask(rider, KEY) != null) {
        asked.add(rider);
      }
    }
    // Those that an earlier process has asked for, too: their riders may not be found any more.
    long left = erasures.left(riders.listed()) + found.size() - asked.size();
    if (left > 0) {
      state = left + " are left";
      return LOOK.toNanos();
    }
    riders.done();
    state = null;
    LOG.log(
        Level.INFO,
        "of {0} riders who were erased after the backup was made, it had {1}: they are erased again",
        riders.listed().size(),
        found.size());
    return BackgroundLoops.SLEEP_MAX.toNanos();
  }

  @Override
  public String name() {
    return "erase-again";
  }

  /** What is not done is done after the next start. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
  }
}
