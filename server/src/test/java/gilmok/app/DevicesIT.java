package gilmok.app;

import org.junit.jupiter.api.Tag;

/** Phones of one node, in a file of its data folder. */
@Tag("server")
final class DevicesIT extends DevicesServerContract {}
