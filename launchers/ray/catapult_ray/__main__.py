"""Makes `python -m catapult_ray` the same as `catapult-ray`."""

import sys

from .cli import main

sys.exit(main())
