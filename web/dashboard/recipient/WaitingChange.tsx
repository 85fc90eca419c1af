import type { RecipientChangeJson } from '../../../core/merchant/recipientChange.ts'
import { Confirm } from '../forms/Confirm.tsx'
import { shortHash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import { changeStatus } from './changeStatus.ts'
import { FullAddress } from './FullAddress.tsx'

interface WaitingChangeProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly change: RecipientChangeJson
  readonly recipient: string | null
  readonly onChanged: () => Promise<unknown>
}

/** A pending change: its requester, when it becomes active, and a button to cancel it. */
export function WaitingChange(props: WaitingChangeProps) {
  const { merchantId, role, change, recipient, onChanged } = props
  const { words } = usePage()
  const path = merchantApi(merchantId, `/v1/settings/recipient/changes/${change.id}`)

  async function cancel(): Promise<void> {
    await request('DELETE', path)
    await onChanged()
    toastDone(words, 'audit_cancelRecipientChange', placePath(merchantId, 'settings'))
  }
  const stays =
    recipient === null
      ? words.say('recipientCancelNone')
      : words.say('recipientCancelHint', { address: shortHash(recipient) })
  return (
    <section class="card" aria-labelledby="waiting">
      <h3 id="waiting">
        {words.say('recipientPending')}{' '}
        <Pill tone="warn" text={changeStatus(words, change.status)} />
      </h3>
      <FullAddress address={change.recipient} />
      <p>
        {change.inForceAt === null ? (
          words.say('recipientNeedsApproval')
        ) : (
          <>
            {words.say('recipientActiveFrom')}: <Moment at={change.inForceAt} />
          </>
        )}
      </p>
      <p class="hint long">{words.say('recipientPendingHint', { who: change.requestedBy })}</p>
      {may(role, 'cancelRecipientChange') && (
        <Confirm
          label={words.say('recipientCancel')}
          title={words.say('recipientCancelTitle')}
          action={words.say('recipientCancel')}
          onConfirm={cancel}
        >
          <p>{stays}</p>
        </Confirm>
      )}
    </section>
  )
}
