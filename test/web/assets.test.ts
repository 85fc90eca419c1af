import { expect, test } from 'bun:test'
import { fileResponse } from '../../api/http/files.ts'
import { contrast } from '../../core/checkout/accent.ts'
import { buildAssets, buildDashboardAssets } from '../../web/build.ts'
import { accentRules, readable } from '../../web/styles/accent.ts'

const MOST_SCRIPT = 20 * 1024
const MOST_LATER = 4 * 1024
const MOST_STYLES = 4 * 1024
const assets = await buildAssets()

const gzipped = (file: string) =>
  assets.files.get(assets.url(file).split('/').at(-1) ?? '')?.gzip.length ?? Infinity

test('a page loads little, compressed: at most 20 KB of script and 4 KB of styles', () => {
  expect(gzipped('checkout.js')).toBeLessThanOrEqual(MOST_SCRIPT)
  expect(gzipped('checkout.css')).toBeLessThanOrEqual(MOST_STYLES)
})

test('what draws a QR code that did not come with the page, and what signs, is all that it may load later', () => {
  const scripts = [...assets.files.values()].filter(({ name }) => name.endsWith('.js'))
  const later = scripts.filter(({ name }) => !assets.url('checkout.js').endsWith(name))
  expect(later.map(({ name }) => name.split('.')[0]).toSorted()).toEqual([
    'drawCode',
    'signedTransfer',
  ])
  for (const { gzip } of later) expect(gzip.length).toBeLessThanOrEqual(MOST_LATER)
})

test('the dashboard begins with at most 40 KB of script, compressed, and a page adds 30 at most', async () => {
  const { files, needed, url } = await buildDashboardAssets()
  const size = (path: string) => files.get(path.split('/').at(-1) ?? '')?.gzip.length ?? Infinity
  const first = [url('dashboard.js'), ...needed]
  expect(first.reduce((sum, path) => sum + size(path), 0)).toBeLessThanOrEqual(40 * 1024)
  const others = [...files.keys()].filter((name) => !first.some((path) => path.endsWith(name)))
  expect(others.length).toBeGreaterThan(10)
  expect(others.filter((name) => size(name) > 30 * 1024)).toEqual([])
})

test('what one file of the dashboard loads is there', async () => {
  const { files } = await buildDashboardAssets()
  const scripts = [...files.values()].filter(({ name }) => name.endsWith('.js'))
  const loaded = scripts.flatMap(({ bytes }) =>
    [...new TextDecoder().decode(bytes).matchAll(/"\.\/([\w.-]+\.js)"/g)].map(([, name]) => name),
  )
  expect(loaded.length).toBeGreaterThan(10)
  expect(loaded.filter((name) => name === undefined || !files.has(name))).toEqual([])
})

test('a file is served under a name that changes with it, and to be kept', async () => {
  expect((await buildAssets()).url('checkout.js')).toBe(assets.url('checkout.js'))
  const name = assets.url('checkout.css').split('/').at(-1) ?? ''
  expect(name).toMatch(/^checkout\.[0-9a-f]{10}\.css$/)
  const ask = (encoding: string) => {
    const headers = { 'accept-encoding': encoding }
    return fileResponse(new Request('http://localhost/', { headers }), name, assets)
  }
  expect(ask('br, gzip').headers.get('content-encoding')).toBe('gzip')
  expect(ask('gzip;q=0').headers.get('content-encoding')).toBeNull()
  expect(ask('').headers.get('cache-control')).toContain('immutable')
  expect(fileResponse(new Request('http://localhost/'), '../build.ts', assets).status).toBe(404)
})

test.each(['#ffee00', '#000000', '#ffffff', '#7c3aed', '#00ff00'])(
  "a merchant's colour %s is adjusted until text in it can be read",
  (accent) => {
    const rules = accentRules(accent) ?? ''
    const [light = '', dark = ''] = rules.match(/#[0-9a-f]{6}/g) ?? []
    expect(contrast(colour(light), [0xef, 0xf1, 0xf4])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour(dark), [0x26, 0x29, 0x2f])).toBeGreaterThanOrEqual(4.5)
  },
)

test('a colour that can be read stays, and anything else is no colour', () => {
  expect(readable([0x7c, 0x3a, 0xed], [255, 255, 255], [0, 0, 0])).toEqual([0x7c, 0x3a, 0xed])
  expect(accentRules('red;}body{display:none')).toBeNull()
  expect(accentRules('#12345')).toBeNull()
})

function colour(text: string): readonly [number, number, number] {
  const part = (at: number) => Number.parseInt(text.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
