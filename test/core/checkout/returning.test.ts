import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkPayerUrl, checkReturnUrl, isOrigin } from '../../../core/checkout/returning.ts'

/** Where payers may be sent: URLs that everyone who reads them reads alike. */

const SHOP = 'https://shop.example'
const verdict = (text: string) => checkReturnUrl(text, 'live', [SHOP])

describe('where a payer may return to', () => {
  test.each([
    SHOP,
    `${SHOP}/`,
    `${SHOP}?order=1`,
    `${SHOP}#done`,
    `${SHOP}/a%5Cb?next=https://shop.example/@you#x`,
    `${SHOP}/bestellung/größe`,
  ])('takes %p', (text) => {
    expect(verdict(text).ok).toBe(true)
  })

  test.each([
    [`${SHOP}\\@evil.example/`, 'must hold no backslash: write / instead'],
    [`${SHOP}/a\\b`, 'must hold no backslash: write / instead'],
    [`${SHOP}/\u0000`, 'must hold no spaces or control characters: leave them out'],
    [`https://shop\t.example/`, 'must hold no spaces or control characters: leave them out'],
    [` ${SHOP}/`, 'must hold no spaces or control characters: leave them out'],
    [
      'https://you:secret@shop.example/',
      'must not contain a user name or password: remove the part before the @',
    ],
    ['https://@shop.example/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https:shop.example/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https:///shop.example/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https://SHOP.example/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https://shop.example:443/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https://shop%2eexample/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https://shop。example/', `must begin with ${SHOP}/, which is what browsers make of it`],
    ['https://shop.example;sandbox/', 'must name a host of letters, digits, hyphens and dots'],
  ])('refuses %p and says what to change', (text, message) => {
    expect(verdict(text)).toEqual({ ok: false, message })
  })

  test('is the same for who reads it by RFC 3986, whatever is accepted', () => {
    const part = fc.constantFrom(
      ...[
        'https:',
        '//',
        '/',
        '\\',
        '@',
        ':',
        '443',
        'shop.example',
        'evil.example',
        '.',
        '?',
        '#',
      ],
      ...[' ', '\t', '\n', '%', '%2f', '[::1]', ';', 'x', '。', '\u00ad'],
    )
    const written = fc.array(part, { maxLength: 8 }).map((parts) => `https://${parts.join('')}`)
    fc.assert(
      fc.property(written, (text) => {
        const checked = checkPayerUrl(text, 'live')
        if (!checked.ok) return
        // RFC 3986, appendix B.
        const [, , , , authority] = /^(([^:/?#]+):)?(\/\/([^/?#]*))?/.exec(text) ?? []
        expect(authority).toBe(checked.url.host)
      }),
      { numRuns: 5_000 },
    )
  })
})

test('an origin is one as browsers name it, and nothing that a policy would read as more', () => {
  for (const origin of [SHOP, 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080']) {
    expect([origin, isOrigin(origin)]).toEqual([origin, true])
  }
  const others = ['*', 'null', 'https:', `${SHOP}/`, 'https://*.example', `${SHOP};sandbox`]
  for (const other of [
    ...others,
    `${SHOP},x`,
    `${SHOP} x`,
    'ftp://shop.example',
    'https://Shop.example',
  ]) {
    expect([other, isOrigin(other)]).toEqual([other, false])
  }
})
