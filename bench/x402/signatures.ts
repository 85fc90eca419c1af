import { encodeFunctionData, erc20Abi } from 'viem'
import { authorizationsIn } from '../../chain/x402/settlement.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex, hexField } from '../../dev/servers/rpc.ts'
import { eventually } from '../../test/support/servers/devStack.ts'
import { hex } from '../../test/support/x402/payer.ts'
import { ms, percentile, type Report } from '../report.ts'
import { type InvoiceStage, type SignedInvoice, startInvoices } from './invoiceStage.ts'
import { elements, member } from './json.ts'

/** Invoices that are paid by signature: the gas of a payment, and what strangers' signatures cost. */

const BLOCKS_MS = 1000
const AMOUNT = '1'
const UNITS = 1_000_000n
const FUNDS = 1_000n * UNITS
const NETWORK = 'base-sepolia'

const BATCHES = [1, 20]

/** Gas by payment, beside a payer's own transfer; both are swept alike. */
export async function measureSignatureGas(report: Report): Promise<void> {
  const rows: string[][] = []
  for (const batch of BATCHES) rows.push(...(await gasOf(batch)))
  report.table(
    'Invoices by signature: gas',
    "Payers sign a payment to the invoice's deposit address (EIP-3009), and a relayer submits a batch of them in one transaction; beside it the payers' own transfers to deposits as new. The sweeps deploy the deposits. Gas of whole transactions, by the payments in them. Two new slots of the token's storage, for the deposit's balance and for the authorization, take 44,200 of each payment by signature.",
    [['invoices', 'paid by', 'transactions', 'gas per payment', 'gas per sweep', 'both'], ...rows],
  )
}

async function gasOf(batch: number): Promise<string[][]> {
  const stage = await startInvoices(BLOCKS_MS)
  try {
    const payers = await stage.newPayers(batch, FUNDS)
    const payments = await Promise.all(payers.map((payer) => stage.newPayment(AMOUNT, payer)))
    const answers = payments.map((payment) => stage.pay(payment))
    // All wait before there is a worker, so that they share a transaction.
    await eventually(
      () => stage.database`select from invoice_authorization`,
      ({ length }) => length === batch,
    )
    await stage.startWorker()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    if (statuses.some((status) => status !== 200)) throw new Error(`answered ${statuses}`)
    const hashes = await stage.database<{ txHash: string; invoiceId: string }[]>`
      select tx_hash, invoice_id from invoice_authorization`
    const settled = await gasSpent(stage, hashes)
    const sent = await transfer(stage, batch)
    const transferred = await gasSpent(stage, sent)
    const swept = await sweep(stage, [...hashes, ...sent])
    const row = (name: string, { gas, count }: Spent) => [
      ...[String(batch), name, String(count)],
      ...[gas / BigInt(batch), swept, gas / BigInt(batch) + swept].map((n) =>
        n.toLocaleString('en'),
      ),
    ]
    return [row('signature', settled), row('transfer', transferred)]
  } finally {
    await stage.stop()
  }
}

interface Spent {
  readonly gas: bigint
  readonly count: number
}

async function gasSpent(
  { chain }: InvoiceStage,
  rows: readonly { readonly txHash: string }[],
): Promise<Spent> {
  const hashes = [...new Set(rows.map(({ txHash }) => txHash))]
  let gas = 0n
  for (const hash of hashes) {
    gas += (await chain.client.getTransactionReceipt({ hash: hex(hash) })).gasUsed
  }
  return { gas, count: hashes.length }
}

