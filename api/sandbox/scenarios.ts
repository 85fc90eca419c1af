import { type Static, Type } from '@sinclair/typebox'
import { type LocalNode, payAs, reorganise, setBlocked } from '../../chain/localNode.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import { AppError } from '../../core/errors.ts'
import type { MerchantId } from '../../core/ids.ts'
import {
  isScenario,
  planScenario,
  SCENARIOS,
  type Scenario,
  type ScenarioPayment,
  type ScenarioPlan,
} from '../../core/invoice/scenario.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { closeInvoice } from '../../store/invoice/invoices.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { HASH, INVOICE_ID } from '../http/examples.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  jsonBody,
  list,
  object,
  responses,
  text,
  uuid,
} from '../http/schema.ts'
import { readInvoice } from '../invoices/get.ts'
import { findNodes, type PlayableChain, played } from './nodes.ts'

/** POST /v1/sandbox/scenarios. */

const REQUEST = Type.Object(
  { invoiceId: Type.String(), scenario: Type.String() },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  invoiceId: 'must be a string',
  scenario: 'must be a string',
})

const names = Object.keys(SCENARIOS)
const fields = {
  invoiceId: uuid('The invoice to play it against.', INVOICE_ID),
  scenario: text(
    Object.entries(SCENARIOS)
      .map(([name, about]) => `\`${name}\`: ${about}`)
      .join(' '),
    'exact',
    { enum: names },
  ),
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

export const scenariosDetail: Documented = {
  tags: ['Sandbox'],
  summary: 'Play what can happen to an invoice',
  description:
    'Does on a development chain what customers, chains and tokens do, so that every state and event ' +
    'can be seen without owning a token. Answers when it is mined; what follows from it is told by ' +
    'events. In live there is no such route.',
  operationId: 'sandboxScenario',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(object('What to play.', fields)),
  responses: responses(
    {
      201: {
        description: 'It was played.',
        schema: envelope(
          object('What was done.', {
            ...fields,
            transactions: list(
              'The payments that were made and stand.',
              object('One payment.', {
                networkId: text('The chain.', 'base-sepolia'),
                txHash: text('The transaction.', HASH),
              }),
            ),
          }),
        ),
      },
    },
    [
      'invalid_request_body',
      'invalid_invoice_id',
      'unauthorized',
      'invoice_not_found',
      'scenario_not_possible',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

/** Who pays in scenarios: nobody has its key, and only development nodes let it spend. */
const CUSTOMER: Address = lowerCaseAddress(`0x${'c0ffee'.padStart(40, '0')}`)
/** A block's time has whole seconds: after this, the next one is past a moment that was now. */
const NEXT_SECOND_MS = 1_100

export function scenariosRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const nodes = findNodes(deps.config.chains)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const request = parseRequest(await readJsonBody(exchange.request))
    const { scenario } = request
    if (!isScenario(scenario)) {
      throw invalidBody([{ path: 'scenario', message: `must be one of ${names.join(', ')}` }])
    }
    const { invoice, merchantRecipient } = await readInvoice(deps, merchantId, request.invoiceId)
    const playable = await nodes()
    const recipient = invoice.recipient ?? merchantRecipient
    const chains = playable.map(({ chain }) => chain)
    const decision = planScenario(scenario, invoice, recipient, chains)
    if (!decision.ok) throw notPossible(scenario, decision.message)
    if (decision.plan.closes) await close(deps, merchantId, invoice)
    const transactions = await played(() => play(invoice, decision.plan, playable))
    const data = { invoiceId: invoice.id, scenario, transactions }
    return sendObject(exchange, 201, JSON.stringify(data))
  }
}

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
  const { availability, database } = deps
  const closing = await availability.guard(() =>
    closeInvoice(database, merchantId, invoice.id, deps.now()),
  )
  if (!closing.ok) throw notPossible('late', 'the invoice is paid already')
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
  if (plan.recipient) await changeStanding(invoice, plan.recipient, playable)
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

function payOnce(
  node: LocalNode,
  { token, amount }: ScenarioPayment,
  invoice: Invoice,
): Promise<Hex> {
  return payAs(node, CUSTOMER, token.address, invoice.depositAddress, amount)
}

async function changeStanding(
  invoice: Invoice,
  { address, isBlocked }: NonNullable<ScenarioPlan['recipient']>,
  playable: readonly PlayableChain[],
): Promise<void> {
  for (const { chain, node } of playable) {
    const token = tokenOn(chain, invoice.tokenSymbol)
    if (token) await setBlocked(node, token, address, isBlocked)
  }
}

function nodeOf(playable: readonly PlayableChain[], networkId: string): LocalNode {
  const found = playable.find(({ chain }) => chain.networkId === networkId)
  if (!found) throw new Error(`${networkId} is no development chain`)
  return found.node
}
