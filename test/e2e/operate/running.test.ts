import { afterAll, beforeAll } from 'bun:test'
import { invoicesInEuros } from './running/eurc.ts'
import { payments, wholeStack } from './running/payments.ts'
import { scenarios } from './running/scenarios.ts'
import { sdk } from './running/sdk.ts'
import { startRunning, stopRunning } from './running/stack.ts'
import { stockClients } from './running/x402Clients.ts'
import { exampleServers } from './running/x402Examples.ts'

/** Everything that is tried on a stack that runs: it is started once, since that takes longer than most tests. */

beforeAll(startRunning, 180_000)
afterAll(stopRunning, 120_000)

scenarios()
payments()
// It kills everything, and starts it again.
wholeStack()
invoicesInEuros()
sdk()
stockClients()
exampleServers()
