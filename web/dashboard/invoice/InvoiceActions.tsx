import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'
import { RefundInvoice } from './RefundInvoice.tsx'
import { refundableByWallet, refundableHere } from './refundable.ts'
import { SubmitDialog } from './SubmitDialog.tsx'
import type { ShownInvoice } from './shown.ts'

interface InvoiceActionsProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly invoice: ShownInvoice
}

/** The actions of this role on the whole invoice. */
export function InvoiceActions({ merchantId, role, invoice }: InvoiceActionsProps) {
  const { words } = usePage()
  const [open, setOpen] = useState<'void' | 'submit' | 'refund' | null>(null)
  const isUnpaid = ['pending', 'partial'].includes(invoice.status) && !invoice.expired
  const close = () => setOpen(null)
  const here = may(role, 'createRefund') ? refundableHere(invoice) : null
  const byWallet = may(role, 'recordExternalRefund') ? refundableByWallet(invoice) : null
  return (
    <>
      {(here ?? byWallet) && (
        <button type="button" onClick={() => setOpen('refund')}>
          {words.say('refund')}
        </button>
      )}
      {may(role, 'submitTransaction') && (
        <button type="button" onClick={() => setOpen('submit')}>
          {words.say('submitHash')}
        </button>
      )}
      {isUnpaid && may(role, 'expireInvoice') && (
        <button type="button" class="risky" onClick={() => setOpen('void')}>
          {words.say('voidInvoice')}
        </button>
      )}
      {open === 'refund' && (
        <RefundInvoice {...{ merchantId, invoice, here, byWallet }} onClose={close} />
      )}
      {open === 'submit' && <SubmitDialog {...{ merchantId, invoice }} onClose={close} />}
      {open === 'void' && <VoidDialog {...{ merchantId, invoice }} onClose={close} />}
    </>
  )
}

interface VoidDialogProps {
  readonly merchantId: string
  readonly invoice: ShownInvoice
  readonly onClose: () => void
}

function VoidDialog({ merchantId, invoice, onClose }: VoidDialogProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const { reference } = invoice
  async function end(): Promise<void> {
    await request('POST', merchantApi(merchantId, `/v1/invoices/${invoice.id}/expire`))
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    toast(words.say('voidedToast', { reference }), {
      href: placePath(merchantId, 'invoices', invoice.id),
      name: words.say('showInvoice'),
    })
    onClose()
  }
  return (
    <Dialog title={words.say('voidTitle', { reference })} onClose={onClose}>
      <p>{words.say('voidHint')}</p>
      <Form
        action={words.say('voidInvoice')}
        isRisky
        onSend={end}
        explain={(error) => explainAction(words, error)}
      >
        {null}
      </Form>
    </Dialog>
  )
}
