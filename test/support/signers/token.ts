import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, hexToBytes } from 'viem'
import { addressOfPoint } from '../../../chain/signers/signer.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Pkcs11Source } from '../../../core/config/signers.ts'
import { runToEnd } from '../../../dev/processes/command.ts'
import { canInstallPackages, installPackages } from '../../../dev/servers/debianPackages.ts'

/** A token of SoftHSM2 (Debian's package) with a key of secp256k1 on it. */
export interface TestToken {
  readonly source: Pkcs11Source
  /** What SoftHSM2 wants in the environment of a process that uses it. */
  readonly environment: Readonly<Record<string, string>>
  readonly address: Address
  close(): Promise<void>
}

const MODULE = '/usr/lib/softhsm/libsofthsm2.so'
const PIN = '1234'
/** A private key of secp256k1 in DER (RFC 5208, RFC 5915), up to the key, and from there to the point. */
const PKCS8 = hexToBytes('0x308184020100301006072a8648ce3d020106052b8104000a046d306b0201010420')
const PUBLIC_PART = hexToBytes('0xa144034200')

/** Whether there is a SoftHSM2 here; it is installed where that is allowed. */
export async function hasSoftHsm(): Promise<boolean> {
  if (existsSync(MODULE) && Bun.which('softhsm2-util') !== null) return true
  if (!canInstallPackages()) return false
  return installPackages(['softhsm2'], AbortSignal.timeout(120_000))
}

export async function makeToken(): Promise<TestToken> {
  const folder = await mkdtemp(join(tmpdir(), 'token-'))
  const configuration = join(folder, 'softhsm2.conf')
  await mkdir(join(folder, 'tokens'))
  await writeFile(configuration, `directories.tokendir = ${folder}/tokens\n`)
  const secret = secp256k1.utils.randomSecretKey()
  const point = secp256k1.getPublicKey(secret, false)
  const pem = Buffer.from(concatBytes([PKCS8, secret, PUBLIC_PART, point])).toString('base64')
  const keyFile = join(folder, 'key.pem')
  const pinFile = join(folder, 'pin')
  await writeFile(keyFile, `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`)
  await writeFile(pinFile, `${PIN}\n`, { mode: 0o600 })
  const environment = { SOFTHSM2_CONF: configuration }
  const pins = ['--pin', PIN]
  await softhsm(environment, [
    '--init-token',
    '--free',
    '--label',
    'remit',
    ...pins,
    '--so-pin',
    '5678',
  ])
  const object = ['--label', 'config', '--id', '01']
  await softhsm(environment, ['--import', keyFile, '--token', 'remit', ...object, ...pins])
  return {
    source: { type: 'pkcs11', module: MODULE, token: 'remit', object: 'config', pinFile },
    environment,
    address: addressOfPoint(point),
    close: () => rm(folder, { recursive: true }),
  }
}

async function softhsm(environment: Record<string, string>, args: readonly string[]) {
  const command = ['env', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)]
  const failure = await runToEnd([...command, 'softhsm2-util', ...args], {
    signal: AbortSignal.timeout(20_000),
  })
  if (failure !== undefined) throw new Error(`softhsm2-util failed: ${failure}`)
}
