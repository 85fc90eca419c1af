import { Buffer } from 'node:buffer'

/** Ids that tests can read: a name of up to 16 letters as a UUID, and back. */

export function uuidOf(name: string): string {
  const digits = Buffer.from(name).toHex().padEnd(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function nameOf(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString().replaceAll('\0', '')
}
