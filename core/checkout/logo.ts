import { type Invalid, invalid } from '../base/errors.ts'

/**
 * Logos that merchants upload: PNG, JPEG and WebP, recognised by their first bytes alone. Their parts are
 * followed to the picture's end; metadata, and bytes behind the end, are left out.
 */

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

export const LOGO_TYPES: readonly LogoType[] = ['image/png', 'image/jpeg', 'image/webp']

export interface Logo {
  readonly type: LogoType
  readonly bytes: Uint8Array
}

export type LogoVerdict = ({ readonly ok: true } & Logo) | Invalid

export const MAX_LOGO_BYTES = 65_536
/** Of a picture, in pixels: a small file can hold a picture that fills the memory. */
export const MAX_LOGO_SIDE = 2_048

/** A file's description of its picture; only the parts that render are stored. */
interface Picture {
  /** Every width and height in it: some formats have them twice, and browsers differ in which they follow. */
  readonly sides: readonly number[]
  readonly parts: readonly Uint8Array[]
}

interface Format {
  readonly type: LogoType
  readonly name: string
  isOf(bytes: Uint8Array): boolean
  /** Null for a file that is cut off, damaged or without a still picture. */
  read(bytes: Uint8Array, view: DataView): Picture | null
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const FORMATS: readonly Format[] = [
  {
    ...{ type: 'image/png', name: 'PNG', read: readPng },
    isOf: (bytes) => PNG_SIGNATURE.every((byte, index) => bytes[index] === byte),
  },
  {
    ...{ type: 'image/jpeg', name: 'JPEG', read: readJpeg },
    isOf: (bytes) => [0xff, 0xd8, 0xff].every((byte, index) => bytes[index] === byte),
  },
  {
    ...{ type: 'image/webp', name: 'WebP', read: readWebp },
    isOf: (bytes) => nameAt(bytes, 0) === 'RIFF' && nameAt(bytes, 8) === 'WEBP',
  },
]

/** Where a logo is on this server. */
export function logoPath(logoId: string | null): string | null {
  return logoId === null ? null : `/checkout/logo/${logoId}`
}

/** Checks an uploaded picture, and leaves out what does not show. */
export function checkLogo(bytes: Uint8Array): LogoVerdict {
  if (bytes.length > MAX_LOGO_BYTES) return invalid(`must have at most ${MAX_LOGO_BYTES} bytes`)
  const format = FORMATS.find((one) => one.isOf(bytes))
  if (format === undefined) {
    return invalid(
      /<svg[\s>]/i.test(new TextDecoder().decode(bytes))
        ? 'must be a PNG, JPEG or WebP, not an SVG: export it as a PNG and upload that'
        : 'must be a PNG, JPEG or WebP',
    )
  }
  const picture = format.read(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length))
  if (picture === null) {
    return invalid(`must be a whole ${format.name} of one still picture: export it again`)
  }
  if (!picture.sides.every((side) => side >= 1 && side <= MAX_LOGO_SIDE)) {
    return invalid(`must have 1 to ${MAX_LOGO_SIDE} pixels on each side`)
  }
  return { ok: true, type: format.type, bytes: new Uint8Array(Buffer.concat(picture.parts)) }
}

/** The chunks of the picture itself; the rest is metadata or animation. */
const PNG_PARTS = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'iCCP', 'IDAT', 'IEND'])
const PNG_HEADER_LENGTH = 13

