import type { CheckoutView, PayerAuthorization } from '../../../core/checkout/view.ts'
import { isObject } from './json.ts'
import type { SignedTransfer } from './signedTransfer.ts'

export type Answer = 'ok' | 'wrong' | 'often' | 'failed'

const base = (id: string) => `/v1/checkout/sessions/${encodeURIComponent(id)}`
const DEADLINE_MS = 20_000

/** Reads the session as it is now. Rejects when the server is away. */
export async function readView(id: string): Promise<CheckoutView> {
  const response = await fetch(base(id), { signal: AbortSignal.timeout(DEADLINE_MS) })
  const answer: unknown = await response.json()
  if (!isObject(answer) || !isView(answer.data)) throw new Error(`status ${response.status}`)
  return answer.data
}

/** Sends what the payer chose or entered. Never rejects. */
export async function post(
  id: string,
  path: 'choice' | 'transactions' | 'refund-address',
  body: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await send(id, path, body)
  if (response?.ok) return 'ok'
  if (response?.status === 429) return 'often'
  return response?.status === 400 ? 'wrong' : 'failed'
}

/** What came of a signature; `lost` where the server may have it and has not answered. */
export type Signing = PayerAuthorization | 'often' | 'failed' | 'lost'

/** Sends what the payer signed; the server takes it once only, so it is repeated without an answer. Never rejects. */
export async function postSignature(id: string, body: SignedTransfer): Promise<Signing> {
  for (const pause of PAUSES_MS) {
    const response = await send(id, 'authorizations', body)
    const answer: unknown = await response?.json().catch(() => null)
    if (isObject(answer) && isAuthorization(answer.data)) return answer.data
    if (response?.status === 429) return 'often'
    if (response !== null && response.status < 500) return 'failed'
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return 'lost'
}

const PAUSES_MS = [500, 2_000, 0]

async function send(id: string, path: string, body: object): Promise<Response | null> {
  try {
    return await fetch(`${base(id)}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
  } catch {
    return null
  }
}

function isAuthorization(value: unknown): value is PayerAuthorization {
  return isObject(value) && typeof value.status === 'string'
}

/** Our own server: only views and errors have to be distinguished. */
export function isView(value: unknown): value is CheckoutView {
  return isObject(value) && typeof value.version === 'number'
}
