import { expect, test } from 'bun:test'
import { startCutProxy } from '../../support/servers/cutProxy.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { shownHeadings } from '../../support/web/headings.ts'
import {
  choose,
  ledgerOf,
  newSession,
  pageOf,
  reads,
  withPage,
} from '../../support/web/payment/stage.ts'

/** What breaks between a payer and the API while the payment is under way. */

test(
  'a page that loses its stream asks instead, and listens again when it can',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession()
      const proxy = startCutProxy(stage.stack.description.apiUrl)
      await page.goto((await pageOf(session)).replace(stage.stack.description.apiUrl, proxy.url))
      const address = await choose(page)
      await eventually(
        async () => proxy.seen().streams,
        (streams) => streams === 1,
      )
      proxy.stream(false)
      const { reads: before } = proxy.seen()
      await stage.payer.send(address, '20')
      await reads(page, '5.00 USDC still due')
      expect(proxy.seen().reads).toBeGreaterThan(before)
      expect(proxy.seen().streams).toBe(1)

      proxy.stream(true)
      await eventually(
        async () => proxy.seen().streams,
        (streams) => streams === 2,
      )
      const { reads: asked } = proxy.seen()
      await stage.payer.send(address, '5')
      await reads(page, 'Payment complete')
      // It was told of all this, and asked no more.
      expect(proxy.seen()).toEqual({ streams: 2, reads: asked })
      expect(await ledgerOf(session)).toMatchObject({ status: 'completed', receivedAmount: '25' })
      await proxy.stop()
    }),
  PATIENCE_MS,
)

test(
  'an API that is killed while money is on its way comes back to the same page',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession()
      await page.goto(await pageOf(session))
      const address = await choose(page)
      expect(stage.stack.kill('api')).toBe(true)
      await stage.payer.send(address, '25')
      await reads(page, 'Payment complete')
      expect(await page.getByText('Connection lost.').count()).toBe(0)
      expect((await shownHeadings(page)).at(-1)).toBe('Payment complete')
      expect(await ledgerOf(session)).toMatchObject({
        status: 'completed',
        receivedAmount: '25',
        overpaidAmount: '0',
        amountRemitted: '24.875',
      })
    }),
  PATIENCE_MS,
)
