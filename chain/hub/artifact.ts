import { join } from 'node:path'
import { isHex } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'

const FOLDER = join(import.meta.dir, '../../contracts/artifacts')

/** The committed init code of a contract, without its constructor's arguments. */
export async function committedInitCode(
  name: 'RemitHub' | 'AuthorizationLens' | 'PermitLens',
): Promise<Hex> {
  const path = join(FOLDER, `${name}.json`)
  const artifact: unknown = await Bun.file(path).json()
  if (typeof artifact !== 'object' || artifact === null || !('bytecode' in artifact)) {
    throw new Error(`${path} holds no bytecode`)
  }
  const { bytecode } = artifact
  if (!isHex(bytecode)) throw new Error(`the bytecode in ${path} is not hexadecimal`)
  return bytecode
}
