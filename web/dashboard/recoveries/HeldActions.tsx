import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import { explainAction } from './explain.ts'
import { refusedTo } from './HeldRefusals.tsx'
import { mostRefundable, RefundDialog } from './RefundDialog.tsx'

interface HeldActionsProps {
  readonly merchantId: string
  readonly role: Role
  readonly held: RecoveryJson
}

/** The actions of this role on held money; each button shows its amount. */
export function HeldActions({ merchantId, role, held }: HeldActionsProps) {
  const { words } = usePage()
  const [open, setOpen] = useState<'accept' | 'refund' | null>(null)
  const shown = (amount: string | null) =>
    amount === null ? '' : words.money(amount, held.asset ?? '')
  const amount = shown(held.amount)
  const canAccept = held.actions.some(isAcceptance) && may(role, acceptanceOf(held))
  const canRefund = held.actions.includes('refund') && may(role, 'createRefund') && amount !== ''
  const needsRecipient = held.actions.includes('set_recipient') && may(role, 'changeRecipient')
  const close = () => setOpen(null)
  return (
    <div class="actions">
      {canAccept && (
        <button
          type="button"
          class="quiet"
          aria-label={words.say('acceptAmount', { amount })}
          onClick={() => setOpen('accept')}
        >
          {words.say('accept')}
        </button>
      )}
      {canRefund && (
        <button
          type="button"
          class="quiet"
          aria-label={words.say('refundAmount', { amount: shown(mostRefundable(held)) })}
          onClick={() => setOpen('refund')}
        >
          {words.say('refund')}
        </button>
      )}
      {needsRecipient && (
        <a class="button quiet" href={`/dashboard/merchants/${merchantId}/settings`}>
          {words.say('setRecipient')}
        </a>
      )}
      {!canAccept && !canRefund && !needsRecipient && refusedTo(role, held).length === 0 && (
        <span class="hint">{words.say('heldNoAction')}</span>
      )}
      {open === 'accept' && (
        <AcceptDialog merchantId={merchantId} held={held} amount={amount} onClose={close} />
      )}
      {open === 'refund' && <RefundDialog merchantId={merchantId} held={held} onClose={close} />}
    </div>
  )
}

function isAcceptance(action: string): boolean {
  return action === 'accept_transaction' || action === 'accept_partial'
}

function acceptanceOf(held: RecoveryJson) {
  const isPayment = held.actions.includes('accept_transaction')
  return isPayment ? 'acceptLatePayment' : 'acceptPartialPayment'
}

interface AcceptDialogProps {
  readonly merchantId: string
  readonly held: RecoveryJson
  readonly amount: string
  readonly onClose: () => void
}

function AcceptDialog({ merchantId, held, amount, onClose }: AcceptDialogProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const isPayment = acceptanceOf(held) === 'acceptLatePayment'
  const invoice = `/v1/invoices/${held.invoiceId}`
  const path = isPayment
    ? `${invoice}/transactions/${held.transactionId}/accept`
    : `${invoice}/accept-partial`
  async function accept(): Promise<void> {
    await request('POST', merchantApi(merchantId, path))
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    toast(words.say('acceptedToast', { amount }), {
      href: placePath(merchantId, 'invoices', held.invoiceId),
      name: words.say('showInvoice'),
    })
    onClose()
  }
  return (
    <Dialog
      title={words.say('acceptTitle', { amount, reference: held.invoiceRef })}
      onClose={onClose}
    >
      <p>{words.say(isPayment ? 'acceptLateHint' : 'acceptPartialHint')}</p>
      <Form
        action={words.say('acceptAmount', { amount })}
        onSend={accept}
        explain={(error) => explainAction(words, error)}
      >
        {null}
      </Form>
    </Dialog>
  )
}
