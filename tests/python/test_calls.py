"""Ufuncs, folds, generalised ufuncs and derivatives, beside NumPy."""

import numpy as np
import pytest
from sources import SIZES, functions

import gridstride as gs

TARGETS = ["cpu", "parallel", "device"]


def ripple(y, x):
    r = np.sqrt(x.astype(float) ** 2 + y.astype(float) ** 2)
    return np.exp(-0.3 * r) * np.cos(5 * r)


def numbers(n, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=n).astype(dtype)


@pytest.mark.parametrize("n", SIZES)
def test_a_ufunc_is_numpy_at_every_size_and_target(n):
    y, x = numbers(n), numbers(n, 2)
    for target in TARGETS:
        result = functions().ripple.on(target)(y, x)
        assert isinstance(result, np.ndarray) and result.dtype == np.float32
        np.testing.assert_allclose(result, ripple(y, x), atol=2e-6)
    on_device = functions().ripple(gs.to_device(y), gs.to_device(x))
    assert isinstance(on_device, gs.DeviceArray)
    np.testing.assert_allclose(on_device.copy_to_host(), ripple(y, x), atol=2e-6)


@pytest.mark.parametrize("a, b", [((3, 1), (4,)), ((), (5,)), ((2, 3, 4), (3, 1)), ((1, 1), (7, 1)), ((0, 3), (1, 3))])
def test_shapes_broadcast_as_numpy_does(a, b):
    x, y = numbers(a), numbers(b, 2)
    for target in TARGETS:
        np.testing.assert_array_equal(functions().add.on(target)(x, y), x + y)
    np.testing.assert_array_equal(functions().add(gs.to_device(x), y).copy_to_host(), x + y)


def test_python_numbers_stand_beside_arrays_on_every_side():
    x = numbers(1009)
    for target in TARGETS:
        np.testing.assert_array_equal(functions().add.on(target)(x, 0.5), x + np.float32(0.5))
        np.testing.assert_array_equal(functions().add.on(target)(2, x), x + np.float32(2))
    np.testing.assert_array_equal(functions().add(gs.to_device(x), -3).copy_to_host(), x - np.float32(3))
    assert functions().add(1, 2) == 3 and isinstance(functions().add(1, 2), np.float32)
    assert functions().half(7) == 3.5
    assert functions().both(True, False) == np.False_


@pytest.mark.parametrize(
    "name, arguments, found",
    [
        ("add", (0.1, 1), "0.1 isn't exact as float32; say that it may be rounded: numpy.float32(0.1)"),
        ("add", (2**24 + 1, 1), "16777217 isn't exact as float32"),
        ("add", (10**400, 1), "isn't exact as float32"),
        ("add", (1e39, 1), "1e+39 isn't exact as float32"),
        ("add", (True, 1), "True isn't exact as float32"),
        ("add", (1j, 1), "1j isn't exact as float32"),
        ("shifted", (1.0, 1), "1.0 isn't exact as int32"),
        ("shifted", (2**31, 1), "2147483648 isn't exact as int32"),
        ("both", (1, True), "1 isn't exact as bool"),
        ("add", ([1.0], 1), "an argument is of type list, which is no array"),
        ("add", (np.ones(3), 1), "it holds float64 and the function takes float32; values are never converted silently"),
        ("add", (np.float64(1), 1), "it holds float64 and the function takes float32"),
        ("add", (np.ones(3, np.float16), 1), "an array holds elements of the format 'e'"),
        ("add", (np.ones(3, ">f4"), 1), "an array holds elements of the format '>f'"),
        ("add", (1,), "1 arguments were given; give 2"),
        ("add", (np.ones(3, np.float32), np.ones(4, np.float32)), "don't broadcast"),
    ],
)
def test_what_does_not_fit_is_refused(name, arguments, found):
    with pytest.raises(gs.Error) as refused:
        functions()[name](*arguments)
    assert found in str(refused.value)
    assert refused.value.asked and refused.value.found and refused.value.do


