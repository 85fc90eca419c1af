import type { LedgerStep } from '../../../workers/ledger/steps.ts'
import * as invoices from './invoices.ts'
import * as others from './others.ts'
import * as payments from './payments.ts'
import * as refunds from './refunds.ts'
import type { Scene } from './scenes.ts'

/** What each step of a ledger's turn works on. A step that is not here does not compile. */
export const LEDGER_SCENES: Readonly<Record<LedgerStep, readonly [Scene, ...Scene[]]>> = {
  'announcing replaced treasuries': [others.treasuries],
  'waking held invoices': [invoices.held],
  'projecting transfers': [invoices.projected],
  'deriving invoices': [invoices.derived],
  'reading hubs': [others.hubs],
  'counting invoices': [others.counters],
  'adding movements up': [others.movements],
  'removing what is old': [others.old],
  'carrying out orders': [others.orders],
  'following approvals': [others.approvals],
  'following recipients': [others.recipients],
  'ending unapproved refunds': [refunds.unapproved],
  'reverting payments': [invoices.reorganised],
  'following addresses': [invoices.followed],
  'confirming payments': [invoices.confirmed],
  'settling due invoices': [invoices.settled],
  'announcing expiries': [invoices.expired],
  'following registry entries': [others.entries],
  'ending refunds': [refunds.overdue],
  'ending x402 refunds': [payments.paidOut, payments.overdue],
  'proving external refunds': [refunds.external],
  'payments by others': [payments.byOthers],
  'expired payments': [payments.expired],
  'events of channels': [payments.channelEvents],
  'deposits of channels': [payments.lateDeposits],
  'withdrawals of channels': [payments.withdrawals],
  payouts: [payments.payouts],
  'bases of channels': [payments.bases],
  'comparing deposits': [invoices.healed],
}
