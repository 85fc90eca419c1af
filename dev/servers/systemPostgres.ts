/**
 * The system's PostgreSQL, as used by operators on Debian and Ubuntu: found on this machine,
 * or installed from the package repository. The store's tests use it in the
 * check; others use the embedded one, which is newer.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canInstallPackages, installPackages } from './debianPackages.ts'

const FOLDER = '/usr/lib/postgresql'
/** Debian's setting for creating a cluster at installation. */
const SETTINGS = '/etc/postgresql-common/createcluster.conf'
/** The oldest version that docs/deploying.md supports. */
const OLDEST = 15
export const HOW_TO_GET_IT = `The store was only tested on the embedded PostgreSQL, because the system has none: install postgresql (${OLDEST} or newer), so that it is in ${FOLDER}.`

/**
 * The bin folder of the oldest supported server, or null if there is none and it can't be installed. `say`
 * reports the installation, and `signal` aborts it.
 */
export async function systemPostgres(
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const present = installed()
  if (present !== null) return present
  if (!canInstallPackages()) return null
  say('PostgreSQL is not installed; installing the Debian package postgresql with apt-get.')
  if (!(await installPackages(['postgresql-common'], signal)) || !existsSync(SETTINGS)) return null
  await withoutCluster(SETTINGS, () => installPackages(['postgresql'], signal))
  return installed()
}

/**
 * Runs `work` while Debian's packages create no cluster, whose server would keep running. The
 * settings are restored afterwards.
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
