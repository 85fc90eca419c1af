import type { Logger } from 'pino'
import { localSigner } from '../../chain/signers/local.ts'
import { nameOf, openSigner } from '../../chain/signers/open.ts'
import { type DigestSigner, SignerError } from '../../chain/signers/signer.ts'
import type { SignerSource } from '../../core/config/signers.ts'
import type { WorkerConfig } from '../../core/config/worker.ts'

/** The signers of a worker, by what they sign. */
export interface Signers {
  /** Entries of the hub's registry. */
  readonly config: DigestSigner
  readonly refund: DigestSigner
  /** Transactions, by networkId. */
  readonly relayers: ReadonlyMap<string, readonly DigestSigner[]>
}

/** What a worker goes by, once it has found its keys. */
export interface SigningConfig extends WorkerConfig {
  readonly signers: Signers
}

type Opened =
  | { readonly ok: true; readonly config: SigningConfig }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Finds the keys of a worker and reads their addresses from the stores. All stores are queried at once; problems
 * are returned as sentences.
 */
export async function openSigners(config: WorkerConfig, log: Logger): Promise<Opened> {
  const problems: string[] = []
  const opened = new Map<string, Promise<DigestSigner | null>>()
  const open = (source: SignerSource): Promise<DigestSigner | null> => {
    const name = JSON.stringify(source)
    const one = opened.get(name) ?? tryToOpen(source, problems, log)
    opened.set(name, one)
    return one
  }
  const [configSigner, refundSigner, relayers] = await Promise.all([
    open(config.configSigner),
    open(config.refundSigner),
    Promise.all(
      [...config.relayers].map(async ([networkId, sources]) => {
        const all = await Promise.all(sources.map(open))
        return [networkId, all.filter((one) => one !== null)] as const
      }),
    ),
  ])
  if (configSigner === null || refundSigner === null || problems.length > 0) {
    return { ok: false, problems }
  }
  const signers = { config: configSigner, refund: refundSigner, relayers: new Map(relayers) }
  return { ok: true, config: { ...config, signers } }
}

async function tryToOpen(
  source: SignerSource,
  problems: string[],
  log: Logger,
): Promise<DigestSigner | null> {
  try {
    const signer = await openSigner(source)
    if (signer.store !== 'local') {
      log.info(
        { address: signer.address, store: signer.store },
        'found a key outside of this process',
      )
    }
    return signer
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    problems.push(`${nameOf(source)} can't be used: ${error.message}`)
    return null
  }
}

/** The same for private keys of the environment, at once. @throws for any other store. */
export function withLocalSigners(config: WorkerConfig): SigningConfig {
  const local = (source: SignerSource) => {
    if (source.type !== 'key') throw new Error(`${nameOf(source)} is not in this process`)
    return localSigner(source.key)
  }
  const relayers = [...config.relayers].map(
    ([networkId, sources]) => [networkId, sources.map(local)] as const,
  )
  const { configSigner, refundSigner } = config
  const signers = {
    config: local(configSigner),
    refund: local(refundSigner),
    relayers: new Map(relayers),
  }
  return { ...config, signers }
}
