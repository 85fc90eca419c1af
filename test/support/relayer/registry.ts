import pino from 'pino'
import { type ContractFunctionArgs, encodeFunctionData } from 'viem'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { newestConfirmed } from '../../../core/chain/depth.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { InvoiceRows } from '../../../core/invoice/present.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import { openKinds } from '../../../store/chain/openKinds.ts'
import { readChainState, saveConfirmedTime } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { HubWatch } from '../../../workers/hub/watch.ts'
import { advanceDueInvoices } from '../../../workers/invoice/expiry.ts'
import { advanceX402 } from '../../../workers/ledger/x402Steps.ts'
import { followRecipients } from '../../../workers/merchant/recipients.ts'
import { followEntries } from '../../../workers/merchant/registry.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { type LedgerRig, ledgerRig } from '../invoice/ledger.ts'
import { type HubChain, workerConfig } from '../servers/chain.ts'
import { asWorker } from '../servers/database.ts'
import { openRelayer, type TestRelayer } from './relayers.ts'
import type { RelayerRig } from './rig.ts'
import { transact } from './transactions.ts'

/** A merchant whose treasury changes, on a chain whose hub has its owner wait for that. */

export interface RegistryScene extends LedgerRig {
  readonly database: Database
  readonly relayer: TestRelayer
  /** Says where the merchant's money goes from now on. */
  setRecipient(address: Address): Promise<void>
  /** An invoice of 10 USDC that was paid. */
  paid(): Promise<Invoice>
  read(invoice: Invoice): Promise<InvoiceRows>
  /** Turns relayer and leader and mines a block, so many times. */
  turn(times?: number): Promise<void>
  /** The same until something is so, for a minute at most. */
  until(isSo: () => Promise<boolean>): Promise<void>
  /** The work items of a kind, in order. */
  work(kind: string): Promise<readonly Work[]>
}

export interface Work {
  readonly state: string
  readonly hubWait: string | null
  readonly result: { readonly error?: string; readonly waits?: string } | null
  readonly payload: { readonly version?: number; readonly carried?: { readonly signature: Hex } }
}

const SILENT = pino({ level: 'silent' })
/** Payouts follow every payment. */
const VARIABLES = { X402_DISTRIBUTE_AFTER_S: '0', X402_FLUSH_MS: '0' }
const LIMIT_MS = 60_000

export async function registryScene(rig: RelayerRig): Promise<RegistryScene> {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const own = await ledgerRig(database, chain)
  const relayer = openRelayer(database, chain, {
    key: rig.ownKey(),
    isAdvancing: true,
    variables: VARIABLES,
  })
  const { config } = workerConfig(chain.variables(VARIABLES))
  const projection = { ...own.projection, config }
  const searches = new Searches(projection.client)
  // Looks at every turn.
  let now = 0
  const watch = new HubWatch(projection, SILENT, () => (now += 3_600_000))
  const { networkId, confirmations } = projection.client.chain

  async function turnOnce(): Promise<void> {
    await relayer.turn()
    await chain.mine()
    await own.follow()
    const head = (await readChainState(database, networkId))?.head ?? 0n
    await saveConfirmedTime(database, networkId, newestConfirmed(head, confirmations))
    await advanceDueInvoices(projection, new Date())
    await database`update registry_entry set look_at = now() where look_at is not null`
    await watch.turn(await readHead(projection.client.rpc))
    await followRecipients({ ...projection, database: asWorker(database) }, SILENT)
    await followEntries(projection, SILENT)
    searches.beginTurn()
    const open = await openKinds(projection.database, projection.client.chain.networkId)
    await advanceX402(projection, searches, open, SILENT)
  }

  return {
    ...own,
    projection,
    database,
    relayer,
    async setRecipient(address) {
      const changed = await setRecipient(database, config, own.merchantId, address)
      if (!changed.ok) throw new Error(changed.message)
    },
    async paid() {
      const invoice = await own.invoice()
      await chain.mint([{ to: invoice.depositAddress, amount: 10_000_000n }])
      await chain.mine(2)
      await own.follow()
      await database`update chain_state set healed_at = null`
      await own.heal()
      await own.follow()
      return invoice
    },
    async read(invoice) {
      const rows = await findInvoice(database, own.merchantId, invoice.id)
      if (!rows) throw new Error('there is no such invoice')
      return rows
    },
    async turn(times = 1) {
      for (let i = 0; i < times; i += 1) await turnOnce()
    },
    async until(isSo) {
      const end = performance.now() + LIMIT_MS
      while (!(await isSo())) {
        if (performance.now() > end) throw new Error('it did not come to that in time')
        await turnOnce()
      }
    },
    work: (kind) => database<Work[]>`
      select state, hub_wait, result, payload from work_item where kind = ${kind} order by id`,
  }
}

type OwnerCall = 'setDelays' | 'veto' | 'stop' | 'resume' | 'setMerchant'

/** Has the hub's owner, who has no delay of its own in tests, do something. */
export async function ownerCall<F extends OwnerCall>(
  chain: HubChain,
  functionName: F,
  args: ContractFunctionArgs<typeof HUB_ABI, 'nonpayable', F>,
): Promise<void> {
  const data = encodeFunctionData({ abi: HUB_ABI, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])
  const { status } = await transact(chain, chain.ownerKey, chain.hub, data, { isFirst: true })
  if (status !== 'success') throw new Error(`the owner's ${functionName} was refused`)
}

/** Lets so much of the chain's time pass, in s. */
export async function passTime(chain: HubChain, seconds: number): Promise<void> {
  await chain.node.rpc('evm_increaseTime', [seconds])
  await chain.mine()
}
