import { beforeAll } from 'bun:test'
import { OPENS_WITHIN_MS, openStage } from '../../support/web/payment/stage.ts'

/**
 * Payers on the running stack: what each reads at every step, and what the ledger holds. They wait for blocks
 * most of the time, so all of them pay beside each other. `others.browser.ts` has more of them.
 */

beforeAll(openStage, OPENS_WITHIN_MS)

await import('./paying.ts')
await import('./late.ts')
await import('./paywall.ts')
