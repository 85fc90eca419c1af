/** The committed build. Deployments use these bytes, so addresses don't depend on a local compiler. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from './forge.ts'

const CONTRACTS = [
  'RemitHub',
  'AuthorizationLens',
  'PermitLens',
  'TestUSDC',
  'TestUSDT',
  'TestPermit2',
  'TestExactProxy',
  'TestUptoProxy',
  'TestChannels',
  'TestDepositCollector',
  'TestWalletFactory',
] as const
const FOLDER = join(import.meta.dir, 'artifacts')

/** Compiles and writes contracts/artifacts; returns the files written. */
export async function writeArtifacts(): Promise<string[]> {
  await compile()
  await mkdir(FOLDER, { recursive: true })
  const written: string[] = []
  for (const name of CONTRACTS) {
    const path = join(FOLDER, `${name}.json`)
    await Bun.write(path, await artifact(name))
    written.push(path)
  }
  return written
}

/** Compiles and returns the contracts whose committed artifact is not what the sources give. */
export async function staleArtifacts(): Promise<string[]> {
  await compile()
  const stale: string[] = []
  for (const name of CONTRACTS) {
    const file = Bun.file(join(FOLDER, `${name}.json`))
    const committed = (await file.exists()) ? await file.text() : ''
    if (committed !== (await artifact(name))) stale.push(name)
  }
  return stale
}

async function artifact(name: string): Promise<string> {
  const built: unknown = await Bun.file(
    join(import.meta.dir, 'out', `${name}.sol`, `${name}.json`),
  ).json()
  const content = {
    contractName: name,
    abi: field(built, 'abi'),
    bytecode: code(built, 'bytecode'),
    deployedBytecode: code(built, 'deployedBytecode'),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

function code(built: unknown, kind: 'bytecode' | 'deployedBytecode'): string {
  const object = field(field(built, kind), 'object')
  if (typeof object !== 'string' || !/^0x[0-9a-f]+$/.test(object)) {
    throw new Error(`The compiler left the ${kind} unlinked or empty.`)
  }
  return object
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !(key in value)) {
    throw new Error(`The compiler's output has no ${key}.`)
  }
  return Object.entries(value).find(([name]) => name === key)?.[1]
}
