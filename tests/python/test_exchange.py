"""Arrays that are lent and borrowed: DLPack, the buffer protocol, Arrow."""

import array
import gc
import random
import weakref

import numpy as np
import pytest

import gridstride as gs
from gridstride import _core
from sources import functions, kernels

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128"]


def values(shape, dtype, seed=1):
    return (100 * np.random.default_rng(seed).random(shape)).astype(dtype)


def held():
    gc.collect()
    return _core._lent_now()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (33,), (3, 5), (2, 3, 4)])
def test_numpy_borrows_and_gives_back(dtype, shape):
    before, x = held(), values(shape, dtype)
    d = gs.to_device(x)
    with gs.ledger() as account:
        lent = np.from_dlpack(d)
    assert (account.loans, account.lent_bytes, account.copies_to_host) == (1, x.nbytes, 0)
    assert lent.dtype == x.dtype and lent.shape == x.shape and "1 loan" in str(account) and "<td>loans</td><td>1</td>" in account._repr_html_()
    np.testing.assert_array_equal(lent, x)
    assert held() == before + 1
    del d  # the memory lives on
    np.testing.assert_array_equal(lent, x)
    del lent
    assert held() == before


def test_lent_memory_is_the_arrays_own_and_is_lent_after_waiting():
    d = gs.to_device(np.zeros(1000, np.float32))
    lent = np.from_dlpack(d)
    kernels().flood[1, 32](d, 2)
    gs.synchronize()
    assert (lent == 2).all()
    again = gs.from_dlpack(lent)  # comes back without a copy
    kernels().flood[1, 32](again, 3)
    assert (d.copy_to_host() == 3).all()
    s = gs.to_device(np.zeros(1, np.uint64))
    kernels().spin[1, 1](s, 20_000_000)
    assert np.from_dlpack(s)[0] != 0
    with gs.ledger() as account:
        part = np.from_dlpack(d[10:20])
        assert gs.from_dlpack(part, copy=False).shape == (10,)
    assert account.copies_to_device == 0


def test_capsules():
    d = gs.to_device(np.arange(6, dtype=np.int32).reshape(2, 3))
    assert d.__dlpack_device__() == (1, 0)
    before = held()
    for capsule, name in ((d.__dlpack__(), '"dltensor"'), (d.__dlpack__(max_version=(0, 8)), '"dltensor"'),
                          (d.__dlpack__(max_version=(1, 0)), '"dltensor_versioned"')):
        assert name in repr(capsule)
    del capsule
    assert held() == before  # capsules that nobody took
    copied = np.from_dlpack(d, copy=True)
    copied[:] = 0
    np.testing.assert_array_equal(d.copy_to_host(), [[0, 1, 2], [3, 4, 5]])
    for call, found in ((lambda: d.__dlpack__(stream=1), "memory of the CPU has none"), (lambda: d.__dlpack__(dl_device=(2, 0)), "another device"),
                        (lambda: gs.device_array(3, "V12").__dlpack__(), "DLPack has no records"),
                        (lambda: gs.from_dlpack(3), "has no __dlpack__"), (lambda: gs.from_dlpack(np.ones(3), copy=False), "isn't in the device's memory"),
                        (lambda: gs.from_dlpack(Lender(d.__dlpack__(), (2, 0))), "a device of DLPack's type 2"),
                        (lambda: gs.from_dlpack(Lender(None)), "returned no tensor")):
        with pytest.raises(gs.Error) as refused:
            call()
        assert found in str(refused.value)
    with pytest.raises(AttributeError, match="isn't on a GPU"):
        d.__cuda_array_interface__
    assert not hasattr(d, "__cuda_array_interface__")


