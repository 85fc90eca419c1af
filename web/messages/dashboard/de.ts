import { approvals } from './de/approvals.ts'
import { audit } from './de/audit.ts'
import { common } from './de/common.ts'
import { developers } from './de/developers.ts'
import { invoice } from './de/invoice.ts'
import { invoices } from './de/invoices.ts'
import { links } from './de/links.ts'
import { members } from './de/members.ts'
import { operator } from './de/operator.ts'
import { overview } from './de/overview.ts'
import { recipient } from './de/recipient.ts'
import { recoveries } from './de/recoveries.ts'
import { refunds } from './de/refunds.ts'
import { refusals } from './de/refusals.ts'
import { reports } from './de/reports.ts'
import { sandbox } from './de/sandbox.ts'
import { security } from './de/security.ts'
import { settings } from './de/settings.ts'
import { settlements } from './de/settlements.ts'
import { shell } from './de/shell.ts'
import { sign } from './de/sign.ts'
import { x402 } from './de/x402.ts'
import type { DashboardMessages } from './en.ts'

export const de: DashboardMessages = {
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
