package gilmok.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The histograms of one name in Prometheus' form: the buckets, and a gauge {@code <name>_max} of
 * the highest amount in the last one to two minutes. Thread-safe.
 */
final class HistogramFamily implements MultiCollector {
  private static final long SPELL_NANOS = 60_000_000_000L;

  private final String name;
  private final String help;
  private final long[] bounds;
  private final double unit;
  private final LongSupplier nanoTime;
  private final List<Histogram> members = new CopyOnWriteArrayList<>();
  private long spellBegan;

  HistogramFamily(String name, String help, long[] bounds, double unit, LongSupplier nanoTime) {
    this.name = name;
    this.help = help;
    this.bounds = bounds.clone();
    this.unit = unit;
    this.nanoTime = nanoTime;
    spellBegan = nanoTime.getAsLong();
  }

  Histogram member(String... labels) {
    Histogram member = new Histogram(bounds, unit, Labels.of(labels));
    members.add(member);
    return member;
  }

  @Override
  public synchronized MetricSnapshots collect() {
    long now = nanoTime.getAsLong();
    boolean spellEnds = now - spellBegan >= SPELL_NANOS;
    spellBegan = spellEnds ? now : spellBegan;
    HistogramSnapshot.Builder buckets = HistogramSnapshot.builder().name(name).help(help);
    GaugeSnapshot.Builder highest =
        GaugeSnapshot.builder().name(name + "_max").help(help + " The highest of late.");
    for (Histogram member : members) {
      buckets.dataPoint(member.point());
      highest.dataPoint(member.highestPoint(spellEnds));
    }
    return new MetricSnapshots(buckets.build(), highest.build());
  }

  @Override
  public List<String> getPrometheusNames() {
    return List.of(name, name + "_max");
  }
}
