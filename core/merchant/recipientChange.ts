import { durationText } from '../base/duration.ts'
import { type Invalid, invalid } from '../base/errors.ts'
import type { MerchantId, RecipientChangeId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { cleanText } from '../base/text.ts'
import { type Address, checksumAddress, parseAddress } from '../chain/evm.ts'

/**
 * A requested change of the recipient. It waits before it is active, so that owners have time to stop one by a
 * hijacked session or key.
 */

/** What can become of a change. The first two are open: it can still be ended. */
export const CHANGE_STATES = [
  'needs_approval',
  'waiting',
  'in_force',
  'cancelled',
  'refused',
  'expired',
  'replaced',
  'impossible',
] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

export interface RecipientChange {
  readonly id: RecipientChangeId
  readonly merchantId: MerchantId
  readonly recipient: Address
  /** The one that it was to replace; null for the first one. */
  readonly replaces: Address | null
  readonly state: ChangeState
  /** Who requested it, as the audit log names them. */
  readonly actorName: string
  readonly createdAt: Date
  /** From when on it may be active; null while it needs an approval. */
  readonly forceAt: Date | null
  readonly endedAt: Date | null
  /** Who or what has ended it. */
  readonly endedBy: string | null
}

/** What a merchant's recipient is, and what became of changes, as the API shows it. */
export function presentRecipient(
  recipient: Address | null,
  delayS: number,
  changes: readonly RecipientChange[],
) {
  return {
    recipient: recipient && checksumAddress(recipient),
    delaySeconds: delayS,
    changes: changes.map(presentChange),
  }
}

export type RecipientJson = ReturnType<typeof presentRecipient>
export type RecipientChangeJson = ReturnType<typeof presentChange>

export function presentChange(change: RecipientChange) {
  return {
    id: change.id,
    recipient: checksumAddress(change.recipient),
    replaces: change.replaces && checksumAddress(change.replaces),
    status: change.state,
    requestedBy: change.actorName,
    requestedAt: change.createdAt.toISOString(),
    inForceAt: iso(change.forceAt),
    endedAt: iso(change.endedAt),
    endedBy: change.endedBy,
  }
}

/**
 * Reads the address that money is to go to from now on. It must have its EIP-55 checksum: what is all in lower
 * case has none, and a letter that is wrong would cost everything.
 */
export function readChecked(
  text: string,
): { readonly ok: true; readonly address: Address } | Invalid {
  const address = parseAddress(text)
  if (address === null || checksumAddress(address) !== text) {
    return invalid(
      'must be an EVM address with its EIP-55 checksum, as wallets and explorers show it',
    )
  }
  return { ok: true, address }
}

/** How an address is shown where there is little room: how it begins and ends. */
function shortAddress(address: Address): string {
  const text = checksumAddress(address)
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}

interface EmailFacts {
  readonly merchantName: string
  readonly change: RecipientChange
  /** When the email is written: the delay is counted from then. */
  readonly writtenAt: Date
  /** The page on which its receiver can stop the change. */
  readonly url: string
}

/** The email to every owner as soon as another recipient is requested. */
export function recipientEmail({ merchantName, change, writtenAt, url }: EmailFacts) {
  const name = cleanText(merchantName, 100)
  const who = cleanText(change.actorName, 200)
  const from = change.replaces === null ? 'none yet' : checksumAddress(change.replaces)
  return {
    subject: `${name}: change of the payout address to ${shortAddress(change.recipient)}`,
    body: [
      `${who} has requested a change of the payout address of ${name}.`,
      `From: ${from}\nTo:   ${checksumAddress(change.recipient)}`,
      whenText(change, writtenAt),
      `If this is wrong, open this link to cancel the change. You do not need to sign in:\n\n${url}`,
      "Then end the requester's sessions and revoke their keys. If the change is right, no action is required.",
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

function whenText({ forceAt }: RecipientChange, writtenAt: Date): string {
  if (forceAt === null) return 'It needs an approval first.'
  const seconds = Math.max(0, Math.round((forceAt.getTime() - writtenAt.getTime()) / 1_000))
  if (seconds === 0) return 'It is active immediately.'
  return `It becomes active in ${durationText(seconds)}, at ${iso(forceAt)}.`
}

/** The email to owners when a pending change was cancelled. */
export function cancelledEmail(
  { merchantName, change }: Pick<EmailFacts, 'merchantName' | 'change'>,
  by: string,
) {
  const name = cleanText(merchantName, 100)
  const stays =
    change.replaces === null
      ? 'There is still no payout address.'
      : `The payout address is still ${checksumAddress(change.replaces)}.`
  return {
    subject: `${name}: the change of the payout address was cancelled`,
    body: `${cleanText(by, 200)} has cancelled the change to ${checksumAddress(change.recipient)}. ${stays}\n`,
  }
}

interface ApprovedFacts {
  readonly merchantName: string
  readonly address: Address
  /** Who has requested it, and who has approved it. */
  readonly by: string
  readonly approvedBy: string
  /** How long it does not count yet, in seconds. */
  readonly delayS: number
}

/** The email to every owner when another payout address for invoices is approved. */
export function addressApprovedEmail({
  merchantName,
  address,
  by,
  approvedBy,
  delayS,
}: ApprovedFacts) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: invoices may pay out to ${shortAddress(address)}`,
    body: [
      `${cleanText(by, 200)} has added a payout address for invoices and x402 payments of ${name}, and ${cleanText(approvedBy, 200)} has approved it.`,
      checksumAddress(address),
      delayS === 0 ? 'It is active immediately.' : `It becomes active in ${durationText(delayS)}.`,
      'If this is wrong, remove it in the settings of the dashboard before it becomes active, or have another owner do so. If it is right, no action is required.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** The email to every owner when a stored request did not come from the API. */
export function forgedEmail(merchantName: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: a forged request was cancelled`,
    body: [
      `A request or approval in the name of ${name} did not come from the API of this deployment. It was cancelled before it became active.`,
      'An attacker may have write access to the database. Inform the operator of this deployment immediately, and review the members, payout addresses and approvals of the merchant in the dashboard.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** A placeholder for the scheme, host and port of the dashboard in an email that a worker writes. */
export const DASHBOARD_PLACE = '{dashboard}'

/** Such an email's text, with links to the dashboard at this origin. */
export function withDashboard(text: string, origin: string): string {
  return text.replaceAll(DASHBOARD_PLACE, () => origin)
}

/** The page on which a change is stopped. The token is in the fragment, which servers don't log. */
export function stopUrl(origin: string, token: string): string {
  return `${origin}/dashboard/stop-change#${token}`
}
