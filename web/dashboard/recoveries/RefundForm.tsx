import { useQueryClient } from '@tanstack/preact-query'
import { useMemo, useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { shortHash } from '../parts/short.ts'
import { merchantApi, request } from '../session/request.ts'
import { explainAction } from './explain.ts'

interface Payer {
  readonly address: string
  readonly amount: string | null
}

interface RefundFormProps {
  readonly merchantId: string
  /** The API path for its refunds. */
  readonly path: string
  readonly asset: string
  /** How much can go back to an address that is not among the payers, in the token's major unit. */
  readonly most: string
  /** Who may be paid back, the likeliest first, and how much at most. */
  readonly payers: readonly Payer[]
  /** What the request says besides. */
  readonly others: Readonly<Record<string, string>>
  readonly onDone: () => void
}

/** Asks how much goes back and to whom; the button says both. */
export function RefundForm(props: RefundFormProps) {
  const { merchantId, path, asset, payers, others, onDone } = props
  const { words } = usePage()
  const client = useQueryClient()
  const [address, setAddress] = useState(payers[0]?.address ?? '')
  const chosen = payers.find((payer) => payer.address.toLowerCase() === address.toLowerCase())
  const most = chosen?.amount ?? props.most
  const [typed, setAmount] = useState<string | null>(null)
  const amount = typed ?? most
  // One key for this form: pressed twice, it is one refund.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  const isComplete = /^\d+(\.\d+)?$/.test(amount) && /^0x[0-9a-fA-F]{40}$/.test(address)

  async function refund(): Promise<void> {
    if (!isComplete) return
    const body = { amount, address, idempotencyKey, ...others }
    await request('POST', merchantApi(merchantId, path), body)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    onDone()
  }
  const what = words.money(amount === '' ? '0' : amount, asset)
  const whom = isComplete ? shortHash(address) : '…'
  return (
    <Form
      action={words.say('refundTo', { amount: what, address: whom })}
      onSend={refund}
      explain={(error) => explainAction(words, error)}
    >
      <label class="field">
        <span>{words.say('refundAmountIn', { asset })}</span>
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
          {words.say('refundAtMost', { amount: words.money(most, asset) })}
        </small>
      </label>
      <label class="field">
        <span>{words.say('refundRecipient')}</span>
        <input
          class="wide"
          name="address"
          autocomplete="off"
          spellcheck={false}
          required
          list="payers"
          value={address}
          onInput={(event) => setAddress(pasted(event.currentTarget.value))}
        />
        <small class="hint">{words.say('refundRecipientHint')}</small>
      </label>
      <datalist id="payers">
        {payers.map((payer) => (
          <option key={payer.address} value={payer.address} />
        ))}
      </datalist>
    </Form>
  )
}
