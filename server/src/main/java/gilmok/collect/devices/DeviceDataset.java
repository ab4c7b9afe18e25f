package gilmok.collect.devices;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.StoredTally;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whose each phone is, and its group; without the commands that wait. Thread-safe. */
public record DeviceDataset(Devices devices) implements Dataset {
  private static final int TEXT_MAX = 128;

  @Override
  public String name() {
    return "devices";
  }

  @Override
  public DatasetPage page(String cursor, int limit) throws IOException {
    return DatasetPage.of(devices.tied(cursor, limit + 1), limit, DeviceDataset::write, Device::id);
  }

  /** Gives the devices of a rider. */
  public void write(String riderId, JsonLines out) throws IOException {
    JsonBuffer json = new JsonBuffer();
    for (Device one : devices.list("", riderId, Integer.MAX_VALUE)) {
      json.clear();
      write(one, json);
      out.line(json);
    }
  }

  @Override
  public RecordBatch batch(String keyId) {
    return new ReadBatch<Device>(DeviceDataset::read, this::store);
  }

  private static @Nullable Device read(JsonDocument document, int value, Fields fields) {
    fields.only(value, "", Set.of("id", "riderId", "group"));
    String id = fields.need(value, "", "id", TEXT_MAX);
    if (HiddenKey.isIn(id)) {
      fields.wrong("id", "holds a key, which others could read in it");
    }
    return Device.unknown(id)
        .tied(
            fields.need(value, "", "riderId", TEXT_MAX), fields.text(value, "", "group", TEXT_MAX));
  }

  private RecordBatch.Stored store(List<Device> brought) throws IOException, InterruptedException {
    StoredTally<Device> tally = new StoredTally<>(DeviceDataset::write);
    List<Devices.Tied> tied = devices.tieNew(brought);
    for (int i = 0; i < brought.size(); i++) {
      Device one = brought.get(i);
      if (tied.get(i).hasRoom()) {
        tally.count(one, one.id(), tied.get(i).there());
      } else {
        tally.reject("id", "no more devices fit");
      }
    }
    return tally.stored();
  }

  private static void write(Device device, JsonBuffer out) {
    out.ascii("{\"id\":").string(device.id());
    out.ascii(",\"riderId\":").string(device.rider());
    if (device.group() != null) {
      out.ascii(",\"group\":").string(device.group());
    }
    out.put('}');
  }
}
