import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/dashboard/roles.ts'
import type { RecoveryJson } from '../../../core/invoice/deposit/recovery.ts'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { Form } from '../parts/forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { refusalText } from '../parts/refusals.ts'
import { merchantApi, request } from '../session/request.ts'
import { explainAction } from './explain.ts'
import { mostRefundable, RefundDialog } from './RefundDialog.tsx'

interface HeldActionsProps {
  readonly merchantId: string
  readonly role: Role
  readonly held: RecoveryJson
}

/** What somebody of this role can do with held money: buttons that say how much of it. */
export function HeldActions({ merchantId, role, held }: HeldActionsProps) {
  const { words } = usePage()
  const [open, setOpen] = useState<'accept' | 'refund' | null>(null)
  const shown = (amount: string | null) =>
    amount === null ? '' : words.money(amount, held.asset ?? '')
  const amount = shown(held.amount)
  const canAccept = held.actions.some(isAcceptance) && may(role, acceptanceOf(held))
  const canRefund = held.actions.includes('refund') && may(role, 'createRefund') && amount !== ''
  const needsRecipient = held.actions.includes('set_recipient') && may(role, 'changeRecipient')
  const refused = held.refused.filter(({ action }) => may(role, operationOf(action)))
  const close = () => setOpen(null)
  return (
    <div class="actions">
      {canAccept && (
        <button type="button" onClick={() => setOpen('accept')}>
          {words.say('acceptAmount', { amount })}
        </button>
      )}
      {canRefund && (
        <button type="button" onClick={() => setOpen('refund')}>
          {words.say('refundAmount', { amount: shown(mostRefundable(held)) })}
        </button>
      )}
      {needsRecipient && (
        <a class="button" href={`/dashboard/merchants/${merchantId}/settings`}>
          {words.say('setRecipient')}
        </a>
      )}
      {!canAccept && !canRefund && !needsRecipient && (
        <span class="hint">{words.say('heldNothingToDo')}</span>
      )}
      {refused.map(({ action, code, about }) => (
        <small key={action} class="hint long">
          {words.say(REFUSED[action])}{' '}
          {refusalText(words, { code, message: sentence(about), status: 0 })}
        </small>
      ))}
      {open === 'accept' && (
        <AcceptDialog merchantId={merchantId} held={held} amount={amount} onClose={close} />
      )}
      {open === 'refund' && <RefundDialog merchantId={merchantId} held={held} onClose={close} />}
    </div>
  )
}

type RefusedAction = RecoveryJson['refused'][number]['action']

const REFUSED = {
  refund: 'heldNoRefund',
  set_recipient: 'heldNoAddress',
  accept_transaction: 'heldNotAccepted',
  accept_partial: 'heldNotAccepted',
  wait: 'heldNothingToDo',
} as const satisfies Readonly<Record<RefusedAction, string>>

/** The operation behind a way out that was refused. */
function operationOf(action: RefusedAction) {
  if (action === 'refund') return 'createRefund'
  if (action === 'set_recipient') return 'changeRecipient'
  return action === 'accept_partial' ? 'acceptPartialPayment' : 'acceptLatePayment'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
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
