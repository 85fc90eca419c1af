import { useQueryClient } from '@tanstack/preact-query'
import { useMemo, useState } from 'preact/hooks'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { shortHash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { problemText } from '../parts/States.tsx'
import { toast } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import { explainAction } from './explain.ts'

/** Held money that can go back as a whole to its one sender, and is therefore refunded among others. */
export function isPlainRefund({ actions, amount, refundTo }: RecoveryJson): boolean {
  return actions.includes('refund') && amount !== null && refundTo.length === 1
}

interface BulkRefundProps {
  readonly merchantId: string
  readonly rows: readonly RecoveryJson[]
  readonly onClose: () => void
}

/** Refunds each of several held payments to its sender; those that fail stay, with the reason. */
export function BulkRefund({ merchantId, rows, onClose }: BulkRefundProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const [failures, setFailures] = useState<readonly string[]>([])
  // One key for each payment in this dialog: sent again, it is one refund.
  const refunds = useMemo(
    () =>
      rows.flatMap(({ invoiceId, invoiceRef, transactionId, asset, refundTo: [target] }) => {
        if (target === undefined) return []
        const { address, amount } = target
        const key = { idempotencyKey: crypto.randomUUID() }
        const payment = transactionId === null ? {} : { transactionId }
        return [{ invoiceId, invoiceRef, asset, body: { amount, address, ...payment, ...key } }]
      }),
    [],
  )

  async function refundAll(): Promise<void> {
    const failed: string[] = []
    for (const { invoiceId, invoiceRef, body } of refunds) {
      const path = merchantApi(merchantId, `/v1/invoices/${invoiceId}/refunds`)
      await request('POST', path, body).catch((error: unknown) => {
        const reason = explainAction(words, error) ?? problemText(words, error)
        failed.push(`${invoiceRef}: ${reason}`)
      })
    }
    setFailures(failed)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    const n = refunds.length - failed.length
    if (n > 0) {
      const link = { href: placePath(merchantId, 'refunds'), name: words.say('viewRefunds') }
      toast(words.say('bulkRefunded', { n }), link)
    }
    if (failed.length === 0) onClose()
  }
  const label = words.say('bulkRefund', { n: refunds.length })
  return (
    <Dialog title={label} onClose={onClose}>
      <ul class="lines">
        {refunds.map(({ invoiceRef, asset, body }) => (
          <li key={body.idempotencyKey}>
            <span>
              {words.money(body.amount ?? '0', asset ?? '')}{' '}
              <small class="hint">{invoiceRef}</small>
            </span>
            <span class="hint" title={body.address}>
              {shortHash(body.address)}
            </span>
          </li>
        ))}
      </ul>
      <Form action={label} onSend={refundAll}>
        <p class="hint">{words.say('bulkRefundHint')}</p>
        {failures.length > 0 && (
          <div class="problem" role="alert">
            {failures.map((failure) => (
              <p key={failure}>{failure}</p>
            ))}
          </div>
        )}
      </Form>
    </Dialog>
  )
}
