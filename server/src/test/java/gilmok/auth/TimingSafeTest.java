package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hashes are compared in constant time; the bytecode shows which method compares them. */
@Tag("unit")
class TimingSafeTest {
  @Test
  void keys_hashesCompared_onlyInConstantTime() throws IOException {
    List<String> called = called(KeyCheck.class);

    assertThat(called).contains("java/security/MessageDigest.isEqual");
    assertThat(called(SessionCodec.class)).contains("java/security/MessageDigest.isEqual");
    for (Class<?> type :
        List.of(
            Keys.class,
            KeyCheck.class,
            SessionCodec.class,
            SessionSecrets.class,
            PresentedKey.class,
            StoredKey.class,
            KeyTable.class)) {
      assertThat(called(type))
          .doesNotContain(
              "java/util/Arrays.equals", "java/util/Arrays.mismatch", "java/util/Arrays.compare");
    }
  }

  private static List<String> called(Class<?> type) throws IOException {
    try (InputStream bytes = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      List<String> called = new ArrayList<>();
      ClassFile.of()
          .parse(Objects.requireNonNull(bytes).readAllBytes())
          .constantPool()
          .forEach(
              entry -> {
                if (entry instanceof MemberRefEntry member) {
                  called.add(member.owner().asInternalName() + "." + member.name().stringValue());
                }
              });
      return called;
    }
  }
}
