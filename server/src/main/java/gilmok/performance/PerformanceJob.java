package gilmok.performance;

import gilmok.event.DayRange;
import gilmok.jobs.JobKind;
import java.io.IOException;
import java.util.List;

/** Measures performance as a job: a day is a part. Thread-safe. */
record PerformanceJob(DayOfRiders measuring) implements JobKind {
  @Override
  public String name() {
    return "performance";
  }

  @Override
  public int parts(String request) {
    return PerformanceQuestion.of(request).count();
  }

  @Override
  public byte[] part(String request, int number) throws IOException, InterruptedException {
    PerformanceQuestion question = PerformanceQuestion.of(request);
    DayRange days = question.days(measuring.config().zone());
    return DayOfRiders.bytes(
        measuring.measure(question.whose(), days.begin(number), days.begin(number + 1)));
  }

  @Override
  public byte[] json(String request, List<byte[]> parts) {
    return report(request, parts).json();
  }

  @Override
  public byte[] csv(String request, List<byte[]> parts) {
    return report(request, parts).csv();
  }

  private static PerformanceReport report(String request, List<byte[]> parts) {
    return new PerformanceReport(
        PerformanceQuestion.of(request), parts.stream().map(DayOfRiders::read).toList());
  }
}
