package gilmok.lab;

/** The laboratory. */
public final class Lab {
  private Lab() {}

  public static void main(String[] arguments) {
    System.out.println("lab");
  }
}
