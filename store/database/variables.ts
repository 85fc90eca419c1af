import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeUrl } from '../../core/base/databaseUrl.ts'
import type { Variables } from '../../core/config/reader.ts'

/**
 * Secrets may be given as files, as container platforms mount them: `CONFIG_SIGNER_KEY_FILE` holds the
 * path of a file whose content is what `CONFIG_SIGNER_KEY` would hold, and `SECRETS_DIRECTORY` the path of
 * a folder whose files are named like variables. The passwords of database and Redis may be secrets of their own.
 */

const SUFFIX = '_FILE'
const DIRECTORY = 'SECRETS_DIRECTORY'

/** The variables that may come from a file: every key, token, password and URL (which can hold one). */
const SECRETS = new RegExp(
  `^(${[
    '(DATABASE|DATABASE_DIRECT|REDIS|SMTP|RATE|SCREENING)_URL',
    'DATABASE_PASSWORD(_(API|WORKER|NOTIFIER|INDEXER))?',
    'REDIS_PASSWORD',
    'OPERATOR_TOKEN',
    '(DASHBOARD|SCREENING)_SECRET',
    'ENCRYPTION_KEYS',
    '(RPC|WS)_URL_[A-Z0-9_]+',
    'RELAYER_KEYS(_[A-Z0-9_]+)?',
    '[A-Z0-9_]+_KEY',
  ].join('|')})$`,
)

/** A variable that can't be read. The message is one sentence for the operator, without any secret. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

interface SecretFile {
  /** The variable that the file sets. */
  readonly name: string
  readonly path: string
  /** The variable that names the file or its folder. */
  readonly named: string
}

/**
 * Resolves every `NAME_FILE`, and every file of SECRETS_DIRECTORY, into `NAME`, and writes
 * DATABASE_PASSWORD into DATABASE_URL and DATABASE_DIRECT_URL, and REDIS_PASSWORD into REDIS_URL. Lines of a file are joined by commas, so
 * that a file of keys may hold one per line. Throws a VariableError when a file can't be read or a name is
 * set twice.
 */
export async function readVariables(environment: Variables): Promise<Variables> {
  const resolved: Record<string, string | undefined> = { ...environment }
  delete resolved[DIRECTORY]
  const files = [...namedFiles(environment), ...(await filesOfDirectory(environment))]
  for (const { name, path, named } of files) {
    if (resolved[name])
      throw new VariableError(`${name} and ${named} are both set: unset one of them`)
    resolved[name] = await contentOf(named, path)
    delete resolved[`${name}${SUFFIX}`]
  }
  return withRedisPassword(withPassword(resolved))
}

function namedFiles(environment: Variables): SecretFile[] {
  return Object.entries(environment).flatMap(([named, path]) => {
    const name = named.endsWith(SUFFIX) ? named.slice(0, -SUFFIX.length) : ''
    return path && SECRETS.test(name) ? [{ name, path, named }] : []
  })
}

async function filesOfDirectory(environment: Variables): Promise<SecretFile[]> {
  const directory = environment[DIRECTORY]
  if (!directory) return []
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new VariableError(`${DIRECTORY} names ${directory}, ${unreadable(cause)}`, { cause })
  })
  // Kubernetes keeps the versions of a mounted secret beside it, in folders that begin with a point.
  const visible = names.filter((name) => !name.startsWith('.')).sort()
  return visible.map((name) => {
    if (SECRETS.test(name)) return { name, path: join(directory, name), named: DIRECTORY }
    throw new VariableError(
      `${DIRECTORY} holds ${name.slice(0, 64)}, which is no variable that may be a file`,
    )
  })
}

async function contentOf(variable: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new VariableError(`${variable} names ${path}, ${unreadable(cause)}`, { cause })
  })
  const lines = text.split('\n').map((line) => line.trim())
  const content = lines.filter((line) => line !== '').join(',')
  if (content === '') throw new VariableError(`${variable} names ${path}, which is empty`)
  return content
}

function unreadable(cause: unknown): string {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
  return `which can't be read (${reason})`
}

/** A URL that has a password already keeps it, unless both are set, which can't be meant. */
function withPassword(variables: Variables): Variables {
  const { DATABASE_PASSWORD: password, ...others } = variables
  if (!password) return others
  const changed = ['DATABASE_URL', 'DATABASE_DIRECT_URL'].flatMap((name) => {
    const text = others[name]
    if (!text) return []
    const url = changeUrl(text, (one) => setPassword(one, password, name, 'DATABASE_PASSWORD'))
    if (url === null) throw new VariableError(`${name} must be a postgres:// URL`)
    return [[name, url]]
  })
  return { ...others, ...Object.fromEntries(changed) }
}

function withRedisPassword(variables: Variables): Variables {
  const { REDIS_PASSWORD: password, ...others } = variables
  if (!password || !others.REDIS_URL) return others
  const url = URL.parse(others.REDIS_URL)
  if (url === null) throw new VariableError('REDIS_URL must be a redis:// URL')
  setPassword(url, password, 'REDIS_URL', 'REDIS_PASSWORD')
  return { ...others, REDIS_URL: url.href }
}

function setPassword(url: URL, password: string, name: string, variable: string): void {
  if (url.password !== '') {
    throw new VariableError(`${name} holds a password and ${variable} is set: unset one of them`)
  }
  url.password = encodeURIComponent(password)
}