class Lender:
    """A library from before version 1.0: its __dlpack__ takes nothing."""

    def __init__(self, capsule, device=(1, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack__(self):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


def test_from_dlpack():
    x = values((4, 6), "float32")
    for view in (x, x.T, x[::2, ::-1], x[1], x[:, :0]):
        with gs.ledger() as account:
            np.testing.assert_array_equal(gs.from_dlpack(view).copy_to_host(), view)
        assert account.copies_to_device == 1
    x.flags.writeable = False
    np.testing.assert_array_equal(gs.from_dlpack(x).copy_to_host(), x)
    d = gs.to_device(x)
    assert gs.from_dlpack(d).shape == x.shape
    capsule = d.__dlpack__()
    lender = Lender(capsule)
    np.testing.assert_array_equal(gs.from_dlpack(lender).copy_to_host(), x)
    with pytest.raises(gs.Error, match="taken before"):
        gs.from_dlpack(lender)


def test_other_lenders_of_memory():
    class Interface:
        def __init__(self, held):
            self.__array_interface__ = held.__array_interface__

    x = values(9, "float32")
    for lender in (array.array("f", x), memoryview(x), bytearray(x.tobytes()), Interface(x), Lender(x.__dlpack__())):
        if isinstance(lender, bytearray):
            lender = memoryview(lender).cast("f")
        np.testing.assert_array_equal(functions().add(lender, 1), x + np.float32(1))
    borrowed = weakref.ref(x)
    result = functions().add(x, x)
    del x, lender, result
    gc.collect()
    assert borrowed() is None or Interface  # nothing of ours holds it


def test_ten_thousand_random_exchanges():
    """Arrays are made, sliced, lent, taken back, written and dropped in any order, and go through PyArrow; a NumPy array beside each
    says what it holds. Memory that is freed is overwritten meanwhile (CMakeLists.txt), so that who reads it later reads something else."""
    dice, before = random.Random(20261127), held()
    devices, lent = [], []
    for turn in range(10_000):
        act = dice.randrange(8)
        if act == 0 or not devices:
            shape = tuple(dice.randrange(1, 6) for _ in range(dice.randrange(1, 4)))
            model = values(shape, dice.choice(TYPES), turn)
            devices.append((gs.to_device(model), model))
        elif act == 1:
            d, model = dice.choice(devices)
            lent.append((np.from_dlpack(d), model))
        elif act == 2 and lent:
            array, model = dice.choice(lent)
            devices.append((gs.from_dlpack(array), model))
        elif act == 3:
            d, model = dice.choice(devices)
            begin = dice.randrange(model.shape[0])
            devices.append((d[begin:], model[begin:]))
        elif act == 4:
            d, model = dice.choice(devices)
            fresh = values(model.shape, model.dtype, turn)
            d.copy_from_host(fresh)
            model[...] = fresh
        elif act == 5:
            pool = devices if dice.random() < 0.5 or not lent else lent
            pool.pop(dice.randrange(len(pool)))
        elif act == 6:
            d, model = dice.choice(devices)
            if model.ndim == 1 and str(model.dtype) in COLUMNS:
                lent.append((gs.from_arrow(pa.array(gs.to_arrow(d))), model))
        else:
            d, model = dice.choice(devices)
            np.testing.assert_array_equal(d.copy_to_host(), model)
        for pool in (devices, lent):
            while len(pool) > 40:
                pool.pop(dice.randrange(len(pool)))
    for shared, model in lent:
        np.testing.assert_array_equal(shared, model)
    del devices, lent, pool, shared, d, array
    assert held() == before


def test_numba_takes_what_is_lent():
    numba = pytest.importorskip("numba")
    d = gs.to_device(np.arange(100, dtype=np.float64))
    lent = np.from_dlpack(d)

    @numba.njit
    def double(x):
        for i in range(x.size):
            x[i] *= 2

    double(lent)
    np.testing.assert_array_equal(d.copy_to_host(), 2.0 * np.arange(100))


def test_torch_shares_both_ways():
    torch = pytest.importorskip("torch")
    d = gs.to_device(np.arange(12, dtype=np.float32).reshape(3, 4))
    t = torch.from_dlpack(d)
    t += 1
    np.testing.assert_array_equal(d.copy_to_host(), np.arange(12).reshape(3, 4) + 1)
    np.testing.assert_array_equal(functions().add(torch.ones(5), 1), np.full(5, 2))
    assert gs.from_dlpack(t, copy=False).shape == (3, 4)


def test_jax_takes_and_lends():
    jax = pytest.importorskip("jax")
    d = gs.to_device(np.arange(12, dtype=np.float32))
    np.testing.assert_array_equal(np.asarray(jax.numpy.from_dlpack(d)), np.arange(12))
    np.testing.assert_array_equal(gs.from_dlpack(jax.numpy.arange(5.0)).copy_to_host(), np.arange(5))


# --- Arrow -----------------------------------------------------------------------------------------------------------

pa = pytest.importorskip("pyarrow")
COLUMNS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.mark.parametrize("dtype", COLUMNS)
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1009])
def test_columns_go_out_and_come_back_without_a_copy(dtype, n):
    before, x = held(), values(n, dtype)
    for lender, loans in ((x, 0), (gs.to_device(x), 1)):
        with gs.ledger() as account:
            column = pa.array(gs.to_arrow(lender))
        assert (account.loans, account.lent_bytes) == (loans, loans * x.nbytes)
        assert column.type == pa.from_numpy_dtype(x.dtype) and column.null_count == 0
        np.testing.assert_array_equal(column.to_numpy(), x)
        back = gs.from_arrow(column)
        assert not back.flags.writeable and (n == 0 or back.ctypes.data == column.buffers()[1].address)
        np.testing.assert_array_equal(back, x)
        del lender, column
        np.testing.assert_array_equal(back, x)  # holds the memory
        del back
    assert held() == before


