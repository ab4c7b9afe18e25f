"""What lab/longday and lab/traffic compute: the curve, when requests are due, percentiles, drift, and what a phone keeps."""
import importlib.machinery, importlib.util, pathlib, socket, ssl, subprocess, sys, tempfile, threading, time, unittest

sys.dont_write_bytecode = True
LAB = pathlib.Path(sys.argv.pop(1))


def tool(name):
    loader = importlib.machinery.SourceFileLoader(name, str(LAB / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


longday = tool("longday")
traffic = longday.traffic


class Flaky:
    """A server over TLS of one thread: what it does with each upload is given, then it takes all. Keeps what it took."""

    def __init__(self, folder, *does):
        longday.certificates(folder)
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(folder / "first.pem", folder / "first.key")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.does, self.bodies, self.taken = self.listener.getsockname()[1], list(does), [], []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            raw, _ = self.listener.accept()
            threading.Thread(target=self.talk, args=(raw,), daemon=True).start()

    def talk(self, raw):
        with self.context.wrap_socket(raw, server_side=True) as client, client.makefile("rwb") as stream:
            while line := stream.readline():
                length = 0
                while line.strip():
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                    line = stream.readline()
                body = stream.read(length)
                count = body.count(b'"id"')
                self.bodies.append(body)
                does = self.does.pop(0) if self.does else "take"
                if does == "refuse":
                    stream.write(b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")
                elif does == "hang up":
                    return
                else:
                    self.taken.append(body)
                    said = f'{{"accepted":{count},"duplicates":0,"quarantined":[]}}'.encode()
                    stream.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: %d\r\n\r\n%s" % (len(said), said))
                stream.flush()


class LongDayTest(unittest.TestCase):
    def test_the_evening_is_the_morning_backwards(self):
        for hour in range(7, 24):
            self.assertAlmostEqual(traffic.share(hour + 0.25), traffic.share(30.75 - hour))
        self.assertEqual(1, traffic.share(12))
        self.assertLess(traffic.share(4), 0.002)

    def test_hours_that_are_compared_have_one_rate(self):
        dues = list(traffic.Day(100.0, 0.1, 2000).dues())
        day = traffic.Day(100.0, 0.1, 2000)
        self.assertEqual(sorted(dues), dues)
        for early, late in longday.ALIKE:
            one, other = (sum(1 for due in dues if int(day.hour(due)) == hour) for hour in (early, late))
            self.assertAlmostEqual(one / other, 1, delta=0.02)
        wanted = 2000 * 0.1 * 150 * (sum(traffic.CURVE) - traffic.CURVE[0] / 2 - traffic.CURVE[24] / 2)
        self.assertAlmostEqual(len(dues) / wanted, 1, delta=0.02)

    def test_a_percentile_is_within_a_class(self):
        some = traffic.Latencies()
        self.assertEqual(0, some.millis(0.99))
        for number in range(1, 1001):
            some.add(number / 1000)
        self.assertAlmostEqual(some.millis(0.5) / 500, 1, delta=0.021)
        self.assertAlmostEqual(some.millis(0.99) / 990, 1, delta=0.021)

    def hours(self, late):
        same = {"rss": 700.0, "p99": 10.0, "threads": 70.0, "beside": 60.0}
        return [{"hour": hour, **(late if hour > 17 else {}), **{k: v for k, v in same.items() if hour < 17 or k not in late}}
                for pair in longday.ALIKE for hour in pair]

    def test_what_is_alike_has_not_drifted(self):
        self.assertEqual([True] * 4, [row[5] for row in longday.drift(self.hours({"rss": 760.0, "threads": 78.0}))])

    def test_each_drift_is_told(self):
        for what, value in (("rss", 780.0), ("p99", 12.1), ("threads", 79.0), ("beside", 77.0)):
            broken = [row[0] for row in longday.drift(self.hours({what: value})) if not row[5]]
            self.assertEqual(1, len(broken), what)

    def test_what_was_not_acknowledged_is_sent_again_in_order(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            flaky = Flaky(folder, "take", "refuse", "hang up", "take", "hang up")
            day = traffic.Day(time.monotonic() + 0.1, 4 / 3600, 20)
            phones = traffic.Phones(day, flaky.port, "k", folder / "authority.pem", folder)
            phones.run()
            self.assertGreater(phones.made, 20)
            self.assertEqual((phones.made, phones.made), (phones.taken, sum(phones.acknowledged)))
            self.assertEqual((1, 2, []), (phones.refused[503], phones.lost, phones.wrong))
            for phone in range(20):
                mine = [body for body in flaky.taken if b'"phone-%d"' % phone in body]
                ids = [int(part.split(b'"')[0]) for body in mine for part in body.split(b'"id":"')[1:]]
                self.assertEqual(sorted(set(ids)), ids)
            self.assertGreater(len(flaky.bodies), len(flaky.taken))


if __name__ == "__main__":
    unittest.main()
