import { describe, expect, test } from 'bun:test'
import { checkLogo, MAX_LOGO_BYTES } from '../../../core/checkout/logo.ts'
import {
  JPEG,
  jpegSegment,
  jpegWith,
  LOSSLESS,
  LOSSY,
  png,
  pngChunk,
  pngHeader,
  pngOf,
  SVG,
  webp,
  webpChunk,
  webpHeader,
  webpOf,
} from '../../support/logos.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const changed = (bytes: Uint8Array, at: number, ...replaced: readonly number[]) => {
  const copy = Uint8Array.from(bytes)
  copy.set(replaced, at)
  return copy
}
const both = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
/** An escaped byte and the marker of a restart, as stand in coded data. */
const RESTART = Uint8Array.of(0xff, 0x00, 0xff, 0xd3)
const SCRIPT = bytesOf('<script>alert(1)</script>')
const EXIF = both(bytesOf('Exif\0\0'), bytesOf('48.1 N, 11.5 E'))

const messageOf = (bytes: Uint8Array) => {
  const verdict = checkLogo(bytes)
  return verdict.ok ? null : verdict.message
}

describe('what is no picture of these kinds', () => {
  test.each([SVG, `\uFEFF<?xml version="1.0"?>\n${SVG}`, SVG.replace('<svg', '<SVG')])(
    'is refused as an SVG, with what to upload: %s',
    (text) => {
      expect(messageOf(bytesOf(text))).toBe(
        'must be a PNG, JPEG or WebP, not an SVG: export it as a PNG and upload that',
      )
    },
  )

  test.each([
    ['nothing', new Uint8Array()],
    ['a text', bytesOf('svg')],
    ['a GIF', bytesOf('GIF89a')],
    ['a PNG with another first byte', changed(png(), 0, 0x88)],
    ['a PNG whose line ends were changed', changed(png(), 4, 0x0a)],
    ['a PNG behind something else', both(SCRIPT, png())],
    ['a RIFF of another kind', changed(webpOf(LOSSY), 8, ...bytesOf('WAVE'))],
    ['a JPEG with another first byte', changed(JPEG, 0, 0xfe)],
  ])('is refused: %s', (_, bytes) => {
    expect(messageOf(bytes)).toBe('must be a PNG, JPEG or WebP')
  })

  test('is refused above the most bytes', () => {
    const large = png(8, 5, pngChunk('iCCP', new Uint8Array(MAX_LOGO_BYTES)))
    expect(messageOf(large)).toBe('must have at most 65536 bytes')
  })
})