/** PNG specification, section 5: a signature, and chunks of length, type, data and checksum. */
function readPng(bytes: Uint8Array, view: DataView): Picture | null {
  const first = PNG_SIGNATURE.length
  const parts: Uint8Array[] = [bytes.subarray(0, first)]
  const sides: number[] = []
  let hasData = false
  for (let at = first; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const end = at + 12 + length
    if (end > bytes.length) return null
    const type = nameAt(bytes, at + 4)
    if ((type === 'IHDR') !== (at === first)) return null
    if (type === 'IHDR') {
      if (length !== PNG_HEADER_LENGTH) return null
      sides.push(view.getUint32(at + 8), view.getUint32(at + 12))
    }
    hasData ||= type === 'IDAT'
    if (PNG_PARTS.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND') return hasData ? { sides, parts } : null
    at = end
  }
  return null
}

const JPEG_START_OF_SCAN = 0xda
const JPEG_END = 0xd9
/** Frames of all kinds: 0xc0 to 0xcf, but for tables of Huffman and arithmetic codes and a reserved one. */
const JPEG_NO_FRAMES = new Set([0xc4, 0xc8, 0xcc])
/** Segments of programs, of which only JFIF, colour profile and Adobe's colour transform show; and comments. */
const JPEG_SHOWN_EXTRAS = new Set([0xe0, 0xe2, 0xee])

/** JPEG (ITU-T T.81), annex B: segments of marker, length and data; those of scans are followed by coded data. */
function readJpeg(bytes: Uint8Array, view: DataView): Picture | null {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)]
  const sides: number[] = []
  let hasScan = false
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      // Markers may have any number of these bytes before them (B.1.1.2).
      at += 1
      continue
    }
    if (marker === JPEG_END) {
      parts.push(bytes.subarray(at, at + 2))
      return hasScan ? { sides, parts } : null
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || at + 4 > bytes.length) return null
    const length = view.getUint16(at + 2)
    const endOfData = at + 2 + length
    if (length < 2 || endOfData > bytes.length) return null
    if (marker <= 0xcf && !JPEG_NO_FRAMES.has(marker)) {
      if (length < 8) return null
      sides.push(view.getUint16(at + 5), view.getUint16(at + 7))
    }
    if (marker === JPEG_START_OF_SCAN && sides.length === 0) return null
    hasScan ||= marker === JPEG_START_OF_SCAN
    const end = marker === JPEG_START_OF_SCAN ? endOfScan(bytes, endOfData) : endOfData
    if (marker < 0xe0 || JPEG_SHOWN_EXTRAS.has(marker)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return null
}

/** Where coded data ends: at a marker other than an escaped 0xff and those of restarts (B.1.1.5). */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

const WEBP_PARTS = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'])
/** Flags of an extended header that announce EXIF and XMP, and an animation. */
const WEBP_METADATA = 0x0c
const WEBP_ANIMATION = 0x02

/** WebP container (RFC 9649): a RIFF header with the length of all, and chunks of name, length and data. */
function readWebp(bytes: Uint8Array, view: DataView): Picture | null {
  const whole = 8 + view.getUint32(4, true)
  if (whole > bytes.length) return null
  const header = new Uint8Array(bytes.subarray(0, 12))
  const parts: Uint8Array[] = [header]
  const sides: number[] = []
  let hasImage = false
  let at = header.length
  while (at + 8 <= whole) {
    const name = nameAt(bytes, at)
    const length = view.getUint32(at + 4, true)
    const end = at + 8 + length + (length % 2)
    if (end > whole) return null
    const part = new Uint8Array(bytes.subarray(at, end))
    const found = webpSides(name, new DataView(part.buffer, 8, length))
    if (found === null) return null
    sides.push(...found)
    if (name === 'VP8X') {
      const flags = part[8] ?? 0
      if (at !== header.length || (flags & WEBP_ANIMATION) !== 0) return null
      part[8] = flags & ~WEBP_METADATA
    }
    hasImage ||= name === 'VP8 ' || name === 'VP8L'
    if (WEBP_PARTS.has(name)) parts.push(part)
    at = end
  }
  if (at !== whole || !hasImage) return null
  const kept = parts.reduce((length, part) => length + part.length, 0)
  new DataView(header.buffer).setUint32(4, kept - 8, true)
  return { sides, parts }
}

/** Width and height in a chunk's data, if it is one that has them; null where its data can't be read. */
function webpSides(name: string, data: DataView): readonly number[] | null {
  if (name === 'VP8 ') {
    // RFC 6386, section 9.1: a start code, then 14 bits each.
    if (data.byteLength < 10 || (data.getUint32(2) & 0xffffff) !== 0x9d012a) return null
    return [data.getUint16(6, true) & 0x3fff, data.getUint16(8, true) & 0x3fff]
  }
  if (name === 'VP8L') {
    if (data.byteLength < 5 || data.getUint8(0) !== 0x2f) return null
    const bits = data.getUint32(1, true)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  if (name === 'VP8X') {
    if (data.byteLength !== 10) return null
    return [(data.getUint32(3, true) >>> 8) + 1, (data.getUint32(6, true) >>> 8) + 1]
  }
  return []
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
