import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Tabs } from '../parts/Tabs.tsx'

/** Invoices, and the links that make them. */
export function InvoiceTabs({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const tabs = [
    { name: words.say('invoices'), href: placePath(merchantId, 'invoices') },
    { name: words.say('links'), href: placePath(merchantId, 'invoices', 'links') },
  ]
  return <Tabs label={words.say('invoiceKinds')} tabs={tabs} />
}
