/**
 * What is left of a child: an entry point may have processes of its own (the indexer runs Ponder),
 * which survive when only the entry point is killed. They share its process group.
 */
import { signalProcess, waitUntil } from './child.ts'
import { hasInEnvironment, processesOfGroup } from './inspect.ts'

/**
 * Ends every process that is still in the group of a child, by the given signal first. `marker` is
 * an entry of the environment that every child of ours inherits (such as `REMIT_HOME=/x`): a number
 * that the system has since given to another process is left alone.
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
