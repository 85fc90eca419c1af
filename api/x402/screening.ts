import type { Address } from '../../core/chain/evm.ts'
import type { Verdict } from '../../core/screening/answer.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { screeningOf, wantScreening } from '../../store/screening/screenings.ts'
import { guardDatabase } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/**
 * Screening results of payers, checked before anything is claimed. Workers call the operator's service if there is no
 * result yet.
 */

/** Maximum wait for a screening result, and the polling interval, in ms. */
const TIMEOUT_MS = 3_000
const LOOK_EVERY_MS = 100

/** Why payments of these payers are refused; null if they are accepted. */
export async function screenPayers(
  deps: Pick<ApiDependencies, 'config' | 'database' | 'availability'>,
  payers: readonly Address[],
  purpose: 'verify' | 'settle',
): Promise<{ readonly reason: Reason; readonly message?: string } | null> {
  if (!deps.config.isScreening) return null
  const verdicts = await Promise.all([...new Set(payers)].map((payer) => screen(deps, payer)))
  if (verdicts.includes('hold')) return { reason: 'payer_on_hold' }
  if (!verdicts.includes(null)) return null
  return { reason: `unexpected_${purpose}_error`, message: UNANSWERED }
}

/** Null without a result. Nothing is claimed then, so the caller may retry. */
async function screen(
  deps: Parameters<typeof screenPayers>[0],
  payer: Address,
): Promise<Verdict | null> {
  const read = () => guardDatabase(deps, (sql) => screeningOf(sql, payer))
  const known = await read()
  if (known.verdict !== null) return known.verdict
  await guardDatabase(deps, (sql) => wantScreening(sql, [payer]))
  const end = performance.now() + TIMEOUT_MS
  for (let now = known; ; now = await read()) {
    // A failing service is retried later; this call doesn't wait for it.
    if (now.verdict !== null || now.failures > 0 || performance.now() > end) return now.verdict
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

const UNANSWERED = 'the payer is still being screened; nothing was started, try again in a moment'
