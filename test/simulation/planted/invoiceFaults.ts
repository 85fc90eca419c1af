// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is code of the product, as it stands there.
import type { Planted } from './edits.ts'

/** Faults in how invoices are paid and settled. */

const INVOICES: readonly Planted[] = [
  {
    name: 'the lock of an invoice dropped',
    file: 'store/invoice/locking.ts',
    find: 'select * from invoice where id = ${invoiceId} for update`',
    put: 'select * from invoice where id = ${invoiceId}`',
    also: [
      {
        file: 'store/schema/03_events.sql',
        find: 'create unique index outbox_order on outbox (object_id, version);',
        put: 'create index outbox_order on outbox (object_id, version);',
      },
    ],
  },
  {
    name: 'late payments count',
    file: 'core/invoice/state.ts',
    find: "return end !== null && transfer.blockTime > end ? 'late' : 'counted'",
    put: "return end === null ? 'late' : 'counted'",
  },
  {
    name: 'payments count after the end of an invoice by its merchant',
    file: 'core/invoice/state.ts',
    find: 'if (!expiresAt || !closedAt) return expiresAt ?? closedAt',
    put: 'if (expiresAt) return expiresAt',
  },
  {
    name: 'payments count before they are confirmed',
    file: 'core/invoice/state.ts',
    find: "const receivedAmount = total(counted.filter((p) => p.status === 'confirmed'))",
    put: 'const receivedAmount = total(counted)',
  },
  {
    name: 'an invoice that is asked for again is another one',
    file: 'store/invoice/creations.ts',
    find: 'on conflict (merchant_id, external_ref) do nothing',
    put: 'on conflict (merchant_id, external_ref) do update set version = invoice.version',
    occurrence: { number: 1, of: 2 },
  },
  {
    name: 'a payment in its last second is late',
    file: 'core/invoice/state.ts',
    find: 'transfer.blockTime > end',
    put: 'transfer.blockTime.getTime() + 2_000 > end.getTime()',
  },
  {
    name: 'a payment seen again is pending again',
    file: 'store/invoice/payments.ts',
    find: "if (known.status !== 'reverted' && known.blockHash === transfer.blockHash) return []",
    put: '',
  },
  {
    name: 'a transaction in another block counts again',
    file: 'store/invoice/payments.ts',
    find: '(block_hash <> ${transfer.blockHash} or log_index = ${transfer.logIndex})',
    put: '(block_hash = ${transfer.blockHash} and log_index = ${transfer.logIndex})',
  },
  {
    name: 'payments of replaced blocks never taken back',
    file: 'workers/invoice/projector.ts',
    find: 'if (shown !== undefined && shown !== payment.blockHash) gone.push(payment)',
    put: '',
  },
  {
    name: 'rows that the indexer writes late overlooked',
    file: 'workers/invoice/projector.ts',
    find: 'const window = projectedBlock - BigInt(finalityDepth)',
    put: 'const window = projectedBlock + BigInt(finalityDepth > 0 ? 1 : 0)',
  },
  {
    name: 'the fee charged again by each round',
    file: 'core/invoice/settlement.ts',
    find: 'invoice.platformFee - sum(activeSettlements(settlements).map((s) => s.fee)),',
    put: 'invoice.platformFee,',
    also: [
      {
        file: 'core/invoice/depositBooks.ts',
        find: 'chargeable: left ?? baseUnits(0n)',
        put: 'chargeable: left',
      },
    ],
  },
  {
    name: 'what refunds have taken swept as well',
    file: 'core/invoice/settlement.ts',
    find: 'const promised = sum(activeSettlements(sweeps).map((s) => s.amount)) + back',
    put: 'const promised = sum(activeSettlements(sweeps).map((s) => s.amount))',
  },
  {
    name: 'a sweep planned while another is on its way',
    file: 'core/invoice/settlement.ts',
    find: 'const promised = sum(activeSettlements(sweeps).map((s) => s.amount)) + back',
    put: "const promised = sum(sweeps.filter((s) => s.status === 'confirmed').map((s) => s.amount)) + back",
    also: [
      {
        file: 'core/invoice/settlement.ts',
        find: "if (balance.inFlight) return 'none'",
        put: '',
      },
    ],
  },
  {
    name: 'an event with the version of the one before it',
    file: 'store/invoice/events.ts',
    find: 'const version = before + index + 1',
    put: 'const version = before + index',
  },
  {
    name: 'no event when the status of an invoice changes',
    file: 'store/invoice/advance.ts',
    find: '...invoiceEvents(invoice, figures),',
    put: '',
  },
  {
    name: 'the fee counted as remitted',
    file: 'core/invoice/state.ts',
    find: 'amountRemitted: sum(confirmed.map((s) => s.amount - s.fee)),',
    put: 'amountRemitted: sum(confirmed.map((s) => s.amount)),',
  },
  {
    name: 'the address of an invoice not watched',
    file: 'store/invoice/creations.ts',
    find: "select deposit_address, 'deposit', merchant_id, id from created ) ${noting}",
    put: "select deposit_address, 'deposit', merchant_id, id from created where deposit_address < '0xd' ) ${noting}",
  },
]

