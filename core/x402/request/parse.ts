import { asEndpointId, asMerchantId } from '../../base/ids.ts'
import { type BaseUnits, baseUnits } from '../../base/money.ts'
import { excerpt } from '../../base/text.ts'
import type { Address } from '../../chain/evm.ts'
import { findNetwork } from '../../chain/registry.ts'
import type { ActiveChain } from '../../config/chains.ts'
import { FieldReader, type Fields, isMissing, isObject } from '../fields.ts'
import type { Reason } from '../reasons.ts'
import {
  type Authorization,
  DEFAULT_TIMEOUT_S,
  type Dialect,
  type PaymentRequest,
  type Requirements,
  type Scheme,
} from '../terms.ts'
import { endpointUrlKey } from '../url.ts'
import { type Envelope, openEnvelope } from './envelope.ts'
import { readPermit } from './permitPayload.ts'

export type ParsedPaymentRequest =
  | { readonly ok: true; readonly request: PaymentRequest }
  | {
      readonly ok: false
      readonly reason: Reason
      /** What is wrong and what it should be, for developers. */
      readonly message: string
      readonly dialect: Dialect
      /** As the caller wrote it; empty when it names none. */
      readonly network: string
      /** Who seems to pay; nothing was verified. */
      readonly payer: Address | null
    }

/**
 * Reads the body of verify or settle in any dialect: v1 and v2 of x402, and the plain one, in which the payload
 * is the text of the X-PAYMENT header (docs/x402.md#dialects). Unknown keys are ignored; values are read strictly,
 * because they decide how money moves. Networks may be written as CAIP-2 or by name in every dialect.
 */
export function parsePaymentRequest(
  body: unknown,
  chains: readonly ActiveChain[],
): ParsedPaymentRequest {
  const reader = new FieldReader()
  const envelope = openEnvelope(body, reader)
  const chain = reader.problem === null ? readChain(envelope, chains, reader) : null
  const request = chain === null ? null : readRequest(envelope, chain, reader)
  if (reader.problem !== null) {
    const { dialect } = envelope
    const [network, payer] = [networkOf(envelope), payerOf(envelope)]
    return { ok: false, ...reader.problem, dialect, network, payer }
  }
  if (request === null) throw new Error('a request was neither read nor refused')
  return { ok: true, request }
}

/** Scheme and network come first: without them nothing else of a request has a meaning. */
function readChain(
  { madeFor, requirements }: Envelope,
  chains: readonly ActiveChain[],
  reader: FieldReader,
): ActiveChain | null {
  const scheme = reader.text(requirements, 'scheme')
  const made = madeFor ?? requirements
  const schemeOfPayload = reader.text(made, 'scheme')
  if (scheme !== schemeOfPayload) {
    reader.refuse('invalid_scheme', `${made.path}.scheme differs from ${requirements.path}.scheme`)
  }
  if (!isScheme(scheme)) {
    const names = SCHEMES.map((name) => `"${name}"`).join(', ')
    reader.refuse('unsupported_scheme', `scheme must be one of ${names}`)
  }
  const chain = chainAt(requirements, chains, reader)
  if (madeFor !== null && chain !== chainAt(madeFor, chains, reader)) {
    reader.refuse(
      'invalid_network',
      `${madeFor.path}.network differs from ${requirements.path}.network`,
    )
  }
  return reader.problem === null ? chain : null
}

/** Those whose payments are read here. */
const SCHEMES = ['exact', 'upto'] as const satisfies readonly Scheme[]

function isScheme(text: string): text is Scheme {
  return SCHEMES.some((scheme) => scheme === text)
}

function chainAt(
  from: Fields,
  chains: readonly ActiveChain[],
  reader: FieldReader,
): ActiveChain | null {
  const network = reader.text(from, 'network')
  const chain = findNetwork(chains, network)
  if (chain) return chain
  const known = chains.map(({ caip2, networkId }) => `${caip2} (${networkId})`).join(', ')
  reader.refuse('invalid_network', `${from.path}.network must be one of ${known}`)
  return null
}

function readRequest(envelope: Envelope, chain: ActiveChain, reader: FieldReader): PaymentRequest {
  const { payload, payment, accepted, dialect } = envelope
  const scheme = envelope.requirements.fields.scheme === 'upto' ? 'upto' : 'exact'
  const { method, ...requirements } = readRequirements(envelope.requirements, scheme, reader)
  const signed =
    method === 'permit2'
      ? readPermit(payload, payment, scheme, reader)
      : {
          authorization: readAuthorization(reader.object(payload, 'authorization'), reader),
          permit: null,
        }
  if (accepted !== null) {
    // The amount paid is named at settle; what was accepted is the maximum.
    const amount = scheme === 'upto' ? signed.authorization.value : requirements.amount
    compareAccepted(accepted, { ...requirements, amount }, reader)
  }
  const signature = reader.signature(payload, 'signature')
  return {
    dialect,
    network: networkOf(envelope),
    chain,
    scheme,
    ...signed,
    signature,
    requirements,
    resource: resourceKey(envelope.resource),
    echo: envelope.echo,
  }
}

