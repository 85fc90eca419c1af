import { afterAll, beforeAll } from 'bun:test'
import { refunds } from '../../support/kills/refunds.ts'
import { reorganisations } from '../../support/kills/reorganisations.ts'
import { OPERATOR_TOKEN, stop } from '../../support/kills/stop.ts'
import { webhooks } from '../../support/kills/webhooks.ts'
import { startRunning, stopRunning } from '../../support/running/stack.ts'

/**
 * The hub is stopped, processes are killed, and the chain is reorganised, one after the other on one stack: to start one
 * takes longer than most of it.
 */

beforeAll(() => startRunning({ OPERATOR_TOKEN, RELAYER_LEASE_MS: '2000' }), 180_000)
afterAll(stopRunning, 120_000)

// On a chain to which nothing has happened yet, where nothing has failed.
stop()
// Its endpoint hears of all that its merchant does.
webhooks()
// A chain's clock is late afterwards, and then early.
reorganisations()
refunds()
