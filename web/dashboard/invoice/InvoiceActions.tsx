import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'
import { SubmitDialog } from './SubmitDialog.tsx'

interface InvoiceActionsProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly invoice: InvoiceJson
}

/** The actions of this role on the whole invoice. */
export function InvoiceActions({ merchantId, role, invoice }: InvoiceActionsProps) {
  const { words } = usePage()
  const [open, setOpen] = useState<'void' | 'submit' | null>(null)
  const isUnpaid = ['pending', 'partial'].includes(invoice.status) && !invoice.expired
  const close = () => setOpen(null)
  return (
    <div class="actions">
      {may(role, 'submitTransaction') && (
        <button type="button" onClick={() => setOpen('submit')}>
          {words.say('submitHash')}
        </button>
      )}
      {isUnpaid && may(role, 'expireInvoice') && (
        <button type="button" onClick={() => setOpen('void')}>
          {words.say('voidInvoice')}
        </button>
      )}
      {open === 'submit' && <SubmitDialog {...{ merchantId, invoice }} onClose={close} />}
      {open === 'void' && <VoidDialog {...{ merchantId, invoice }} onClose={close} />}
    </div>
  )
}

interface VoidDialogProps {
  readonly merchantId: string
  readonly invoice: InvoiceJson
  readonly onClose: () => void
}

function VoidDialog({ merchantId, invoice, onClose }: VoidDialogProps) {
  const { words } = usePage()
  const client = useQueryClient()
  async function end(): Promise<void> {
    await request('POST', merchantApi(merchantId, `/v1/invoices/${invoice.id}/expire`))
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    onClose()
  }
  const { reference } = invoice
  return (
    <Dialog title={words.say('voidTitle', { reference })} onClose={onClose}>
      <p>{words.say('voidHint')}</p>
      <Form
        action={words.say('voidInvoice')}
        onSend={end}
        explain={(error) => explainAction(words, error)}
      >
        {null}
      </Form>
    </Dialog>
  )
}