def test_host_arrays_are_borrowed_also_read_only_and_strided_ones():
    x = numbers((64, 100))
    x.flags.writeable = False
    with gs.ledger() as account:
        np.testing.assert_array_equal(functions().add(x[:, ::3], x[:, ::3]), 2 * x[:, ::3])
        np.testing.assert_array_equal(functions().add(x.T, x[::-1].T), x.T + x[::-1].T)
    assert account.copies_to_device == account.copies_to_host == account.allocations == 0
    fields = np.zeros(50, dtype=[("a", "i1"), ("v", "f4")])
    fields["v"] = np.arange(50)
    np.testing.assert_array_equal(functions().add(fields["v"], 1), np.arange(50) + 1)
    assert functions().add(memoryview(b"\0\0\x80?").cast("f"), 1)[0] == 2


def test_out_is_written_and_returned():
    x, y = numbers(1009), np.empty(1009, np.float32)
    for target in TARGETS:
        y[:] = 0
        assert functions().add.on(target)(x, 1, out=y) is y
        np.testing.assert_array_equal(y, x + np.float32(1))
    d = gs.device_array(1009, "float32")
    assert functions().add(x, 1, out=d) is d
    np.testing.assert_array_equal(d.copy_to_host(), x + np.float32(1))


def test_out_may_share_memory_with_an_input():
    for place in (lambda a: a, gs.to_device):
        a = place(numbers(100))
        before = np.array(a)
        functions().add(a[:-1], a[1:], out=a[:-1])
        np.testing.assert_array_equal(np.array(a)[:-1], before[:-1] + before[1:])
        a = place(numbers(100))
        before = np.array(a)
        functions().add(a[:-1], a[:-1], out=a[1:])
        np.testing.assert_array_equal(np.array(a)[1:], 2 * before[:-1])


@pytest.mark.parametrize(
    "out, found",
    [
        (np.empty(5), "it holds float64 and the result is float32"),
        (np.empty((2, 2), np.float32), "(2, 2)"),
        (np.empty(10, np.float32)[::2], "row-major"),
        (np.frombuffer(bytes(20), np.float32), "the output is read-only"),
    ],
)
def test_an_output_that_does_not_fit_is_refused(out, found):
    with pytest.raises(gs.Error) as refused:
        functions().add(np.ones(5, np.float32), 1, out=out)
    assert found in str(refused.value)


def test_targets():
    d = gs.to_device(numbers(3))
    with pytest.raises(gs.Error, match="cpu"):
        functions().add.on("cpu")(d, d)
    with pytest.raises(gs.Error, match="'gpu' is none"):
        functions().add.on("gpu")(1, 2)
    stream = gs.Stream()
    np.testing.assert_array_equal(functions().add.on(stream)(d, 1).copy_to_host(), d.copy_to_host() + np.float32(1))
    with gs.ledger() as account:
        functions().add.on("device")(numbers(10), 1)
    assert (account.copies_to_device, account.copies_to_host, account.launches) == (1, 1, 1)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1009, 100_000])
def test_folds(n):
    x = numbers(n)
    expected = x.astype(float).sum()
    results = {functions().add.on(t).reduce(x) for t in TARGETS} | {functions().add.reduce(gs.to_device(x)).copy_to_host()[()]}
    assert len(results) == 1  # the same bits on every target
    assert abs(results.pop() - expected) < 1e-6 * n + 1e-6
    assert functions().add.reduce(x, initial=100) == np.float32(100) + functions().add.reduce(x)
    assert gs.reduce(functions().add, x, 0) == functions().add.reduce(x)
    for target in TARGETS:
        np.testing.assert_allclose(functions().add.on(target).accumulate(x), np.cumsum(x.astype(float)), atol=1e-4 * np.sqrt(n))


