"""Launches, streams, events, device arrays and the libraries."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from sources import SIZES, kernels

import gridstride as gs


@pytest.mark.parametrize("n", SIZES)
def test_a_kernel_changes_the_array_on_the_device(n):
    x = np.random.default_rng(1).normal(size=n).astype(np.float32)
    d = gs.to_device(x)
    kernels().flood[4, 64](d, -0.25)
    np.testing.assert_array_equal(d.copy_to_host(), np.maximum(x, np.float32(-0.25)))


def test_two_dimensions_and_grids_of_tuples():
    x = np.arange(33 * 65, dtype=np.int32).reshape(33, 65)
    out = gs.device_array((65, 33), np.int32)
    kernels().transpose[(3, 2), (32, 32)](gs.to_device(x), out)
    np.testing.assert_array_equal(out.copy_to_host(), x.T)


def test_records_constants_random_states_shared_memory_and_block_style():
    particle = np.dtype([("x", "f4"), ("y", "f4"), ("kind", "i4")])
    p = gs.to_device(np.zeros(10, particle))
    kernels().move[1, 32](p, np.array((1, 2, 3), particle))
    assert p.dtype == particle and (p.copy_to_host() == np.array((1, 2, 3), particle)).all()
    d = gs.to_device(np.ones(9, np.float32))
    kernels().weigh[1, 32](d, np.array([1, 2, 3], np.float32))
    np.testing.assert_array_equal(d.copy_to_host(), [1, 2, 3] * 3)
    states, out = gs.random_states(64, 7), gs.device_array(64, "float32")
    kernels().draw[1, 64](states, out)
    drawn = out.copy_to_host()
    assert len(set(drawn)) == 64 and (drawn >= 0).all() and (drawn < 1).all()
    d = gs.to_device(np.arange(32, dtype=np.float32))
    kernels().reversed[1, 32, None, 128](d)
    np.testing.assert_array_equal(d.copy_to_host(), np.arange(31, -1, -1))
    kernels().tiled[1](d)
    np.testing.assert_array_equal(d.copy_to_host(), np.arange(32, 0, -1))


def test_random_states_are_those_of_numba():
    cuda_random = pytest.importorskip("numba.cuda.random")
    expected = np.empty(5, dtype=cuda_random.xoroshiro128p_dtype)
    cuda_random.init_xoroshiro128p_states_cpu(expected, np.uint64(42), np.uint64(3))
    got = gs.random_states(5, 42, 3).copy_to_host()
    assert got["s0"].tolist() == expected["s0"].tolist() and got["s1"].tolist() == expected["s1"].tolist()


def test_numbers_take_their_parameters_type():
    d = gs.to_device(np.zeros(4, np.int64))
    kernels().numbered[1, 1](d, -(2**62), 255, True, 7)
    assert d.copy_to_host().tolist() == [-(2**62), 255, 1, 7]
    for bad, found in (((2**63, 0, True, 0), "isn't exact as int64"), ((0, 256, True, 0), "isn't exact as uint8"),
                       ((0, 0, 1, 0), "isn't exact as bool"), ((0.5, 0, True, 0), "isn't exact as int64")):
        with pytest.raises(gs.Error, match=found):
            kernels().numbered[1, 1](d, *bad)


@pytest.mark.parametrize(
    "call, found",
    [
        (lambda k: k.flood[1, 32](np.ones(3, np.float32), 0.0), "it is a host array, and those never reach a kernel; copy it with"),
        (lambda k: k.flood[1, 32](gs.device_array(3, "float64"), 0.0), "the device array holds float64 and the kernel takes float32"),
        (lambda k: k.flood[1, 32](gs.device_array((3, 3), "float32"), 0.0), "a view of rank 1"),
        (lambda k: k.flood[1, 32](gs.device_array(3, "float32")), "1 arguments were given; give 2"),
        (lambda k: k.flood[1, 32](3, 0.0), "give a device array"),
        (lambda k: k.flood[1, 2000](gs.device_array(3, "float32"), 0.0), "2000"),
        (lambda k: k.flood[0, 32](gs.device_array(3, "float32"), 0.0), "0"),
        (lambda k: k.flood["a", 32](gs.device_array(3, "float32"), 0.0), "'a' is no integer"),
        (lambda k: k.flood[(1, 1, 1, 1), 32](gs.device_array(3, "float32"), 0.0), "4 extents were given; give one to three"),
        (lambda k: k.flood[1](gs.device_array(3, "float32"), 0.0), "it has no block"),
        (lambda k: k.flood[1, 2, None, 0, 5], "5 numbers stand there"),
        (lambda k: k.flood(1), "it has no grid and no block; write flood[64, 256]"),
        (lambda k: k.flood[1, 32](gs.device_array(3, "float32"), gs.device_array(1, "float32")), "a device array was given where"),
        (lambda k: k.weigh[1, 32](gs.device_array(3, "float32"), np.ones(4, np.float32)), "the kernel takes 12 bytes of float32"),
        (lambda k: k.move[1, 32](gs.device_array(3, "V16"), np.zeros((), "V12")), "a record of 16 bytes"),
    ],
)
def test_a_launch_that_does_not_fit_is_refused(call, found):
    with pytest.raises(gs.Error) as refused:
        call(kernels())
    assert found in str(refused.value)


def test_device_arrays():
    x = np.arange(24, dtype=np.float64).reshape(4, 6)
    d = gs.to_device(x)
    assert (d.shape, d.ndim, d.size, d.nbytes, d.dtype, len(d)) == ((4, 6), 2, 24, 192, np.dtype("float64"), 4)
    for part, expected in ((d[1:3], x[1:3]), (d[2], x[2]), (d[-1], x[-1]), (d[:], x), (d[2:2], x[2:2]), (d[3][5], x[3, 5]),
                           (d.reshape(-1), x.reshape(-1)), (d.reshape(2, -1), x.reshape(2, -1)), (d.reshape((24,)), x.reshape(24))):
        np.testing.assert_array_equal(part.copy_to_host(), expected)
    assert [row.copy_to_host()[0] for row in d] == x[:, 0].tolist()
    d[1].copy_from_host(np.full(6, -1.0))  # slices share the memory
    assert (d.copy_to_host()[1] == -1).all() and (d.copy()[1].copy_to_host() == -1).all()
    out = np.empty((4, 6))
    assert d.copy_to_host(out) is out
    np.testing.assert_array_equal(np.asarray(d), out)
    for call, found in ((lambda: d[::2], "its step is 2"), (lambda: d["a"], "the index is 'a'"), (lambda: d.reshape(5, 5), "24 elements"),
                        (lambda: d.copy_to_host(np.empty(24, np.float32)), "the host array holds float32"),
                        (lambda: d.copy_from_host(np.empty(3)), "(3,)"), (lambda: gs.to_device(["a"]), "which is no array"),
                        (lambda: gs.device_array(-1, "float32"), "-1"), (lambda: gs.device_array("a", "float32"), "the shape"),
                        (lambda: gs.device_array(3, "float16"), "the type is float16")):
        with pytest.raises(gs.Error) as refused:
            call()
        assert found in str(refused.value)
    with pytest.raises(IndexError):
        d[4]


def test_the_ledger():
    with gs.ledger() as account:
        d = gs.to_device(np.ones(1000, np.float32))
        kernels().flood[1, 32](d, 2)
        d.copy_to_host()
    assert (account.copies_to_device, account.bytes_to_device, account.copies_to_host, account.launches) == (1, 4000, 1, 1)
    gs.to_device(np.ones(1000, np.float32))
    assert account.copies_to_device == 1  # it is over
    assert "1 copy to the device" in str(account) and "<table>" in account._repr_html_()
    with pytest.raises(AttributeError):
        account.copies


def test_streams_and_events():
    a, b = gs.Stream(), gs.Stream()
    d = gs.to_device(np.zeros(1, np.uint64))
    began, ended = gs.Event(), gs.Event()
    began.record(a)
    kernels().spin[1, 1, a](d, 2_000_000)
    ended.record(a)
    b.wait(ended)
    kernels().spin[1, 1, b](d, 1)
    b.synchronize()
    assert a.idle and ended.done and gs.seconds_between(began, ended) > 0
    expected = 0
    for _ in range(2_000_001):
        expected = (expected * 6364136223846793005 + 1442695040888963407) % 2**64
    assert d.copy_to_host()[0] == expected
    with pytest.raises(gs.Error, match="never recorded"):
        gs.seconds_between(gs.Event(), ended)


def test_the_gil_is_released_while_waiting():
    d = gs.to_device(np.zeros(1, np.uint64))
    counted = []
    over = threading.Event()

    def count():
        while not over.is_set():
            counted.append(1)
            time.sleep(0.001)

    other = threading.Thread(target=count)
    kernels().spin[1, 1](d, 100_000_000)
    other.start()
    before = len(counted)
    gs.synchronize()
    after = len(counted)
    over.set()
    other.join()
    assert after - before >= 10


def test_ctrl_c_ends_a_long_wait():
    d = gs.to_device(np.zeros(1, np.uint64))
    kernels().spin[1, 1](d, 500_000_000)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    event = gs.Event()
    event.record()
    with pytest.raises(KeyboardInterrupt):
        gs.synchronize()
    assert not event.done  # the kernel goes on
    gs.synchronize()
    assert event.done


def test_an_error_of_a_kernel_is_thrown_by_the_next_wait():
    bad = gs.compile("GS_FN void divides(gs::thread, gs::view<int> x) { x[0] = 7 / x[1]; }", "divides.cpp")
    bad.divides[1, 1](gs.to_device(np.zeros(2, np.int32)))
    with pytest.raises(gs.KernelFault) as fault:
        gs.synchronize()
    assert isinstance(fault.value, gs.Error) and "divides" in str(fault.value)
    gs.synchronize()


def test_libraries_beside_numpy():
    x, z = gs.uniform((60, 64), 1), gs.normal((64, 50), 2)
    a, b = x.copy_to_host().astype(float), z.copy_to_host().astype(float)
    np.testing.assert_allclose(gs.gemm(x, z).copy_to_host(), a @ b, atol=1e-4)
    out = gs.to_device(np.ones((60, 50), np.float32))
    assert gs.gemm(x, z, out, alpha=2, beta=3) is out
    np.testing.assert_allclose(out.copy_to_host(), 2 * a @ b + 3, atol=1e-4)
    np.testing.assert_allclose(gs.gemm(x, x, transpose_b=True).copy_to_host(), a @ a.T, atol=1e-4)
    np.testing.assert_allclose(gs.rfft(x).copy_to_host(), np.fft.rfft(a), atol=1e-4)
    np.testing.assert_allclose(gs.irfft(gs.rfft(x), 64).copy_to_host(), a, atol=1e-6)
    np.testing.assert_allclose(gs.rfft2(x).copy_to_host(), np.fft.rfft2(a), atol=1e-2)
    np.testing.assert_allclose(gs.irfft2(gs.rfft2(x), 64).copy_to_host(), a, atol=1e-6)
    c = gs.to_device((a[:, :50] + 1j * b[:60]).astype(np.complex128))
    np.testing.assert_allclose(gs.fft(c).copy_to_host(), np.fft.fft(c.copy_to_host()), atol=1e-10)
    np.testing.assert_allclose(gs.ifft(c).copy_to_host(), np.fft.ifft(c.copy_to_host()), atol=1e-10)
    np.testing.assert_allclose(gs.fft2(c).copy_to_host(), np.fft.fft2(c.copy_to_host()), atol=1e-9)
    np.testing.assert_allclose(gs.ifft2(c).copy_to_host(), np.fft.ifft2(c.copy_to_host()), atol=1e-10)
    keys = gs.integers(1009, -50, 50, 3, "int16")
    values = gs.to_device(np.arange(1009, dtype=np.int64))
    host = keys.copy_to_host()
    assert host.min() >= -50 and host.max() <= 50
    np.testing.assert_array_equal(gs.sort(keys).copy_to_host(), np.sort(host))
    np.testing.assert_array_equal(gs.sort_by_key(keys, values)[1].copy_to_host(), np.argsort(host, kind="stable"))
    for call, found in ((lambda: gs.gemm(keys, keys), "the array holds int16"), (lambda: gs.fft(x), "give one of complex64 or complex128"),
                        (lambda: gs.sort(c), "the array holds complex128"), (lambda: gs.integers(3, 5, 4, 1), "there is none"),
                        (lambda: gs.integers(3, 0, 300, 1, "int8"), "outside of its type"), (lambda: gs.uniform(3, 1, "int8"), "use float32 or float64"),
                        (lambda: gs.gemm(x, x), "60 rows")):
        with pytest.raises(gs.Error) as refused:
            call()
        assert found in str(refused.value)


def test_timing_and_devices():
    timing = gs.timeit(lambda: None, runs=2, loops=10)
    assert len(timing.run_seconds) == 2 and timing.loops == 10 and timing.best <= timing.mean <= timing.worst
    assert "loop" in repr(timing)
    assert gs.device().kind in ("engine", "cuda") and gs.device().memory > 0
    with pytest.raises(gs.Error, match="there is no device 'tpu'"):
        gs.select_device("tpu")
    if gs.why_no_cuda():
        with pytest.raises(gs.MachineError):
            gs.select_device("cuda")
