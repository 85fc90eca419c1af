import { merchantApi, request } from '../session/request.ts'
import type { SandboxJson } from './sandboxJson.ts'

/** Playing what can happen to an invoice: an invoice that suits it, and then the scenario itself. */

/** One scenario that was played. */
export interface Play {
  readonly scenario: string
  readonly invoiceId: string
  readonly reference: string
}

interface InvoiceJson {
  readonly id: string
  readonly reference: string
}

const BLOCKED = 'failed-settlement'
const UNBLOCK = 'unblock-recipient'

/** The scenarios in an order in which each can be played. */
export function inOrder(scenarios: SandboxJson['scenarios']): readonly string[] {
  const names = scenarios.map(({ name }) => name)
  return [...names.filter((name) => name !== UNBLOCK), ...names.filter((name) => name === UNBLOCK)]
}

/** Plays a scenario. One that reverts another is played with that one's invoice. */
export async function play(
  merchantId: string,
  scenario: string,
  sandbox: SandboxJson,
  played: readonly Play[],
): Promise<Play> {
  const blocked = played.find((one) => one.scenario === BLOCKED)
  const invoice: InvoiceJson =
    scenario === UNBLOCK && blocked !== undefined
      ? { id: blocked.invoiceId, reference: blocked.reference }
      : await createInvoice(merchantId, scenario, sandbox)
  const { id: invoiceId, reference } = invoice
  await request('POST', merchantApi(merchantId, '/v1/sandbox/scenarios'), { invoiceId, scenario })
  return { scenario, invoiceId, reference }
}

async function createInvoice(
  merchantId: string,
  scenario: string,
  { chains }: SandboxJson,
): Promise<InvoiceJson> {
  const all = chains.map(({ networkId }) => networkId)
  // One chain must be left that the invoice does not list.
  const listed = scenario === 'wrong-chain' ? all.slice(0, 1) : all
  const { data } = await request<{ data: InvoiceJson }>(
    'POST',
    merchantApi(merchantId, '/v1/invoices'),
    {
      tokenSymbol: 'USDC',
      amountExpected: '10',
      chains: listed,
      metadata: { scenario },
      // Blocking an unused account does no harm.
      ...(scenario === BLOCKED || scenario === UNBLOCK ? { recipient: newAccount() } : {}),
    },
  )
  return data
}

function newAccount(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
