package gilmok.observe;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A registry that learns the names of a collector's metrics from its first answer. Micrometer's
 * collectors do not tell them, and so a read of a few metrics would collect all. Thread-safe.
 */
final class NamedCollectors extends PrometheusRegistry {
  private final Map<MultiCollector, MultiCollector> known = new ConcurrentHashMap<>();

  @Override
  public void register(MultiCollector collector) {
    boolean isNamed = !collector.getPrometheusNames().isEmpty();
    super.register(isNamed ? collector : known.computeIfAbsent(collector, Several::new));
  }

  @Override
  public void register(Collector collector) {
    super.register(collector.getPrometheusName() == null ? new One(collector) : collector);
  }

  @Override
  public void unregister(MultiCollector collector) {
    MultiCollector registered = known.remove(collector);
    super.unregister(registered == null ? collector : registered);
  }

  /** A collector of several metrics. */
  private static final class Several implements MultiCollector {
    private final MultiCollector real;
    private volatile List<String> names = List.of();

    Several(MultiCollector real) {
      this.real = real;
    }

    @Override
    public MetricSnapshots collect() {
      MetricSnapshots all = real.collect();
      if (all.size() != names.size()) {
        names = all.stream().map(one -> one.getMetadata().getPrometheusName()).toList();
      }
      return all;
    }

    @Override
    public List<String> getPrometheusNames() {
      return names;
    }
  }

  /** A collector of one metric. */
  private static final class One implements Collector {
    private final Collector real;
    private volatile @Nullable String name;

    One(Collector real) {
      this.real = real;
    }

    @Override
    public MetricSnapshot collect() {
      MetricSnapshot one = real.collect();
      name = one.getMetadata().getPrometheusName();
      return one;
    }

    @Override
    public @Nullable String getPrometheusName() {
      return name;
    }
  }
}
