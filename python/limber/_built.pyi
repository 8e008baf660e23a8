from typing import Dict, Tuple

VERSION: str
CDEF: str
NEEDED: Dict[str, Tuple[str, str]]
