package gilmok.lab.missions;

import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import java.io.IOException;
import java.util.List;

/** A load plan with its requests. */
record Load(LoadPlan plan, MissionRequests requests) {
  /** The same load with another rate and other times. */
  Load at(double rate, double warmup, double seconds) {
    return new Load(plan.at(rate, warmup, seconds), requests);
  }

  /** Runs it to the end; blocks. */
  RunResult run(List<LoadRun.Watch> watches) throws IOException, InterruptedException {
    return new LoadRun(plan, requests).watching(watches).run();
  }

  /** Runs it without measuring, to warm up the servers. */
  void warm(double rate, double seconds) throws IOException, InterruptedException {
    RunResult _ = at(rate, 0, seconds).run(List.of());
  }
}
