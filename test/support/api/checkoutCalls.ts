import type { presentPrice } from '../../../core/checkout/price.ts'
import { isSessionId, type SessionId } from '../../../core/checkout/session.ts'
import type { CheckoutView } from '../../../core/checkout/view.ts'
import type { Answer, ApiRig } from './rig.ts'

/** Calls of the checkout's routes. */

export type PriceJson = ReturnType<typeof presentPrice>

export interface SessionJson {
  readonly id: SessionId
  readonly url: string
  readonly expiresAt: string | null
  readonly formerSession: string | null
  readonly view: CheckoutView
}

export const ORIGIN = 'https://shop.example'

/** What an answer carries, as the route documents it. */
export function dataOf<T>(answer: Answer): T {
  const { data } = JSON.parse(answer.text)
  return data
}

export async function newPrice(
  rig: ApiRig,
  change: Readonly<Record<string, unknown>> = {},
  key?: string,
): Promise<PriceJson> {
  const body = { amount: '10', tokens: ['USDC', 'USDT'], ...change }
  const answer = await rig.call('POST', '/v1/prices', { body, ...(key ? { key } : {}) })
  if (answer.status !== 201) throw new Error(`a price answered ${answer.text}`)
  return dataOf(answer)
}

/** A session of a new price, as a browser makes it. */
export async function newSession(
  rig: ApiRig,
  body: Readonly<Record<string, unknown>> = {},
  key = rig.merchant.publishableKey,
): Promise<SessionJson> {
  const price = body.price ?? (await newPrice(rig)).id
  const answer = await rig.call('POST', '/v1/checkout/sessions', {
    key,
    body: { price, ...body },
  })
  if (answer.status !== 201) throw new Error(`a session answered ${answer.text}`)
  return dataOf(answer)
}

/** What the payer is shown now. */
export async function viewOf(rig: ApiRig, id: string): Promise<CheckoutView> {
  const answer = await rig.call('GET', `/v1/checkout/sessions/${id}`, { key: null })
  if (answer.status !== 200) throw new Error(`the view answered ${answer.text}`)
  return dataOf(answer)
}

/** The payer chooses a token. */
export async function choose(rig: ApiRig, id: string, tokenSymbol = 'USDC'): Promise<CheckoutView> {
  const answer = await rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
    key: null,
    body: { tokenSymbol },
  })
  if (answer.status !== 200) throw new Error(`the choice answered ${answer.text}`)
  return dataOf(answer)
}

/** The session in the URL of an invoice's page. */
export function sessionIn(url: string): SessionId {
  const id = url.split('/').at(-1) ?? ''
  if (!isSessionId(id)) throw new Error(`no session in ${url}`)
  return id
}
