import { type BaseUnits, baseUnits } from '../base/money.ts'
import { excerpt } from '../base/text.ts'
import type { Address, Hex } from '../chain/evm.ts'
import { findNetwork } from '../chain/registry.ts'
import type { ActiveChain } from '../config/chains.ts'
import { FieldReader, type Fields, isMissing, isObject } from '../x402/fields.ts'
import type { Reason } from '../x402/reasons.ts'
import { type Envelope, openEnvelope } from '../x402/request/envelope.ts'
import { resourceKey } from '../x402/request/parse.ts'
import { CHANNELS_SCHEME, channelIdOf, depositNonce, type VoucherClaim } from './channel.ts'
import { readConfig, readUnits } from './fields.ts'
import type {
  ChannelAction,
  ChannelQuestion,
  ChannelTerms,
  ChannelVoucher,
  ClaimRequest,
  DepositAuthorization,
  RefundRequest,
} from './requests.ts'

export type ParsedChannelRequest<Request> =
  | { readonly ok: true; readonly terms: ChannelTerms; readonly request: Request }
  | {
      readonly ok: false
      readonly reason: Reason
      readonly message: string
      /** As the caller wrote it; empty when it names none. */
      readonly network: string
      readonly payer: Address | null
    }

/** The most claims in one call: nodes refuse transactions above 128 KiB. */
const CLAIMS_MAX = 100

/** Whether a body of verify or settle is about channels, even if it is invalid otherwise. */
export function isAboutChannels(body: unknown): boolean {
  if (!isObject(body) || !isObject(body.paymentRequirements)) return false
  return body.paymentRequirements.scheme === CHANNELS_SCHEME
}

/** Reads a body of settle: the four actions of the scheme's specification. */
export function parseChannelAction(
  body: unknown,
  chains: readonly ActiveChain[],
): ParsedChannelRequest<ChannelAction> {
  return parse(body, chains, (type, payload, terms, reader) => {
    switch (type) {
      case 'deposit':
        return {
          type,
          ...readVoucher(payload, terms, reader),
          deposit: readDeposit(payload, terms, reader),
        }
      case 'claim':
        return readClaims(payload, terms, reader)
      case 'settle':
        return readSettle(payload, terms, reader)
      case 'refund':
        return readRefund(payload, terms, reader)
      default:
        return null
    }
  })
}

/** Reads a body of verify: a deposit, a voucher, or a refund that a payer requests. */
export function parseChannelQuestion(
  body: unknown,
  chains: readonly ActiveChain[],
): ParsedChannelRequest<ChannelQuestion> {
  return parse(body, chains, (type, payload, terms, reader) => {
    const voucher = readVoucher(payload, terms, reader)
    if (type === 'deposit')
      return { type, ...voucher, deposit: readDeposit(payload, terms, reader) }
    return type === 'voucher' || type === 'refund' ? { type, ...voucher } : null
  })
}

type Read<Request> = (
  type: string,
  payload: Fields,
  terms: ChannelTerms,
  reader: FieldReader,
) => Request | null

function parse<Request>(
  body: unknown,
  chains: readonly ActiveChain[],
  read: Read<Request>,
): ParsedChannelRequest<Request> {
  const reader = new FieldReader()
  const envelope = openEnvelope(body, reader)
  const { payload, requirements } = envelope
  const network = reader.text(requirements, 'network')
  const chain = findNetwork(chains, network)
  if (!chain)
    reader.refuse('invalid_network', 'paymentRequirements.network is not switched on here')
  const made = envelope.madeFor ?? requirements
  if (reader.text(made, 'scheme') !== CHANNELS_SCHEME) {
    reader.refuse('invalid_scheme', `${made.path}.scheme differs from paymentRequirements.scheme`)
  }
  compareAccepted(envelope, reader)
  const payTo = reader.address(requirements, 'payTo')
  const asset = reader.address(requirements, 'asset')
  const type = reader.text(payload, 'type')
  const { echo } = envelope
  const price = priceOf(requirements)
  const resource = resourceKey(envelope.resource)
  const terms = chain && { network, chain, payTo, asset, price, resource, echo }
  const request = terms && reader.problem === null ? read(type, payload, terms, reader) : null
  if (request === null) {
    reader.refuse(
      'invalid_batch_settlement_evm_payload_type',
      `${payload.path}.type is not supported here: ${excerpt(type)}`,
    )
  }
  if (reader.problem !== null || !terms || request === null) {
    const problem = reader.problem ?? { reason: 'invalid_payload' as const, message: 'malformed' }
    return { ok: false, ...problem, network: excerpt(network), payer: payerOf(payload) }
  }
  return { ok: true, terms, request }
}

