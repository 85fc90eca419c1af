import type postgres from 'postgres'
import { type Hex, type Log, parseEventLogs, toEventSelector } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { numberIn, type SimulatedChain, textIn } from './chain.ts'
import type { Kernel } from './kernel.ts'

/** Stands in for Ponder: writes what it would write, block by block, and takes back what was reorganised. */

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')

export class Indexer {
  /** The blocks that it has written, by number. */
  private readonly hashes = new Map<number, Hex>()
  private reached = 0

  constructor(
    private readonly chain: SimulatedChain,
    private readonly kernel: Kernel,
    private readonly sql: postgres.Sql,
    private readonly tokens: readonly string[],
  ) {}

  /** Writes at most so many blocks more. */
  async turn(most: number): Promise<void> {
    const { number: head } = await this.chain.head()
    const forked = await this.firstReplaced()
    if (forked !== null) {
      this.kernel.note(`the indexer takes back blocks from ${forked}`)
      await this.sql`
        with transfers as (delete from indexed.transfer where block_number >= ${forked}),
          events as (delete from indexed.hub_event where block_number >= ${forked})
        delete from indexed.forwarder where block_number >= ${forked}`
      for (const number of [...this.hashes.keys()]) if (number >= forked) this.hashes.delete(number)
      this.reached = forked - 1
    }
    const last = Math.min(head, this.reached + most)
    if (last <= this.reached) return
    const rows: Row[] = []
    for (let number = this.reached + 1; number <= last; number += 1) {
      rows.push(...(await this.rowsOf(number)))
    }
    this.reached = last
    await this.write(rows)
  }

  private async firstReplaced(): Promise<number | null> {
    let first: number | null = null
    for (let number = this.reached; number > 0; number -= 1) {
      const known = this.hashes.get(number)
      if (known === undefined) break
      const block = await this.block(number)
      if (block !== null && textIn(block, 'hash') === known) break
      first = number
    }
    return first
  }

  private async block(number: number): Promise<unknown> {
    const tag = `0x${number.toString(16)}`
    return (await this.chain.ask({ method: 'eth_getBlockByNumber', params: [tag, false] })).result
  }

  private async rowsOf(number: number): Promise<Row[]> {
    const { chain } = this
    const { node, hub } = chain.hub
    const block = await this.block(number)
    const blockHash = textIn(block, 'hash')
    this.hashes.set(number, blockHash)
    const filter = { blockHash, address: [...this.tokens, hub] }
    const { result } = await chain.ask({ method: 'eth_getLogs', params: [filter] })
    return (Array.isArray(result) ? result : []).flatMap((log): Row[] => {
      const row = rowOf(log, hub)
      if (row === null) return []
      const at = {
        ...{ chain_id: node.chainId, block_hash: blockHash, block_number: number },
        block_timestamp: numberIn(block, 'timestamp'),
        log_index: numberIn(log, 'logIndex'),
        tx_hash: textIn(log, 'transactionHash'),
      }
      return [{ table: row.table, values: { ...at, ...row.values } }]
    })
  }

  /** Readers see all blocks of a turn at once. */
  private async write(rows: readonly Row[]): Promise<void> {
    const { sql, reached } = this
    const { chainId } = this.chain.hub.node
    const of = (table: string) =>
      JSON.stringify(rows.filter((row) => row.table === table).map(({ values }) => values))
    const checkpoint = `${'0'.repeat(26)}${String(reached).padStart(16, '0')}${'0'.repeat(33)}`
    await sql`
      with transfers as (
        insert into indexed.transfer
        select * from json_populate_recordset(null::indexed.transfer, ${of('transfer')}::text::json)
      ), events as (
        insert into indexed.hub_event
        select * from json_populate_recordset(null::indexed.hub_event, ${of('hub_event')}::text::json)
      ), forwarders as (
        insert into indexed.forwarder
        select * from json_populate_recordset(null::indexed.forwarder, ${of('forwarder')}::text::json)
      )
      insert into indexed._ponder_checkpoint values ('chain', ${chainId}, ${checkpoint})
      on conflict (chain_name) do update set latest_checkpoint = excluded.latest_checkpoint`
  }
}

interface Row {
  readonly table: string
  readonly values: Readonly<Record<string, string | number | null>>
}

/** The row that the indexer's handlers make of a log, or null. */
function rowOf(log: unknown, hub: string): Row | null {
  const topics: unknown = Object(log).topics
  const [first, ...rest] = (Array.isArray(topics) ? topics : []).map(
    (topic): Hex => `0x${String(topic).slice(2)}`,
  )
  const [address, data] = [textIn(log, 'address').toLowerCase(), textIn(log, 'data')]
  const addressAt = (i: number) => `0x${(rest[i] ?? '').slice(26)}`
  if (first === undefined) return null
  if (address !== hub.toLowerCase()) {
    if (first === TRANSFER) {
      const values = {
        token: address,
        from: addressAt(0),
        to: addressAt(1),
        amount: BigInt(data).toString(),
      }
      return { table: 'transfer', values }
    }
    if (first !== USED) return null
    const values = {
      kind: 'authorization_used',
      account: addressAt(0),
      token: address,
      reference: rest[1] ?? '',
    }
    return { table: 'hub_event', values }
  }
  const [decoded] = parseEventLogs({
    abi: HUB_ABI,
    logs: [logIn(log, [first, ...rest], data)],
    strict: false,
  })
  if (decoded === undefined) return null
  const { eventName, args } = decoded
  const given: Record<string, unknown> = { ...Object(args) }
  const text = (name: string) => String(given[name]).toLowerCase()
  const merchant = () => bytes16ToUuid(textIn(given, 'merchantId'))
  switch (eventName) {
    case 'ForwarderDeployed':
      return { table: 'forwarder', values: { address: text('forwarder') } }
    case 'Swept':
      return event('swept', {
        account: text('deposit'),
        token: text('token'),
        amount: text('remitted'),
        fee: text('fee'),
      })
    case 'FeeOwed':
      return event('fee_owed', {
        account: text('deposit'),
        token: text('token'),
        amount: text('amount'),
      })
    case 'Distributed':
      return event('distributed', {
        ...{ merchant_id: merchant(), token: text('token'), receiver: text('treasury') },
        ...{ amount: text('remitted'), fee: text('fee') },
      })
    case 'Refunded':
      return event('refunded', {
        ...{ account: text('source'), token: text('token'), receiver: text('to') },
        ...{ amount: text('amount'), reference: text('refundId') },
      })
    case 'MerchantConfigured':
      return event('merchant_configured', {
        merchant_id: merchant(),
        receiver: text('treasury'),
        reference: text('version'),
      })
    default:
      return null
  }
}

function event(kind: string, values: Record<string, string>): Row {
  return { table: 'hub_event', values: { kind, ...values } }
}

/** As much of a log as its event is read from. */
function logIn(log: unknown, topics: [Hex, ...Hex[]], data: Hex): Log {
  return {
    ...{
      address: textIn(log, 'address'),
      topics,
      data,
      logIndex: numberIn(log, 'logIndex'),
      removed: false,
    },
    ...{ blockHash: null, blockNumber: null, transactionHash: null, transactionIndex: null },
  }
}
