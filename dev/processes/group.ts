/**
 * Remaining processes of a child: an entry point may have its own children (the indexer runs Ponder),
 * which survive if only the entry point is killed. They share its process group.
 */
import { signalProcess, waitUntil } from './child.ts'
import { hasInEnvironment, processesOfGroup } from './inspect.ts'

/**
 * Ends every remaining process in the group of a child, by the given signal first. `marker` is
 * an entry of the environment that all of our children inherit (such as `REMIT_HOME=/x`): a PID
 * that the system has reused for another process is ignored.
 */
export async function endGroup(
  group: number,
  signal: NodeJS.Signals,
  marker: string,
): Promise<boolean> {
  const members = () => processesOfGroup(group).filter((pid) => hasInEnvironment(pid, marker))
  if (members().length === 0) return false
  for (const pid of members()) signalProcess(pid, signal)
  const gone = () => members().length === 0
  if (!(await waitUntil(gone, 5_000))) {
    for (const pid of members()) signalProcess(pid, 'SIGKILL')
    await waitUntil(gone, 5_000)
  }
  return true
}
