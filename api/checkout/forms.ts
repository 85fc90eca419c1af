import { AppError } from '../../core/base/errors.ts'
import { isTokenSymbol } from '../../core/chain/tokens.ts'
import { isSessionId, type SessionId } from '../../core/checkout/session.ts'
import { addressIn } from '../../web/checkout/entries.ts'
import { type Problem, pageUrl } from '../../web/checkout/session/props.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import { readTextBody } from '../request/body.ts'
import { targetOf } from '../request/target.ts'
import { makeChoice } from './choice.ts'
import { sendReceipt } from './receipts.ts'
import { leaveAddress } from './refundAddress.ts'
import { startAgain } from './sessions.ts'
import { lookUp } from './transactions.ts'

/**
 * The page's forms as browsers send them without JavaScript (application/x-www-form-urlencoded). Each is
 * answered with a redirect to the page, which shows the result.
 */

type Fields = Readonly<Record<string, string>>

interface Form {
  /** The page's message about invalid input. */
  readonly wrong: Problem
  /** Executes it; returns additional query parameters of the page, or the id of another session. */
  act(
    deps: ApiDependencies,
    exchange: Exchange,
    id: SessionId,
    fields: Fields,
  ): Promise<Fields | SessionId>
}

export const FORMS: Readonly<Record<string, Form>> = {
  choice: {
    wrong: 'again',
    async act(deps, exchange, id, { choice = '' }) {
      const [tokenSymbol = '', networkId = ''] = choice.split(' ')
      if (!isTokenSymbol(tokenSymbol)) throw new AppError('invalid_request_body')
      await makeChoice(deps, exchange, { sessionId: id, tokenSymbol, networkId })
      return { network: networkId }
    },
  },
  transactions: {
    wrong: 'hash',
    async act(deps, exchange, id, { hash = '' }) {
      await lookUp(deps, exchange, id, hash)
      return {}
    },
  },
  'refund-address': {
    wrong: 'refund',
    async act(deps, _exchange, id, { address = '' }) {
      await leaveAddress(deps, id, addressIn(address) ?? address)
      return {}
    },
  },
  receipt: {
    wrong: 'receipt',
    async act(deps, exchange, id, { email = '' }) {
      await sendReceipt(deps, exchange, id, email)
      return { receipt: 'sent' }
    },
  },
  again: {
    wrong: 'again',
    act: (deps, _exchange, id) => startAgain(deps, id),
  },
}

/** The redirect to the page after a form, successful or not; null where there is no such session. */
export async function answerForm(
  deps: ApiDependencies,
  exchange: Exchange,
  id: string,
  form: Form,
): Promise<Response | null> {
  if (!isSessionId(id)) return null
  const query = targetOf(exchange.request).searchParams
  const carried = { lang: query.get('lang'), parent: query.get('parent') }
  const back = (more: Fields) => {
    const network = query.get('network') ?? undefined
    const location = pageUrl(id, carried, { network, ...more })
    return new Response(null, { status: 303, headers: { location } })
  }
  try {
    const sent = new URLSearchParams(await readTextBody(exchange.request))
    const done = await form.act(deps, exchange, id, Object.fromEntries(sent))
    if (typeof done !== 'string') return back(done)
    return new Response(null, { status: 303, headers: { location: pageUrl(done, carried) } })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'session_not_found') return null
    return back({ problem: problemOf(error, form) })
  }
}

function problemOf({ status, code }: AppError, { wrong }: Form): Problem {
  if (status === 429) return 'often'
  return status === 400 && code !== 'unknown_chain' ? wrong : 'again'
}
