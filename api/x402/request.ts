import { AppError } from '../../core/base/errors.ts'
import { type Body, MAX_BODY_BYTES, readTextBody } from '../request/body.ts'
import { PAYER, USDC } from '../request/examples.ts'
import { type DocumentedSchema, integer, named, unchecked } from '../request/schema.ts'

/** The request body of verify and settle, in any dialect. */

const NONCE = `0x${'5c'.repeat(32)}`
const FORWARDER = '0x1Be31A94361a391bBaFB2a4CCd704F57dc04d4bb'

const requirements = unchecked({
  type: 'object',
  description:
    'One accepted payment option, unchanged as it was in the 402 response. v1 names the price ' +
    'maxAmountRequired and the network by its name.',
  example: {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '10000',
    asset: USDC,
    payTo: FORWARDER,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
  },
})

const payload = unchecked({
  description:
    'The payment that the client sent: the header X-PAYMENT as it came (base64), or the object in ' +
    'it, as stock clients of x402 v1 and v2 send it.',
  example: {
    x402Version: 2,
    accepted: requirements.example,
    payload: {
      signature: `0x${'ab'.repeat(64)}1b`,
      authorization: {
        from: PAYER.toLowerCase(),
        to: FORWARDER,
        value: '10000',
        validAfter: '0',
        validBefore: '1790000300',
        nonce: NONCE,
      },
    },
  },
})

const schema: DocumentedSchema = named('FacilitatorRequest', 'A payment and its requirements.', {
  x402Version: integer('The protocol version: 1 or 2.', 2, { minimum: 1, maximum: 2 }),
  paymentPayload: payload,
  paymentRequirements: requirements,
})

export interface SentPayment {
  /** The body as it was sent; undefined, a malformed payload, for anything but JSON. */
  readonly value: unknown
  /** How long it was, about. */
  readonly bytes: number
}

/** A body of verify or settle. Reading it never fails for what is in it. */
export const PAYMENT_BODY: Body<SentPayment> = {
  document: { required: true, content: { 'application/json': { schema } } },
  errors: ['body_too_large'],
  read: readLeniently,
}

/**
 * Amounts are strings in every dialect and every field is validated on its own, so this JSON needs
 * none of the care that other bodies get.
 */
async function readLeniently(request: Request): Promise<SentPayment> {
  const announced = request.headers.get('content-length')
  try {
    // The server passes on no more bytes than were announced, and parses JSON itself.
    if (announced !== null && Number(announced) <= MAX_BODY_BYTES) {
      return { value: await request.json(), bytes: Number(announced) }
    }
    const text = await readTextBody(request)
    return { value: JSON.parse(text), bytes: text.length }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'invalid_request_body') throw error
    return { value: undefined, bytes: 0 }
  }
}
