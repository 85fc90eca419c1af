import { afterAll, beforeAll } from 'bun:test'
import { invoicesInEuros } from '../../support/running/eurc.ts'
import { payments, wholeStack } from '../../support/running/payments.ts'
import { scenarios } from '../../support/running/scenarios.ts'
import { sdk } from '../../support/running/sdk.ts'
import { invoicesBySignature } from '../../support/running/signedInvoices.ts'
import { startRunning, stopRunning } from '../../support/running/stack.ts'
import { stockClients } from '../../support/running/x402Clients.ts'
import { exampleServers } from '../../support/running/x402Examples.ts'
import { invoicesByX402 } from '../../support/running/x402Invoices.ts'

/** Everything that is tried on a stack that runs: it is started once, since that takes longer than most tests. */

beforeAll(startRunning, 180_000)
afterAll(stopRunning, 120_000)

scenarios()
payments()
invoicesBySignature()
// It kills everything, and starts it again.
wholeStack()
invoicesInEuros()
sdk()
stockClients()
invoicesByX402()
exampleServers()
