package gilmok.ops;

import java.util.List;

/**
 * What some lines of the page's charts are made from. Called by the sampler alone, once a sample.
 */
interface ChartSource {
  /** The metric that it reads. */
  String metric();

  /** The names of its lines, without the values of labels. */
  List<String> lines();

  /**
   * Puts its lines into the history.
   *
   * @param seconds since the sample before; 0 at the first one
   */
  void take(DataPoints now, double seconds, MetricsHistory history);
}
