/**
 * A PostgreSQL of the system's own, as operators of Debian and Ubuntu have it: found on this machine,
 * or installed from the package repository. The store's tests run against it in the
 * check; others against the embedded one, which is newer.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canInstallPackages, installPackages } from './debianPackages.ts'

const FOLDER = '/usr/lib/postgresql'
/** Whether Debian's packages make a cluster of their own. */
const SETTINGS = '/etc/postgresql-common/createcluster.conf'
/** The oldest that docs/deploying.md promises. */
const OLDEST = 15
export const HOW_TO_GET_IT = `The store was tested on the embedded PostgreSQL alone, because the system has none: install postgresql (${OLDEST} or newer), so that it is in ${FOLDER}.`

/**
 * The folder with the bin of the oldest server that is supported, or null with no way to get one. `say`
 * hears the sentence that says what is being installed, and `signal` ends that.
 */
export async function systemPostgres(
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const present = installed()
  if (present !== null) return present
  if (!canInstallPackages()) return null
  say(
    'No PostgreSQL of the system is installed; installing Debian package postgresql with apt-get.',
  )
  if (!(await installPackages(['postgresql-common'], signal)) || !existsSync(SETTINGS)) return null
  await withoutCluster(SETTINGS, () => installPackages(['postgresql'], signal))
  return installed()
}

/**
 * Does something while Debian's packages make no cluster of their own, whose server would keep running. The
 * settings are as before afterwards.
 */
export async function withoutCluster(
  settings: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = readFileSync(settings, 'utf8')
  appendFileSync(settings, '\ncreate_main_cluster = false\n')
  try {
    await work()
  } finally {
    writeFileSync(settings, before)
  }
}

function installed(): string | null {
  if (!existsSync(FOLDER)) return null
  const versions = readdirSync(FOLDER)
    .map(Number)
    .filter((version) => version >= OLDEST)
    .toSorted((a, b) => a - b)
  const found = versions.find((version) =>
    existsSync(join(FOLDER, String(version), 'bin/postgres')),
  )
  return found === undefined ? null : join(FOLDER, String(found))
}
