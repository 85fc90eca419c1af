import type { HubMovement } from '../../chain/hub/movements.ts'
import { type TransferLog, transfersFrom } from '../../chain/tokens/transfers.ts'
import { max, min } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Comparison } from './comparison.ts'
import { chunked } from './pages.ts'

/** Deposits per filter: nodes accept up to 1,000. */
const DEPOSITS_PER_CALL = 500

/** The recipients of sweeps, from the tokens' logs: the hub's event doesn't contain them. */
export async function sweepRecipients(
  { client }: Comparison,
  sweeps: readonly HubMovement[],
): Promise<ReadonlyMap<HubMovement, Address>> {
  const tokens = [...new Set(sweeps.map(({ token }) => token))]
  const deposits = [...new Set(sweeps.map(({ source }) => source))]
  const blocks = sweeps.map(({ blockNumber }) => blockNumber)
  const [first = 0n] = blocks
  const from = blocks.reduce(min, first)
  const to = blocks.reduce(max, first)
  const transfers: TransferLog[] = []
  for (const page of chunked(deposits, DEPOSITS_PER_CALL)) {
    transfers.push(...(await transfersFrom(client.rpc, tokens, page, from, to)))
  }
  const byDeposit = Map.groupBy(transfers, keyOfTransfer)
  return new Map(
    sweeps.flatMap((sweep) => {
      const recipient = recipientOf(sweep, byDeposit.get(keyOfSweep(sweep)) ?? [])
      return recipient === null ? [] : [[sweep, recipient] as const]
    }),
  )
}

/** The deposit pays its recipient, then the collector, and directly afterwards the hub logs the sweep. */
function recipientOf(sweep: HubMovement, transfers: readonly TransferLog[]): Address | null {
  const before = transfers
    .filter(({ logIndex }) => logIndex < sweep.logIndex)
    .toSorted((a, b) => b.logIndex - a.logIndex)
  return before[sweep.fee > 0n ? 1 : 0]?.to ?? null
}

function keyOfTransfer({ txHash, token, from }: TransferLog): string {
  return `${txHash} ${token} ${from}`
}

function keyOfSweep({ txHash, token, source }: HubMovement): string {
  return `${txHash} ${token} ${source}`
}
