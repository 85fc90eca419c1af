import { createPayers, type Payers } from '../x402/payers.ts'
import type { Fleet } from './fleet.ts'
import { offerAll, type Step } from './offer.ts'

/** What is offered to API processes: invoices to create and x402 payments to settle. */

/** One for each payment on its way, so that no payer waits for itself. */
const PAYERS = 2_048

/** A load that is ready: nothing but requests is left to be made. */
export type Prepared = () => Promise<Step>

export interface Loads {
  readonly payers: Payers
  create(perSecond: number, seconds: number): Promise<Step>
  /** Each is signed when it is due. */
  settle(perSecond: number, seconds: number): Promise<Step>
  /** All are signed before, and nothing is on its way. */
  prepareSettle(perSecond: number, seconds: number): Promise<Prepared>
}

export async function openLoads(fleet: Fleet): Promise<Loads> {
  const payers = createPayers(PAYERS)
  await payers.fund(fleet.chain)
  const headers = { 'X-Service-Key': fleet.merchant.secretKey }
  let invoices = 0
  const sign = async (count: number) => {
    const postings = await payers.sign(fleet.chain, [fleet.merchant.requirements], count)
    return postings.map(({ body }) => body)
  }
  return {
    payers,
    create(perSecond, seconds) {
      const first = invoices
      const count = Math.ceil(perSecond * seconds)
      invoices += count
      const bodyOf = (index: number) => invoiceBody(first + index)
      const target = { ports: fleet.ports(), path: '/v1/invoices', headers }
      return offerAll({ ...target, perSecond, count, bodyOf, isSuccess: () => true })
    },
    async settle(perSecond, seconds) {
      const count = Math.ceil(perSecond * seconds)
      const target = { ports: fleet.ports(), path: '/v1/x402/settle', headers: {} }
      const bodyOf = async () => (await sign(1))[0] ?? ''
      return offerAll({ ...target, perSecond, count, bodyOf, isSuccess: isSettled })
    },
    async prepareSettle(perSecond, seconds) {
      const bodies = await sign(Math.ceil(perSecond * seconds))
      await fleet.rest()
      const target = { ports: fleet.ports(), path: '/v1/x402/settle', headers: {} }
      const load = { perSecond, count: bodies.length, bodyOf: (i: number) => bodies[i] ?? '' }
      return () => offerAll({ ...target, ...load, isSuccess: isSettled })
    },
  }
}

function invoiceBody(number: number): string {
  const externalRef = `fleet-${number}`
  return JSON.stringify({ tokenSymbol: 'USDC', amountExpected: '25.5', externalRef })
}

function isSettled(text: string): boolean {
  return /"success":\s*true/.test(text)
}
