import { RemitError } from '../error.ts'
import type { Remit } from '../remit.ts'
import type { X402Channel } from '../shapes.ts'
import { type ChannelAuthorizer, signClaim } from './claims.ts'

/**
 * Channel storage in Remit for servers of x402's scheme `batch-settlement`, so that a server that
 * crashes loses no voucher, and several servers share one state. It implements the stock package's
 * `ChannelStorage` (`@x402/evm/batch-settlement/server`) without importing it.
 */

export type { ChannelAuthorizer } from './claims.ts'

type HexText = `0x${string}`

export interface ChannelConfig {
  payer: HexText
  payerAuthorizer: HexText
  receiver: HexText
  receiverAuthorizer: HexText
  token: HexText
  withdrawDelay: number
  salt: HexText
}

/** The stock package's state of a channel. Amounts in base units, times in ms except the withdrawal in s. */
export interface ChannelRecord {
  channelId: string
  channelConfig: ChannelConfig
  chargedCumulativeAmount: string
  signedMaxClaimable: string
  signature: string
  balance: string
  totalClaimed: string
  withdrawRequestedAt: number
  refundNonce: number
  onchainSyncedAt?: number
  lastRequestTimestamp: number
  pendingRequest?: { pendingId: string; signedMaxClaimable: string; expiresAt: number }
}

interface UpdateResult {
  channel: ChannelRecord | undefined
  status: 'updated' | 'unchanged' | 'deleted'
}

export interface ChannelStorageOptions {
  /** A client with a secret key of the paid merchant. */
  readonly remit: Remit
  /** The chain, as a CAIP-2 identifier, e.g. `eip155:8453`. */
  readonly network: string
  /** The receiver of the channels: the forwarder, or your own registered address. */
  readonly payTo: string
  /**
   * The server's `receiverAuthorizerSigner`. It signs a claim of the charged amount, which is stored with
   * it: when a payer withdraws, Remit claims with it in time, even if the server is down.
   */
  readonly signer: ChannelAuthorizer
}

type Update = (current: ChannelRecord | undefined) => ChannelRecord | undefined

/** A stored record with its version; 0 for none. */
interface Read {
  readonly record: ChannelRecord | undefined
  readonly version: number
}

/** Maximum retries of a conflicting update. */
const TRIES = 50

/** @throws RemitError if the API returns an error: then the paid request is not served. */
export function remitChannelStorage(options: ChannelStorageOptions) {
  const { remit, network, payTo, signer } = options

  async function read(channelId: string): Promise<Read> {
    try {
      return readOf(await remit.x402.channels.get(channelId))
    } catch (error) {
      if (error instanceof RemitError && error.code === 'channel_not_found') return NOTHING
      throw error
    }
  }

  async function write(
    { record: before, version }: Read,
    next: ChannelRecord | undefined,
  ): Promise<void> {
    const known = next ?? before
    if (known === undefined) return
    const isCharged =
      next !== undefined &&
      BigInt(next.chargedCumulativeAmount) > BigInt(before?.chargedCumulativeAmount ?? 0)
    const promise = isCharged && {
      maxClaimableAmount: next.signedMaxClaimable,
      signature: next.signature,
      chargedCumulativeAmount: next.chargedCumulativeAmount,
      claimAuthorizerSignature: await signClaim(signer, network, next),
    }
    const { channelConfig } = known
    const record = next === undefined ? null : JSON.stringify(next)
    const voucher = { network, channelConfig: { ...channelConfig }, record, version, ...promise }
    await remit.x402.channels.store(known.channelId, voucher)
  }

  return {
    async get(channelId: string): Promise<ChannelRecord | undefined> {
      return (await read(channelId)).record
    },

    /** The channels of this server: those with its signer. */
    async list(): Promise<ChannelRecord[]> {
      const found: ChannelRecord[] = []
      for await (const channel of remit.x402.channels.iterate({ network, payTo })) {
        const { record } = readOf(channel)
        if (record !== undefined && isOf(record, signer.address)) found.push(record)
      }
      return found
    },

    /** `update` may be called several times, each time with the currently stored value. */
    async updateChannel(channelId: string, update: Update): Promise<UpdateResult> {
      for (let tried = 1; ; tried += 1) {
        const current = await read(channelId)
        const next = update(current.record)
        if (next === current.record) return { channel: next, status: 'unchanged' }
        try {
          await write(current, next)
          return { channel: next, status: next === undefined ? 'deleted' : 'updated' }
        } catch (error) {
          const isLate = error instanceof RemitError && error.code === 'voucher_conflict'
          if (!isLate || tried === TRIES) throw error
        }
      }
    },
  }
}

function isOf({ channelConfig }: ChannelRecord, signer: string): boolean {
  return channelConfig.receiverAuthorizer.toLowerCase() === signer.toLowerCase()
}

const NOTHING: Read = { record: undefined, version: 0 }

/** The stored state, updated with the chain's. */
function readOf(channel: X402Channel): Read {
  const { voucher } = channel
  if (voucher === null) return NOTHING
  const { record: text, version, totalClaimed } = voucher
  if (text === null) return { record: undefined, version }
  const record: ChannelRecord = JSON.parse(text)
  if (BigInt(totalClaimed) > BigInt(record.totalClaimed)) record.totalClaimed = totalClaimed
  if (channel.withdrawAt !== null) {
    const seconds = Math.floor(Date.parse(channel.withdrawAt) / 1000)
    record.withdrawRequestedAt = seconds - record.channelConfig.withdrawDelay
  }
  // State that was read before a change on the chain, or may change at any time, must be read again.
  const { onchainSyncedAt: readAt } = record
  const isOld = readAt !== undefined && Date.parse(channel.changedAt) >= readAt
  if (isOld || channel.withdrawAt !== null) delete record.onchainSyncedAt
  return { record, version }
}
