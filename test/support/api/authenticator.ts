import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * An authenticator that says whatever a test has it say (WebAuthn, sections 6.1 and 6.5): for another place,
 * or without having asked who holds it. Browsers would refuse, so the server has to.
 */

export interface Claims {
  readonly origin: string
  readonly rpId: string
  readonly isVerified: boolean
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export class Authenticator {
  private readonly id = crypto.getRandomValues(new Uint8Array(16))
  private readonly key: KeyObject
  private readonly point: Buffer
  private counter = 0

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.key = privateKey
    this.point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-64)
  }

  /** What a browser sends after making a credential. */
  register(challenge: string, claims: Claims) {
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.coseKey(),
    ])
    const data = Buffer.concat([this.dataFor(claims, HAS_CREDENTIAL), attested])
    const attestation = Buffer.concat([
      map(3),
      ...[text('fmt'), text('none'), text('attStmt'), map(0), text('authData'), bytes(data)],
    ])
    return this.answer({
      clientDataJSON: base64(clientData('webauthn.create', challenge, claims.origin)),
      attestationObject: base64(attestation),
      transports: ['internal'],
    })
  }

  /** What a browser sends to sign in. */
  signIn(challenge: string, claims: Claims) {
    this.counter += 1
    const data = this.dataFor(claims, 0)
    const client = clientData('webauthn.get', challenge, claims.origin)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.answer({
      clientDataJSON: base64(client),
      authenticatorData: base64(data),
      signature: base64(sign('sha256', signed, this.key)),
    })
  }

  private answer(response: Readonly<Record<string, unknown>>) {
    const id = base64(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private dataFor({ rpId, isVerified }: Claims, further: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | further
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags]),
      counter,
    ])
  }

  /** EC2, ES256, P-256: RFC 9053, sections 2.1 and 7.1.1. */
  private coseKey(): Buffer {
    return Buffer.concat([
      map(5),
      Buffer.from([0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(this.point.subarray(0, 32)),
      Buffer.from([0x22]),
      bytes(this.point.subarray(32)),
    ])
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64url')
}

/** CBOR, RFC 8949, as far as it is needed here. */
function map(pairs: number): Buffer {
  return Buffer.from([0xa0 + pairs])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

function bytes(data: Uint8Array): Buffer {
  const { length } = data
  const head = length < 24 ? [0x40 + length] : [0x58, length]
  return Buffer.concat([Buffer.from(length < 256 ? head : [0x59, length >> 8, length & 255]), data])
}
