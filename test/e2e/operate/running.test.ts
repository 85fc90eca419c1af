import { afterAll, beforeAll } from 'bun:test'
import { invoices } from '../../support/kills/invoices.ts'
import { payments, wholeStack } from '../../support/running/payments.ts'
import { archiveFromNowOn, restoring } from '../../support/running/restore.ts'
import { startRunning, stopRunning } from '../../support/running/stack.ts'

/** Everything that is tried on a stack that runs: it is started once, since that takes longer than most tests. */

beforeAll(() => startRunning({}, archiveFromNowOn), 180_000)
afterAll(stopRunning, 120_000)

restoring()
payments()
wholeStack()
// It kills each part by itself, and waits until all of it goes on.
invoices()
