import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { checkLogo, MAX_LOGO_BYTES } from '../../../core/checkout/logo.ts'
import { checkSvg } from '../../../core/checkout/svg.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`

describe('an SVG', () => {
  test.each([
    svg('<path d="M0 0h8v8z" fill="#0b6e4f"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- by hand -->\n${svg('<g><circle r="4"/></g>')}`,
    svg(
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)"/>',
    ),
    svg('<style>.a{fill:red;stroke:url(#b)}</style><path class="a"/>'),
    svg('<use xlink:href="#a"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"'),
    svg('<title>Tea &amp; Sons</title>'),
  ])('that only draws is taken: %s', (text) => {
    expect(checkSvg(text)).toBeNull()
  })

  test.each([
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT>alert(1)</SCRIPT>'),
    svg('<foreignObject><p>a</p></foreignObject>'),
    svg('<path onload="alert(1)"/>'),
    svg('<path/>', ' onload="alert(1)"'),
    svg('<a href="javascript:alert(1)"><path/></a>'),
    svg('<use href="https://evil.example/a.svg#b"/>'),
    svg('<use href="data:image/svg+xml,x#b"/>'),
    svg('<image href="https://evil.example/a.png"/>'),
    svg('<path style="fill:url(https://evil.example)"/>'),
    svg('<path fill="url( https://evil.example )"/>'),
    svg('<path fill="u&#114;l(https://evil.example)"/>'),
    svg('<style>@import "https://evil.example"</style>'),
    svg('<style>a{background:\\75rl(https://evil.example)}</style>'),
    svg('<style><![CDATA[@import "a"]]></style>'),
    svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
    svg('<set attributeName="onload" to="alert(1)"/>'),
    `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('<path/>')}`,
    `<?xml-stylesheet href="https://evil.example"?>${svg('<path/>')}`,
    svg('<title>&x;</title>'),
    svg('<path/>', ' xmlns:h="http://www.w3.org/1999/xhtml"'),
    '<svg xmlns="http://www.w3.org/1999/xhtml"><path/></svg>',
    `${svg('<path/>')}<script>alert(1)</script>`,
    svg('<g>'),
    svg('<path d=M0/>'),
    svg('<path d="a"onload="b"/>'),
    '<html><svg></svg></html>',
    'svg',
  ])('that does more is refused: %s', (text) => {
    expect(checkSvg(text)).toBeString()
  })
})

describe('a PNG', () => {
  test('loses what does not show, and keeps its picture', () => {
    const picture = [header(1, 1), chunk('IDAT', deflateSync(new Uint8Array(4))), chunk('IEND')]
    const [first, ...rest] = picture
    if (first === undefined) throw new Error('a picture has a header')
    const told = chunk('tEXt', new TextEncoder().encode('Author\0somebody'))
    expect(checkLogo(png(first, told, ...rest))).toEqual({
      ok: true,
      type: 'image/png',
      bytes: png(...picture),
    })
  })

  test('is whole, begins with its header, and is no larger than a screen', () => {
    expect(checkLogo(png(header(2_049, 1), chunk('IEND'))).ok).toBe(false)
    expect(checkLogo(png(header(0, 1), chunk('IEND'))).ok).toBe(false)
    expect(checkLogo(png(chunk('IEND'))).ok).toBe(false)
    expect(checkLogo(png(header(1, 1))).ok).toBe(false)
    const cut = png(header(1, 1), chunk('IDAT', new Uint8Array(9)))
    expect(checkLogo(cut.subarray(0, -5)).ok).toBe(false)
    expect(checkLogo(new Uint8Array(MAX_LOGO_BYTES + 1)).ok).toBe(false)
  })
})

function png(...chunks: readonly Uint8Array[]): Uint8Array {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  return new Uint8Array([...signature, ...chunks.flatMap((bytes) => [...bytes])])
}

function header(width: number, height: number): Uint8Array {
  const data = new Uint8Array(13)
  const view = new DataView(data.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  return chunk('IHDR', data)
}

/** Its checksum is left at 0: nothing here looks at it. */
function chunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  new DataView(bytes.buffer).setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  return bytes
}
