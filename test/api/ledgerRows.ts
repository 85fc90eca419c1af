import type { InvoiceStatus, PaymentKind, PaymentStatus } from '../../core/invoice.ts'
import type { Database } from '../../store/database.ts'

/** Rows that the workers would write, put into the ledger by hand. */

export const PAYER = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'
const USDC = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

export interface PaymentInput {
  readonly amount: string
  readonly kind?: PaymentKind
  readonly status?: PaymentStatus
  readonly networkId?: string
  readonly token?: string
  readonly fee?: string
}

let logs = 0

/** Stores a payment and returns its transaction hash. */
export async function insertPayment(
  sql: Database,
  invoiceId: string,
  payment: PaymentInput,
): Promise<string> {
  const hash = randomHash()
  const status = payment.status ?? 'confirmed'
  await sql`
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind,
      status, block_number, block_hash, block_time, fee, created_at, confirmed_at)
    values (${Bun.randomUUIDv7()}, ${invoiceId}, ${payment.networkId ?? 'base-sepolia'}, ${hash},
      ${++logs}, ${payment.token ?? USDC}, ${PAYER}, ${payment.amount},
      ${payment.kind ?? 'counted'}, ${status}, 1234, ${randomHash()}, '2026-05-01T10:00:00Z',
      ${payment.fee ?? '0'}, '2026-05-01T10:00:02Z',
      ${status === 'confirmed' ? '2026-05-01T10:00:05Z' : null})`
  return hash
}

/** Stores a confirmed sweep and returns its transaction hash. */
export async function insertSettlement(
  sql: Database,
  invoiceId: string,
  amount: string,
  fee: string,
  recipient: string,
): Promise<string> {
  const hash = randomHash()
  await sql`
    insert into settlement (id, invoice_id, network_id, token, round, amount, fee, recipient,
      registry_version, status, tx_hash, block_number, block_hash, created_at, mined_at, confirmed_at)
    values (${Bun.randomUUIDv7()}, ${invoiceId}, 'base-sepolia', ${USDC}, 1, ${amount}, ${fee},
      ${recipient}, 1, 'confirmed', ${hash}, 1240, ${randomHash()}, '2026-05-01T10:00:06Z',
      '2026-05-01T10:00:08Z', '2026-05-01T10:00:10Z')`
  return hash
}

/** Brings an invoice into a state, as the ledger would after payments. */
export async function setStatus(
  sql: Database,
  invoiceId: string,
  status: InvoiceStatus,
): Promise<void> {
  const isPaid = status === 'paid' || status === 'completed'
  await sql`
    update invoice set status = ${status},
      paid_at = ${isPaid ? '2026-05-01T10:00:05Z' : null},
      completed_at = ${status === 'completed' ? '2026-05-01T10:00:10Z' : null}
    where id = ${invoiceId}`
}

function randomHash(): string {
  return `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`
}
