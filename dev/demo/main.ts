/**
 * `bun run demo`: makes payments on the running stack and checks all amounts to the unit. `invoice` is an
 * invoice that is paid in two parts and overpaid; `x402` is a paid request; `agent` pays an invoice by x402, and
 * `gasless` by a signature of an account without gas.
 */
import { resolve } from 'node:path'
import { readDescription } from '../stack/description.ts'
import { demonstrateInvoice } from './invoice.ts'
import { demonstrateAgent, demonstrateGasless } from './signed.ts'
import { demonstrateX402 } from './x402.ts'

const DEMOS: Readonly<Record<string, typeof demonstrateInvoice>> = {
  invoice: demonstrateInvoice,
  x402: demonstrateX402,
  agent: demonstrateAgent,
  gasless: demonstrateGasless,
}

async function main(name = 'invoice'): Promise<void> {
  const demonstrate = DEMOS[name]
  if (!demonstrate) throw new Error(`Usage: bun run demo [${Object.keys(DEMOS).join('|')}]`)
  await demonstrate(readDescription(resolve(process.env.REMIT_HOME || '.remit')))
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
