import type { ApprovalJson } from '../../../core/merchant/approval.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { FullAddress } from '../recipient/FullAddress.tsx'
import { useMe, useReloadMerchant } from '../session/me.ts'
import { request as call, merchantApi } from '../session/request.ts'
import { requestText } from './words.ts'

/** Why the signed-in user can't approve a request. */
const WHY = {
  own: 'approvalOwn',
  new: 'approvalTooNew',
  twice: 'approvalGiven',
  ended: 'refusal_approval_ended',
} as const

interface OneRequestProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly request: ApprovalJson
}

/** A pending request: its effect, its requester, and the buttons of an approver. */
export function OneRequest({ merchantId, role, request }: OneRequestProps) {
  const { words } = usePage()
  const reload = useReloadMerchant(merchantId)
  const me = useMe()
  const own = me.data?.person.id
  const isOwn = own === request.requestedById
  // Whose membership would end does not approve it, and only its requester withdraws it.
  const isMeant = own !== undefined && own === request.memberId && !isOwn
  const mayRefuse = request.kind !== 'member' || isOwn
  const why = request.notApprovable === null ? null : WHY[request.notApprovable]
  const path = merchantApi(merchantId, `/v1/approvals/${request.id}`)

  async function decide(how: 'approve' | 'refuse'): Promise<void> {
    await call('POST', `${path}/${how}`)
    await reload()
    const { invoiceId } = request
    toastDone(
      words,
      how === 'approve' ? 'audit_approveRequest' : 'audit_refuseRequest',
      invoiceId === null
        ? placePath(merchantId, 'settings', 'approvals')
        : placePath(merchantId, 'invoices', invoiceId),
    )
  }
  return (
    <li class="card">
      <div>
        <p class="long">
          <strong>{requestText(words, request)}</strong>{' '}
          <Pill tone="warn" text={words.say('approval_open')} />
        </p>
        {request.recipient && <FullAddress address={request.recipient} />}
        <p class="hint long">
          {words.say('approvalRequestedBy', { who: request.requestedBy })} {words.say('expires')}:{' '}
          <Moment at={request.expiresAt} />{' '}
          {request.invoiceId && (
            <a href={placePath(merchantId, 'invoices', request.invoiceId)}>
              {words.say('showInvoice')}
            </a>
          )}
        </p>
        <Votes request={request} />
      </div>
      {may(role, 'approveRequest') && !isMeant ? (
        <div class="actions">
          {why === null ? (
            <ActionButton
              class="main"
              label={words.say('approvalApprove')}
              onAction={() => decide('approve')}
            />
          ) : (
            <p class="hint">{words.say(why)}</p>
          )}
          {mayRefuse && (
            <ActionButton
              label={words.say(isOwn ? 'approvalWithdraw' : 'approvalRefuse')}
              onAction={() => decide('refuse')}
            />
          )}
        </div>
      ) : (
        <p class="hint">{words.say(isMeant ? 'approvalAboutYou' : 'approvalNotYours')}</p>
      )}
    </li>
  )
}

function Votes({ request: { needed, approvedBy } }: { readonly request: ApprovalJson }) {
  const { words } = usePage()
  if (needed === 1) return null
  const text =
    approvedBy.length === 0
      ? words.say('approvalTwo')
      : words.say('approvalVotes', { who: approvedBy.join(', ') })
  return <p class="hint long">{text}</p>
}
