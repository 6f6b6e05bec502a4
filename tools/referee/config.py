"""An old name, until tools/board imports the new one."""

from tools.referee.settings.settings import Visibility as Visibility
