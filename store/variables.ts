import { readFile } from 'node:fs/promises'
import type { Variables } from '../core/config/reader.ts'

/**
 * Secrets may be given as files, as container platforms mount them: `CONFIG_SIGNER_KEY_FILE` holds the
 * path of a file whose content is what `CONFIG_SIGNER_KEY` would hold.
 */

const SUFFIX = '_FILE'

/** The variables that may come from a file: every key, token and URL (which can hold a password). */
const SECRETS =
  /^(DATABASE_URL|REDIS_URL|OPERATOR_TOKEN|(RPC|WS)_URL_[A-Z0-9_]+|RELAYER_KEYS(_[A-Z0-9_]+)?|[A-Z0-9_]+_KEY)$/

/** A variable that can't be read. The message is one sentence for the operator, without any secret. */
export class VariableError extends Error {
  override readonly name = 'VariableError'
}

/**
 * Resolves every `NAME_FILE` into `NAME`. Lines of a file are joined by commas, so that a file of keys
 * may hold one per line. Throws a VariableError when a file can't be read or both names are set.
 */
export async function readVariables(environment: Variables): Promise<Variables> {
  const resolved: Record<string, string | undefined> = { ...environment }
  for (const [fileName, path] of Object.entries(environment)) {
    const name = fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : null
    if (name === null || !path || !SECRETS.test(name)) continue
    if (environment[name]) {
      throw new VariableError(`${name} and ${fileName} are both set: unset one of them`)
    }
    resolved[name] = await contentOf(fileName, path)
    delete resolved[fileName]
  }
  return resolved
}

async function contentOf(variable: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    throw new VariableError(`${variable} names ${path}, which can't be read (${reason})`, { cause })
  })
  const lines = text.split('\n').map((line) => line.trim())
  const content = lines.filter((line) => line !== '').join(',')
  if (content === '') throw new VariableError(`${variable} names ${path}, which is empty`)
  return content
}
