import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Chain } from '../../core/chain/registry.ts'
import { type Config, parseConfig } from '../../core/config/processes.ts'
import type { Variables } from '../../core/config/reader.ts'
import { parseRegistry } from '../../core/config/recoverable.ts'
import { readVariables } from '../../store/database/variables.ts'
import { CommandError, type CommandInput } from './command.ts'

/** The source of a command's settings: the environment, or the development stack of this folder. */

export interface Surroundings {
  readonly variables: Variables
  readonly source: string
}

/** The source of settings that don't come from the development stack. */
export const ENVIRONMENT = 'the environment'

const ROOT = resolve(import.meta.dir, '../..')

/** The stack sets these itself: if the caller sets one, another system is meant. */
const ELSEWHERE = /^(DATABASE_URL$|REMIT_ENV$|HUB_)/

/**
 * If the environment refers to no system, all settings are read from the file that the development stack
 * writes. Mixing its database with another chain would give wrong results, so the file overrides the rest
 * of the environment.
 */
export async function readSurroundings(
  environment: Variables,
  root: string = ROOT,
): Promise<Surroundings> {
  const own = await readVariables(environment)
  const home = resolve(root, own.REMIT_HOME || '.remit')
  const file = join(home, 'env')
  const isElsewhere = Object.entries(own).some(([name, value]) => value && ELSEWHERE.test(name))
  if (isElsewhere || !existsSync(file)) return { variables: own, source: ENVIRONMENT }
  const stack = parseFile(readFileSync(file, 'utf8'))
  const ownerKey = developmentOwnerKey(join(home, 'keys.json'))
  const keys: Variables = ownerKey === undefined ? {} : { HUB_OWNER_KEY: ownerKey }
  return { variables: { ...own, ...keys, ...stack }, source: file }
}

/** The development stack's variables, whether it is running or not. */
export function stackDescription({ REMIT_HOME }: Variables): string {
  return join(resolve(ROOT, REMIT_HOME || '.remit'), 'dev.json')
}

/** Parses lines of NAME=value, as written by the development stack. */
function parseFile(text: string): Variables {
  const lines = text.split('\n').filter((line) => line.includes('=') && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}

/** The key of the development hub's owner, for appointing relayers. */
function developmentOwnerKey(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const keys: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof keys !== 'object' || keys === null || !('owner' in keys)) return undefined
  return typeof keys.owner === 'string' ? keys.owner : undefined
}

/** The configuration that all servers share. @throws CommandError that lists every problem. */
export function requireConfig(input: Pick<CommandInput, 'variables'>): Config {
  const parsed = parseConfig(input.variables)
  if (!parsed.ok) throw new CommandError(parsed.problems)
  return parsed.config
}

/** The token registry. @throws CommandError that lists every problem. */
export function requireRegistry(input: Pick<CommandInput, 'variables'>): readonly Chain[] {
  const parsed = parseRegistry(input.variables)
  if (!parsed.ok) throw new CommandError(parsed.problems)
  return parsed.config
}
