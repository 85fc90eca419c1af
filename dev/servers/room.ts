/** Where databases and logs of one run are kept. */
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** What four runs side by side leave room for. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * Memory, where there is plenty: databases of a thousand files each are copied and dropped by the hundred.
 * A folder for temporary files that is in memory already is taken as it is.
 */
export function roomyFolder(): string {
  if (tmpdir().startsWith(`${MEMORY}/`) || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
}
