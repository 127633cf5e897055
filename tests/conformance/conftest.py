from tests.conformance.opened_once import models_are_opened_once

__all__ = ["models_are_opened_once"]
