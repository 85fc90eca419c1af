import { type Invalid, invalid } from '../errors.ts'
import { checkSvg } from './svg.ts'

/** Logos that merchants upload: PNG, or SVG in which nothing can happen. */

export type LogoType = 'image/png' | 'image/svg+xml'

export interface Logo {
  readonly type: LogoType
  readonly bytes: Uint8Array
}

export type LogoVerdict = ({ readonly ok: true } & Logo) | Invalid

export const MAX_LOGO_BYTES = 65_536
/** Sides of a PNG: a small file can hold a picture that fills the memory. */
const MAX_SIDE = 2_048
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** What makes up the picture; the rest tells where, when and by what it was made. */
const PICTURE = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'IDAT', 'IEND'])
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Where a logo is on this server. */
export function logoPath(logoId: string | null): string | null {
  return logoId === null ? null : `/checkout/logo/${logoId}`
}

/** Checks an uploaded picture, and leaves out what does not show. */
export function checkLogo(bytes: Uint8Array): LogoVerdict {
  if (bytes.length > MAX_LOGO_BYTES) return invalid(`must have at most ${MAX_LOGO_BYTES} bytes`)
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return checkPng(bytes)
  const text = decode(bytes)
  if (text === null || !/<svg[\s>]/.test(text)) return invalid('must be a PNG or an SVG')
  const problem = checkSvg(text)
  return problem === null ? { ok: true, type: 'image/svg+xml', bytes } : invalid(problem)
}

/** PNG specification, section 5: a signature, and chunks of length, type, data and checksum. */
function checkPng(bytes: Uint8Array): LogoVerdict {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Uint8Array[] = [bytes.subarray(0, PNG_SIGNATURE.length)]
  let at = PNG_SIGNATURE.length
  for (let type = ''; type !== 'IEND'; ) {
    if (at + 12 > bytes.length) return invalid('is a PNG that is cut off')
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return invalid('is a PNG that is cut off')
    type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const isFirst = at === PNG_SIGNATURE.length
    if (isFirst !== (type === 'IHDR')) return invalid('is no PNG: its header is not its first part')
    if (isFirst && !hasFittingSides(view, at + 8)) {
      return invalid(`must have 1 to ${MAX_SIDE} pixels on each side`)
    }
    if (PICTURE.has(type)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return { ok: true, type: 'image/png', bytes: joined(kept) }
}

function hasFittingSides(view: DataView, at: number): boolean {
  const sides = [view.getUint32(at), view.getUint32(at + 4)]
  return sides.every((side) => side >= 1 && side <= MAX_SIDE)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function decode(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}
