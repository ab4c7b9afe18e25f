package gilmok.lab.plan;

/**
 * The response to a request for a run sheet.
 *
 * @param tookMillis the duration that the server reports
 * @param waitedMillis the duration that the caller measured
 */
record Planned(long cost, boolean optimal, double tookMillis, double waitedMillis) {}
