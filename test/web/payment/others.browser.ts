import { beforeAll } from 'bun:test'
import { OPENS_WITHIN_MS, openStage } from '../../support/web/payment/stage.ts'

/**
 * What else may happen to payers: no mouse, hashes of something else, a browser without JavaScript, two
 * tabs, and a connection that breaks. A part of `bun run check:web`, because it takes a minute and a half.
 */

beforeAll(openStage, OPENS_WITHIN_MS)

await import('./hashes.ts')
await import('./bare.ts')
await import('./tabs.ts')
await import('./keyboard.ts')
await import('./connection.ts')
