import type { InvoiceJson } from '../../../core/invoice/present.ts'

/** An invoice as the API answers with it: with the page on which it is paid. */
export type ShownInvoice = InvoiceJson & { readonly checkoutUrl: string }
