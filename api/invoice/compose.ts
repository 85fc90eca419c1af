import { formatReference } from '../../core/access/keys.ts'
import { asInvoiceId, type InvoiceId } from '../../core/base/ids.ts'
import { x402UrlOf } from '../../core/checkout/requirements.ts'
import { checkoutUrl } from '../../core/checkout/url.ts'
import { type InvoiceDraft, newInvoice } from '../../core/invoice/creation.ts'
import { type InvoiceJson, type InvoiceRows, presentInvoice } from '../../core/invoice/present.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { KeyOwner } from '../../store/access/apiKeys.ts'
import type { SessionNames } from '../../store/checkout/sessionNames.ts'
import type { NewInvoice } from '../../store/invoice/creations.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** Invoices as returned by the API, with the URL of their checkout page. */

export type AnsweredInvoice = InvoiceJson & {
  readonly checkoutUrl: string
  readonly x402Url: string | null
}

/** A new invoice with its response and its event. */
export interface Composed extends NewInvoice {
  readonly invoiceJson: string
}

type Sources = Pick<ApiDependencies, 'config' | 'tokens'>

/** The Invoice object of a response. */
export async function answered(
  deps: Sources & Pick<ApiDependencies, 'checkout'>,
  rows: InvoiceRows,
  now: Date,
): Promise<AnsweredInvoice> {
  const names = await deps.checkout.names()
  const invoice = presentInvoice(rows, deps.config.registry, now)
  return { ...invoice, ...urlsOf(deps, names, rows.invoice, now) }
}

/** Composes the invoice of a draft, with its response and its event. Without an id, each call returns a new one. */
export function compose(
  deps: Sources,
  names: SessionNames,
  { merchantId, recipient: merchantRecipient }: Pick<KeyOwner, 'merchantId' | 'recipient'>,
  draft: InvoiceDraft,
  now: Date,
  id: InvoiceId = asInvoiceId(Bun.randomUUIDv7()),
): Composed {
  const { config } = deps
  const given = { id, reference: newReference(), merchantId, hub: config.hub }
  const invoice = newInvoice(draft, { ...given, now })
  const rows = { ...NOTHING_YET, invoice, merchantRecipient }
  const json = JSON.stringify(presentInvoice(rows, config.registry, now))
  const open = json.slice(0, -1)
  const urls = JSON.stringify(urlsOf(deps, names, invoice, now))
  return {
    invoice,
    metadataJson: draft.metadataJson,
    eventJson: `${open},"environment":"${config.environment}","version":${invoice.version}}`,
    invoiceJson: `${open},${urls.slice(1)}`,
  }
}

function urlsOf({ config, tokens }: Sources, names: SessionNames, invoice: Invoice, now: Date) {
  const { publicUrl } = config
  const id = names.ofInvoice(invoice.id)
  return {
    checkoutUrl: checkoutUrl(publicUrl, id),
    x402Url: x402UrlOf(invoice, tokens.chains(), { publicUrl, id, now }),
  }
}

const NOTHING_YET = { payments: [], settlements: [], refunds: [], externalRefunds: [] } as const
/** Enough bytes to almost always yield ten letters. */
const REFERENCE_BYTES = 20

function newReference(): string {
  for (;;) {
    const reference = formatReference(crypto.getRandomValues(new Uint8Array(REFERENCE_BYTES)))
    if (reference !== null) return reference
  }
}
