import type { Translated } from '../translated.ts'
import { approvals } from './en/approvals.ts'
import { audit } from './en/audit.ts'
import { common } from './en/common.ts'
import { developers } from './en/developers.ts'
import { invoice } from './en/invoice.ts'
import { invoices } from './en/invoices.ts'
import { links } from './en/links.ts'
import { members } from './en/members.ts'
import { operator } from './en/operator.ts'
import { overview } from './en/overview.ts'
import { recipient } from './en/recipient.ts'
import { recoveries } from './en/recoveries.ts'
import { refunds } from './en/refunds.ts'
import { refusals } from './en/refusals.ts'
import { reports } from './en/reports.ts'
import { sandbox } from './en/sandbox.ts'
import { security } from './en/security.ts'
import { settings } from './en/settings.ts'
import { settlements } from './en/settlements.ts'
import { shell } from './en/shell.ts'
import { sign } from './en/sign.ts'
import { x402 } from './en/x402.ts'

/**
 * What the dashboard says: a file for each part of it, and none says what another one says already. English
 * is the type.
 */
export const en = {
  ...common,
  ...refusals,
  ...shell,
  ...sign,
  ...security,
  ...invoices,
  ...invoice,
  ...links,
  ...overview,
  ...recoveries,
  ...refunds,
  ...settlements,
  ...x402,
  ...developers,
  ...reports,
  ...sandbox,
  ...members,
  ...settings,
  ...recipient,
  ...approvals,
  ...audit,
  ...operator,
}

export type DashboardMessages = Translated<typeof en>
