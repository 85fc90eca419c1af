import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../core/config/processes.ts'
import { contractsOf } from './contracts.ts'

/** The views that readers use; they follow the deployment that was ready last. */
export const VIEWS_SCHEMA = 'indexed'
export const SCHEMA_PREFIX = 'deploy_'

/** Ponder's root: the folder of its config, its schema and its handlers. */
export const ROOT = join(import.meta.dirname, '..')

/**
 * Names the schema of a deployment after everything that decides what its tables hold: Ponder's version, the
 * contracts of all chains, the schema and the handlers. Ponder refuses a schema that another build has written,
 * so every part of its build id has to be part of this name. RPC URLs and the GraphQL server don't change what
 * is indexed and are left out.
 */
export async function deploymentSchema(config: Pick<Config, 'chains' | 'hub'>): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  hasher.update(await ponderVersion())
  hasher.update(JSON.stringify(contractsOf(config)))
  for (const file of ['ponder.schema.ts', ...(await handlerFiles())]) {
    hasher.update(`\n${file}\n`)
    hasher.update(await readFile(join(ROOT, file), 'utf8'))
  }
  return `${SCHEMA_PREFIX}${hasher.digest('hex').slice(0, 12)}`
}

async function handlerFiles(): Promise<string[]> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts') && !name.startsWith('api'))
    .sort()
    .map((name) => `src/${name}`)
}

async function ponderVersion(): Promise<string> {
  const manifest = join(dirname(Bun.resolveSync('ponder', ROOT)), '../../package.json')
  const { version } = await Bun.file(manifest).json()
  return version
}