def test_folds_along_an_axis():
    x = np.arange(2 * 3 * 5, dtype=np.float32).reshape(2, 3, 5)
    for axis in (0, 1, 2, -1):
        np.testing.assert_array_equal(functions().add.reduce(x, axis), x.sum(axis))
        np.testing.assert_array_equal(functions().add.reduce(gs.to_device(x), axis).copy_to_host(), x.sum(axis))
        np.testing.assert_array_equal(functions().add.accumulate(x, axis), x.cumsum(axis))
    out = np.empty((3, 5), np.float32)
    assert functions().add.reduce(x, 0, out=out) is out
    np.testing.assert_array_equal(out, x.sum(0))
    with pytest.raises(gs.Error):
        functions().add.reduce(x, 3)
    with pytest.raises(gs.Error):
        functions().add.reduce(np.empty(0, np.float32))
    assert functions().add.reduce(np.empty(0, np.float32), initial=4) == 4
    with pytest.raises(gs.Error, match="no function of two numbers"):
        functions().half.reduce(np.ones(3))


def test_outer():
    y, x = numbers((3, 4)), numbers(5, 2)
    for target in TARGETS:
        np.testing.assert_array_equal(functions().add.on(target).outer(y, x), np.add.outer(y, x))
    np.testing.assert_array_equal(functions().add.outer(gs.to_device(y), x).copy_to_host(), np.add.outer(y, x))


@pytest.mark.parametrize("n", SIZES)
def test_generalised_ufuncs(n):
    norm = gs.guvectorize(functions().l2, "(i)->()")
    points = numbers((n, 7))
    for target in TARGETS:
        np.testing.assert_allclose(norm.on(target)(points), np.linalg.norm(points.astype(float), axis=1), rtol=1e-6)
    np.testing.assert_allclose(norm(gs.to_device(points)).copy_to_host(), np.linalg.norm(points.astype(float), axis=1), rtol=1e-6)


def test_a_generalised_ufunc_broadcasts_its_outer_dimensions():
    product = gs.guvectorize(functions().product, "(m,n),(n,p)->(m,p)")
    a, b = numbers((10, 1, 2, 3), dtype=float), numbers((4, 3, 5), 2, float)
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-12)
    out = np.empty((10, 4, 2, 5))
    assert product(a, b, out=out) is out
    np.testing.assert_allclose(out, a @ b, rtol=1e-12)
    with pytest.raises(gs.Error):
        product(a, b[:, :2])
    with pytest.raises(gs.CompileError):
        gs.guvectorize(functions().product, "(m,n)->(m)")
    with pytest.raises(gs.Error, match="the layout is"):
        gs.guvectorize(functions().product, '"')


def test_derivatives():
    x, w = np.linspace(-2, 2, 101), np.asarray(1.5)
    f = np.exp(-x * x / w)
    bell = functions().bell
    np.testing.assert_allclose(bell(x, w), f, atol=1e-13)
    np.testing.assert_allclose(gs.grad(bell)(x, w), -2 * x / w * f, atol=1e-13)
    np.testing.assert_allclose(gs.grad(gs.grad(bell))(x, w), (4 * x * x / w**2 - 2 / w) * f, atol=1e-13)
    single = gs.grad(bell, 1)(x.astype(np.float32), np.float32(1.5))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, x * x / w**2 * f, atol=1e-5)
    value, by_x, by_w = gs.value_and_grad(bell, 0, 1)(x, w)
    for got, expected in ((value, f), (by_x, -2 * x / w * f), (by_w, x * x / w**2 * f)):
        np.testing.assert_allclose(got, expected, atol=1e-13)
    for call, found in ((lambda: gs.grad(functions().add), "is no function object"), (lambda: gs.grad(bell, -1), "count from 0"),
                        (lambda: bell(1.0, 2.0), "has no type of an element"), (lambda: bell.ufunc("float16"), "there is no type float16"),
                        (lambda: gs.value_and_grad(bell)(x, w.astype(np.float32)), "give arrays of float32, or of float64")):
        with pytest.raises(gs.Error, match=found):
            call()
