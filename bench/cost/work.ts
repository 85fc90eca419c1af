import { lowerCaseAddress } from '../../core/chain/evm.ts'
import type { InvoiceJson } from '../../core/invoice/present.ts'
import { eventually } from '../../test/support/servers/devStack.ts'
import { runLoad } from '../load.ts'
import { callApi, FOREIGN, newEndpoint, payFrom } from '../rpc/business.ts'
import type { CountedStack } from '../rpc/stack.ts'
import { commitEvents, ENDPOINTS, prepareEndpoints, startReceivers } from '../webhooks.ts'
import { callAndWait } from '../x402/load.ts'
import { createPayers } from '../x402/payers.ts'
import type { Posting } from '../x402/posting.ts'

/** Pieces of work of each kind. Each function does many of them and returns how many. */

export interface Sizes {
  /** How long callers call, in seconds. */
  readonly seconds: number
  /** How many invoices are paid. */
  readonly invoices: number
}

export interface Work {
  readonly name: string
  /** What is not counted. */
  prepare?(): Promise<void>
  run(): Promise<number>
}

const CALLERS = 16
/** Few callers at once share little, and many share most of what a block costs. */
const SETTLING_CALLERS = [64, 512]
const VERIFYING_CALLERS = 64
const PAYERS = 256
const PAID = { tokenSymbol: 'USDC', amountExpected: '1' }

export function works(stack: CountedStack, sizes: Sizes): Work[] {
  return [...readsAndWrites(stack, sizes), ...payments(stack, sizes), ...x402(stack, sizes)]
}

function readsAndWrites(stack: CountedStack, { seconds }: Sizes): Work[] {
  let read = ''
  let page = ''
  const load = async (path: () => string, body?: (n: number) => string) => {
    const headers = { 'X-Service-Key': stack.secretKey, 'content-type': 'application/json' }
    const urls = [`http://127.0.0.1:${stack.port}${path()}`]
    const result = await runLoad({
      ...{ urls, connections: CALLERS, seconds, headers },
      ...(body && { body }),
    })
    if (result.failures > 0) throw new Error(`${result.failures} requests of ${path()} failed`)
    return result.latenciesMs.length
  }
  const create = () =>
    load(
      () => '/v1/invoices',
      (n) => JSON.stringify({ ...PAID, externalRef: `cost-${n}` }),
    )
  return [
    { name: 'invoice created', run: create },
    {
      name: 'invoice read',
      async prepare() {
        read = `/v1/invoices/${(await newInvoice(stack)).id}`
      },
      run: () => load(() => read),
    },
    { name: 'list of 50 invoices', run: () => load(() => '/v1/invoices?limit=50') },
    {
      name: 'checkout page',
      async prepare() {
        const invoice = (await newInvoice(stack)).id
        const session = await callApi<{ url: string }>(stack, '/v1/checkout/sessions', { invoice })
        page = new URL(session.url).pathname
      },
      run: () => load(() => page),
    },
  ]
}

function payments(stack: CountedStack, { invoices }: Sizes): Work[] {
  let created: InvoiceJson[] = []
  const createSome = async () => {
    created = []
    for (let i = 0; i < invoices; i += 1) created.push(await newInvoice(stack))
  }
  return [
    {
      name: 'payment, from transfer to completed',
      async prepare() {
        await stack.chain.mint([{ to: FOREIGN, amount: 1_000_000_000_000n }])
        await createSome()
      },
      async run() {
        await payAll(stack, created, 1_000_000n)
        await untilAll(stack, created, 'completed')
        return invoices
      },
    },
    {
      name: 'refund',
      async prepare() {
        await createSome()
        await payAll(stack, created, 400_000n)
        await untilReceived(stack, created)
      },
      async run() {
        for (const { id } of created) {
          await callApi(stack, `/v1/invoices/${id}/refunds`, {
            ...{ amount: '0.4', address: FOREIGN, idempotencyKey: `cost-${id}` },
          })
        }
        await untilRefunded(stack, created)
        return invoices
      },
    },
    webhooks(stack, invoices),
  ]
}

