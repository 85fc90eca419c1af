import { receivers } from '../../support/servers/hostileCode.ts'
import { FLOODER } from '../chain.ts'
import type { Process } from '../kernel.ts'
import { PAYER_ACCOUNTS } from '../keys.ts'
import type { World } from '../world.ts'
import { openInvoice } from './invoices.ts'
import type { Records } from './records.ts'
import { sendCall } from './wallets.ts'

/** What strangers do to a chain. */

/** In one transaction. */
const TRANSFERS = 30
/** Invoices of which no one counts what is due. */
const FLOODED: ReadonlySet<string> = new Set(['never', 'exact'])

/** One unit many times to open invoices, in a transaction whose receipt is larger than nodes may answer. */
export async function floodDeposits(world: World, actor: Process, records: Records): Promise<void> {
  const { random } = actor
  const payer = random.pick(PAYER_ACCOUNTS)
  const wanted = { way: 'never', expiresMs: 1_200_000, amount: 1_000_000n, payer }
  if ((await openInvoice(world, actor, records, wanted)) === null) return
  await Bun.sleep(random.between(100, 5_000))
  const deposits = records.invoices.filter(({ way }) => FLOODED.has(way)).map((one) => one.deposit)
  const data = receivers(Array.from({ length: TRANSFERS }, () => random.pick(deposits)))
  await sendCall(world, actor, payer, { to: FLOODER, data, gas: 6_000_000n })
  world.count('floods')
}
