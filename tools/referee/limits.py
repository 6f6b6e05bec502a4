"""An old name, until tools/board imports the new one."""

from tools.referee.time_control import MARGIN_MS as MARGIN_MS
