"""The `phenopackets` protobuf messages: the authority on names and types, and the peer compared with."""

import warnings

with warnings.catch_warnings():
    # Generated protobuf code of older compilers warns of the newer run time; nothing here depends on it.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"google\.protobuf\..*")
    from google.protobuf import json_format
    from phenopackets import Phenopacket


def parsed(data: bytes | str) -> Phenopacket:
    """The document as protobuf messages; unknown fields are refused."""
    return json_format.Parse(data, Phenopacket(), ignore_unknown_fields=False)


def reserialised(data: bytes | str) -> str:
    """The document as protobuf writes it."""
    return json_format.MessageToJson(parsed(data))
