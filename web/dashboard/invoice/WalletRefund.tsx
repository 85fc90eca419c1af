import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Form } from '../forms/Form.tsx'
import { HashField } from '../forms/HashField.tsx'
import { Callout } from '../parts/Callout.tsx'
import { difference, isNegative, isZero } from '../parts/decimal.ts'
import { shortHash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, Problem, request } from '../session/request.ts'
import type { Refundable } from './refundable.ts'
import type { ShownInvoice } from './shown.ts'
import { WalletButtons } from './WalletButtons.tsx'

interface WalletRefundProps {
  readonly merchantId: string
  readonly invoice: ShownInvoice
  readonly refundable: Refundable
  readonly onDone: () => void
}

const AGAIN_MS = 4_000
/** How often a transfer that was just sent is looked for: about five minutes. */
const TRIES = 75

/** Pays money that was paid out back from the merchant's own wallet, and records the transfer as a refund. */
export function WalletRefund({ merchantId, invoice, refundable, onDone }: WalletRefundProps) {
  const { words, networkName } = usePage()
  const client = useQueryClient()
  const { payers } = refundable
  const [chosen, setChosen] = useState(0)
  const [entered, setEntered] = useState<{ readonly decimal: string | null } | null>(null)
  const [hash, setHash] = useState('')
  const payer = payers[chosen] ?? payers[0]
  if (payer === undefined) return null
  const { tokenSymbol: asset } = invoice
  const amount = entered === null ? payer.amount : entered.decimal
  const isPossible =
    amount !== null && !isZero(amount) && !isNegative(difference(payer.amount, amount))
  const network = networkName(payer.chain)

  async function record(txHash: string, sum: string, networkId: string): Promise<void> {
    const body = { networkId, txHash, amount: sum }
    const path = merchantApi(merchantId, `/v1/invoices/${invoice.id}/refunds/external`)
    await request('POST', path, body)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
    toast(words.say('refundRecordedToast', { amount: words.money(sum, asset) }), {
      href: placePath(merchantId, 'refunds'),
      name: words.say('viewRefunds'),
    })
    onDone()
  }

  /** Until a block has it, no node shows the transfer. */
  async function recordSent(txHash: string, sum: string, networkId: string): Promise<void> {
    setHash(txHash)
    for (let tries = 1; ; tries += 1) {
      try {
        return await record(txHash, sum, networkId)
      } catch (error) {
        const isEarly = error instanceof Problem && error.code === 'transfer_not_shown'
        if (!isEarly || tries === TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
  }

  return (
    <Form
      action={words.say('recordRefund')}
      onSend={(fields) =>
        record(pasted(String(fields.get('txHash'))), String(fields.get('amount')), payer.chain)
      }
      explain={(error) => explainAction(words, error)}
    >
      <Callout tone="calm">{words.say('walletRefundHint', { network })}</Callout>
      <label class="field">
        <span>{words.say('refundRecipient')}</span>
        <select
          class="wide"
          value={chosen}
          onChange={({ currentTarget: { value } }) => {
            setChosen(Number(value))
            setEntered(null)
          }}
        >
          {payers.map(({ address, chain }, at) => (
            <option key={`${address} ${chain}`} value={at}>
              {`${shortHash(address)} · ${networkName(chain)}`}
            </option>
          ))}
        </select>
        <small class="hint long">{payer.address}</small>
      </label>
      <DecimalField
        key={chosen}
        label={words.say('refundAmountIn', { asset })}
        hint={words.say('refundAtMost', { amount: words.money(payer.amount, asset) })}
        name="amount"
        required
        initial={payer.amount}
        unit={asset}
        onDecimal={(decimal) => setEntered({ decimal })}
      />
      <WalletButtons
        payer={payer}
        asset={asset}
        amount={isPossible ? amount : null}
        onSent={recordSent}
      />
      <HashField value={hash} hint={words.say('walletRefundHash')} onHash={setHash} />
    </Form>
  )
}