/** The payer's asset, receiver and network must be the merchant's. Amounts differ: a deposit is for many. */
function compareAccepted({ accepted, requirements }: Envelope, reader: FieldReader): void {
  if (accepted === null) return
  for (const name of ['network', 'asset', 'payTo'] as const) {
    const [theirs, ours] = [reader.text(accepted, name), reader.text(requirements, name)]
    if (theirs.toLowerCase() === ours.toLowerCase()) continue
    reader.refuse(
      'invalid_payment_requirements',
      `${accepted.path}.${name} differs from paymentRequirements.${name}`,
    )
  }
}

function readVoucher(from: Fields, terms: ChannelTerms, reader: FieldReader): ChannelVoucher {
  const config = readConfig(reader.object(from, 'channelConfig'), terms, reader)
  const voucher = reader.object(from, 'voucher')
  const channelId = reader.word(voucher, 'channelId')
  if (reader.problem === null && channelId !== channelIdOf(terms.chain.chainId, config)) {
    reader.refuse(
      'invalid_batch_settlement_evm_channel_id_mismatch',
      `${voucher.path}.channelId is not the id of the channelConfig`,
    )
  }
  const maxClaimable = readUnits(voucher, 'maxClaimableAmount', reader)
  const signature = reader.signature(voucher, 'signature')
  return { config, voucher: { channelId, maxClaimable, signature } }
}

function readDeposit(
  from: Fields,
  { chain }: ChannelTerms,
  reader: FieldReader,
): DepositAuthorization {
  const deposit = reader.object(from, 'deposit')
  const authorization = reader.object(deposit, 'authorization')
  if (isMissing(authorization.fields.erc3009Authorization)) {
    reader.refuse(
      'invalid_batch_settlement_evm_erc3009_authorization_required',
      `deposits on ${chain.networkId} are taken by EIP-3009: ${authorization.path}.erc3009Authorization is missing`,
    )
  }
  const signed = reader.object(authorization, 'erc3009Authorization')
  const voucher = isObject(from.fields.voucher) ? from.fields.voucher : {}
  const channelId = reader.word({ ...from, fields: voucher }, 'channelId')
  const salt = reader.word(signed, 'salt')
  const amount = readUnits(deposit, 'amount', reader)
  if (amount === 0n) reader.refuse('invalid_payload', `${deposit.path}.amount must be above 0`)
  return {
    amount,
    validAfter: reader.uint256(signed, 'validAfter'),
    validBefore: reader.uint256(signed, 'validBefore'),
    salt,
    nonce: reader.problem === null ? depositNonce(channelId, salt) : salt,
    signature: reader.signature(signed, 'signature'),
  }
}

function readClaims(from: Fields, terms: ChannelTerms, reader: FieldReader): ClaimRequest {
  const list = from.fields.claims
  const isList = Array.isArray(list) && list.length > 0 && list.length <= CLAIMS_MAX
  if (!isList) {
    reader.refuse('invalid_payload', `${from.path}.claims must be 1 to ${CLAIMS_MAX} claims`)
  }
  const rows: readonly unknown[] = isList ? list : []
  const claims = rows.map((row, i) => readClaim(from, row, i, terms, reader))
  if (new Set(claims.map(({ channelId }) => channelId)).size < claims.length) {
    reader.refuse('invalid_payload', `${from.path}.claims names a channel twice`)
  }
  if (new Set(claims.map(({ config }) => config.receiverAuthorizer)).size > 1) {
    reader.refuse(
      'invalid_batch_settlement_evm_receiver_authorizer_mismatch',
      `${from.path}.claims are of several receiverAuthorizers`,
    )
  }
  const authorizerSignature = readAuthorizer(from, 'claimAuthorizerSignature', reader)
  return { type: 'claim', claims, authorizerSignature }
}

