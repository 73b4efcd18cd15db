"""PyTorch: functions of tensors, differentiated by autograd, on the processor."""

import peer_protocol

try:
    import numpy as np
    import torch
except ImportError as problem:
    peer_protocol.lacking_by_pip("torch", problem)

torch.set_num_threads(peer_protocol.threads())


def eager(name, function, arguments, out):
    """A way to call the function; its result, some tensors, is written to `out` afterwards."""
    arguments = [torch.from_numpy(x) for x in arguments]
    result = []

    def call():
        result[:] = function(*arguments)

    def deliver():
        out[...] = np.concatenate([x.detach().numpy().reshape(-1) for x in result]).reshape(out.shape)

    return {name: (call, deliver)}


def learning_step(x, labels, parameters, rate, hidden, out):
    inputs, hidden = x.shape[1], int(hidden)
    classes = (parameters.size - (inputs + 1) * hidden) // (hidden + 1)
    w1, b1, w2, b2 = np.split(parameters, np.cumsum([inputs * hidden, hidden, hidden * classes]))

    def step(w1, b1, w2, b2, x, labels):
        weights = [w.detach().requires_grad_() for w in (w1, b1, w2, b2)]
        scores = torch.addmm(weights[3], torch.tanh(torch.addmm(weights[1], x, weights[0])), weights[2])
        loss = torch.nn.functional.cross_entropy(scores, labels)
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            return [loss] + [torch.sub(w, g, alpha=rate) for w, g in zip(weights, gradients)]

    arguments = [w1.reshape(inputs, hidden), b1, w2.reshape(hidden, classes), b2, x, labels.astype(np.int64)]
    return eager("PyTorch", step, arguments, out)


def learning_mixture(x, parameters, components, gamma, excess, out):
    k, d = int(components), x.shape[1]
    alpha, mu, q, l = np.split(parameters, np.cumsum([k, k * d, k * d]))
    rows, columns = (torch.from_numpy(i) for i in np.tril_indices(d, -1))
    every = torch.arange(d)

    def posterior(alpha, mu, q, l, x):
        diagonal = torch.exp(q)
        factor = torch.zeros((k, d, d), dtype=x.dtype)
        factor[:, rows, columns] = l
        factor[:, every, every] = diagonal
        # One product of matrices instead of a product for each component.
        offset = torch.einsum("krc,kc->kr", factor, mu).reshape(-1)
        images = torch.addmm(offset, x, factor.reshape(k * d, d).T, beta=-1)
        squares = torch.sum(images.reshape(-1, k, d) ** 2, 2)
        likelihood = torch.sum(torch.logsumexp(alpha + torch.sum(q, 1) - squares / 2, 1))
        prior = excess * torch.sum(q) - gamma**2 / 2 * (torch.sum(diagonal**2) + torch.sum(l**2))
        return likelihood - x.shape[0] * torch.logsumexp(alpha, 0) + prior

    def gradient(*arguments):
        x, parameters = arguments[-1], [p.detach().requires_grad_() for p in arguments[:-1]]
        value = posterior(*parameters, x)
        return value, *torch.autograd.grad(value, parameters)

    return eager("PyTorch", gradient, [alpha, mu.reshape(k, d), q.reshape(k, d), l.reshape(k, -1), x], out)


def learning_clusters(points, centroids, out):
    def newton(centroids, points):
        centroids = centroids.detach().requires_grad_()
        squares = torch.sum(points**2, 1)[:, None] + torch.sum(centroids**2, 1) - 2 * points @ centroids.T
        cost = torch.sum(torch.min(squares, 1).values)
        (slope,) = torch.autograd.grad(cost, centroids, create_graph=True)
        (curvature,) = torch.autograd.grad(slope, centroids, torch.ones_like(slope))
        return [slope / curvature]

    return eager("PyTorch", newton, [centroids, points], out)


def learning_convolution(x, w, out):
    # Channels last in memory, as ours; the order of the dimensions is PyTorch's.
    pictures = lambda x: x.permute(0, 3, 1, 2)

    def convolution(x, w):
        return [torch.nn.functional.conv2d(pictures(x), w, padding=1).permute(0, 2, 3, 1).contiguous()]

    weights = np.ascontiguousarray(w.transpose(3, 2, 0, 1))
    with torch.no_grad():
        return eager("PyTorch", convolution, [x, weights], out)


if __name__ == "__main__":
    peer_protocol.serve(f"PyTorch {torch.__version__}", globals())
