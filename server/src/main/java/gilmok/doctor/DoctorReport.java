package gilmok.doctor;

import java.util.List;

/**
 * What {@code gilmok doctor} has found.
 *
 * @param rows a query's name, a step of its plan, what is thought of it; the first and the last
 *     stand beside the first step
 * @param faults what the database lacks, or has otherwise than it has to be
 * @param queries how many were looked at
 * @param bad how many of them cannot stay as they are
 */
record DoctorReport(List<List<String>> rows, List<String> faults, int queries, int bad) {
  DoctorReport {
    rows = List.copyOf(rows);
    faults = List.copyOf(faults);
  }
}
