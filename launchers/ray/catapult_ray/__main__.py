"""`python -m catapult_ray` is `catapult-ray`."""

import sys

from .cli import main

sys.exit(main())
