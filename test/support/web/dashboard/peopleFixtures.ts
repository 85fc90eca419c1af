import type { Role } from '../../../../core/access/roles.ts'
import type { ApprovalJson, PolicyJson } from '../../../../core/merchant/approval.ts'
import type { RecipientJson } from '../../../../core/merchant/recipientChange.ts'
import type { EntryJson, PageJson } from '../../../../web/dashboard/audit/entries.ts'
import type { Passkey, Session } from '../../../../web/dashboard/session/auth.ts'
import type { SettingsJson } from '../../../../web/dashboard/settings/fields.ts'
import { before, DAY, INVOICE, idOf, MERCHANT, PAYER, TREASURY } from './fixtures.ts'

/** What the API answers of people, settings and what was changed. */

const PEOPLE: readonly (readonly [string, string, Role, boolean])[] = [
  ['Ada Lovelace', 'ada@teas-and-more.example', 'owner', true],
  ['Grace Hopper', 'grace@teas-and-more.example', 'developer', true],
  ['Maximiliane Rosenthal-Birkenfeld', 'buchhaltung@teas-and-more.example', 'finance', false],
  ['Jo', 'jo@support.teas-and-more.example', 'support', false],
]
export const MEMBERS = PEOPLE.map(([name, email, role, hasSecondFactor], n) => ({
  ...{ personId: idOf(7 + n), name, email, role, hasSecondFactor },
  createdAt: before((400 - 90 * n) * DAY),
}))

export const INVITATIONS = [
  { id: idOf(20), email: 'edsger@teas-and-more.example', role: 'reader', createdAt: before(90) },
]

export const OFFER = {
  ...{ merchantId: MERCHANT, merchantName: 'Tea & Sons of Greenwich', role: 'finance' },
  ...{ email: 'edsger@teas-and-more.example', hasAccount: false },
}

export const NO_SETTINGS: SettingsJson = {
  ...{ name: null, accent: null, supportEmail: null, supportUrl: null, returnUrl: null },
  ...{ allowedOrigins: [], defaultExpiry: null, languages: [], underpaymentTolerance: '0' },
  ...{ logoUrl: null, updatedAt: null },
}
export const SETTINGS: SettingsJson = {
  ...{ name: 'Tea & Sons', accent: '#0b6e4f', supportEmail: 'help@teas-and-more.example' },
  ...{ supportUrl: 'https://teas-and-more.example/help', languages: ['en', 'de', 'ar'] },
  returnUrl: 'https://teas-and-more.example/thanks',
  allowedOrigins: ['https://teas-and-more.example', 'https://shop.teas-and-more.example'],
  ...{
    defaultExpiry: 7_200,
    underpaymentTolerance: '50bps',
    logoUrl: null,
    updatedAt: before(DAY),
  },
}

export const SESSIONS: readonly Session[] = [5, 3 * DAY].map((minutes, n) => ({
  ...{ id: idOf(30 + n), token: `token-${n}`, createdAt: before(minutes) },
  ...{ ipAddress: ['203.0.113.7', '2001:db8:85a3::8a2e:370:7334'][n] ?? null },
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0',
}))
export const PASSKEYS: readonly Passkey[] = [
  { id: idOf(33), name: 'Laptop', createdAt: before(40 * DAY) },
]

export const RECIPIENT: RecipientJson = {
  ...{ recipient: TREASURY, delaySeconds: 86_400 },
  changes: [
    {
      ...Object({ id: idOf(40) }),
      ...{ recipient: PAYER, replaces: TREASURY, status: 'waiting' as const },
      ...{ requestedBy: 'Ada Lovelace <ada@teas-and-more.example>', requestedAt: before(60) },
      ...{ inForceAt: before(60 - DAY), endedAt: null, endedBy: null },
    },
  ],
}
export const STOP = { merchantName: 'Tea & Sons of Greenwich', change: RECIPIENT.changes[0] }

export const POLICY: PolicyJson = { recipient: true, refundsAbove: '250' }
export const NO_POLICY: PolicyJson = { recipient: false, refundsAbove: null }
/** One that counts tomorrow, and one that nobody else has approved. */
export const APPROVED_RECIPIENTS = [
  { address: PAYER, addedBy: 'Ada Lovelace <ada@teas-and-more.example>', usableFrom: before(-DAY) },
  {
    ...{ address: TREASURY, usableFrom: null },
    addedBy: 'Maximiliane Rosenthal-Birkenfeld <buchhaltung@teas-and-more.example>',
  },
]
const request: ApprovalJson = {
  ...Object({ id: idOf(60), invoiceId: INVOICE, refundId: idOf(61) }),
  ...{ kind: 'refund', status: 'open', needed: 1, approvedBy: [], policy: null },
  ...{ requestedBy: 'Maximiliane Rosenthal-Birkenfeld <buchhaltung@teas-and-more.example>' },
  ...{ requestedById: idOf(9), requestedAt: before(40), expiresAt: before(40 - 3 * DAY) },
  ...{ endedAt: null, endedBy: null, recipient: PAYER, invoiceRef: 'K7QX2M9PTA' },
  ...{ chain: 'base-sepolia', asset: 'USDC', amount: '1250', notApprovable: null },
}
const ofNothing = { refundId: null, invoiceId: null, invoiceRef: null, chain: null, asset: null }
/** One of somebody else, one of whoever looks, one of a key that one has approved, and some that are over. */
export const APPROVALS: readonly ApprovalJson[] = [
  request,
  {
    ...request,
    ...Object({ id: idOf(62), requestedById: idOf(7) }),
    ...{ ...ofNothing, kind: 'policy', recipient: null, amount: null },
    ...{ requestedBy: 'Ada Lovelace <ada@teas-and-more.example>', policy: NO_POLICY },
    notApprovable: 'own',
  },
  {
    ...request,
    ...Object({ id: idOf(63), requestedById: '7Qx2' }),
    ...{ requestedBy: 'secret key …7Qx2', needed: 2, amount: '980.5' },
    approvedBy: ['Grace Hopper <grace@teas-and-more.example>'],
  },
  ...(['approved', 'refused', 'expired'] as const).map((status, n) => ({
    ...request,
    ...Object({ id: idOf(64 + n) }),
    ...{ status, endedAt: before(DAY * (n + 2)), requestedAt: before(DAY * (n + 3)) },
    endedBy: status === 'expired' ? 'time' : 'Ada Lovelace <ada@teas-and-more.example>',
  })),
]
export const NO_RECIPIENT: RecipientJson = { ...RECIPIENT, recipient: null, changes: [] }

const entry: EntryJson = {
  ...{ id: idOf(130), at: before(10), actor: 'person', role: 'owner', status: 200 },
  ...{ actorName: 'Ada Lovelace <ada@teas-and-more.example>', action: 'changeCheckoutSettings' },
  ...{ objectId: null, before: { accent: null }, after: { accent: '#0b6e4f' } },
  ...{ address: '203.0.113.7', agent: 'Mozilla/5.0 (X11; Linux x86_64)', traceId: idOf(140) },
}
export const AUDIT: PageJson = {
  entries: [
    entry,
    {
      ...entry,
      ...{ id: idOf(131), action: 'replaceApiKey', status: 403, before: null, after: null },
    },
    {
      ...{ ...entry, id: idOf(132), action: 'createRefund', objectId: idOf(51), role: null },
      ...{ actor: 'key', actorName: 'secret key …7Qx2', before: null, after: { amount: '12.5' } },
    },
  ],
  next: null,
}
