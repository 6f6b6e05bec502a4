"""An old name, until tools/board imports the new one."""

from tools.referee.records.replay import bare as bare
from tools.referee.records.replay import begin as begin
from tools.referee.records.replay import verify as verify
