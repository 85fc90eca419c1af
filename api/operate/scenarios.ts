import { type LocalNode, payAs, reorganise, signAsNewPayer } from '../../chain/rpc/localNode.ts'
import { AppError } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { findNetwork } from '../../core/chain/registry.ts'
import {
  isScenario,
  planScenario,
  SCENARIOS,
  type Scenario,
  type ScenarioPayment,
  type ScenarioPlan,
} from '../../core/invoice/scenario.ts'
import { latestEnd } from '../../core/invoice/signature.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { tokenDomain } from '../../core/x402/digest.ts'
import { closeInvoice } from '../../store/invoice/invoices.ts'
import { guardDatabase, withNode } from '../http/backends.ts'
import { type ApiDependencies, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { readInvoice } from '../invoice/read.ts'
import { INVOICE_ID_PARAMETER } from '../invoice/schema.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { INVOICE_ID } from '../request/examples.ts'
import { parseId } from '../request/id.ts'
import { one } from '../request/responses.ts'
import { list, object, pastedField, text, transactionHash } from '../request/schema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { awaitInvoicePayment, type InvoicePayment, payInvoice } from '../x402/invoicePayment.ts'
import { objection, setRecipientBlocked } from './recipientBlocks.ts'
import { findNodes, type PlayableChain } from './sandboxNodes.ts'

const names = Object.keys(SCENARIOS)
const about = Object.entries(SCENARIOS).map(([name, about]) => `\`${name}\`: ${about}`)
const fields = {
  invoiceId: pastedField('The invoice to run it on.', INVOICE_ID, { format: 'uuid' }),
  scenario: text(about.join(' '), 'exact', { enum: names }),
}
const played = text('The scenario.', 'exact', { enum: names })

export const playScenarioRoute = route({
  operation: 'POST /v1/sandbox/scenarios',
  access: 'merchant',
  body: bodyOf('The scenario to run.', fields),
  summary: 'Play a scenario',
  description:
    'Simulates actions of customers, chains and tokens on a development chain. Returns once they are mined; later ' +
    'effects are reported by events.',
  operationId: 'sandboxScenario',
  successes: {
    201: one(
      'The scenario was run.',
      object('The result.', {
        ...fields,
        scenario: played,
        transactions: list(
          'The payments that were made and not reverted.',
          object('A payment.', {
            networkId: text('The chain.', 'base-sepolia'),
            txHash: transactionHash('The transaction.'),
          }),
        ),
      }),
    ),
  },
  errors: ['invalid_invoice_id', 'invoice_not_found', 'scenario_not_possible'],
  handle: async (
    deps: X402Dependencies,
    { exchange, caller: { merchantId }, body: { invoiceId, scenario } },
  ) => {
    if (!isScenario(scenario)) {
      throw invalidBody([{ path: 'scenario', message: `must be one of ${names.join(', ')}` }])
    }
    const id = parseId(INVOICE_ID_PARAMETER, invoiceId)
    const { invoice, merchantRecipient } = await readInvoice(deps, merchantId, id)
    const playable = await findNodes(deps.chainClients)
    const recipient = invoice.recipient ?? merchantRecipient
    const chains = playable.map(({ chain }) => chain)
    const decision = planScenario(scenario, invoice, recipient, chains)
    if (!decision.ok) throw notPossible(scenario, decision.message)
    const { plan } = decision
    if (plan.recipient !== null) {
      const { address, isBlocked } = plan.recipient
      const { tokenSymbol } = invoice
      const block = { merchantId, merchantRecipient, address, tokenSymbol, playable }
      const why =
        address === CUSTOMER
          ? 'the recipient is the payer'
          : await objection(deps, isBlocked, block)
      if (why !== null) throw notPossible(scenario, why)
      await withNode(() => setRecipientBlocked(isBlocked, block))
    }
    if (plan.closes) await close(deps, merchantId, invoice)
    const transactions =
      plan.method === 'transfer'
        ? await withNode(() => play(invoice, plan, playable))
        : await playSigned(
            { deps, exchange, invoice, method: plan.method },
            plan.payments,
            playable,
          )
    if (transactions === null)
      throw notPossible(scenario, 'no signature of this amount is accepted')
    return sendObject(exchange, 201, { invoiceId: invoice.id, scenario, transactions })
  },
})

/** The payer in scenarios. Its key is unknown; only development nodes send for it without one. */
const CUSTOMER: Address = lowerCaseAddress(`0x${'c0ffee'.padStart(40, '0')}`)
/** Block times are whole seconds: a block after this pause has a later time than one before it. */
const NEXT_SECOND_MS = 1_100

function notPossible(scenario: Scenario, message: string): AppError {
  return new AppError('scenario_not_possible', [
    { path: 'scenario', message: `${scenario}: ${message}` },
  ])
}

async function close(
  deps: ApiDependencies,
  merchantId: MerchantId,
  invoice: Invoice,
): Promise<void> {
  const closing = await guardDatabase(deps, (sql) =>
    closeInvoice(sql, merchantId, invoice.id, deps.now()),
  )
  if (!closing.ok) throw notPossible('late', 'the invoice is already paid')
  deps.wake(invoice.chains, { type: 'advance_invoice', invoiceId: invoice.id })
  await Bun.sleep(NEXT_SECOND_MS)
}

interface Played {
  readonly networkId: string
  readonly txHash: Hex
}

async function play(
  invoice: Invoice,
  plan: ScenarioPlan,
  playable: readonly PlayableChain[],
): Promise<Played[]> {
  const done: Played[] = []
  for (const payment of plan.payments) {
    const node = nodeOf(playable, payment.networkId)
    const txHash = await payOnce(node, payment, invoice)
    if (plan.reorganises && done.length === 0) {
      await reorganise(node, txHash)
      done.push({ networkId: payment.networkId, txHash: await payOnce(node, payment, invoice) })
    } else done.push({ networkId: payment.networkId, txHash })
  }
  return done
}

/** Pays by signatures of new payers, and waits until they are mined; null if one is refused. */
async function playSigned(
  signed: Pick<InvoicePayment, 'deps' | 'exchange' | 'invoice' | 'method'>,
  payments: readonly ScenarioPayment[],
  playable: readonly PlayableChain[],
): Promise<Played[] | null> {
  const done: Played[] = []
  for (const { networkId, token, amount } of payments) {
    const { deps, invoice } = signed
    const chain = findNetwork(deps.tokens.chains(), networkId)
    const domain = chain && tokenDomain(chain, token.address)
    if (chain === undefined || domain === undefined || domain === null) return null
    const { authorization, signature } = await withNode(() => {
      const node = nodeOf(playable, networkId)
      const end = latestEnd(invoice, deps.now())
      return signAsNewPayer(node, domain, invoice.depositAddress, amount, end)
    })
    const deadline = performance.now() + SETTLE_TIMEOUT_MS
    const payment = { ...signed, chain, authorization, signature, deadline }
    const result = await payInvoice(payment)
    if (result.type !== 'claimed') return null
    const end = await awaitInvoicePayment(payment, result.id, false)
    const txHash = end.type === 'decided' ? end.outcome.transaction : null
    if (txHash === null) return null
    done.push({ networkId, txHash })
  }
  return done
}

const SETTLE_TIMEOUT_MS = 20_000

function payOnce(
  node: LocalNode,
  { token, amount }: ScenarioPayment,
  invoice: Invoice,
): Promise<Hex> {
  return payAs(node, CUSTOMER, token.address, invoice.depositAddress, amount)
}

function nodeOf(playable: readonly PlayableChain[], networkId: string): LocalNode {
  const found = playable.find(({ chain }) => chain.networkId === networkId)
  if (!found) throw new Error(`${networkId} is no development chain`)
  return found.node
}
