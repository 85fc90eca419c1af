import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpointUrlKey } from '../../../core/x402/url.ts'

function key(text: string): string {
  const url = endpointUrlKey(text)
  if (!url.ok) throw new Error(url.message)
  return url.key
}

describe('the form in which URLs are compared', () => {
  test.each([
    ['https://Shop.Example/Report', 'https://shop.example/Report'],
    ['HTTPS://shop.example/report', 'https://shop.example/report'],
    ['https://shop.example:443/report', 'https://shop.example/report'],
    ['http://shop.example:80/report', 'http://shop.example/report'],
    ['http://shop.example:443/report', 'http://shop.example:443/report'],
    ['https://shop.example:8443/report', 'https://shop.example:8443/report'],
    ['https://shop.example/report/', 'https://shop.example/report'],
    ['https://shop.example/report//', 'https://shop.example/report'],
    ['https://shop.example//reports///2026', 'https://shop.example/reports/2026'],
    ['mcp://tool//Weather', 'mcp://tool/Weather'],
    ['https://shop.example/report?page=2', 'https://shop.example/report'],
    ['https://shop.example/report/?page=2#top', 'https://shop.example/report'],
    ['https://shop.example/report#top', 'https://shop.example/report'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example?page=2', 'https://shop.example'],
    ['https://shop.example/a/../report', 'https://shop.example/report'],
    ['https://shop.example/grüße', 'https://shop.example/gr%C3%BC%C3%9Fe'],
    ['https://bücher.example/report', 'https://xn--bcher-kva.example/report'],
    ['MCP://tool/Weather/', 'mcp://tool/Weather'],
    ['a2a://agents.example/forecast?x', 'a2a://agents.example/forecast'],
    ['http://127.0.0.1:4021/report', 'http://127.0.0.1:4021/report'],
    ['http://[::1]:4021/report', 'http://[::1]:4021/report'],
  ])('of %s is %s', (text, expected) => {
    expect(key(text)).toBe(expected)
  })

  test('keeps apart what may be different resources', () => {
    const keys = [
      'https://shop.example/report',
      'https://shop.example/Report',
      'https://shop.example/report/1',
      'http://shop.example/report',
      'https://shop.example:8443/report',
      'https://www.shop.example/report',
    ].map(key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('is its own form', () => {
    fc.assert(
      fc.property(
        fc.webUrl({
          withFragments: true,
          withQueryParameters: true,
          validSchemes: ['http', 'https', 'HTTP'],
          authoritySettings: { withPort: true, withIPv4: true, withIPv6: true },
        }),
        (text) => {
          const url = endpointUrlKey(text)
          return !url.ok || key(url.key) === url.key
        },
      ),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const url = endpointUrlKey(`https://shop.example/${path}`)
        return !url.ok || key(url.key) === url.key
      }),
      { numRuns: 500 },
    )
  })
})

describe('a URL is refused', () => {
  test.each([
    ['empty', '', 'https://, http://'],
    ['a path', '/report', 'https://, http://'],
    ['without a scheme', 'shop.example/report', 'https://, http://'],
    ['of another scheme', 'ftp://shop.example/report', 'https://, http://'],
    ['a script', 'javascript:alert(1)', 'https://, http://'],
    ['without slashes', 'https:shop.example', 'https://, http://'],
    ['without a host', 'https:///report', 'https://, http://'],
    ['after a space', ' https://shop.example', 'https://, http://'],
    ['with a space', 'https://shop.example/a report', 'white space'],
    ['with a line break', 'https://shop.example/a\nreport', 'white space'],
    ['with a NUL', 'https://shop.example/\0', 'white space'],
    ['with backslashes', 'https://shop.example\\report', 'backslashes'],
    ['with a user', 'https://user@shop.example/report', 'credentials'],
    ['with a password', 'https://user:secret@shop.example/report', 'credentials'],
    ['with a port that is none', 'https://shop.example:99999/report', 'valid URL'],
    ['with a host that is none', 'https://shop.[example/report', 'valid URL'],
  ])('that is %s', (_, text, message) => {
    const url = endpointUrlKey(text)
    expect(url.ok ? url.key : url.message).toContain(message)
  })
})
