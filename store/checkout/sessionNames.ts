import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { asInvoiceId, type InvoiceId } from '../../core/base/ids.ts'
import { formatSessionId, type SessionId } from '../../core/checkout/session.ts'
import type { Availability } from '../database/availability.ts'
import type { Database } from '../database/database.ts'

/**
 * Every invoice has a session of its own, whose name is the invoice's id enciphered with a key of this
 * database: AES with 128 bits, one block. So an invoice can name its page without another row, and names can't
 * be guessed without the key.
 */

export interface SessionNames {
  ofInvoice(invoiceId: InvoiceId): SessionId
  /** The invoice that this would be the session of; there may be none with this id. */
  invoiceOf(sessionId: SessionId): InvoiceId
  /** Names a network without showing it: the same network has the same name. */
  ofNetwork(network: string): string
}

const CIPHER = 'aes-128-ecb'

/** Reads the key when it is first needed, and again after it could not be read. */
export function openSessionNames(
  database: Database,
  availability: Availability,
): () => Promise<SessionNames> {
  let names: Promise<SessionNames> | null = null
  return () => {
    if (names === null) {
      const reading = availability.guard(() => readKey(database)).then(namesBy)
      names = reading
      reading.catch(() => {
        names = null
      })
    }
    return names
  }
}

async function readKey(database: Database): Promise<Uint8Array> {
  const [row] = await database<{ key: Uint8Array }[]>`select key from checkout_key`
  if (!row) throw new Error('the key of the sessions is missing from checkout_key')
  return row.key
}

function namesBy(key: Uint8Array): SessionNames {
  // Each block is enciphered on its own, so one cipher serves for all.
  const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false)
  const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false)
  return {
    ofInvoice: (invoiceId) =>
      formatSessionId(cipher.update(Uint8Array.fromHex(invoiceId.replaceAll('-', '')))),
    invoiceOf(sessionId) {
      const name = Uint8Array.fromBase64(sessionId.slice(3), { alphabet: 'base64url' })
      const hex = decipher.update(name).toString('hex')
      return asInvoiceId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
    },
    ofNetwork: (network) => createHmac('sha256', key).update(network).digest('base64url'),
  }
}
