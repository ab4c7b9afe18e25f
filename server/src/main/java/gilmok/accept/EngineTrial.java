package gilmok.accept;

import java.io.IOException;

/**
 * The trial of one engine. {@link #run} and then {@link #cleanUp} are called once each, by one
 * thread; both block, as long as the engine's own timeouts allow.
 */
interface EngineTrial {
  /** The engine's name, for the page. */
  String engine();

  /** What the trial writes, and where: what is left if it cannot be removed. */
  String writes();

  /**
   * Tries the engine. What it finds wrong is a finding.
   *
   * @throws IOException when nothing more can be tried; the message says why
   * @throws InterruptedException when the time is over, or somebody ends the command
   */
  void run(Findings findings) throws IOException, InterruptedException;

  /**
   * Removes whatever was written, also after half of a run; closes all connections.
   *
   * @return what is left, in words
   * @throws IOException when something is left that should not be
   */
  String cleanUp() throws IOException, InterruptedException;
}
