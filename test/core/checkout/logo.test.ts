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
    // As common programs write them: what clips is used, and named by a rule for a class.
    svg(
      '<style type="text/css">.st0{clip-path:url("#b");} .st1{font-family:\'Tea\';fill:#fff}</style>' +
        '<g><defs><rect id="a" width="8" height="8"/></defs><clipPath id="b"><use xlink:href="#a"/>' +
        '</clipPath><g class="st1 st0"><path d="M0 0h8"/></g></g>',
      ' id="Layer_1"',
    ).replace(' type="text/css"', ''),
    svg(`<g id="a"><path d="M0 0h8v8z"/></g>${'<use href="#a"/>'.repeat(500)}`),
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
    svg('<style>a{fill:u<!-- -->rl(https://evil.example)}</style>'),
    svg('<style>a{fill:u<g/>rl(https://evil.example)}</style>'),
    svg('<path fill="url(#a%62)"/>'),
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

/** Ten of one that has ten of one, and so on. */
const tenfold = (times: number, has: (id: number) => string, of: (id: number) => string) =>
  Array.from({ length: times }, (_, i) => of(i + 1).replace('…', has(i).repeat(10))).join('')
const use = (id: number) => `<use href="#a${id}"/>`
const filled = (id: number) => `<rect width="4" height="4" fill="url(#a${id})"/>`
const pattern = (id: number) => `<pattern id="a${id}" width="1" height="1">…</pattern>`
const grouped = (id: number) => `<g id="a${id}">…</g>`

describe('an SVG that would draw for hours', () => {
  test.each([
    ['by use', svg(`<path id="a0" d="M0 0h8"/>${tenfold(7, use, grouped)}`)],
    ['by patterns', svg(`${tenfold(7, filled, pattern)}${filled(7)}`)],
    [
      'by style attributes',
      svg(tenfold(7, filled, pattern).replace(/fill="(\S+)"/g, 'style="fill:$1"')),
    ],
    ['by itself', svg('<g id="a"><use href="#a"/></g>')],
    [
      'by long paths',
      svg(`<path id="a" d="${'h1'.repeat(5_000)}"/>${use(0).replace('a0', 'a').repeat(1_000)}`),
    ],
    [
      'by rules of classes',
      svg(
        `<style>${[1, 2, 3, 4, 5, 6, 7].map((i) => `.b${i}{fill:url('#a${i}')}`).join('')}</style>` +
          tenfold(7, filled, pattern).replace(/fill="url\(#a(\d)\)"/g, 'class="b$1"'),
      ),
    ],
  ])('%s is refused', (_, text) => {
    expect(text.length).toBeLessThan(MAX_LOGO_BYTES)
    expect(checkSvg(text)).toBe('must not use its parts again and again: draw them once')
  })

  // What is for which element is to be known without reading CSS as browsers do.
  test.each([
    'g > path{fill:url(#a)}',
    '.b{font-family:"} .c{";fill:url(#a)}',
    ".b{font-family:'} .c{';fill:url('#a')}",
    '.b{/*} .c{*/fill:url(#a)',
    '.b{fill:red; .c{fill:url(#a)}}',
    '.b{font-family:"\n;fill:url(#a)}',
  ])('may be one by rules that are not plain: %s', (sheet) => {
    const cycle = '<pattern id="a" width="1" height="1"><path class="b"/></pattern>'
    expect(checkSvg(svg(`<style>${sheet}</style>${cycle}`))).toBeString()
  })

  test('is seen to be one quickly, however deep and wide it is', () => {
    const deep = svg(`${'<g>'.repeat(9_000)}${'</g>'.repeat(9_000)}`)
    const links = Array.from({ length: 1_500 }, (_, i) => grouped(i + 1).replace('…', use(i)))
    // The first is not too long, but too deep.
    const chains = [links.slice(0, 230), links, links.toReversed()].map((each) =>
      svg(each.join('')),
    )
    for (const text of [deep, ...chains]) {
      expect(text.length).toBeLessThan(MAX_LOGO_BYTES)
      expect(checkSvg(text)).toBeString()
    }
    const rules = '.b{fill:url(#a)}'.repeat(1_900)
    expect(checkSvg(svg(`<style>${rules}</style>${'<g/>'.repeat(7_000)}`))).toBeNull()
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
