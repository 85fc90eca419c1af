import { AppError } from '../../core/base/errors.ts'
import type { SessionId } from '../../core/checkout/session.ts'
import { type Choice, type ChoiceResult, choose } from '../../store/checkout/choices.ts'
import { rememberChoice } from '../../store/checkout/sessions.ts'
import { isUniqueViolation } from '../../store/database/database.ts'
import { guardDatabase } from '../http/backends.ts'
import { networksOfExchange } from '../http/clientAddress.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { compose } from '../invoice/compose.ts'
import { bodyOf } from '../request/body.ts'
import { one } from '../request/responses.ts'
import { optional, pastedField, wordField } from '../request/schema.ts'
import { SESSION_ID_PARAMETER, viewSchema } from './schema.ts'
import { readCheckoutView, readForPage, readSession } from './sessions.ts'

export const chooseRoute = route({
  operation: 'POST /v1/checkout/sessions/:id/choice',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  body: bodyOf('The token and network to pay with.', {
    tokenSymbol: wordField('The ticker of a token that the session offers.', 'USDC'),
    networkId: optional(
      pastedField(
        'The network that the payer chooses; payments on other offered networks count as well.',
        'base-sepolia',
      ),
    ),
  }),
  summary: 'Choose a token',
  description:
    'Creates the invoice and its address. Another choice before a payment is detected creates another ' +
    'invoice and voids the previous one; later payments to that are listed in `earlier`.',
  operationId: 'chooseToken',
  successes: { 200: one('The view, with amount and address.', viewSchema) },
  errors: [
    'unknown_chain',
    'session_not_found',
    'origin_not_allowed',
    'choice_not_possible',
    'too_many_unpaid',
    'rate_unavailable',
  ],
  handle: async (deps, { exchange, ids, body }) => {
    const { tokenSymbol, networkId = null } = body
    await readForPage(deps, exchange, ids.id)
    await makeChoice(deps, exchange, { sessionId: ids.id, tokenSymbol, networkId })
    return sendObject(exchange, 200, await readCheckoutView(deps, ids.id))
  },
})

const MAX_TRIES = 5

/** Applies a payer's choice. Throws the reason when it isn't possible. */
export async function makeChoice(
  deps: ApiDependencies,
  exchange: Exchange,
  choice: Choice,
): Promise<void> {
  const { rows, view } = await readSession(deps, choice.sessionId)
  const { id } = rows.session
  const { networkId } = choice
  const { payment } = view
  // The merchant chose the token, and leaves the network to the payer.
  const isOfInvoice = rows.offer === null && payment?.tokenSymbol === choice.tokenSymbol
  if (isOfInvoice && payment.addresses.some((one) => one.networkId === networkId)) {
    return guardDatabase(deps, (sql) => rememberChoice(sql, id, { networkId }))
  }
  const result = await tryChoice(deps, networksOfExchange(deps, exchange), {
    ...choice,
    sessionId: id,
  })
  if (!result.ok) throw new AppError(result.code, result.details)
  if (networkId !== null) {
    await guardDatabase(deps, (sql) => rememberChoice(sql, id, { networkId }))
  }
  const { ended, isNew } = result
  if (isNew) deps.wakeNotifier()
  if (ended) deps.wake(ended.chains, { type: 'advance_invoice', invoiceId: ended.id })
}

async function tryChoice(
  deps: ApiDependencies,
  networks: readonly string[],
  choice: Choice & { readonly sessionId: SessionId },
): Promise<ChoiceResult> {
  const names = await deps.checkout.names()
  const now = deps.now()
  const { config } = deps
  const { unpaidPerDay, unpaidPerClient } = config.limits
  const bounds = { unpaidPerDay, unpaidPerClient, networkTags: networks.map(names.ofNetwork) }
  for (let attempt = 1; ; attempt++) {
    try {
      return await guardDatabase(deps, (sql) =>
        choose(
          sql,
          {
            config: { ...config, chains: deps.tokens.chains() },
            quotes: deps.rates,
            bounds,
            compose: (draft, owner) => compose(deps, names, owner, draft, now),
          },
          choice,
          now,
        ),
      )
    } catch (error) {
      // The random reference of the invoice was already in use.
      if (!isUniqueViolation(error) || attempt === MAX_TRIES) throw error
    }
  }
}
