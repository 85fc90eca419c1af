import type { Keyring } from '../base/keyring.ts'
import type { BaseUnits } from '../base/money.ts'
import { BYTES_KEPT_DAYS, WORK_KEPT_DAYS } from '../base/retention.ts'
import type { Address } from '../chain/evm.ts'
import { TOKENS } from '../chain/tokens.ts'
import { suffix } from './chains.ts'
import { type Config, common } from './processes.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import { type ScreeningSource, screeningSource } from './screening.ts'
import { secretKeys } from './secretKeys.ts'
import { type SignerSource, signerOf, signersOf } from './signers.ts'

export interface WorkerConfig extends Config {
  /** A file that is there once the process works; null for none. */
  readonly readyFile: string | null
  readonly owner: Address
  /** Authenticates the API's requests in the database. */
  readonly secretKeys: Keyring
  /** The screening service; null where there is none. */
  readonly screening: ScreeningSource | null
  /** Where the keys are that sign registry entries and refunds, and those that send transactions, */
  readonly configSigner: SignerSource
  readonly refundSigner: SignerSource
  /** by networkId. */
  readonly relayers: ReadonlyMap<string, readonly SignerSource[]>
  readonly relayer: {
    readonly batchMax: number
    readonly inFlightMax: number
    readonly keysPerWorker: number
    readonly leaseMs: number
    /** A key whose native balance falls below this, in wei, raises an alarm. */
    readonly lowBalanceWei: bigint
  }
  readonly x402: {
    /** The most payments that share a transaction. */
    readonly batchMax: number
    /** How long payments wait to be batched while a transaction is in flight, in ms. */
    readonly flushMs: number
    /** A forwarder is paid out once it holds this much, in base units, */
    readonly distributeFrom: BaseUnits
    /** or once its oldest payment has waited for so long, in ms. */
    readonly distributeAfterMs: number
  }
  /** For how many days rows are kept that have served their purpose: core/base/retention.ts. */
  readonly retention: { readonly workDays: number; readonly bytesDays: number }
}

/** Reads the workers' configuration, the only one with signing keys, or with the way to them. */
export function parseWorkerConfig(variables: Variables): ParsedConfig<WorkerConfig> {
  return read(variables, (reader) => {
    const config = common(reader)
    const screening = screeningSource(reader, config.environment)
    const shared = signersOf(reader, 'RELAYER_KEYS', 'RELAYER_SIGNERS')
    const relayers = new Map(
      config.chains.map(({ networkId }) => [networkId, relayersOf(reader, networkId, shared)]),
    )
    return {
      ...config,
      readyFile: reader.optional('READY_FILE'),
      owner: reader.address('HUB_OWNER'),
      secretKeys: secretKeys(reader, config.environment),
      screening,
      configSigner: signerOf(reader, 'CONFIG_SIGNER'),
      refundSigner: signerOf(reader, 'REFUND_SIGNER'),
      relayers,
      relayer: {
        batchMax: reader.integer('RELAYER_BATCH_MAX', 50, 1, 100),
        inFlightMax: reader.integer('RELAYER_IN_FLIGHT_MAX', 8, 1, 64),
        keysPerWorker: reader.integer('RELAYER_KEYS_PER_WORKER', 2, 1, 64),
        leaseMs: reader.integer('RELAYER_LEASE_MS', 15_000, 1_000, 600_000),
        lowBalanceWei: reader.lowBalance(),
      },
      x402: {
        batchMax: reader.integer('X402_BATCH_MAX', 100, 1, 100),
        flushMs: reader.integer('X402_FLUSH_MS', 60, 0, 5_000),
        distributeFrom: reader.amount('X402_DISTRIBUTE_FROM', '10', TOKENS.USDC.decimals),
        distributeAfterMs: reader.integer('X402_DISTRIBUTE_AFTER_S', 3_600, 0, 2_592_000) * 1_000,
      },
      retention: {
        workDays: reader.days('KEEP_WORK_DAYS', WORK_KEPT_DAYS),
        bytesDays: reader.days('KEEP_TRANSACTION_BYTES_DAYS', BYTES_KEPT_DAYS),
      },
    }
  })
}

/** The relayers of one chain: its own, or those for all chains. */
function relayersOf(
  reader: Reader,
  networkId: string,
  shared: readonly SignerSource[],
): readonly SignerSource[] {
  const [keys, signers] = [
    `RELAYER_KEYS_${suffix(networkId)}`,
    `RELAYER_SIGNERS_${suffix(networkId)}`,
  ]
  const own = signersOf(reader, keys, signers)
  const relayers = own.length > 0 ? own : shared
  if (relayers.length === 0) {
    reader.problem(
      `${keys} is missing: set the private keys, separated by commas, that send transactions on ${networkId} (or RELAYER_KEYS for all chains), or ${signers} to the URLs of signers`,
    )
  }
  return relayers
}