/** What is paid for, as URLs of endpoints are compared; null for any other form: it decides about no money. */
export function resourceKey(resource: unknown): string | null {
  if (typeof resource !== 'string') return null
  const url = endpointUrlKey(resource)
  return url.ok ? url.key : null
}

type Method = 'eip3009' | 'permit2'

function readRequirements(
  from: Fields,
  scheme: Scheme,
  reader: FieldReader,
): Requirements & { readonly method: Method } {
  const extra = isMissing(from.fields.extra)
    ? { ...from, fields: {} }
    : reader.object(from, 'extra')
  return {
    method: readMethod(extra, scheme, reader),
    amount: readAmount(from, scheme, reader),
    asset: reader.address(from, 'asset'),
    payTo: reader.address(from, 'payTo'),
    maxTimeoutSeconds: readTimeout(from, reader),
    name: reader.optionalText(extra, 'name'),
    version: reader.optionalText(extra, 'version'),
    merchantId: reader.optionalId(extra, 'merchantId', asMerchantId),
    endpointId: reader.optionalId(extra, 'endpointId', asEndpointId),
  }
}

/** How the money is moved: by EIP-3009 unless stated otherwise, and for `upto` always by Permit2. */
function readMethod(extra: Fields, scheme: Scheme, reader: FieldReader): Method {
  const given = extra.fields.assetTransferMethod
  if (given === 'permit2' || (scheme === 'upto' && isMissing(given))) return 'permit2'
  if (scheme === 'exact' && (isMissing(given) || given === 'eip3009')) return 'eip3009'
  const wanted = scheme === 'upto' ? '"permit2"' : '"eip3009" or "permit2"'
  reader.refuse(extra.reason, `${extra.path}.assetTransferMethod must be ${wanted}`)
  return 'eip3009'
}

/** The price: `amount`, which v1 calls `maxAmountRequired`. Of `upto` nothing may be due at the end. */
function readAmount(from: Fields, scheme: Scheme, reader: FieldReader): BaseUnits {
  const { amount, maxAmountRequired } = from.fields
  const name = isMissing(amount) && !isMissing(maxAmountRequired) ? 'maxAmountRequired' : 'amount'
  const value = reader.uint256(from, name)
  if (value === 0n && scheme !== 'upto')
    reader.refuse(from.reason, `${from.path}.${name} must be greater than 0`)
  if (name === 'amount' && !isMissing(maxAmountRequired)) {
    if (reader.uint256(from, 'maxAmountRequired') !== value) {
      reader.refuse(from.reason, `${from.path}.maxAmountRequired differs from ${from.path}.amount`)
    }
  }
  return baseUnits(value)
}

function readTimeout({ path, fields, reason }: Fields, reader: FieldReader): number {
  const value = fields.maxTimeoutSeconds
  if (isMissing(value)) return DEFAULT_TIMEOUT_S
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  reader.refuse(reason, `${path}.maxTimeoutSeconds must be a positive integer`)
  return DEFAULT_TIMEOUT_S
}

/** The payer's accepted terms must be the merchant's, or they were swapped in transit. */
function compareAccepted(
  accepted: Fields,
  expected: Pick<Requirements, 'asset' | 'payTo'> & { readonly amount: bigint },
  reader: FieldReader,
): void {
  const differs = (name: string) =>
    reader.refuse(
      'invalid_payment_requirements',
      `${accepted.path}.${name} differs from paymentRequirements.${name}`,
    )
  if (readAmount(accepted, 'exact', reader) !== expected.amount) differs('amount')
  if (reader.address(accepted, 'asset') !== expected.asset) differs('asset')
  if (reader.address(accepted, 'payTo') !== expected.payTo) differs('payTo')
}

function readAuthorization(from: Fields, reader: FieldReader): Authorization {
  return {
    from: reader.address(from, 'from'),
    to: reader.address(from, 'to'),
    value: reader.uint256(from, 'value'),
    validAfter: reader.uint256(from, 'validAfter'),
    validBefore: reader.uint256(from, 'validBefore'),
    nonce: reader.word(from, 'nonce'),
  }
}

/** The network as the caller wrote it, which the answer repeats: the beginning, if it is none of ours. */
function networkOf({ requirements, madeFor }: Envelope): string {
  const networks = [requirements.fields.network, madeFor?.fields.network]
  return excerpt(networks.find((network) => typeof network === 'string') ?? '')
}

/** Who pays according to the payload, for answers to requests with something else wrong. */
function payerOf({ payload }: Envelope): Address | null {
  const authorization = payload.fields.authorization ?? payload.fields.permit2Authorization
  if (!isObject(authorization)) return null
  const reader = new FieldReader()
  const payer = reader.address({ ...payload, fields: authorization }, 'from')
  return reader.problem === null ? payer : null
}
