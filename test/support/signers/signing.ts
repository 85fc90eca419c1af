/**
 * Signs digests with a signer, in a process of its own: modules of PKCS#11 read the environment that a process
 * began with. The first argument is JSON; what is printed is JSON, too.
 */
import { keccak256, numberToHex } from 'viem'
import { openPkcs11Signer } from '../../../chain/signers/pkcs11.ts'
import { type DigestSignature, SignerError } from '../../../chain/signers/signer.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Pkcs11Source } from '../../../core/config/signers.ts'

export interface Asked {
  readonly source: Pkcs11Source
  readonly count: number
}

export type Signed =
  | { readonly address: Address; readonly signatures: readonly DigestSignature[] }
  | { readonly kind: string; readonly message: string }

const QUICK = { opening: { tryMs: 2_000, totalMs: 2_000 } }

export function digestOf(i: number): Hex {
  return keccak256(numberToHex(i, { size: 32 }))
}

/** Asks a process with this environment. */
export async function signElsewhere(
  asked: Asked,
  environment: Readonly<Record<string, string>>,
): Promise<Signed> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(asked)], {
    env: { ...process.env, ...environment },
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  return JSON.parse(text)
}

async function main({ source, count }: Asked): Promise<Signed> {
  try {
    const signer = await openPkcs11Signer(source, QUICK)
    const signatures: DigestSignature[] = []
    for (let i = 0; i < count; i += 1) signatures.push(await signer.sign(digestOf(i)))
    return { address: signer.address, signatures }
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    return { kind: error.kind, message: error.message }
  }
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await main(JSON.parse(process.argv[2] ?? '{}'))))
  process.exit(0)
}
