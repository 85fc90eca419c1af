import { expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { lockQueued } from '../../../store/relayer/workItems.ts'
import { advanceItems } from '../../../workers/relayer/transition.ts'
import { x402Kind } from '../../../workers/x402/payments.ts'
import { forThisFile } from '../../support/store/database.ts'
import { storeInvoice, storeMerchant } from '../../support/store/invoice.ts'
import {
  anInvoiceClaim,
  authorizationRow,
  claimedInvoice,
} from '../../support/store/invoiceClaims.ts'
import { place } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

test('no step of an authorization has its relayer lock the invoice, which others lock first', async () => {
  const { id: invoiceId } = await storeInvoice(sql, await storeMerchant(sql))
  const id = await claimedInvoice(sql, anInvoiceClaim(invoiceId))
  const { itemId } = await authorizationRow(sql, id)
  const at = place(10n)
  const context = { config: { registry: [] } }
  await sql.begin(async (to) => {
    const items = await lockQueued(to, [itemId])
    const done = items.map((item) => ({ item, logIndex: at.logIndex }))
    expect(await advanceItems(context, to, x402Kind, 'mined', done, at)).toEqual([])
    expect(await authorizationRow(to, id)).toMatchObject({ status: 'settled', state: 'settled' })
    expect(await advanceItems(context, to, x402Kind, 'confirmed', done)).toEqual([])
    expect(await advanceItems(context, to, x402Kind, 'reopened', done)).toEqual([])
    expect(await authorizationRow(to, id)).toMatchObject({ status: 'pending', confirmedAt: null })
  })
})