/** Events of another merchant, each of which goes to all of its endpoints. */
function webhooks({ database }: CountedStack, events: number): Work {
  const receivers = startReceivers()
  let merchantId = ''
  return {
    name: 'webhook',
    async prepare() {
      receivers.arrivals.splice(0)
      merchantId = await prepareEndpoints(database, receivers.url, 0)
    },
    async run() {
      await commitEvents({ database, ring: () => {} }, [merchantId], events, null)
      await eventually(
        async () => receivers.arrivals.length,
        (arrived) => arrived === events * ENDPOINTS,
        60_000,
      )
      return events * ENDPOINTS
    },
  }
}

function x402(stack: CountedStack, { seconds }: Sizes): Work[] {
  const payers = createPayers(PAYERS)
  let postings: readonly Posting[] = []
  const sign = async (count: number) => {
    const requirements = await newEndpoint(stack)
    postings = await payers.sign(stack.chain, [requirements], count)
  }
  const call = async (path: string, callers: number, source: Iterator<Posting>) => {
    const target = { port: stack.port, path }
    const span = { seconds, leastRounds: 0, mostSeconds: seconds }
    const { attempts } = await callAndWait(target, callers, span, source)
    const refused = attempts.filter(({ said }) => said !== 'yes')
    if (refused.length > 0) throw new Error(`${refused.length} of ${path}: ${refused[0]?.reason}`)
    return attempts.length
  }
  const verify = () => call('/v1/x402/verify', VERIFYING_CALLERS, inTurns())
  function* inTurns(): Generator<Posting> {
    for (;;) yield* postings
  }
  return [
    {
      name: 'x402 payment verified',
      async prepare() {
        await payers.fund(stack.chain)
        await sign(PAYERS)
      },
      run: verify,
    },
    ...SETTLING_CALLERS.map((callers) => ({
      name: `x402 payment settled, ${callers} callers`,
      async prepare() {
        await payers.fund(stack.chain)
        await sign(callers * (seconds + 4))
      },
      async run() {
        const settled = await call('/v1/x402/settle', callers, postings.values())
        await untilConfirmed(stack)
        return settled
      },
    })),
  ]
}

function newInvoice(stack: CountedStack): Promise<InvoiceJson> {
  const chains = [stack.chain.networkId]
  return callApi<InvoiceJson>(stack, '/v1/invoices', { ...PAID, chains })
}

async function payAll(stack: CountedStack, invoices: readonly InvoiceJson[], amount: bigint) {
  for (const { addresses } of invoices) {
    await payFrom(stack, lowerCaseAddress(addresses[0]?.address ?? '0x'), amount)
  }
}

function untilAll(stack: CountedStack, invoices: readonly InvoiceJson[], status: string) {
  const ids = invoices.map(({ id }) => id)
  return untilNone(async () => {
    const [row] = await stack.database<{ left: number }[]>`
      select count(*)::int as left from invoice where status <> ${status} and id = any(${ids}::uuid[])`
    return row?.left
  })
}

function untilReceived(stack: CountedStack, invoices: readonly InvoiceJson[]) {
  const ids = invoices.map(({ id }) => id)
  return untilNone(async () => {
    const [row] = await stack.database<{ left: number }[]>`
      select count(*)::int as left from unnest(${ids}::uuid[]) as wanted (id)
      where not exists (select from payment p where p.invoice_id = wanted.id and p.status = 'confirmed')`
    return row?.left
  })
}

function untilRefunded(stack: CountedStack, invoices: readonly InvoiceJson[]) {
  const ids = invoices.map(({ id }) => id)
  return untilNone(async () => {
    const [row] = await stack.database<{ left: number }[]>`
      select count(*)::int as left from refund
      where status <> 'confirmed' and invoice_id = any(${ids}::uuid[])`
    return row?.left
  })
}

function untilConfirmed(stack: CountedStack) {
  return untilNone(async () => {
    const [row] = await stack.database<{ left: number }[]>`
      select count(*)::int as left from x402_payment where status <> 'failed' and confirmed_at is null`
    return row?.left
  })
}

async function untilNone(count: () => Promise<number | undefined>): Promise<void> {
  await eventually(count, (left) => left === 0, 300_000)
}
