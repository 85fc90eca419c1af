import type { CheckoutView } from '../../../core/checkout/view.ts'
import { isObject } from './json.ts'

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
  try {
    const { ok, status } = await fetch(`${base(id)}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    if (ok) return 'ok'
    if (status === 429) return 'often'
    return status === 400 ? 'wrong' : 'failed'
  } catch {
    return 'failed'
  }
}

/** Our own server: only views and errors have to be distinguished. */
export function isView(value: unknown): value is CheckoutView {
  return isObject(value) && typeof value.version === 'number'
}
