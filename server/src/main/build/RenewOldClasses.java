import java.io.DataInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rewrites a shaded jar in place, run by Maven: classes older than Java 6 (picocli's) get the
 * version of our own.
 *
 * <p>An AOT cache does not take such old classes: every start would read them from the jar and
 * check them with the old verifier. The new verifier needs frames (StackMapTable), which are
 * generated here.
 */
final class RenewOldClasses {
  private static final ClassTransform TO_OURS =
      ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
          .andThen(ClassTransform.endHandler(to -> to.withVersion(ClassFile.JAVA_25_VERSION, 0)));

  private RenewOldClasses() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    // The file system closes last, after the loader that reads the jar: closing it writes the jar.
    try (FileSystem files = FileSystems.newFileSystem(jar);
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      ClassFile format =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader).cached()));
      int renewed = 0;
      for (Path file : all.filter(one -> one.toString().endsWith(".class")).toList()) {
        renewed += renew(format, file) ? 1 : 0;
      }
      if (renewed == 0) {
        throw new IllegalStateException(jar + " has no old classes: this step can go");
      }
    }
  }

  private static boolean renew(ClassFile format, Path file) throws IOException {
    try (DataInputStream head = new DataInputStream(Files.newInputStream(file))) {
      head.skipNBytes(6);
      if (head.readUnsignedShort() >= ClassFile.JAVA_6_VERSION) {
        return false;
      }
    }
    ClassModel old = format.parse(Files.readAllBytes(file));
    byte[] made = format.transformClass(old, TO_OURS);
    List<VerifyError> faults = format.verify(made);
    if (!faults.isEmpty()) {
      throw faults.getFirst();
    }
    FileTime time = Files.getLastModifiedTime(file);
    Files.write(file, made);
    Files.setLastModifiedTime(file, time); // the same sources make the same jar
    return true;
  }
}
