"""Makes scipy_spmv.json: products of sparse matrices and vectors by SciPy in float64, for spmv_test.cpp.

python3 -m venv v && v/bin/pip install scipy==1.17.1 && v/bin/python scipy_spmv.py >scipy_spmv.json

Each matrix has empty rows and columns, and values that float32 holds exactly, so that one file serves both precisions.
"""

import json

import numpy
import scipy
import scipy.sparse


def case(rows, columns, density, seed):
    random = numpy.random.default_rng(seed)
    values = random.integers(-2000, 2000, (rows, columns)) / 1024
    values[random.random((rows, columns)) >= density] = 0
    values[3::5] = 0
    values[:, 2::7] = 0
    matrix = scipy.sparse.csr_matrix(values)
    x = random.integers(-2000, 2000, columns) / 1024
    y = random.integers(-2000, 2000, rows) / 1024
    return {
        "rows": rows,
        "columns": columns,
        "starts": matrix.indptr.tolist(),
        "column_of": matrix.indices.tolist(),
        "values": matrix.data.tolist(),
        "x": x.tolist(),
        "y": y.tolist(),
        "product": (matrix @ x).tolist(),
        "1.5 product - 0.25 y": (1.5 * (matrix @ x) - 0.25 * y).tolist(),
    }


def main():
    shapes = [(1, 1, 1), (31, 33, 0.3), (97, 61, 0.1), (20, 401, 0.5)]
    print(json.dumps({
        "source": f"SciPy {scipy.__version__}, scipy.sparse.csr_matrix @ x, in float64",
        "cases": [case(*shape, seed) for seed, shape in enumerate(shapes)],
    }))


if __name__ == "__main__":
    main()
