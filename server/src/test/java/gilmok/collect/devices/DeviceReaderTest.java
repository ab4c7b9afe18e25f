package gilmok.collect.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node reads of a database whose changes come late, all at once, or from the future. */
@Tag("unit")
final class DeviceReaderTest {
  private static final long NOW = 1_767_000_000_000L;
  private static final long HOUR = 3_600_000;

  private final Map<String, Device> known = new HashMap<>();
  private final DatedDevices store = new DatedDevices();
  private final DeviceReader reader =
      new DeviceReader(store, () -> Instant.ofEpochMilli(NOW), new Memory());

  /** What the reader tells, without anything else. */
  private final class Memory implements DeviceReader.Known {
    @Override
    public void merge(Device read) {
      known.put(read.id(), read);
    }

    @Override
    public Map<String, Long> versions() {
      Map<String, Long> all = new HashMap<>();
      known.values().forEach(device -> all.put(device.id(), device.version()));
      return all;
    }

    @Override
    public void gone(String id, long version) {
      known.remove(id);
    }
  }

  @Test
  void changeThatBecomesVisibleAfterALaterOne_isRead() throws Exception {
    store.put("a", NOW - HOUR);
    reader.readAll();
    assertThat(known.keySet()).containsExactly("a");
    store.put("b", NOW);
    reader.readOn();
    store.put("c", NOW - 1_000);
    reader.readOn();
    assertThat(known.keySet()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void anOldChange_isNotReadAgain() throws Exception {
    store.put("a", NOW - HOUR);
    store.put("b", NOW);
    reader.readAll();
    known.clear();
    reader.readOn();
    assertThat(known.keySet()).containsExactly("b");
  }

  @Test
  void moreChangesAtOneInstantThanAPage_areAllRead() throws Exception {
    reader.readAll();
    int count = 2 * DeviceStore.PAGE_MAX + 7;
    for (int i = 0; i < count; i++) {
      store.put("d" + i, NOW);
    }
    for (int i = 0; i < 3; i++) {
      reader.readOn();
    }
    assertThat(known).hasSize(count);
  }

  @Test
  void changesOfAPrimaryWhoseClockIsBehindTheLast_areRead() throws Exception {
    store.put("a", NOW + HOUR);
    reader.readAll();
    store.put("b", NOW);
    reader.readOn();
    store.put("c", NOW + 2 * HOUR);
    reader.readOn();
    store.put("d", NOW);
    reader.readOn();
    assertThat(known.keySet()).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void whatIsNotThereAnyMore_isGone_afterAReadingOfAll() throws Exception {
    for (int i = 0; i <= DeviceStore.PAGE_MAX; i++) {
      store.put("d" + i, NOW - HOUR);
    }
    reader.readAll();
    assertThat(known).hasSize(DeviceStore.PAGE_MAX + 1);
    store.dated.remove("d7");
    reader.readAllSoon();
    reader.readOn();
    assertThat(known).as("half of it").containsKey("d7");
    store.put("new", NOW);
    reader.readOn();
    assertThat(known).doesNotContainKey("d7").containsKey("new");
    assertThat(known).hasSize(DeviceStore.PAGE_MAX + 1);
  }

  /** Devices with the times of their changes; for reading only. */
  private static final class DatedDevices implements DeviceStore {
    private final NavigableMap<String, Long> dated = new TreeMap<>();

    void put(String id, long changedMillis) {
      dated.put(id, changedMillis);
    }

    private static Device device(String id) {
      return Device.unknown(id).tied("r", null);
    }

    @Override
    public Page page(String afterId, long nowMillis) {
      List<String> ids = dated.tailMap(afterId, false).keySet().stream().limit(PAGE_MAX).toList();
      String next = ids.size() < PAGE_MAX ? null : ids.getLast();
      return new Page(ids.stream().map(DatedDevices::device).toList(), List.of(), List.of(), next);
    }

    @Override
    public long newestMillis() {
      return dated.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public Changes changes(long sinceMillis) {
      List<Map.Entry<String, Long>> found =
          new ArrayList<>(
              dated.entrySet().stream()
                  .filter(one -> one.getValue() >= sinceMillis)
                  .sorted(Comparator.comparing(Map.Entry::getValue))
                  .limit(PAGE_MAX)
                  .toList());
      return new Changes(
          found.stream().map(one -> device(one.getKey())).toList(),
          found.isEmpty() ? sinceMillis : found.getLast().getValue(),
          found.size() < PAGE_MAX);
    }

    @Override
    public Device tie(String id, String rider, @Nullable String group, long nowMillis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Device untie(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Device tell(String id, Device.Waiting command, int max) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Device claim(String id, String commandId, long nowMillis, long untilMillis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void end(List<Ending> endings) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Restored> restore(List<Device> brought, long nowMillis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void remove(Device idle) {
      throw new UnsupportedOperationException();
    }
  }
}
