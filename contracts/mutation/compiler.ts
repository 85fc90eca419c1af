import { join } from 'node:path'
import { maskedSource } from './source.ts'

/** Compiles one contract and what it imports: a tenth of what Forge would compile. */

const HUB = 'src/RemitHub.sol'
const SOLADY = 'solady/'

/**
 * The bytecode of the hub as its sources in a folder of contracts are, with its own settings of foundry.toml; null
 * if they do not compile.
 */
export async function compiledHub(dir: string): Promise<string | null> {
  const settings = await settingsOf(dir)
  return compiledContract(dir, { source: HUB, name: 'RemitHub', settings })
}

interface Wanted {
  /** Its file, from the folder of contracts on. */
  readonly source: string
  readonly name: string
  /** The compiler's, without what it puts out. */
  readonly settings: object
}

/** The bytecode that creates a contract, without metadata; null if it does not compile. */
async function compiledContract(
  dir: string,
  { source, name, settings }: Wanted,
): Promise<string | null> {
  const input = {
    language: 'Solidity',
    sources: await sourcesOf(dir, source),
    settings: {
      ...settings,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { [source]: { [name]: ['evm.bytecode.object'] } },
    },
  }
  const child = Bun.spawn([join(dir, 'bin/solc'), '--standard-json'], {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, SOLC_RUNTIME: process.execPath },
  })
  const output: unknown = JSON.parse(await new Response(child.stdout).text())
  const object = at(output, ['contracts', source, name, 'evm', 'bytecode', 'object'])
  return typeof object === 'string' && object !== '' ? `0x${object}` : null
}

async function settingsOf(dir: string): Promise<object> {
  const config: unknown = Bun.TOML.parse(await Bun.file(join(dir, 'foundry.toml')).text())
  const profiles = at(config, ['profile', 'default', 'additional_compiler_profiles'])
  const hub: unknown = Array.isArray(profiles) ? profiles[0] : undefined
  const [runs, evmVersion] = [at(hub, ['optimizer_runs']), at(hub, ['evm_version'])]
  if (at(hub, ['name']) !== 'hub' || typeof runs !== 'number' || typeof evmVersion !== 'string') {
    throw new Error('foundry.toml has no compiler profile of the hub')
  }
  return { viaIR: at(hub, ['via_ir']) === true, optimizer: { enabled: true, runs }, evmVersion }
}

/** A source and all that it imports, by the names by which they are imported. */
async function sourcesOf(
  dir: string,
  source: string,
): Promise<Record<string, { content: string }>> {
  const sources: Record<string, { content: string }> = {}
  const names = [source]
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (sources[name] !== undefined) continue
    const isSolady = name.startsWith(SOLADY)
    const path = isSolady
      ? join(dir, '../node_modules/solady/src', name.slice(SOLADY.length))
      : join(dir, name)
    const content = await Bun.file(path).text()
    sources[name] = { content }
    names.push(...importsOf(content).map((from) => resolved(name ?? '', from)))
  }
  return sources
}

function importsOf(content: string): string[] {
  // Strings are blanked in the mask, which distinguishes imports from comments about them.
  const code = maskedSource(content)
  return [...content.matchAll(/\bimport\b[^;"]*"([^"]+)"/g)]
    .filter(({ index }) => code.startsWith('import', index))
    .map(([, from = '']) => from)
}

function resolved(importer: string, from: string): string {
  return from.startsWith('.') ? join(importer, '..', from) : from
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([name]) => name === key)?.[1]
  }
  return found
}
