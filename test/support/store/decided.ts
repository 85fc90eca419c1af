import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { listenForDecided } from '../../../store/x402/outcomes.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { aClaim, newShop, pending } from './x402.ts'

/** The payments of these that were said to be decided while something was done. */
export async function decidedBy(
  sql: Database,
  ids: readonly X402PaymentId[],
  work: () => Promise<unknown>,
): Promise<X402PaymentId[]> {
  const heard: X402PaymentId[] = []
  const begun = Promise.withResolvers<void>()
  const unlisten = listenForDecided(sql, {
    hear: (decided) => heard.push(...decided),
    begin: begun.resolve,
    log: { warn: (_, message) => begun.reject(new Error(message)) },
  })
  await begun.promise
  const last = await pending(sql, aClaim(await newShop(sql)))
  await work()
  await sql.begin((t) => advance(t, PAYMENTS, 'failed', [{ id: last, reason: 'last' }]))
  while (!heard.includes(last)) await Bun.sleep(5)
  await unlisten()
  return heard.filter((id) => ids.includes(id))
}
