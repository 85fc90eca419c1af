import { InvoicePage } from './invoice/InvoicePage.tsx'
import { CreateInvoicePage } from './invoices/CreateInvoicePage.tsx'
import { InvoicesPage } from './invoices/InvoicesPage.tsx'
import { LinksPage } from './invoices/LinksPage.tsx'
import type { PlaceProps } from './parts/places.ts'

/** The list of invoices, a new one, payment links, and one invoice by its id in the path. */
export function InvoicesPlace({ merchantId, role, rest }: PlaceProps) {
  if (rest === '') return <InvoicesPage merchantId={merchantId} role={role} />
  if (rest === 'new') return <CreateInvoicePage merchantId={merchantId} role={role} />
  if (rest === 'links') return <LinksPage merchantId={merchantId} role={role} />
  return <InvoicePage merchantId={merchantId} role={role} invoiceId={rest} />
}