/** Found by customers who sign. */
export const SIGNATURES: readonly Planted[] = [
  {
    name: 'the lock of an invoice dropped by a claim',
    file: 'store/x402/invoiceClaims.ts',
    find: 'select * from lock_invoice(${invoiceId})`',
    put: 'select * from invoice where id = ${invoiceId}`',
  },
  {
    name: 'what others have claimed of an invoice not counted by a claim',
    file: 'store/x402/invoiceClaims.ts',
    find: 'const problem = findSignatureProblem(invoice, others, authorization, now)',
    put: 'const problem = findSignatureProblem(invoice, 0n * others, authorization, now)',
  },
  {
    name: 'a claim for an invoice that its payer has promised to others',
    file: 'store/x402/invoiceClaims.ts',
    find: 'if (promised.amount + authorization.value > balance)',
    put: 'if (authorization.value > balance)',
  },
  {
    name: 'what is claimed for invoices not promised',
    file: 'store/x402/promises.ts',
    find: "from ${openByBlock(sql, 'invoice_authorization', sql`b`)} i",
    put: "from ${openByBlock(sql, 'invoice_authorization', sql`b`)} i where false",
  },
  {
    name: 'a signature withdrawn that is signed for',
    file: 'store/migrations/0390_withdraw_what_was_compared.sql',
    find: "or item.carried_by is not null or item.state = 'assigned' then return false",
    put: 'then return false',
  },
  {
    name: 'a signature that others carried out in a block that is gone stays settled',
    file: 'store/x402/byOthers.ts',
    find: 'select r.id, r.block_hash, true, b.hash <> r.block_hash',
    put: 'select r.id, r.block_hash, true, false',
  },
  {
    name: 'every payment shown as a transfer',
    file: 'store/invoice/rows.ts',
    find: "order by a.status = 'pending', a.log_index <> p.log_index limit 1), 'transfer')",
    put: "order by a.status = 'pending', a.log_index <> p.log_index limit 0), 'transfer')",
  },
]

/** What a hostile audit of chains once found. */
const CHAINS: readonly Planted[] = [
  {
    name: 'a payment read from its receipt, however large',
    file: 'workers/invoice/shownPayments.ts',
    find: 'if (found !== undefined && found.amount > 0n) {',
    put: 'if (found !== undefined && found.amount < 0n) {',
  },
  {
    name: 'a block read again for each of its payments',
    file: 'workers/invoice/shownPayments.ts',
    find: 'this.transfers.set(blockHash, known)',
    put: '',
  },
  {
    name: 'pending without a hash',
    file: 'api/x402/waiting.ts',
    find: "if (transaction !== null || begun.signal.aborted) return { type: 'pending', transaction }",
    put: "if (begun.deadline > 0) return { type: 'pending', transaction }",
  },
]

export const INVOICE_FAULTS = [...CHAINS, ...SIGNATURES, ...INVOICES]
