/** The folder for databases and logs of a run. */
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** The free space that a run needs beside three others. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * Memory, if there is enough: databases of a thousand files each are copied and dropped by the hundred.
 * A temporary folder that is already in memory is used as it is.
 */
export function roomyFolder(): string {
  if (tmpdir().startsWith(`${MEMORY}/`) || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
}
