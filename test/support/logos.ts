import { deflateSync } from 'node:zlib'

/** Logos of eight pixels by five as a browser writes them, and parts of which others are made. */

const fromBase64 = (text: string) => Uint8Array.fromBase64(text)
const ascii = (text: string) => new TextEncoder().encode(text)
const all = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

export const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A chunk of a PNG. Its checksum is that of the data, as browsers want it. */
export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const named = all(ascii(type), data)
  const [length, checksum] = [new DataView(new ArrayBuffer(4)), new DataView(new ArrayBuffer(4))]
  length.setUint32(0, data.length)
  checksum.setUint32(0, Bun.hash.crc32(named))
  return all(new Uint8Array(length.buffer), named, new Uint8Array(checksum.buffer))
}

export function pngHeader(width: number, height: number): Uint8Array {
  // Eight bits a pixel, in grey.
  const data = new DataView(new ArrayBuffer(13))
  data.setUint32(0, width)
  data.setUint32(4, height)
  data.setUint8(8, 8)
  return pngChunk('IHDR', new Uint8Array(data.buffer))
}

export function pngOf(...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return all(SIGNATURE, ...chunks)
}

/** A black picture, with these chunks before its data. */
export function png(
  width = 8,
  height = 5,
  ...extras: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const data = pngChunk('IDAT', deflateSync(new Uint8Array((width + 1) * height)))
  return pngOf(pngHeader(width, height), ...extras, data, pngChunk('IEND'))
}

export const JPEG = fromBase64(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j' +
    'q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
    'pKSkpKSkpKT/wAARCAAFAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAeEAABBAEFAAAAAAAAAAAAAAABAAID' +
    'EjEEERMigf/EABUBAQEAAAAAAAAAAAAAAAAAAAAE/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AldPbTth4oxU7' +
    '3Dexzk+oiIif/9k=',
)

/** A segment of a JPEG. */
export function jpegSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2
  return all(Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data)
}

/** The picture with these bytes behind its first two. */
export function jpegWith(...extras: readonly Uint8Array[]): Uint8Array {
  return all(JPEG.subarray(0, 2), ...extras, JPEG.subarray(2))
}

/** A chunk of a WebP. */
export function webpChunk(name: string, data: Uint8Array): Uint8Array {
  const length = new DataView(new ArrayBuffer(4))
  length.setUint32(0, data.length, true)
  const padding = new Uint8Array(data.length % 2)
  return all(ascii(name), new Uint8Array(length.buffer), data, padding)
}

export function webpOf(...chunks: readonly Uint8Array[]): Uint8Array {
  return webpChunk('RIFF', all(ascii('WEBP'), ...chunks))
}

export const LOSSY = webpChunk(
  'VP8 ',
  fromBase64('kAEAnQEqCAAFAAQAaCWoAAKc+xQAAPa+j/tb2J9LWobmIuoRAvJ7JV7H/+hXrL76YuAAAA=='),
)
export const LOSSLESS = webpChunk('VP8L', fromBase64('LwcAAQAPcLfIL9D/CXb+Aw/DEdH/MA=='))
const TRANSPARENCY = webpChunk('ALPH', fromBase64('AQ8wgBERYjgi+h8G'))
const BEHIND_IT = webpChunk('VP8 ', fromBase64('UAEAnQEqCAAFAAQAaCUAXYAoAAD+54u7S+9PvDcB2++wAAAA'))

/** An extended header with these flags; sides in pixels. */
export function webpHeader(flags: number, width = 8, height = 5): Uint8Array {
  const [w, h] = [width - 1, height - 1]
  const sides = [w, w >> 8, w >> 16, h, h >> 8, h >> 16].map((byte) => byte & 0xff)
  return webpChunk('VP8X', Uint8Array.of(flags, 0, 0, 0, ...sides))
}

const HAS_ALPHA = 0x10

/** A transparent picture with these flags more, and these chunks. */
export function webp(flags = 0, ...extras: readonly Uint8Array[]): Uint8Array {
  return webpOf(webpHeader(HAS_ALPHA | flags), TRANSPARENCY, BEHIND_IT, ...extras)
}
