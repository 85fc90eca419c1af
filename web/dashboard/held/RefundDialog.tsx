import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useMemo, useState } from 'preact/hooks'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Form } from '../parts/Form.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { shortHash } from '../parts/short.ts'
import { getData, merchantApi, request } from '../session/request.ts'
import { explainAction } from './explain.ts'

interface RefundDialogProps {
  readonly merchantId: string
  readonly held: RecoveryJson
  readonly onClose: () => void
}

/** Asks how much goes back and to whom; the button says both. */
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
        <RefundForm merchantId={merchantId} held={held} invoice={invoice.data} onDone={onClose} />
      )}
    </Dialog>
  )
}

interface RefundFormProps {
  readonly merchantId: string
  readonly held: RecoveryJson
  readonly invoice: InvoiceJson
  readonly onDone: () => void
}

function RefundForm({ merchantId, held, invoice, onDone }: RefundFormProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const payers = payersOf(invoice, held)
  const [amount, setAmount] = useState(held.amount ?? '')
  const [address, setAddress] = useState(payers[0] ?? '')
  // One key for this dialog: pressed twice, it is one refund.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  const isComplete = /^\d+(\.\d+)?$/.test(amount) && /^0x[0-9a-fA-F]{40}$/.test(address)

  async function refund(): Promise<void> {
    if (!isComplete) return
    const body = {
      ...{ amount, address, idempotencyKey },
      ...(held.transactionId === null ? {} : { transactionId: held.transactionId }),
    }
    await request('POST', merchantApi(merchantId, `/v1/invoices/${invoice.id}/refunds`), body)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    onDone()
  }
  const what = words.money(amount === '' ? '0' : amount, held.asset ?? '')
  const whom = isComplete ? shortHash(address) : '…'
  return (
    <Form
      action={words.say('refundTo', { amount: what, address: whom })}
      onSend={refund}
      explain={(error) => explainAction(words, error)}
    >
      <label class="field">
        <span>{words.say('refundHowMuch', { asset: held.asset ?? '' })}</span>
        <input
          class="wide figure"
          name="amount"
          inputMode="decimal"
          autocomplete="off"
          required
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value.trim())}
        />
        <small class="hint">
          {words.say('refundAtMost', { amount: words.money(held.amount ?? '0', held.asset ?? '') })}
        </small>
      </label>
      <label class="field">
        <span>{words.say('refundToWhom')}</span>
        <input
          class="wide"
          name="address"
          autocomplete="off"
          spellcheck={false}
          required
          list="payers"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value.trim())}
        />
        <small class="hint">{words.say('refundToWhomHint')}</small>
      </label>
      <datalist id="payers">
        {payers.map((payer) => (
          <option key={payer} value={payer} />
        ))}
      </datalist>
    </Form>
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
