import { join } from 'node:path'
import { isHex } from 'viem'
import { compiledContract } from '../../contracts/mutation/compiler.ts'
import type { Hex } from '../../core/chain/evm.ts'

/** Contracts that the Foundry tests have in the place of other people's, compiled as the hub's neighbours are. */

const CONTRACTS = join(import.meta.dir, '../../contracts')

const compiled = new Map<string, Promise<Hex>>()

/** The code of one of them as it lies on a chain. It has no constructor and no immutables. */
export function compiledDouble(file: string, name: string): Promise<Hex> {
  const key = `${file} ${name}`
  const known = compiled.get(key) ?? compile(file, name)
  compiled.set(key, known)
  return known
}

async function compile(file: string, name: string): Promise<Hex> {
  const settings = { optimizer: { enabled: true, runs: 10_000 }, evmVersion: 'cancun' }
  const source = `test/doubles/${file}`
  const code = await compiledContract(CONTRACTS, {
    source,
    name,
    settings,
    kind: 'deployedBytecode',
  })
  if (!isHex(code)) throw new Error(`${source} does not compile`)
  return code
}
