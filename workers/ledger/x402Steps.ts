import type { Logger } from 'pino'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { OpenKinds } from '../../store/chain/openKinds.ts'
import { readBases } from '../channels/bases.ts'
import { bookChannels } from '../channels/booking.ts'
import { endDeposits } from '../channels/deposits.ts'
import { claimBeforeWithdrawals } from '../channels/withdrawals.ts'
import { chainState, type LedgerContext, type Progress } from '../turns/ledgerContext.ts'
import type { Searches } from '../turns/searches.ts'
import { bookPayouts, followSubmittedByOthers } from '../x402/advance.ts'
import { EXPIRED_PER_TURN, expirePayments } from '../x402/expiry.ts'
import { type LedgerStep, runStep } from './steps.ts'

/** What the leader of a chain does for paid requests and their channels, in this order. */

/** Each of them alone, so that none waits for what another can't do. Null for one that has failed. */
export async function advanceX402(
  context: LedgerContext,
  searches: Searches,
  open: Pick<OpenKinds, 'byOthers' | 'requests' | 'channels'>,
  log: Logger,
): Promise<(Progress | null)[]> {
  const { head } = await chainState(context)
  const confirmed = newestConfirmed(head, context.client.chain.confirmations)
  if (confirmed < 0n) return []
  const step = (name: LedgerStep, run: () => Promise<Progress>) => runStep(context.work, name, run)
  const stepIf = async (isOpen: boolean, name: LedgerStep, run: () => Promise<Progress>) => {
    return isOpen ? step(name, run) : { changed: 0, isFull: false }
  }
  return [
    await stepIf(open.byOthers, 'payments by others', () => {
      return followSubmittedByOthers(context, confirmed, log)
    }),
    await stepIf(open.requests, 'expired payments', async () => {
      const changed = await expirePayments(context, searches, head, confirmed)
      return { changed, isFull: changed >= EXPIRED_PER_TURN }
    }),
    await stepIf(open.channels, 'events of channels', () => bookChannels(context, head, confirmed)),
    await stepIf(open.channels, 'deposits of channels', () => endDeposits(context)),
    await stepIf(open.channels, 'withdrawals of channels', () => {
      return claimBeforeWithdrawals(context, head, log)
    }),
    await step('payouts', async () => {
      const { queued, isBehind } = await bookPayouts(context, head, confirmed)
      return { changed: queued, isFull: isBehind }
    }),
    await stepIf(open.channels, 'bases of channels', () => readBases(context, confirmed)),
  ]
}
