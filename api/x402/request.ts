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
    'An accepted payment option, unchanged from the 402 response. v1 has the price as ' +
    'maxAmountRequired and the network by name.',
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
    'The payment of the client: the header X-PAYMENT unchanged (base64), or the decoded ' +
    'object, as stock clients of x402 v1 and v2 send it.',
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
  /** The parsed body; undefined, a malformed payload, if it is not JSON. */
  readonly value: unknown
  /** Its approximate length. */
  readonly bytes: number
}

/** A body of verify or settle. Reading never fails because of its content. */
export const PAYMENT_BODY: Body<SentPayment> = {
  document: { required: true, content: { 'application/json': { schema } } },
  errors: ['body_too_large'],
  read: readLeniently,
}

/**
 * Amounts are strings in every dialect and every field is validated on its own, so this JSON needs
 * none of the checks of other bodies.
 */
async function readLeniently(request: Request): Promise<SentPayment> {
  const announced = request.headers.get('content-length')
  try {
    // The server delivers at most Content-Length bytes, and parses JSON itself.
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
