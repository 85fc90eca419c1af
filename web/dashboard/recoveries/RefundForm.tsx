import { useQueryClient } from '@tanstack/preact-query'
import { useMemo, useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Form } from '../forms/Form.tsx'
import { shortHash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { toast } from '../parts/Toasts.tsx'
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
  /** Where what becomes of it is shown. */
  readonly link: { readonly href: string; readonly name: string }
  readonly onDone: () => void
}

const ADDRESS = '0x[0-9a-fA-F]{40}'

/** Asks how much goes back and to whom; the button says both. */
export function RefundForm(props: RefundFormProps) {
  const { merchantId, path, asset, payers, others, link, onDone } = props
  const { words } = usePage()
  const client = useQueryClient()
  const [address, setAddress] = useState(payers[0]?.address ?? '')
  const chosen = payers.find((payer) => payer.address.toLowerCase() === address.toLowerCase())
  const most = chosen?.amount ?? props.most
  const [entered, setEntered] = useState<{ readonly decimal: string | null } | null>(null)
  const amount = entered === null ? most : entered.decimal
  // One key for this form: pressed twice, it is one refund.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  const isAddress = new RegExp(`^${ADDRESS}$`).test(address)

  async function refund(fields: FormData): Promise<void> {
    const body = { amount: String(fields.get('amount')), address, idempotencyKey, ...others }
    await request('POST', merchantApi(merchantId, path), body)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    toast(words.say('refundedToast', { amount: words.money(body.amount, asset) }), link)
    onDone()
  }
  const what = amount === null ? '…' : words.money(amount, asset)
  const whom = isAddress ? shortHash(address) : '…'
  return (
    <Form
      action={words.say('refundTo', { amount: what, address: whom })}
      onSend={refund}
      explain={(error) => explainAction(words, error)}
    >
      <DecimalField
        label={words.say('refundAmountIn', { asset })}
        hint={words.say('refundAtMost', { amount: words.money(most, asset) })}
        name="amount"
        required
        initial={most}
        unit={asset}
        onDecimal={(decimal) => setEntered({ decimal })}
      />
      <label class="field">
        <span>{words.say('refundRecipient')}</span>
        <input
          class="wide"
          name="address"
          autocomplete="off"
          spellcheck={false}
          required
          list="payers"
          // Said by the browser, which then sends nothing.
          pattern={ADDRESS}
          title={words.say('addressForm')}
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
