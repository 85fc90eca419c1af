import type { Role } from '../../../core/access/roles.ts'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { may } from '../parts/may.ts'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { refusalText } from '../parts/refusals.ts'

interface HeldRefusalsProps {
  readonly role: Role
  readonly held: RecoveryJson
}

/** The actions that this role has on held money but not on this one, with the reasons. */
export function HeldRefusals({ role, held }: HeldRefusalsProps) {
  const { words } = usePage()
  return refusedTo(role, held).map((refused) => (
    <p key={refused.action} class="hint long">
      {words.say(REFUSED[refused.action])} {reasonFor(words, held, refused)}
    </p>
  ))
}

type Refused = RecoveryJson['refused'][number]

/** What the rules refuse of that which this role may do. */
export function refusedTo(role: Role, held: RecoveryJson): readonly Refused[] {
  return held.refused.filter(({ action }) => may(role, operationOf(action)))
}

const REFUSED = {
  refund: 'heldNoRefund',
  set_recipient: 'heldNoAddress',
  accept_transaction: 'heldNotAccepted',
  accept_partial: 'heldNotAccepted',
  wait: 'heldNoAction',
} as const satisfies Readonly<Record<Refused['action'], string>>

/** What a bridge has minted, and what only a balance shows, has this sender. */
export const NO_SENDER = /^0x0{40}$/

/** Why, and what helps where the rules' own words are for programmers. */
function reasonFor(words: DashboardWords, held: RecoveryJson, { code, about }: Refused): string {
  if (held.asset === null) return words.say('heldNotListed')
  if (code === 'invalid_recipient' && NO_SENDER.test(held.from ?? '')) {
    return words.say('heldNoSender')
  }
  return refusalText(words, { code, message: sentence(about), status: 0 })
}

/** The operation behind a way out. */
function operationOf(action: Refused['action']) {
  if (action === 'refund') return 'createRefund'
  if (action === 'set_recipient') return 'changeRecipient'
  return action === 'accept_partial' ? 'acceptPartialPayment' : 'acceptLatePayment'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
