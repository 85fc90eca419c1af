import { type Echo, readEcho } from '../echo.ts'
import { type FieldReader, type Fields, isMissing, isObject, type JsonObject } from '../fields.ts'
import type { Dialect } from '../terms.ts'

/**
 * The outer form of requests to verify and settle: which dialect is spoken, and where in it the payer's
 * terms, the signed payload and the merchant's requirements are.
 */
export interface Envelope {
  readonly dialect: Dialect
  /** The scheme and network that the payload was made for; null where it doesn't name them (bare form). */
  readonly madeFor: Fields | null
  /** v2: the requirements that the payer accepted, to compare with the merchant's. */
  readonly accepted: Fields | null
  /** All of `paymentPayload`, whose extensions are beside the payload. */
  readonly payment: Fields
  /** `{signature, authorization}`, or `{signature, permit2Authorization}`. */
  readonly payload: Fields
  readonly requirements: Fields
  /** The URL that is paid for, as the caller wrote it: v2 has it in the payload, v1 in the requirements. */
  readonly resource: unknown
  /** The metadata of the resource that came back with the payment; null without any. */
  readonly echo: Echo | null
}

/** Takes a body apart as far as possible; the reader notes what is missing. */
export function openEnvelope(body: unknown, reader: FieldReader): Envelope {
  if (!isObject(body)) {
    reader.refuse(
      'invalid_payload',
      'the body must be a JSON object with x402Version, paymentPayload and paymentRequirements',
    )
  }
  const fields = isObject(body) ? body : {}
  const isText = typeof fields.paymentPayload === 'string'
  const payment = paymentOf(fields, reader)
  const version = readVersion(fields, payment.fields, isText, reader)
  const dialect = isText ? 'remit' : version === 1 ? 'v1' : 'v2'
  const requirements = reader.object(
    { path: 'body', fields, reason: 'invalid_payment_requirements' },
    'paymentRequirements',
  )
  const { resource } = payment.fields
  return {
    dialect,
    payment,
    ...openPayment(payment, dialect, reader),
    requirements: { ...requirements, path: 'paymentRequirements' },
    resource: isObject(resource) ? resource.url : requirements.fields.resource,
    echo: readEcho(payment.fields),
  }
}

function paymentOf(body: JsonObject, reader: FieldReader): Fields {
  const value = body.paymentPayload
  const form = { path: 'paymentPayload', reason: 'invalid_payload' } as const
  if (typeof value === 'string') return { ...form, fields: decodePayment(value, reader) }
  if (isObject(value)) return { ...form, fields: value }
  reader.refuse(
    'invalid_payload',
    isMissing(value)
      ? 'paymentPayload is missing; it must be an object, or the text of the X-PAYMENT header'
      : 'paymentPayload must be an object, or the text of the X-PAYMENT header',
  )
  return { ...form, fields: {} }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The header's base64, in either alphabet, with or without padding. */
function decodePayment(text: string, reader: FieldReader): JsonObject {
  const standard = text.trim().replaceAll('-', '+').replaceAll('_', '/')
  let value: unknown
  try {
    value = JSON.parse(UTF8.decode(Uint8Array.fromBase64(standard)))
  } catch (error) {
    // A text can cause no other errors; anything else is a fault of ours.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  if (isObject(value)) return value
  reader.refuse('invalid_payload', 'paymentPayload must be the base64 of a JSON object')
  return {}
}

/**
 * The version, which body and payload both carry. A header is written by the payer and the body by the
 * merchant, so that in our own form the two may differ.
 */
function readVersion(
  body: JsonObject,
  payment: JsonObject,
  isText: boolean,
  reader: FieldReader,
): 1 | 2 {
  const given = [body.x402Version, payment.x402Version].filter((version) => !isMissing(version))
  const known = given.filter((version) => version === 1 || version === 2)
  if (known.length < given.length) {
    reader.refuse('invalid_x402_version', 'x402Version must be the number 1 or 2')
  }
  const [first, second] = known
  if (first === undefined) {
    reader.refuse('invalid_x402_version', 'x402Version is missing; it must be the number 1 or 2')
  } else if (second !== undefined && second !== first && !isText) {
    reader.refuse('invalid_x402_version', 'x402Version differs between body and paymentPayload')
  }
  return first ?? 2
}

type Opened = Pick<Envelope, 'madeFor' | 'accepted' | 'payload'>

function openPayment(payment: Fields, dialect: Dialect, reader: FieldReader): Opened {
  const { fields } = payment
  const hasAccepted = dialect === 'v2' || (dialect === 'remit' && !isMissing(fields.accepted))
  if (hasAccepted) {
    const accepted = reader.object(payment, 'accepted')
    return { madeFor: accepted, accepted, payload: reader.object(payment, 'payload') }
  }
  // A header may contain only the signed authorization.
  if (dialect === 'remit' && isMissing(fields.payload) && !isMissing(fields.authorization)) {
    return { madeFor: null, accepted: null, payload: payment }
  }
  return { madeFor: payment, accepted: null, payload: reader.object(payment, 'payload') }
}
