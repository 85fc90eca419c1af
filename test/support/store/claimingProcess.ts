import { asInvoiceId } from '../../../core/base/ids.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { anInvoiceClaim, claimInvoice } from './invoiceClaims.ts'

/** A process that claims invoices of one merchant at once, and writes how many of them were claimed. */

const [url = '', budget = '0', ...ids] = Bun.argv.slice(2)
const database = openDatabase(url, { name: 'claiming' })
const results = await Promise.all(
  ids.map((id) =>
    claimInvoice(database, anInvoiceClaim(asInvoiceId(id)), { gasPerMerchant: BigInt(budget) }),
  ),
)
console.log(results.filter(({ type }) => type === 'claimed').length)
await database.end({ timeout: 1 })
