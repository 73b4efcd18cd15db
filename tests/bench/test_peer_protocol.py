"""How often a peer's function does the work when it is told how often."""

import functools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "peers"))
import peer_protocol


class BatchTest(unittest.TestCase):
    def test_the_work_is_done_as_often_as_told(self):
        done = []

        def once():
            done.append(1)

        def with_an_option(stream=None):
            self.assertIsNone(stream)
            done.append(1)

        def with_any_words(*words, **options):
            self.assertEqual((words, options), ((), {}))
            done.append(1)

        def batch(calls):
            done.extend([1] * calls)

        for function in (once, with_an_option, with_any_words, batch, functools.partial(with_an_option, stream=None)):
            for calls in (0, 1, 7):
                done.clear()
                peer_protocol.batch_of(function)(calls)
                self.assertEqual(len(done), calls, function)


if __name__ == "__main__":
    unittest.main()
