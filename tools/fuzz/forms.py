"""What an expression of a type can look like."""

from __future__ import annotations

from tools.fuzz import sets
from tools.fuzz.bags import BAGS
from tools.fuzz.common import GENERAL
from tools.fuzz.expressions import Form, Forms
from tools.fuzz.functions import FUNCTIONS
from tools.fuzz.logic import BOOLEANS, INTEGERS, OTHERS
from tools.fuzz.products import PRODUCTS
from tools.fuzz.sequences import SEQUENCES
from tools.fuzz.tagged import TAGGED, content
from tools.fuzz.types import BOOLEAN, INTEGER, Bag, Base, Function, Record, Sequence, SetOf, Tagged, Tuple, Type


def of_type(type: Type) -> tuple[Form, ...]:
    match type:
        case Base():
            return BOOLEANS if type == BOOLEAN else INTEGERS if type == INTEGER else OTHERS
        case SetOf():
            return sets.of_type(type)
        case Function():
            return FUNCTIONS
        case Sequence():
            return SEQUENCES
        case Bag():
            return BAGS
        case Tuple() | Record():
            return PRODUCTS
        case Tagged():
            return TAGGED


FORMS = Forms(GENERAL, of_type, content)
