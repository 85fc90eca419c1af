import type { ErrorDetail } from '../base/errors.ts'
import type { Hex } from '../chain/evm.ts'
import { findNetwork } from '../chain/registry.ts'
import type { ActiveChain } from '../config/chains.ts'
import { FieldReader, type Fields, type JsonObject } from '../x402/fields.ts'
import { type ChannelConfig, channelIdOf, type Voucher } from './channel.ts'
import { readConfig, readUnits } from './fields.ts'

/** What a server has us keep of a channel: the newest voucher, and what it has charged of it. */

/** The longest record of a server's own, in bytes. */
export const RECORD_BYTES_MAX = 8_192

/** A body of PUT /v1/x402/channels/:id/voucher, of which the forms of texts and numbers are known. */
export interface VoucherBody {
  readonly network: string
  readonly channelConfig: JsonObject
  readonly maxClaimableAmount?: string | undefined
  readonly signature?: string | undefined
  readonly chargedCumulativeAmount?: string | undefined
  readonly claimAuthorizerSignature?: string | undefined
  readonly record?: string | null | undefined
  readonly version?: number | undefined
}

/** Amounts in base units. */
export interface VoucherToStore {
  readonly chain: ActiveChain
  readonly channelId: Hex
  readonly config: ChannelConfig
  /** What the payer has signed, and how much of it the server has charged; null for a record alone. */
  readonly promise: {
    readonly voucher: Voucher
    readonly charged: bigint
    /** Of the receiver's authorizer, for a claim of what was charged; null without. */
    readonly authorizerSignature: Hex | null
  } | null
  /** The server's own text about the channel; null for none, undefined for the one that there is. */
  readonly record: string | null | undefined
  /** What the record must have been before, 0 for none; null for any. */
  readonly version: number | null
}

export type ParsedVoucher =
  | { readonly ok: true; readonly wanted: VoucherToStore }
  | {
      readonly ok: false
      readonly details: readonly ErrorDetail[]
    }

/** Reads what is to be stored for the channel that the path names. */
export function parseStoredVoucher(
  channelId: Hex,
  body: VoucherBody,
  chains: readonly ActiveChain[],
): ParsedVoucher {
  const chain = findNetwork(chains, body.network)
  if (!chain) return refusedVoucher('is not switched on here', 'network')
  const reader = new FieldReader()
  const whole: Fields = { path: 'body', fields: { ...body }, reason: 'invalid_payload' }
  const config = readOwnConfig(reader.object(whole, 'channelConfig'), reader)
  if (reader.problem === null && channelIdOf(chain.chainId, config) !== channelId) {
    reader.refuse('invalid_payload', 'channelConfig is not that of the channel in the path')
  }
  const promise =
    body.maxClaimableAmount === undefined ? null : readPromise(whole, channelId, reader)
  const { record, version = null } = body
  if (record != null && new TextEncoder().encode(record).length > RECORD_BYTES_MAX) {
    reader.refuse('invalid_payload', `record is longer than ${RECORD_BYTES_MAX} bytes`)
  }
  if (reader.problem !== null) return refusedVoucher(reader.problem.message)
  return { ok: true, wanted: { chain, channelId, config, promise, record, version } }
}

/** Why a voucher is not stored, for the error. */
export function refusedVoucher(
  message: string,
  path = '',
): Extract<ParsedVoucher, { readonly ok: false }> {
  return { ok: false, details: [{ path, message }] }
}

/** A channel names its own receiver and token; whose they are is looked up. */
function readOwnConfig(from: Fields, reader: FieldReader): ChannelConfig {
  const payTo = reader.address(from, 'receiver')
  return readConfig(from, { payTo, asset: reader.address(from, 'token') }, reader)
}

function readPromise(from: Fields, channelId: Hex, reader: FieldReader) {
  const maxClaimable = readUnits(from, 'maxClaimableAmount', reader)
  const charged =
    from.fields.chargedCumulativeAmount === undefined
      ? 0n
      : readUnits(from, 'chargedCumulativeAmount', reader)
  if (charged > maxClaimable) {
    reader.refuse('invalid_payload', 'chargedCumulativeAmount is above maxClaimableAmount')
  }
  const signature = reader.signature(from, 'signature')
  const authorizerSignature =
    from.fields.claimAuthorizerSignature === undefined
      ? null
      : reader.signature(from, 'claimAuthorizerSignature')
  return { voucher: { channelId, maxClaimable, signature }, charged, authorizerSignature }
}
