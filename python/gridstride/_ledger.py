"""The ledger: what happened inside a with statement."""

from . import _core

_MEMBERS = ("copies_to_device", "bytes_to_device", "copies_to_host", "bytes_to_host", "copies_within_device", "bytes_within_device",
            "launches", "allocations", "allocated_bytes", "synchronizations", "loans", "lent_bytes")


class ledger:  # noqa: N801 - the name of the field's
    """What happens meanwhile: with gs.ledger() as l: ...; then l.launches, l.copies_to_host and so on, or print(l).
    Sizes are in bytes. `loans` are device arrays whose memory another library got to use."""

    def __enter__(self):
        self._start, self._end = _core.ledger_total(), None
        return self

    def __exit__(self, *_):
        self._end = _core.ledger_total()

    @property
    def account(self):
        """So far, and when the with statement is over, of it."""
        return (self._end or _core.ledger_total()) - self._start

    def __getattr__(self, name):
        if name not in _MEMBERS:
            raise AttributeError(name)
        return getattr(self.account, name)

    def __repr__(self):
        return str(self.account)

    def _repr_html_(self):
        account = self.account
        rows = [(name.replace("_", " "), getattr(account, name)) for name in _MEMBERS]
        return "<table>" + "".join(f"<tr><td>{name}</td><td>{count:,}</td></tr>" for name, count in rows if count) + "</table>"
