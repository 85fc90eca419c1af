/**
 * Signs digests with a signer, in a process of its own: modules of PKCS#11 read the environment that a process
 * began with. The first argument is JSON; what is printed is JSON, too.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { keccak256, numberToHex } from 'viem'
import { openPkcs11Signer } from '../../../chain/signers/pkcs11.ts'
import { Pkcs11Module } from '../../../chain/signers/pkcs11Module.ts'
import {
  type DigestSignature,
  type DigestSigner,
  SignerError,
} from '../../../chain/signers/signer.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Pkcs11Source } from '../../../core/config/signers.ts'

export interface Asked {
  readonly source: Pkcs11Source
  readonly count: number
  /** Loses the session and changes the PIN in its file for three tries; then it is right again. */
  readonly losesPin?: boolean
}

export type Signed =
  | { readonly address: Address; readonly signatures: readonly DigestSignature[] }
  | { readonly kind: string; readonly message: string }
  | { readonly refusals: readonly string[]; readonly isBack: boolean }

/** The handle that SoftHSM2 gives the first session of a process. */
const FIRST_SESSION = 1n
const QUICK = { opening: { tryMs: 6_000, totalMs: 6_000 } }

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

async function main({ source, count, losesPin }: Asked): Promise<Signed> {
  try {
    const signer = await openPkcs11Signer(source, QUICK)
    if (losesPin) return await withoutPin(signer, source)
    const signatures: DigestSignature[] = []
    for (let i = 0; i < count; i += 1) signatures.push(await signer.sign(digestOf(i)))
    return { address: signer.address, signatures }
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    return { kind: error.kind, message: error.message }
  }
}

async function withoutPin(
  signer: DigestSigner,
  { module, pinFile }: Pkcs11Source,
): Promise<Signed> {
  const pin = await readFile(pinFile, 'utf8')
  await writeFile(pinFile, '4321')
  new Pkcs11Module(module).logout(FIRST_SESSION)
  const refusals: string[] = []
  for (const i of [0, 1, 2]) {
    refusals.push(await signer.sign(digestOf(i)).then(() => 'signed', messageOf))
  }
  await writeFile(pinFile, pin)
  const isBack = await signer.sign(digestOf(3)).then(
    () => true,
    () => false,
  )
  return { refusals, isBack }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await main(JSON.parse(process.argv[2] ?? '{}'))))
  process.exit(0)
}