function readClaim(
  from: Fields,
  row: unknown,
  i: number,
  terms: ChannelTerms,
  reader: FieldReader,
): VoucherClaim {
  const place = { ...from, path: `${from.path}.claims[${i}]`, fields: isObject(row) ? row : {} }
  const voucher = reader.object(place, 'voucher')
  const config = readConfig(reader.object(voucher, 'channel'), terms, reader)
  const maxClaimable = readUnits(voucher, 'maxClaimableAmount', reader)
  const totalClaimed = readUnits(place, 'totalClaimed', reader)
  if (totalClaimed > maxClaimable) {
    reader.refuse('invalid_payload', `${place.path}.totalClaimed is above its voucher`)
  }
  const signature = reader.signature(place, 'signature')
  const channelId = reader.problem === null ? channelIdOf(terms.chain.chainId, config) : config.salt
  return { config, channelId, maxClaimable, signature, totalClaimed }
}

function readSettle(from: Fields, terms: ChannelTerms, reader: FieldReader): ChannelAction {
  if (reader.address(from, 'receiver') !== terms.payTo) {
    reader.refuse(
      'invalid_batch_settlement_evm_receiver_mismatch',
      `${from.path}.receiver is not payTo`,
    )
  }
  if (reader.address(from, 'token') !== terms.asset) {
    reader.refuse(
      'invalid_batch_settlement_evm_token_mismatch',
      `${from.path}.token is not the asset`,
    )
  }
  return { type: 'settle' }
}

function readRefund(from: Fields, terms: ChannelTerms, reader: FieldReader): RefundRequest {
  const { config, voucher } = readVoucher(from, terms, reader)
  const amount = readUnits(from, 'amount', reader)
  if (amount === 0n) {
    reader.refuse(
      'invalid_batch_settlement_evm_refund_no_balance',
      `${from.path}.amount must be above 0`,
    )
  }
  const hasClaims = Array.isArray(from.fields.claims) && from.fields.claims.length > 0
  const claim = hasClaims ? readClaims(from, terms, reader) : null
  if (claim?.claims.some(({ channelId }) => channelId !== voucher.channelId)) {
    reader.refuse('invalid_payload', `${from.path}.claims are not of the channel that is refunded`)
  }
  return {
    type: 'refund',
    config,
    channelId: voucher.channelId,
    amount,
    refundNonce: reader.uint256(from, 'refundNonce'),
    refundSignature: readAuthorizer(from, 'refundAuthorizerSignature', reader),
    claim,
  }
}

/** The server signs for itself: no other signature closes a channel. */
function readAuthorizer(from: Fields, name: string, reader: FieldReader): Hex {
  if (isMissing(from.fields[name])) {
    reader.refuse(
      'invalid_batch_settlement_evm_authorizer_not_configured',
      `${from.path}.${name} is missing: give your server a receiverAuthorizerSigner of its own`,
    )
  }
  return reader.signature(from, name)
}

/** It decides about no money, so that another one than the rules allow is as good as none. */
function priceOf(requirements: Fields): BaseUnits {
  const reader = new FieldReader()
  const price = readUnits(requirements, 'amount', reader)
  return baseUnits(reader.problem === null ? price : 0n)
}

/** Who pays according to the payload; nothing was verified. */
function payerOf(payload: Fields): Address | null {
  const { channelConfig } = payload.fields
  if (!isObject(channelConfig)) return null
  const reader = new FieldReader()
  const payer = reader.address({ ...payload, fields: channelConfig }, 'payer')
  return reader.problem === null ? payer : null
}
