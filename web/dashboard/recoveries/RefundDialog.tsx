import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { difference, isNegative } from '../parts/decimal.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { RefundForm } from './RefundForm.tsx'

interface RefundDialogProps {
  readonly merchantId: string
  readonly held: RecoveryJson
  readonly onClose: () => void
}

/** Refunds an invoice's held money to an allowed address. */
export function RefundDialog({ merchantId, held, onClose }: RefundDialogProps) {
  const { words } = usePage()
  return (
    <Dialog title={words.say('refundTitle', { reference: held.invoiceRef })} onClose={onClose}>
      <RefundForm
        merchantId={merchantId}
        path={`/v1/invoices/${held.invoiceId}/refunds`}
        asset={held.asset ?? ''}
        most={held.amount ?? '0'}
        payers={held.refundTo}
        others={held.transactionId === null ? {} : { transactionId: held.transactionId }}
        link={{
          href: placePath(merchantId, 'invoices', held.invoiceId),
          name: words.say('showInvoice'),
        }}
        onDone={onClose}
      />
    </Dialog>
  )
}

/** The largest possible refund to one payer. */
export function mostRefundable({ refundTo, amount }: RecoveryJson): string | null {
  const [first, ...others] = refundTo.map((target) => target.amount ?? '0')
  if (first === undefined) return amount
  return others.reduce((most, one) => (isNegative(difference(most, one)) ? one : most), first)
}