/** The payers' own transfers, each to the deposit of another invoice. */
async function transfer(stage: InvoiceStage, count: number) {
  const { chain } = stage
  const [payer] = await stage.newPayers(1, FUNDS)
  if (payer === undefined) throw new Error('there is no payer')
  await chain.node.rpc('anvil_impersonateAccount', [payer.address])
  await chain.node.rpc('anvil_setBalance', [payer.address, `0x${(10n ** 18n).toString(16)}`])
  const sent: { txHash: string; invoiceId: string }[] = []
  for (let i = 0; i < count; i += 1) {
    const invoice = await stage.newInvoice(AMOUNT)
    const to = hex(invoice.addresses[0]?.address ?? '')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, UNITS] })
    const call = { from: payer.address, to: chain.usdc.address, data }
    const hash = asHex(String(await chain.node.rpc('eth_sendTransaction', [call])))
    await chain.client.waitForTransactionReceipt({ hash: hex(hash), pollingInterval: 100 })
    sent.push({ txHash: hash, invoiceId: invoice.id })
  }
  return sent
}

/** Submits the transactions, as no indexer runs here, and waits for the sweeps. Gas per sweep. */
async function sweep(
  stage: InvoiceStage,
  paid: readonly { readonly txHash: string; readonly invoiceId: string }[],
): Promise<bigint> {
  for (const { invoiceId, txHash } of paid) {
    const response = await stage.fetch(`/v1/invoices/${invoiceId}/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ networkId: NETWORK, txHash }),
    })
    if (!response.ok) throw new Error(`the transaction answered ${await response.text()}`)
  }
  const hashes = await eventually(
    () => stage.database<{ txHash: string }[]>`
      select tx_hash from settlement where tx_hash is not null`,
    ({ length }) => length === paid.length,
    120_000,
  )
  return (await gasSpent(stage, hashes)).gas / BigInt(paid.length)
}

const CALLERS = 16
const STRANGERS_PER_SECOND = 500

/** Honest payers, alone and beside 500 worthless signatures a second. */
export async function measureStrangers(report: Report, quick: boolean): Promise<void> {
  const seconds = quick ? 8 : 30
  const stage = await startInvoices(BLOCKS_MS)
  try {
    await stage.startWorker()
    const scenes = [
      { title: 'quiet', perSecond: 0 },
      { title: `${STRANGERS_PER_SECOND} strangers a second`, perSecond: STRANGERS_PER_SECOND },
      { title: 'quiet again', perSecond: 0 },
    ]
    const rows: string[][] = []
    for (const { title, perSecond } of scenes) {
      rows.push([title, ...(await measureScene(stage, perSecond, seconds))])
    }
    report.table(
      "Invoices by signature: strangers' signatures",
      `${CALLERS} payers pay one invoice after the other for ${seconds} s at blocks of 1 s. Strangers, each from an address of its own, send right signatures of empty accounts, payments that were made before, payments of other invoices, and payments to ids that no session has. Their gas is that of the relayers' transactions with a payer who isn't honest.`,
      [['', 'paid', 'failures', 'p50', 'p99', 'strangers', 'accepted', 'their gas'], ...rows],
    )
  } finally {
    await stage.stop()
  }
}

async function measureScene(
  stage: InvoiceStage,
  perSecond: number,
  seconds: number,
): Promise<string[]> {
  const payers = await stage.newPayers(CALLERS, FUNDS)
  // At blocks of one second, a payer makes at most about one payment in each.
  const queues = await Promise.all(
    payers.map(async (payer) => {
      const queue: SignedInvoice[] = []
      for (let i = 0; i < seconds; i += 1) queue.push(await stage.newPayment(AMOUNT, payer))
      return queue
    }),
  )
  const attacks = perSecond === 0 ? [] : await attacksOf(stage)
  const first = await stage.chain.client.getBlockNumber()
  const end = performance.now() + seconds * 1_000
  const took: number[] = []
  let failures = 0
  const callers = queues.map(async (queue) => {
    for (const payment of queue) {
      if (performance.now() > end) break
      const start = performance.now()
      const { status } = await stage.pay(payment)
      if (status === 200) took.push(performance.now() - start)
      else failures += 1
    }
  })
  const tried = attack(stage, attacks, perSecond, end)
  await Promise.all(callers)
  const { sent, accepted } = await tried
  const honest = new Set(payers.map(({ address }) => lowerCaseAddress(address)))
  const gas = await gasOfOthers(stage, honest, first)
  if (accepted > 0 || gas > 0n) throw new Error(`${accepted} were accepted, for ${gas} gas`)
  return [
    ...[
      String(took.length),
      String(failures),
      ms(percentile(took, 0.5)),
      ms(percentile(took, 0.99)),
    ],
    ...[String(sent), String(accepted), gas.toLocaleString('en')],
  ]
}

type Attack = Pick<SignedInvoice, 'url' | 'header'> & { readonly isReplay: boolean }

/** A few of each sort, which are sent again and again. */
async function attacksOf(stage: InvoiceStage): Promise<readonly Attack[]> {
  const each = 25
  const empty = await stage.newPayers(each, 0n)
  const rich = await stage.newPayers(each, FUNDS)
  const attacks: Attack[] = []
  for (let i = 0; i < each; i += 1) {
    const [poor, payer] = [empty[i], rich[i]]
    if (poor === undefined || payer === undefined) break
    const unfunded = await stage.newPayment(AMOUNT, poor)
    const made = await stage.newPayment(AMOUNT, payer)
    if ((await stage.pay(made)).status !== 200) throw new Error('a payment to repeat failed')
    const other = await stage.newPayment(AMOUNT, payer)
    const nowhere = made.url.replace(/[^/]*$/, `cs_${'A'.repeat(22)}`)
    attacks.push(
      { ...unfunded, isReplay: false },
      { ...made, isReplay: true },
      // Right for another invoice only.
      { url: other.url, header: made.header, isReplay: false },
      { url: nowhere, header: other.header, isReplay: false },
    )
  }
  return attacks
}

async function attack(
  stage: InvoiceStage,
  attacks: readonly Attack[],
  perSecond: number,
  end: number,
): Promise<{ readonly sent: number; readonly accepted: number }> {
  const start = performance.now()
  const all: Promise<number>[] = []
  while (attacks.length > 0 && performance.now() < end) {
    const due = Math.floor(((performance.now() - start) / 1_000) * perSecond)
    while (all.length < due) {
      const one = attacks[all.length % attacks.length]
      if (one === undefined) break
      const client = `10.${all.length >> 16}.${(all.length >> 8) & 255}.${all.length & 255}`
      // A repeated payment gets its receipt again, which takes nothing.
      const isWrong = ({ status }: Response) => (status === 200 && !one.isReplay ? 1 : 0)
      all.push(stage.pay(one, client).then(isWrong))
    }
    await Bun.sleep(5)
  }
  const accepted = (await Promise.all(all)).reduce((total, one) => total + one, 0)
  return { sent: all.length, accepted }
}

/** The gas of the relayers' transactions since a block that carry a payment of anyone else. */
async function gasOfOthers(
  { chain, senders }: InvoiceStage,
  honest: ReadonlySet<Address>,
  fromBlock: bigint,
): Promise<bigint> {
  let gas = 0n
  const head = await chain.client.getBlockNumber()
  for (let number = fromBlock + 1n; number <= head; number += 1n) {
    const block = await chain.node.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    for (const transaction of elements(member(block, 'transactions'))) {
      const sender = lowerCaseAddress(hexField(transaction, 'from'))
      const input = asHex(hexField(transaction, 'input'))
      if (!senders.includes(sender) || input === '0x') continue
      const target = lowerCaseAddress(hexField(transaction, 'to'))
      const carried = authorizationsIn(target, input)
      if (carried.every(({ payer }) => honest.has(payer))) continue
      const receipt = await chain.node.rpc('eth_getTransactionReceipt', [
        hexField(transaction, 'hash'),
      ])
      gas += BigInt(hexField(receipt, 'gasUsed'))
    }
  }
  return gas
}