describe('a picture', () => {
  test.each([
    ['image/png', png()],
    ['image/png', png(2_048, 1)],
    ['image/jpeg', JPEG],
    ['image/jpeg', both(JPEG.subarray(0, -2), RESTART, JPEG.subarray(-2))],
    ['image/webp', webpOf(LOSSY)],
    ['image/webp', webpOf(LOSSLESS)],
    ['image/webp', webp()],
  ] as const)('is taken as %s by its bytes, and stays as it is', (type, bytes) => {
    expect(checkLogo(bytes)).toEqual({ ok: true, type, bytes })
    // Of a larger memory.
    const within = both(SCRIPT, bytes, SCRIPT).subarray(SCRIPT.length, -SCRIPT.length)
    expect(checkLogo(within)).toEqual({ ok: true, type, bytes })
  })

  test.each([
    ['a PNG with text', png(8, 5, pngChunk('tEXt', bytesOf('Author\0A. Payee'))), png()],
    ['an animated PNG', png(8, 5, pngChunk('acTL', new Uint8Array(8))), png()],
    ['a PNG with a page behind it', both(png(), SCRIPT), png()],
    ['a JPEG with bytes to fill', jpegWith(Uint8Array.of(0xff, 0xff)), JPEG],
    ['a JPEG with EXIF', jpegWith(jpegSegment(0xe1, EXIF)), JPEG],
    ['a JPEG with a comment', jpegWith(jpegSegment(0xfe, SCRIPT)), JPEG],
    ['a JPEG with an end in a comment', jpegWith(jpegSegment(0xfe, JPEG.slice(-2))), JPEG],
    ['a JPEG with a page behind it', both(JPEG, SCRIPT, JPEG), JPEG],
    [
      'a WebP with EXIF and XMP',
      webp(0x0c, webpChunk('EXIF', EXIF), webpChunk('XMP ', SCRIPT)),
      webp(),
    ],
    ['a WebP with an unknown part', webp(0, webpChunk('HTML', SCRIPT)), webp()],
    ['a WebP with a page behind it', both(webp(), SCRIPT), webp()],
  ])('loses what does not show: %s', (_, bytes, left) => {
    const verdict = checkLogo(bytes)
    expect(verdict.ok && verdict.bytes).toEqual(left)
  })

  test('keeps the colours of its profile', () => {
    const profile = new Uint8Array(20)
    for (const bytes of [
      png(8, 5, pngChunk('iCCP', profile)),
      jpegWith(jpegSegment(0xe2, profile)),
      webpOf(webpHeader(0x20), webpChunk('ICCP', profile), LOSSY),
    ]) {
      expect(checkLogo(bytes)).toMatchObject({ ok: true, bytes })
    }
  })

  const frame = (width: number, height: number) =>
    jpegSegment(0xc2, Uint8Array.of(8, height >> 8, height & 255, width >> 8, width & 255, 1))
  const lossy = (width: number, height: number) =>
    webpOf(changed(LOSSY, 14, width & 255, width >> 8, height & 255, height >> 8))
  const lossless = (width: number, height: number) => {
    const bits = new DataView(new ArrayBuffer(4))
    bits.setUint32(0, (width - 1) | ((height - 1) << 14), true)
    return webpOf(changed(LOSSLESS, 9, ...new Uint8Array(bits.buffer)))
  }
  test.each([
    ['PNG, 1×30000', png(1, 30_000)],
    ['PNG, 2049×1', png(2_049, 1)],
    ['PNG, 0×1', png(0, 1)],
    ['PNG, 4294967295×1', pngOf(pngHeader(2 ** 32 - 1, 1), pngChunk('IDAT'), pngChunk('IEND'))],
    ['JPEG, 1×30000', jpegWith(frame(1, 30_000))],
    ['JPEG whose height comes later', jpegWith(frame(8, 0))],
    ['JPEG of two sizes', both(JPEG.subarray(0, -2), frame(65_535, 1), JPEG.subarray(-2))],
    ['lossy WebP, 1×16383', lossy(1, 16_383)],
    ['lossy WebP, 0×1', lossy(0, 1)],
    ['lossless WebP, 16384×1', lossless(16_384, 1)],
    ['lossless WebP, 1×2049', lossless(1, 2_049)],
    ['extended WebP, 16777216×1', webpOf(webpHeader(0, 2 ** 24, 1), LOSSY)],
    ['extended WebP, 1×30000', webpOf(webpHeader(0, 1, 30_000), LOSSY)],
    ['extended WebP around a larger one', webpOf(webpHeader(0), lossy(4_000, 1).subarray(12))],
  ])('is no larger than a screen and has sides: %s', (_, bytes) => {
    expect(messageOf(bytes)).toBe('must have 1 to 2048 pixels on each side')
  })

  test.each([
    ['PNG', 'without a header', pngOf(pngChunk('IDAT'), pngChunk('IEND'))],
    ['PNG', 'with a short header', pngOf(pngChunk('IHDR'))],
    ['PNG', 'with a long header', pngOf(pngChunk('IHDR', new Uint8Array(14)), pngChunk('IEND'))],
    ['PNG', 'with two headers', png(8, 5, pngHeader(8, 5))],
    ['PNG', 'without data', pngOf(pngHeader(8, 5), pngChunk('IEND'))],
    ['PNG', 'with a chunk beyond its end', changed(png(), 8, 0xff)],
    ['JPEG', 'without a frame', jpegWith(jpegSegment(0xda, new Uint8Array(8)))],
    ['JPEG', 'without a scan', both(JPEG.subarray(0, 177), JPEG.subarray(-2))],
    ['JPEG', 'with a segment shorter than its length', jpegWith(Uint8Array.of(0xff, 0xe3, 0, 1))],
    ['JPEG', 'with a short frame', jpegWith(jpegSegment(0xc0, new Uint8Array(5)))],
    ['JPEG', 'with a restart outside of a scan', jpegWith(Uint8Array.of(0xff, 0xd0, 0, 2))],
    ['JPEG', 'with an unknown marker', jpegWith(Uint8Array.of(0xff, 0x01, 0, 2))],
    ['JPEG', 'with a scan shorter than its length', changed(JPEG, JPEG.indexOf(0xda) + 1, 0, 0)],
    ['JPEG', 'with a second start', jpegWith(JPEG)],
    ['JPEG', 'with bytes between segments', both(JPEG.subarray(0, 20), SCRIPT, JPEG.subarray(20))],
    ['WebP', 'without a picture', webpOf(webpHeader(0))],
    ['WebP', 'that is animated', webp(0x02)],
    ['WebP', 'with frames alone', webpOf(webpHeader(0), webpChunk('ANMF', LOSSY))],
    ['WebP', 'with two extended headers', webpOf(webpHeader(0), webpHeader(0), LOSSY)],
    ['WebP', 'with bytes behind its chunks', webpOf(LOSSY, new Uint8Array(2))],
    ['WebP', 'with a short lossless picture', webpOf(webpChunk('VP8L', LOSSLESS.subarray(8, 10)))],
    ['WebP', 'with another start code', webpOf(changed(LOSSY, 11, 0))],
    ['WebP', 'with another signature', webpOf(changed(LOSSLESS, 8, 0))],
    ['WebP', 'with a short header', webpOf(webpChunk('VP8X', new Uint8Array(9)), LOSSY)],
    ['WebP', 'with a short picture', webpOf(webpChunk('VP8 ', LOSSY.subarray(8, 16)))],
    ['WebP', 'with a length beyond its end', changed(webp(), 4, 0xff)],
    ['WebP', 'with a chunk beyond its end', changed(webp(), 16, 0xff)],
  ])('is whole: a %s %s is refused', (name, _, bytes) => {
    expect(messageOf(bytes)).toBe(`must be a whole ${name} of one still picture: export it again`)
  })

  test.each([
    ['PNG', png()],
    ['JPEG', JPEG],
    ['WebP', webpOf(LOSSY)],
    ['WebP', webpOf(LOSSLESS)],
    ['WebP', webp()],
  ])('is refused wherever it is cut off: %s', (_, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(checkLogo(bytes.subarray(0, length)).ok).toBe(false)
    }
  })
})
