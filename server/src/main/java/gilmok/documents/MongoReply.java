package gilmok.documents;

import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.BsonInput;

/** A codec that returns an answer's raw bytes, copied once. Thread-safe. */
final class MongoReply implements Codec<byte[]> {
  private static final int SIZE_BYTES = 4;

  @Override
  public byte[] decode(BsonReader reader, DecoderContext context) {
    if (!(reader instanceof BsonBinaryReader binary)) {
      BasicOutputBuffer buffer = new BasicOutputBuffer();
      try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
        writer.pipe(reader);
      }
      return buffer.toByteArray();
    }
    BsonInput input = binary.getBsonInput();
    int size = input.readInt32();
    byte[] bytes = new byte[size];
    for (int i = 0; i < SIZE_BYTES; i++) {
      bytes[i] = (byte) (size >> (i * Byte.SIZE));
    }
    input.readBytes(bytes, SIZE_BYTES, size - SIZE_BYTES);
    return bytes;
  }

  @Override
  public void encode(BsonWriter writer, byte[] value, EncoderContext context) {
    throw new UnsupportedOperationException("answers are read alone");
  }

  @Override
  public Class<byte[]> getEncoderClass() {
    return byte[].class;
  }
}
