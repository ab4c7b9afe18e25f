package gilmok.lab.capacity;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that puts a lock around the log's append, held for a third of a millisecond: what a
 * careless {@code synchronized} does to a server.
 */
public final class LockAgent {
  private static final String LOG = "gilmok/log/Log";
  private static final int HELD_NANOS = 300_000;

  private LockAgent() {}

  /** Called by Java before the server's own main method. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Locking());
  }

  /** Writes this agent as a jar. */
  static Path write(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", LockAgent.class.getName());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Class<?> each : new Class<?>[] {LockAgent.class, Locking.class, Sleeping.class}) {
        String name = each.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        out.write(each.getClassLoader().getResourceAsStream(name).readAllBytes());
        out.closeEntry();
      }
    }
    return jar;
  }

  /** Makes the methods called append synchronized, and has them sleep first. */
  private static final class Locking implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        ClassLoader loader,
        String className,
        Class<?> classBeingRedefined,
        ProtectionDomain protectionDomain,
        byte[] classFile) {
      if (!LOG.equals(className)) {
        return null;
      }
      ClassFile file = ClassFile.of();
      ClassModel model = file.parse(classFile);
      return file.transformClass(
          model,
          ClassTransform.ofStateful(
              () ->
                  (builder, element) -> {
                    if (element instanceof MethodModel method
                        && method.methodName().equalsString("append")
                        && method.code().isPresent()) {
                      builder.withMethod(
                          method.methodName(),
                          method.methodType(),
                          method.flags().flagsMask() | AccessFlag.SYNCHRONIZED.mask(),
                          body -> body.transformCode(method.code().orElseThrow(), new Sleeping()));
                    } else {
                      builder.with(element);
                    }
                  }));
    }
  }

  /** Sleeps at the begin of a method. */
  private static final class Sleeping implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.loadConstant(0L)
          .loadConstant(HELD_NANOS)
          .invokestatic(
              ClassDesc.of("java.lang.Thread"),
              "sleep",
              MethodTypeDesc.of(CD_void, CD_long, CD_int));
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
