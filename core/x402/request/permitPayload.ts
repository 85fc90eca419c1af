import { type FieldReader, type Fields, isMissing, isObject } from '../fields.ts'
import { permitKey } from '../permitSigning.ts'
import type { Authorization, Permit, Scheme, SponsoredPermit } from '../terms.ts'

/** Reads what a payer signed for Permit2, as stock clients send it: `payload.permit2Authorization`. */

const UINT256_MAX = 2n ** 256n - 1n

export interface ReadPermit {
  readonly authorization: Authorization
  readonly permit: Permit
}

/** `payment` is the payload with its extensions around it. */
export function readPermit(
  payload: Fields,
  payment: Fields,
  scheme: Scheme,
  reader: FieldReader,
): ReadPermit {
  const signed = reader.object(payload, 'permit2Authorization')
  const permitted = reader.object(signed, 'permitted')
  const witness = reader.object(signed, 'witness')
  const nonce = reader.uint256(signed, 'nonce')
  const deadline = reader.uint256(signed, 'deadline')
  // Our times are exclusive, and the largest integer has no second after it.
  if (deadline === UINT256_MAX) {
    reader.refuse(signed.reason, `${signed.path}.deadline must be below 2^256 - 1`)
  }
  return {
    authorization: {
      from: reader.address(signed, 'from'),
      to: reader.address(witness, 'to'),
      value: reader.uint256(permitted, 'amount'),
      validAfter: reader.uint256(witness, 'validAfter'),
      validBefore: deadline === UINT256_MAX ? deadline : deadline + 1n,
      nonce: permitKey(nonce),
    },
    permit: {
      nonce,
      token: reader.address(permitted, 'token'),
      spender: reader.address(signed, 'spender'),
      facilitator: scheme === 'upto' ? reader.address(witness, 'facilitator') : null,
      sponsored: readSponsored(payment, reader),
    },
  }
}

/** The extension eip2612GasSponsoring, once the client has filled it: before that it is an offer. */
function readSponsored(payment: Fields, reader: FieldReader): SponsoredPermit | null {
  const extension = objectAt(objectAt(payment, 'extensions'), 'eip2612GasSponsoring')
  const info = objectAt(extension, 'info')
  if (info === null || isMissing(info.fields.signature)) return null
  return {
    owner: reader.address(info, 'from'),
    token: reader.address(info, 'asset'),
    spender: reader.address(info, 'spender'),
    value: reader.uint256(info, 'amount'),
    nonce: reader.uint256(info, 'nonce'),
    deadline: reader.uint256(info, 'deadline'),
    signature: reader.signature(info, 'signature'),
  }
}

function objectAt(from: Fields | null, name: string): Fields | null {
  const value = from?.fields[name]
  if (from === null || !isObject(value)) return null
  return { ...from, path: `${from.path}.${name}`, fields: value }
}
