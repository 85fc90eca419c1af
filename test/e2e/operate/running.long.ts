import { afterAll, beforeAll } from 'bun:test'
import { invoicesInEuros } from '../../support/running/eurc.ts'
import { wholeStackAgain } from '../../support/running/payments.ts'
import { scenarios } from '../../support/running/scenarios.ts'
import { sdk } from '../../support/running/sdk.ts'
import { invoicesBySignature } from '../../support/running/signedInvoices.ts'
import { startRunning, stopRunning } from '../../support/running/stack.ts'
import { stockClients } from '../../support/running/x402Clients.ts'
import { exampleServers } from '../../support/running/x402Examples.ts'
import { invoicesByX402 } from '../../support/running/x402Invoices.ts'

/**
 * Merchants' and payers' own software on a stack that runs: the SDK, the scenarios and invoices in euros, wallets on the
 * page, and every stock client of x402 with every stock server and each example.
 */

beforeAll(() => startRunning(), 180_000)
afterAll(stopRunning, 120_000)

scenarios()
sdk()
invoicesInEuros()
invoicesBySignature()
stockClients()
invoicesByX402()
exampleServers()
// It kills everything, and starts it again.
wholeStackAgain()
