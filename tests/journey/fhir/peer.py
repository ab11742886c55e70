"""The peer: the field's library, asked whether a bundle is FHIR R4B. Only tests and benchmarks use it."""

from fhir.resources.R4B.bundle import Bundle
from pydantic import ValidationError


def complaints(data: bytes) -> list[str]:
    """What the peer says is wrong with a bundle; empty = nothing."""
    try:
        Bundle.model_validate_json(data)
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
    except KeyError as error:  # how it takes a resource type that it does not know
        return [str(error)]
    return []
