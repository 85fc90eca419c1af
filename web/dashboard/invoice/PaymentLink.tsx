import { CopyButton } from '../parts/CopyButton.tsx'
import { usePage } from '../parts/page.ts'
import type { ShownInvoice } from './shown.ts'

/** The page on which the payer pays, as long as that makes sense. */
export function PaymentLink({ invoice }: { readonly invoice: ShownInvoice }) {
  const { words } = usePage()
  const isOpen = !invoice.expired && ['pending', 'partial'].includes(invoice.status)
  if (!isOpen) return null
  return (
    <section class="card" aria-labelledby="payment-link">
      <h2 id="payment-link">{words.say('paymentLink')}</h2>
      <p class="hint">{words.say('paymentLinkHint')}</p>
      <a class="long" href={invoice.checkoutUrl} target="_blank" rel="noreferrer">
        {invoice.checkoutUrl}
      </a>
      <CopyButton class="" value={invoice.checkoutUrl} label={words.say('copyLink')} />
    </section>
  )
}
