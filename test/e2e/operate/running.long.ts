import { afterAll, beforeAll } from 'bun:test'
import { startRunning, stopRunning } from '../../support/running/stack.ts'
import { stockClients } from '../../support/running/x402Clients.ts'
import { exampleServers } from '../../support/running/x402Examples.ts'
import { invoicesByX402 } from '../../support/running/x402Invoices.ts'

/** Every stock client of x402 with every stock server and each example: the check has those that the SDK's paywalls meet. */

beforeAll(startRunning, 180_000)
afterAll(stopRunning, 120_000)

stockClients()
invoicesByX402()
exampleServers()
