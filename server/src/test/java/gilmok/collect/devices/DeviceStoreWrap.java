package gilmok.collect.devices;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that forwards each call to another. Subclasses change single calls. */
abstract class DeviceStoreWrap implements DeviceStore {
  private final DeviceStore store;

  DeviceStoreWrap(DeviceStore store) {
    this.store = store;
  }

  @Override
  public Page page(String afterId, long nowMillis) throws IOException, InterruptedException {
    return store.page(afterId, nowMillis);
  }

  @Override
  public long newestMillis() throws IOException, InterruptedException {
    return store.newestMillis();
  }

  @Override
  public Changes changes(long sinceMillis) throws IOException, InterruptedException {
    return store.changes(sinceMillis);
  }

  @Override
  public Device tie(String id, String rider, @Nullable String group, long nowMillis)
      throws IOException, InterruptedException {
    return store.tie(id, rider, group, nowMillis);
  }

  @Override
  public @Nullable Device untie(String id) throws IOException, InterruptedException {
    return store.untie(id);
  }

  @Override
  public @Nullable Device tell(String id, Device.Waiting command, int max)
      throws IOException, InterruptedException {
    return store.tell(id, command, max);
  }

  @Override
  public @Nullable Device claim(String id, String commandId, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    return store.claim(id, commandId, nowMillis, untilMillis);
  }

  @Override
  public void end(List<Ending> endings) throws IOException, InterruptedException {
    store.end(endings);
  }

  @Override
  public List<Restored> restore(List<Device> brought, long nowMillis)
      throws IOException, InterruptedException {
    return store.restore(brought, nowMillis);
  }

  @Override
  public void remove(Device idle) throws IOException, InterruptedException {
    store.remove(idle);
  }
}
