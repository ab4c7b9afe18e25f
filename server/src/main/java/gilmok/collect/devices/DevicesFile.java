package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.storage.Checkpoint;
import gilmok.storage.NewerFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of all devices: a version, then each device after a byte 1, and at the end a byte 0.
 * Texts are encoded as by {@link DataOutputStream#writeUTF}; an absent one is empty; a time is
 * epoch ms.
 *
 * <p>Not thread-safe: part of {@link Devices}.
 */
record DevicesFile(Checkpoint file) {
  private static final int VERSION = 1;

  /** Makes the file at the first start, so that its loss is noticed later. */
  void makeIfMissing() throws IOException, InterruptedException {
    if (!file.isThere()) {
      write(List.of());
    }
  }

  /** Renames the file, so that it is not read again; durable on return. */
  void moveAside(String name) throws IOException {
    Path aside = file.path().resolveSibling(name);
    file.disk().rename(file.path(), aside);
    file.disk().forceFolder(aside.getParent() == null ? Path.of(".") : aside.getParent());
  }

  void write(List<Device> devices) throws IOException, InterruptedException {
    file.replace(
        out -> {
          out.writeByte(VERSION);
          for (Device device : devices) {
            out.writeByte(1);
            write(device, out);
          }
          out.writeByte(0);
        });
  }

  List<Device> read() throws IOException {
    List<Device> devices = file.read(in -> read(in, file.path()));
    if (devices != null) {
      return devices;
    }
    if (file.isThere()) {
      throw new IOException(
          file.path()
              + " is damaged: put a backup in its place, or move it away to start without the"
              + " devices' riders, groups and waiting commands");
    }
    return List.of();
  }

  private static List<Device> read(DataInputStream in, Path path) throws IOException {
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new NewerFormatException(path, version, VERSION);
    }
    List<Device> devices = new ArrayList<>();
    while (in.readByte() == 1) {
      devices.add(device(in));
    }
    return devices;
  }

  private static void write(Device device, DataOutputStream out) throws IOException {
    out.writeUTF(device.id());
    text(device.riderId(), out);
    text(device.group(), out);
    out.writeInt(device.waiting().size());
    for (Device.Waiting waiting : device.waiting()) {
      PhoneCommand command = waiting.command();
      out.writeLong(waiting.sinceMillis());
      out.writeUTF(command.id());
      out.writeUTF(command.type().label());
      text(command.settings(), out);
      text(command.text(), out);
    }
  }

  private static Device device(DataInputStream in) throws IOException {
    String id = in.readUTF();
    String rider = text(in);
    String group = text(in);
    List<Device.Waiting> waiting = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      long since = in.readLong();
      PhoneCommand command = new PhoneCommand(in.readUTF(), type(in.readUTF()), text(in), text(in));
      waiting.add(new Device.Waiting(command, since));
    }
    return Device.unknown(id).tied(rider, group).waiting(waiting);
  }

  private static PhoneCommand.Type type(String label) throws IOException {
    PhoneCommand.Type type = PhoneCommand.Type.of(label);
    if (type == null) {
      throw new IOException("no command is called " + label);
    }
    return type;
  }

  private static void text(@Nullable String text, DataOutputStream out) throws IOException {
    out.writeUTF(text == null ? "" : text);
  }

  private static @Nullable String text(DataInputStream in) throws IOException {
    String text = in.readUTF();
    return text.isEmpty() ? null : text;
  }
}
