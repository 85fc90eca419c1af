import { useQuery } from '@tanstack/preact-query'
import type { RecoveryJson } from '../../../core/invoice/deposit/recovery.ts'
import type { InvoiceJson } from '../../../core/invoice/presentation/present.ts'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { RefundForm } from './RefundForm.tsx'

interface RefundDialogProps {
  readonly merchantId: string
  readonly held: RecoveryJson
  readonly onClose: () => void
}

/** Gives held money of an invoice back. */
export function RefundDialog({ merchantId, held, onClose }: RefundDialogProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, `/v1/invoices/${held.invoiceId}`)
  const invoice = useQuery({
    queryKey: ['invoice', merchantId, held.invoiceId],
    queryFn: () => getData<InvoiceJson>(path),
  })
  return (
    <Dialog title={words.say('refundTitle', { reference: held.invoiceRef })} onClose={onClose}>
      {invoice.isPending && <Skeleton rows={3} />}
      {invoice.isError && <Failed error={invoice.error} onRetry={() => invoice.refetch()} />}
      {invoice.data && (
        <RefundForm
          merchantId={merchantId}
          path={`/v1/invoices/${held.invoiceId}/refunds`}
          asset={held.asset ?? ''}
          most={held.amount ?? '0'}
          payers={payersOf(invoice.data, held)}
          others={held.transactionId === null ? {} : { transactionId: held.transactionId }}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

/** Who may be paid back: who has sent this, or where the payer asked for it, without repetition. */
function payersOf(invoice: InvoiceJson, held: RecoveryJson): readonly string[] {
  const ofChain = invoice.transactions.filter(
    ({ chain, status, type }) =>
      chain === held.chain && status === 'confirmed' && type === 'payment',
  )
  const senders = held.from === null ? ofChain.map(({ from }) => from) : [held.from]
  const wished = invoice.payerRefundAddress === null ? [] : [invoice.payerRefundAddress]
  return [...new Set([...wished, ...senders])]
}