@pytest.mark.parametrize("n", [1, 7, 8, 9, 1009])
def test_validity_is_never_ignored(n):
    x, valid = values(n, "int32"), np.arange(n) % 3 != 0
    column = pa.array(gs.to_arrow(x, valid))
    assert column.null_count == (~valid).sum()
    assert column.to_pylist() == [int(v) if ok else None for v, ok in zip(x, valid)]
    with pytest.raises(gs.Error, match="values are null; fill them first, or ask for the mask"):
        gs.from_arrow(column)
    for begin in range(min(n, 3)):
        got, mask = gs.from_arrow(column[begin:], nulls="mask")
        np.testing.assert_array_equal(mask, valid[begin:])
        np.testing.assert_array_equal(got[mask], x[begin:][valid[begin:]])
    without, mask = gs.from_arrow(pa.array(x), nulls="mask")
    assert mask.all() and len(without) == n


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 31, 32, 33, 1009])
def test_bools_are_packed_and_unpacked(n):
    before, x = held(), values(n, "int32") % 3 == 0
    for lender in (x, gs.to_device(x)):
        column = pa.array(gs.to_arrow(lender))
        assert column.type == pa.bool_() and column.to_pylist() == x.tolist()
        for begin in range(min(n, 10) + 1):
            np.testing.assert_array_equal(gs.from_arrow(column[begin:]), x[begin:])
    valid = np.arange(n) % 4 != 1
    column = pa.array(gs.to_arrow(x, valid))
    assert column.to_pylist() == [bool(v) if ok else None for v, ok in zip(x, valid)]
    got, mask = gs.from_arrow(column, nulls="mask")
    np.testing.assert_array_equal(mask, valid)
    np.testing.assert_array_equal(got[mask], x[valid])
    assert held() == before


def test_columns_that_do_not_fit_are_refused():
    for call, found in ((lambda: gs.from_arrow(pa.array(["a"])), "the column's type is 'u'"), (lambda: gs.from_arrow(pa.nulls(3)), "the column's type is 'n'"),
                        (lambda: gs.from_arrow(pa.array([1]), nulls="drop"), "nulls is 'drop'"), (lambda: gs.from_arrow([1]), "has no __arrow_c_array__"),
                        (lambda: gs.from_arrow(pa.array(["a"]).dictionary_encode()), "the column's type is"),
                        (lambda: gs.to_arrow(np.ones((2, 2))), "give an array of one dimension"), (lambda: gs.to_arrow(np.ones(3, complex)), "an array of complex128"),
                        (lambda: gs.to_arrow(np.ones(6)[::2]), "isn't contiguous"), (lambda: gs.to_arrow(np.ones(3), np.ones(2, bool)), "give a bool for each element")):
        with pytest.raises(gs.Error) as refused:
            call()
        assert found in str(refused.value)
