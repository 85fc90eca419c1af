import { openBrowser } from '../../test/support/web/browser.ts'
import type { Report } from '../report.ts'
import { openShop, type Shop } from './shop.ts'

/** The assets of a checkout page, and their sizes. */

/** A page whose stream has begun loads nothing more. */
const SETTLED_MS = 1_500

export async function measureSizes(report: Report): Promise<void> {
  const shop = await openShop()
  try {
    const [path = ''] = await shop.createPages(1)
    await reportSizes(report, shop, path)
  } finally {
    await shop.stop()
  }
}

async function reportSizes(report: Report, shop: Shop, page: string): Promise<void> {
  const requests = await requestsOf(shop.url + page)
  const pathOf = (type: string) => requests.find((one) => one.type === type)?.path ?? ''
  const rows = [['', 'bytes', 'bytes with gzip', 'at most']]
  for (const [name, path, most] of [
    ['HTML', page, ''],
    ['JavaScript', pathOf('script'), '20,480'],
    ['CSS', pathOf('stylesheet'), '4,096'],
    ['widget.js, which a shop loads', '/widget.js', '2,048'],
  ] as const) {
    const plain = await bytesOf(shop.url + path, 'identity')
    const packed = await bytesOf(shop.url + path, 'gzip')
    rows.push([name, plain.toLocaleString('en'), packed.toLocaleString('en'), most])
  }
  const kinds = requests.map(({ type }) => type).join(', ')
  report.table(
    'What a checkout page loads',
    `A page that waits for its payment, of a merchant with a logo, as the API sends it. Chromium asks for ${requests.length} things to show it: ${kinds}.`,
    rows,
  )
}

/** Chromium's requests for a page, in order. */
async function requestsOf(url: string) {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const requests: { readonly type: string; readonly path: string }[] = []
    page.on('request', (request) => {
      requests.push({ type: request.resourceType(), path: new URL(request.url()).pathname })
    })
    await page.goto(url)
    await page.waitForTimeout(SETTLED_MS)
    return requests
  } finally {
    await browser.close()
  }
}

async function bytesOf(url: string, encoding: string): Promise<number> {
  const headers = { 'accept-encoding': encoding }
  const response = await fetch(url, { headers, decompress: false })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}
