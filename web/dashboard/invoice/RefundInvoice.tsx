import { useState } from 'preact/hooks'
import { Dialog } from '../forms/Dialog.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { RefundForm } from '../recoveries/RefundForm.tsx'
import type { Refundable } from './refundable.ts'
import type { ShownInvoice } from './shown.ts'
import { WalletRefund } from './WalletRefund.tsx'

interface RefundInvoiceProps extends Pick<PlaceProps, 'merchantId'> {
  readonly invoice: ShownInvoice
  readonly here: Refundable | null
  readonly byWallet: Refundable | null
  readonly onClose: () => void
}

/** Refunds an invoice: by the service what is still here, from the merchant's own wallet what was paid out. */
export function RefundInvoice(props: RefundInvoiceProps) {
  const { merchantId, invoice, here, byWallet, onClose } = props
  const { words } = usePage()
  const [source, setSource] = useState<'here' | 'wallet'>(here === null ? 'wallet' : 'here')
  const { reference, tokenSymbol: asset } = invoice
  const sources = [
    ['here', 'refundFromHere', here],
    ['wallet', 'refundPaidOut', byWallet],
  ] as const
  return (
    <Dialog title={words.say('refundTitle', { reference })} onClose={onClose}>
      {here && byWallet && (
        <fieldset class="field">
          <legend>{words.say('refundSource')}</legend>
          {sources.map(([name, word, part]) => (
            <label key={name} class="check">
              <input
                type="radio"
                name="source"
                checked={source === name}
                onChange={() => setSource(name)}
              />
              {words.say(word, { amount: words.money(part?.most ?? '0', asset) })}
            </label>
          ))}
        </fieldset>
      )}
      {source === 'here' && here && (
        <RefundForm
          merchantId={merchantId}
          path={`/v1/invoices/${invoice.id}/refunds`}
          asset={asset}
          most={here.most}
          payers={here.payers}
          others={{}}
          link={{
            href: placePath(merchantId, 'invoices', invoice.id),
            name: words.say('showInvoice'),
          }}
          onDone={onClose}
        />
      )}
      {source === 'wallet' && byWallet && (
        <WalletRefund {...{ merchantId, invoice }} refundable={byWallet} onDone={onClose} />
      )}
    </Dialog>
  )
}
