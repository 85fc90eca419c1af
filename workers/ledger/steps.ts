import type { LedgerWork } from '../turns/ledgerWork.ts'

/** The table of what a chain's leader does in a turn, as logs, alarms and the quarantine name it. */
export const LEDGER_STEPS = [
  'announcing replaced treasuries',
  'waking held invoices',
  'projecting transfers',
  'deriving invoices',
  'reading hubs',
  'counting invoices',
  'adding movements up',
  'removing what is old',
  'carrying out orders',
  'following approvals',
  'following recipients',
  'ending unapproved refunds',
  'reverting payments',
  'following addresses',
  'confirming payments',
  'settling due invoices',
  'announcing expiries',
  'following registry entries',
  'ending refunds',
  'ending x402 refunds',
  'proving external refunds',
  'payments by others',
  'expired payments',
  'events of channels',
  'deposits of channels',
  'withdrawals of channels',
  'payouts',
  'bases of channels',
  'comparing deposits',
] as const

export type LedgerStep = (typeof LEDGER_STEPS)[number]

/** Runs a step. What goes wrong with it, and with none of its things, holds up no other: it is null then. */
export function runStep<T>(
  { steps }: Pick<LedgerWork, 'steps'>,
  name: LedgerStep,
  run: () => Promise<T>,
): Promise<T | null> {
  return steps.alone('step', name, run)
}
