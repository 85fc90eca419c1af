import { durationText } from '../base/duration.ts'
import { type Invalid, invalid } from '../base/errors.ts'
import type { MerchantId, RecipientChangeId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { cleanText } from '../base/text.ts'
import { type Address, checksumAddress, parseAddress } from '../chain/evm.ts'

/**
 * Another recipient that a merchant asks for itself. It waits before it is in force, so that whoever has taken
 * over one owner's session, or a key, leaves all owners the time to stop it.
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
  /** Who has asked for it, as the audit log names them. */
  readonly actorName: string
  readonly createdAt: Date
  /** From when on it may be in force; null while it needs an approval. */
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

interface MailFacts {
  readonly merchantName: string
  readonly change: RecipientChange
  /** When the mail is written: the delay is counted from then. */
  readonly writtenAt: Date
  /** The page on which its receiver can stop the change. */
  readonly url: string
}

/** What every owner is told as soon as somebody asks for another recipient. */
export function recipientMail({ merchantName, change, writtenAt, url }: MailFacts) {
  const name = cleanText(merchantName, 100)
  const who = cleanText(change.actorName, 200)
  const from = change.replaces === null ? 'none yet' : checksumAddress(change.replaces)
  return {
    subject: `${name}: money is to go to ${shortAddress(change.recipient)}`,
    body: [
      `${who} has asked that the money of ${name} goes to another address.`,
      `From: ${from}\nTo:   ${checksumAddress(change.recipient)}`,
      whenText(change, writtenAt),
      `If that is wrong, open this link and cancel the change. You need not sign in:\n\n${url}`,
      'Then end the sessions and keys of whoever has asked for it. If all is well, nothing has to be done.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

function whenText({ forceAt }: RecipientChange, writtenAt: Date): string {
  if (forceAt === null) return 'Another person has to approve it first.'
  const seconds = Math.max(0, Math.round((forceAt.getTime() - writtenAt.getTime()) / 1_000))
  if (seconds === 0) return 'It is in force at once.'
  return `It is in force in ${durationText(seconds)}, from ${iso(forceAt)} on.`
}

/** What owners are told when a change was ended before it was in force. */
export function cancelledMail(
  { merchantName, change }: Pick<MailFacts, 'merchantName' | 'change'>,
  by: string,
) {
  const name = cleanText(merchantName, 100)
  const stays =
    change.replaces === null
      ? 'There is still no address.'
      : `It stays ${checksumAddress(change.replaces)}.`
  return {
    subject: `${name}: the change of the address was cancelled`,
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

/** What every owner is told when another address is approved, to which invoices may send money. */
export function addressApprovedMail({
  merchantName,
  address,
  by,
  approvedBy,
  delayS,
}: ApprovedFacts) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: invoices may send money to ${shortAddress(address)}`,
    body: [
      `${cleanText(by, 200)} has added an address to which invoices and x402 payments of ${name} may send money, and ${cleanText(approvedBy, 200)} has approved it.`,
      checksumAddress(address),
      delayS === 0 ? 'It counts at once.' : `It counts in ${durationText(delayS)}.`,
      'If that is wrong, remove it in the settings of the dashboard, or have another owner do it, before it counts. If all is well, nothing has to be done.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** What every owner is told when something was stored that the API has not requested. */
export function forgedMail(merchantName: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: a forged request was ended`,
    body: [
      `Something was requested or approved in the name of ${name} that does not come from the API of this deployment. It has been ended, and nothing of it was in force.`,
      'Somebody may be able to write to its database. Tell whoever runs this deployment at once, and look at the members, recipients and approvals of the merchant in the dashboard.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** Stands for the scheme, host and port of the dashboard in a mail that a worker writes. */
export const DASHBOARD_PLACE = '{dashboard}'

/** Such a mail's text, with links to the dashboard at this origin. */
export function withDashboard(text: string, origin: string): string {
  return text.replaceAll(DASHBOARD_PLACE, () => origin)
}

/** The page on which a change is stopped. The token stands behind a #, so that no server's log has it. */
export function stopUrl(origin: string, token: string): string {
  return `${origin}/dashboard/stop-change#${token}`
}
