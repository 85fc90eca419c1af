import { baseUnits } from '../../core/base/money.ts'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { hearHeads, machineTime } from '../heads.ts'
import { elements, member } from '../x402/json.ts'
import type { Fleet } from './fleet.ts'

/** How long payments of invoices take from their block to the API's answers. */
export interface Payments {
  /**
   * Creates invoices, pays all of them in one block and polls each until it shows its payment. In ms from
   * the moment at which a subscriber of the node hears of the block.
   * @throws Error when one is not shown within a minute.
   */
  pay(invoices: number): Promise<number[]>
  stop(): void
}

interface Invoice {
  readonly url: string
  readonly address: string
}

const ASK_EVERY_MS = 10
const SHOWN_WITHIN_MS = 60_000
const AMOUNT = '25.5'
const AMOUNT_UNITS = baseUnits(25_500_000n)

export function openPayments(fleet: Fleet): Payments {
  const heads = hearHeads(fleet.chain.node.wsUrl)
  return {
    async pay(count) {
      const invoices = await Promise.all(Array.from({ length: count }, (_, i) => create(fleet, i)))
      const shares = invoices.map(({ address }) => ({
        to: lowerCaseAddress(address),
        amount: AMOUNT_UNITS,
      }))
      const shown = invoices.map(({ url }) => shownAt(fleet, url))
      const [seen] = await Promise.all([Promise.all(shown), fleet.chain.mint(shares)])
      return seen.flatMap(({ block, at }) => {
        const heard = heads.heardAt.get(block)
        return heard === undefined ? [] : [Math.max(0, at - heard)]
      })
    },
    stop: heads.stop,
  }
}

async function create(fleet: Fleet, number: number): Promise<Invoice> {
  const ports = fleet.ports()
  const api = `http://127.0.0.1:${ports[number % ports.length]}/v1/invoices`
  const body = JSON.stringify({ tokenSymbol: 'USDC', amountExpected: AMOUNT })
  const data = await ask(fleet, api, { method: 'POST', body })
  const [address] = elements(member(data, 'addresses'))
  return { url: `${api}/${member(data, 'id')}`, address: String(member(address, 'address')) }
}

async function shownAt(fleet: Fleet, url: string): Promise<{ block: number; at: number }> {
  const end = performance.now() + SHOWN_WITHIN_MS
  for (;;) {
    const [payment] = elements(member(await ask(fleet, url, {}), 'transactions'))
    const block = member(payment, 'blockNumber')
    if (typeof block === 'number') return { block, at: machineTime() }
    if (performance.now() > end) throw new Error(`a payment is not shown by ${url}`)
    await Bun.sleep(ASK_EVERY_MS)
  }
}

/** The `data` of a response. */
async function ask({ merchant }: Fleet, url: string, init: RequestInit): Promise<unknown> {
  const headers = { 'X-Service-Key': merchant.secretKey, 'content-type': 'application/json' }
  const response = await fetch(url, { ...init, headers })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return member(answer, 'data')
}
