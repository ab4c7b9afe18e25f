package gilmok.doctor;

import java.util.List;

/**
 * What {@code gilmok doctor} found in a database.
 *
 * @param server what was looked at of its server; nothing of a file
 * @param rows one for each step of a query's plan: the query's name, the step, the verdict; name
 *     and verdict are in the row of the first step only
 * @param faults what the database lacks, or has in the wrong form
 * @param queries the number of queries examined
 * @param bad the number of queries that must be fixed
 */
public record DoctorReport(
    List<Check> server, List<List<String>> rows, List<String> faults, int queries, int bad) {
  public DoctorReport {
    server = List.copyOf(server);
    rows = List.copyOf(rows);
    faults = List.copyOf(faults);
  }
}
