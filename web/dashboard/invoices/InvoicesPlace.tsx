import type { PlaceProps } from '../parts/places.ts'
import { CreateInvoicePage } from './CreateInvoicePage.tsx'
import { InvoicePage } from './InvoicePage.tsx'
import { InvoicesPage } from './InvoicesPage.tsx'

/** The list of invoices, a new one, and one of them by its id in the path. */
export function InvoicesPlace({ merchantId, role, rest }: PlaceProps) {
  if (rest === '') return <InvoicesPage merchantId={merchantId} role={role} />
  if (rest === 'new') return <CreateInvoicePage merchantId={merchantId} role={role} />
  return <InvoicePage merchantId={merchantId} role={role} invoiceId={rest} />
}
