package gilmok.lab.missions;

import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import java.io.IOException;
import java.util.List;

/** What is asked, and how fast. */
record Load(LoadPlan plan, MissionRequests requests) {
  /** The same for so long, at another rate. */
  Load at(double rate, double warmup, double seconds) {
    return new Load(plan.at(rate, warmup, seconds), requests);
  }

  /** Runs it to its end; blocks. */
  RunResult run(List<LoadRun.Watch> watches) throws IOException, InterruptedException {
    return new LoadRun(plan, requests).watching(watches).run();
  }

  /** Only for what it does to the servers. */
  void warm(double rate, double seconds) throws IOException, InterruptedException {
    RunResult _ = at(rate, 0, seconds).run(List.of());
  }
}
