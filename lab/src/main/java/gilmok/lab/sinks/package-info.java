/**
 * Measures shipping: how fast a log is emptied, what sinks cost the phones, what the vendor bills;
 * beside the old way of one record a call.
 */
@NullMarked
package gilmok.lab.sinks;

import org.jspecify.annotations.NullMarked;
