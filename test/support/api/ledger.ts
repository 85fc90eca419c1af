import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { chainsOf, tokenOn } from '../../../core/chain/registry.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { classifyPayment } from '../../../core/invoice/state.ts'
import { advanceInvoice, advanceLocked } from '../../../store/invoice/advance.ts'
import { lockInvoiceRows } from '../../../store/invoice/locking.ts'
import {
  type InvoiceTransfer,
  recordTransfer,
  setConfirmed,
  setReverted,
  withChanges,
} from '../../../store/invoice/payments.ts'
import { SWEEPS } from '../../../store/invoice/sweeps.ts'
import { pendingPayments } from '../../../store/invoice/undecided.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { lockInvoice } from '../store/invoice.ts'
import type { ApiRig } from './rig.ts'

/** What the chain's actors would write for an invoice, without a chain. */

export const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
export const HEAD = 1_000n

/** Says that both chains of the rig have been followed up to a head that confirms everything. */
export async function followChains(rig: ApiRig): Promise<void> {
  for (const { networkId, chainId } of rig.config.chains) {
    await rig.database`
      insert into chain_state (network_id, chain_id, genesis_hash, head, projected_block, head_seen_at)
      values (${networkId}, ${chainId}, ${randomHash()}, ${HEAD}, ${HEAD}, now())
      on conflict (network_id) do nothing`
  }
}

/** A transfer of base units to the invoice's address is seen; the test says what differs. */
export async function pay(
  rig: ApiRig,
  invoice: Pick<InvoiceJson, 'id'>,
  amount: bigint,
  change: Partial<InvoiceTransfer> = {},
): Promise<InvoiceTransfer> {
  const networkId = change.networkId ?? 'base-sepolia'
  return rig.database.begin(async (sql) => {
    const locked = await lockInvoice(sql, invoice.id)
    const chain = chainsOf('sandbox').find((candidate) => candidate.networkId === networkId)
    if (!locked || !chain) throw new Error('there is no such invoice or chain')
    const token = tokenOn(chain, locked.invoice.tokenSymbol)?.address
    if (!token) throw new Error('the chain lacks the token')
    const transfer: InvoiceTransfer = {
      invoiceId: locked.invoice.id,
      networkId,
      txHash: randomHash(),
      logIndex: 4,
      token,
      sender: PAYER,
      amount: baseUnits(amount),
      blockNumber: 100n,
      blockHash: randomHash(),
      blockTime: new Date(),
      ...change,
    }
    const kind = classifyPayment(locked.invoice, token, transfer)
    const changes = await recordTransfer(sql, transfer, kind)
    await advanceLocked(sql, rig.config, [{ invoice: locked.invoice, changes }], new Date())
    return transfer
  })
}

/** All pending payments of the invoice reach their chain's depth. */
export async function confirm(rig: ApiRig, invoice: Pick<InvoiceJson, 'id'>): Promise<void> {
  await rig.database.begin(async (sql) => {
    for (const { networkId } of rig.config.chains) {
      const pending = await pendingPayments(sql, networkId, HEAD, [], 1_000)
      for (const payment of pending.filter(({ invoiceId }) => invoiceId === invoice.id)) {
        const own = await lockInvoiceRows(sql, [payment.invoiceId])
        const changes = await setConfirmed(sql, [payment], new Date())
        await advanceLocked(sql, rig.config, withChanges(own, changes), new Date())
      }
    }
  })
}

/** A reorganisation takes the invoice's payments away. */
export async function revert(rig: ApiRig, invoice: Pick<InvoiceJson, 'id'>): Promise<void> {
  await rig.database.begin(async (sql) => {
    const locked = await lockInvoice(sql, invoice.id)
    for (const payment of locked?.payments ?? []) {
      const own = await lockInvoiceRows(sql, [payment.invoiceId])
      const changes = await setReverted(sql, [payment], new Date())
      await advanceLocked(sql, rig.config, withChanges(own, changes), new Date())
    }
  })
}

/** The invoice's open sweeps are mined and confirmed. Returns the hash of their transaction. */
export async function settle(rig: ApiRig, invoice: Pick<InvoiceJson, 'id'>): Promise<string> {
  const txHash = randomHash()
  await rig.database.begin(async (sql) => {
    const locked = await lockInvoice(sql, invoice.id)
    const open = (locked?.settlements ?? []).filter(({ status }) => status === 'open')
    const at = { txHash, block: 200n, blockHash: randomHash() }
    await advance(sql, SWEEPS, 'mined', open, at)
    await advance(sql, SWEEPS, 'confirmed', open)
    await advanceInvoice(sql, rig.config, invoice.id, new Date())
  })
  return txHash
}

export async function read(rig: ApiRig, invoice: Pick<InvoiceJson, 'id'>): Promise<InvoiceJson> {
  const answer = await rig.call('GET', `/v1/invoices/${invoice.id}`)
  if (answer.status !== 200) throw new Error(`reading answered ${answer.text}`)
  return answer.json.data
}

/** An invoice of 10 USDC that one payment of this many base units has reached and confirmed. */
export async function paidInvoice(rig: ApiRig, amount = 10_000_000n): Promise<InvoiceJson> {
  const invoice = await rig.create()
  await pay(rig, invoice, amount)
  await confirm(rig, invoice)
  return read(rig, invoice)
}

export function randomHash(): `0x${string}` {
  return `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`
}
