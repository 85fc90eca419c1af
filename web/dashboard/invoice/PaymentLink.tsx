import { useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import type { ShownInvoice } from './shown.ts'

/** The page on which the payer pays, as long as that makes sense. */
export function PaymentLink({ invoice }: { readonly invoice: ShownInvoice }) {
  const { words } = usePage()
  const [isCopied, setCopied] = useState(false)
  const isOpen = !invoice.expired && ['pending', 'partial'].includes(invoice.status)
  if (!isOpen) return null

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(invoice.checkoutUrl)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <section class="card" aria-labelledby="payment-link">
      <h2 id="payment-link">{words.say('paymentLink')}</h2>
      <p class="hint">{words.say('paymentLinkHint')}</p>
      <a class="long" href={invoice.checkoutUrl} target="_blank" rel="noreferrer">
        {invoice.checkoutUrl}
      </a>
      <button type="button" onClick={copy}>
        {words.say(isCopied ? 'copied' : 'copyLink')}
      </button>
    </section>
  )
}
