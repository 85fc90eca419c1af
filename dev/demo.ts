/**
 * `bun run demo`: one invoice on the running stack, from its creation to the settled payment. It is
 * paid in two parts and too much, and at the end every unit is counted.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  http,
  type PublicClient,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Description } from './description.ts'

const EXPECTED = '25'
const PARTS = ['10', '20']
const TIMEOUT_MS = 90_000
/** Slow enough for the default limit of 120 requests a minute. */
const POLL_MS = 250

interface InvoiceView {
  readonly id: string
  readonly reference: string
  readonly status: string
  readonly addresses: readonly { readonly networkId: string; readonly address: `0x${string}` }[]
  readonly recipient: { readonly address: `0x${string}` } | null
  readonly pendingAmount: string | null
  readonly receivedAmount: string
  readonly overpaidAmount: string
  readonly amountRemitted: string
  readonly platformFee: string
}

type Chain = Description['chains'][number]
type Balances = Readonly<Record<'merchant' | 'collector' | 'deposit', bigint>>

async function main(): Promise<void> {
  const stack = readDescription()
  const chain = stack.chains[0]
  if (!chain) throw new Error('the stack has no chain')
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  const invoice = await createInvoice(stack, chain)
  const deposit = invoice.addresses[0]?.address
  const merchant = invoice.recipient?.address
  if (!deposit || !merchant) throw new Error('the invoice lacks a deposit address or a recipient')
  const holders = { merchant, collector: stack.feeCollector, deposit }
  const before = await balances(client, chain, holders)
  say(`invoice ${invoice.reference} for ${EXPECTED} USDC on ${chain.networkId}: pay to ${deposit}`)

  const watch = follow(stack, invoice)
  for (const part of PARTS) {
    const block = await pay(stack, chain, client, deposit, part)
    watch.since(block)
    await watch.until((now) => (part === PARTS[0] ? now.status === 'partial' : isPaid(now)))
  }
  const last = await watch.until((now) => now.status === 'completed')
  const after = await balances(client, chain, holders)
  report(last, before, after)
}

function isPaid(invoice: InvoiceView): boolean {
  return invoice.status === 'paid' || invoice.status === 'completed'
}

function readDescription(): Description {
  const file = join(resolve(process.env.REMIT_HOME || '.remit'), 'dev.json')
  if (!existsSync(file)) {
    throw new Error(`there is no ${file}: start the stack with \`bun run dev\` first`)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function call(stack: Description, path: string, body?: unknown): Promise<InvoiceView> {
  const response = await fetch(stack.apiUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Service-Key': stack.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.status === 429) {
    await Bun.sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    return call(stack, path, body)
  }
  const answer = await response.json()
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.data
}

function createInvoice(stack: Description, chain: Chain): Promise<InvoiceView> {
  return call(stack, '/v1/invoices', {
    tokenSymbol: 'USDC',
    amountExpected: EXPECTED,
    chains: [chain.networkId],
    metadata: { demo: true },
  })
}

/** Sends tokens from the faucet and returns when their block was first seen, in ms of our clock. */
async function pay(
  stack: Description,
  chain: Chain,
  client: PublicClient,
  to: `0x${string}`,
  amount: string,
): Promise<number> {
  const token = chain.tokens.USDC
  if (!token) throw new Error(`${chain.networkId} has no USDC`)
  const account = privateKeyToAccount(stack.faucetPrivateKey)
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const hash = await wallet.writeContract({
    chain: null,
    address: token.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, parseUnits(amount, token.decimals)],
  })
  say(`paying ${amount} USDC: ${hash}`)
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 25 })
  if (receipt.status !== 'success') throw new Error(`the payment ${hash} was reverted`)
  return Date.now()
}

/** Polls the invoice and prints each state that it shows, with the seconds since the payment's block. */
function follow(stack: Description, invoice: InvoiceView) {
  let block = Date.now()
  let shown = ''
  let latest = invoice

  async function look(): Promise<void> {
    latest = await call(stack, `/v1/invoices/${invoice.id}`)
    const { status, pendingAmount, receivedAmount, overpaidAmount, amountRemitted } = latest
    const line = [
      status.padEnd(9),
      `pending ${pendingAmount ?? '-'}`,
      `received ${receivedAmount}`,
      `overpaid ${overpaidAmount}`,
      `remitted ${amountRemitted}`,
    ].join('  ')
    if (line === shown) return
    shown = line
    say(`+${((Date.now() - block) / 1000).toFixed(2)} s  ${line}`)
  }

  return {
    since(moment: number) {
      block = moment
    },
    async until(reached: (now: InvoiceView) => boolean): Promise<InvoiceView> {
      const end = Date.now() + TIMEOUT_MS
      for (;;) {
        await look()
        if (reached(latest)) return latest
        if (Date.now() > end) throw new Error(`nothing new for ${TIMEOUT_MS / 1000} s: ${shown}`)
        await Bun.sleep(POLL_MS)
      }
    },
  }
}

async function balances(
  client: PublicClient,
  chain: Chain,
  holders: Readonly<Record<keyof Balances, `0x${string}`>>,
): Promise<Balances> {
  const token = chain.tokens.USDC?.address
  if (!token) throw new Error(`${chain.networkId} has no USDC`)
  const read = (holder: `0x${string}`) =>
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    })
  const [merchant, collector, deposit] = await Promise.all([
    read(holders.merchant),
    read(holders.collector),
    read(holders.deposit),
  ])
  return { merchant, collector, deposit }
}

/** Compares what each account gained with what the invoice says, to the unit. */
function report(invoice: InvoiceView, before: Balances, after: Balances): void {
  const paid = PARTS.reduce((total, part) => total + parseUnits(part, 6), 0n)
  const fee = parseUnits(invoice.platformFee, 6)
  const expected: Balances = { merchant: paid - fee, collector: fee, deposit: 0n }
  const rows: [keyof Balances, bigint][] = [
    ['merchant', after.merchant - before.merchant],
    ['collector', after.collector - before.collector],
    ['deposit', after.deposit],
  ]
  let wrong = 0
  for (const [holder, actual] of rows) {
    const isRight = actual === expected[holder]
    if (!isRight) wrong += 1
    const verdict = isRight ? 'right' : `WRONG, expected ${formatUnits(expected[holder], 6)}`
    say(`${holder.padEnd(10)} ${formatUnits(actual, 6).padStart(12)} USDC  ${verdict}`)
  }
  const told: [string, string, string][] = [
    ['receivedAmount', invoice.receivedAmount, formatUnits(paid, 6)],
    ['overpaidAmount', invoice.overpaidAmount, formatUnits(paid - parseUnits(EXPECTED, 6), 6)],
    ['amountRemitted', invoice.amountRemitted, formatUnits(paid - fee, 6)],
  ]
  for (const [field, actual, right] of told) {
    if (actual === right) continue
    wrong += 1
    say(`${field} is ${actual}, expected ${right}`)
  }
  if (wrong > 0) throw new Error(`${wrong} figures are off`)
  say('every unit is accounted for')
}

function say(line: string): void {
  console.log(line)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
