"""A SoundFont of one preset, small enough to be damaged by the thousand."""

import math
import struct


def _chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def soundfont():
    samples = [int(8_000 * math.sin(2 * math.pi * frame / 100)) for frame in range(400)] + [0] * 46
    pdta = [
        (b"phdr", b"".join(struct.pack("<20sHHHIII", name, 0, 0, bag, 0, 0, 0) for name, bag in [(b"Sine", 0), (b"EOP", 1)])),
        (b"pbag", struct.pack("<HHHH", 0, 0, 1, 0)),
        (b"pmod", bytes(10)),
        (b"pgen", struct.pack("<HH", 41, 0) + bytes(4)),
        (b"inst", b"".join(struct.pack("<20sH", name, bag) for name, bag in [(b"Sine", 0), (b"EOI", 1)])),
        (b"ibag", struct.pack("<HHHH", 0, 0, 3, 0)),
        (b"imod", bytes(10)),
        # Loops; from key 0 to 127; the sample.
        (b"igen", struct.pack("<HHHHHH", 43, 127 << 8, 54, 1, 53, 0) + bytes(4)),
        (b"shdr", struct.pack("<20sIIIIIBbHH", b"Sine", 0, 400, 100, 300, 44_100, 60, 0, 0, 1) + bytes(46)),
    ]
    info = b"INFO" + _chunk(b"ifil", struct.pack("<HH", 2, 1)) + _chunk(b"isng", b"EMU8000\0") + _chunk(b"INAM", b"Sine\0\0")
    sound = b"sdta" + _chunk(b"smpl", struct.pack(f"<{len(samples)}h", *samples))
    tables = b"pdta" + b"".join(_chunk(name, data) for name, data in pdta)
    return _chunk(b"RIFF", b"sfbk" + _chunk(b"LIST", info) + _chunk(b"LIST", sound) + _chunk(b"LIST", tables))
