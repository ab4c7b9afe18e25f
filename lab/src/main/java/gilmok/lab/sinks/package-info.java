/**
 * Measures shipping: how fast a log is emptied, what sinks cost the phones, what the vendor bills;
 * beside the baseline of one record in each call.
 */
@NullMarked
package gilmok.lab.sinks;

import org.jspecify.annotations.NullMarked;
