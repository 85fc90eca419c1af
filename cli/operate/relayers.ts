import { formatEther } from 'viem'
import { settledNonce } from '../../chain/blocks/accounts.ts'
import { readHub } from '../../chain/hub/contract.ts'
import { operatorCall, readHubState } from '../../chain/hub/setup.ts'
import { type Address, checksumAddress, parseAddress } from '../../core/chain/evm.ts'
import { hoursLeft } from '../../core/chain/gasShares.ts'
import { openTransactions } from '../../store/books/operators.ts'
import { readGasPaces } from '../../store/relayer/gas.ts'
import {
  changeKeyStatus,
  type RelayerKey,
  type Revival,
  reactivateKey,
  readRelayerKeys,
} from '../../store/relayer/keys.ts'
import { carryOut, stepText } from '../hub/owner.ts'
import { hubSite, setupOf } from '../hub/settings.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { required } from '../terminal/options.ts'
import { columns, orDash, table } from '../terminal/output.ts'

/** Relayers: their state and balance, adding and draining. */

const CHAIN = { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true }
const ACCOUNT = { value: 'ADDRESS', about: "The relayer's account", required: true }

const relayerList: CommandSpec = {
  words: ['relayer', 'list'],
  about: 'List the relayers that workers have used, with their state and balance.',
  details:
    'HOURS is how long the balance lasts at the rate of the last six hours, or of the last day if that is higher.',
  options: { chain: { value: 'ID', about: 'Only this chain' } },
  examples: ['relayer list', 'relayer list --chain base-sepolia --json'],
  async run(input) {
    return await withLedger(input, async (database) => {
      const chain = input.values.get('chain') ?? null
      const [keys, open, paces] = await Promise.all([
        readRelayerKeys(database, chain),
        openTransactions(database),
        readGasPaces(database, new Date()),
      ])
      const openOf = (key: RelayerKey) => open.get(`${key.networkId} ${key.address}`) ?? 0
      const hoursOf = ({ networkId, address, balance }: RelayerKey) => {
        const pace = paces.find((one) => one.networkId === networkId && one.address === address)
        return pace === undefined || balance === null ? null : hoursLeft(balance, pace)
      }
      const text = table(
        keys,
        [
          { title: 'CHAIN', cell: (key) => key.networkId },
          { title: 'ADDRESS', cell: (key) => checksumAddress(key.address) },
          { title: 'STATUS', cell: (key) => key.status },
          { title: 'USED BY', cell: (key) => (key.isLeased ? orDash(key.leaseOwner) : '-') },
          { title: 'NEXT NONCE', cell: (key) => key.nextNonce.toString(), isFigure: true },
          { title: 'OPEN', cell: (key) => openOf(key).toString(), isFigure: true },
          { title: 'BALANCE', cell: balanceText, isFigure: true },
          { title: 'HOURS', cell: (key) => hoursOf(key)?.toFixed(0) ?? '-', isFigure: true },
          { title: 'NOTE', cell: (key) => orDash(key.note) },
        ],
        chain === null
          ? 'No relayer has been used yet: workers load the keys of RELAYER_KEYS_<CHAIN> when they start.'
          : `No relayer has been used on ${chain} yet.`,
      )
      const json = keys.map((key) => ({
        ...key,
        address: checksumAddress(key.address),
        openTransactions: openOf(key),
        hoursLeft: hoursOf(key),
      }))
      return { json, text }
    })
  },
}

const relayerAdd: CommandSpec = {
  words: ['relayer', 'add'],
  about: 'Add a relayer: make the account an operator of the hub, and end its draining.',
  details: `With HUB_OWNER_KEY the owner's transaction is sent; without it, the call is printed for the owner's
wallet. Then add the account's private key to RELAYER_KEYS_<CHAIN> of a worker, and fund the account.`,
  options: { chain: CHAIN, address: ACCOUNT },
  examples: [
    'relayer add --chain base-sepolia --address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  async run(input) {
    const address = accountOption(input)
    const site = await hubSite(input)
    const { config, query, predicted } = site
    refuseOtherRoles(address, config.roles)
    const hub = config.hub ?? predicted
    const reading = await query(({ rpc }) => readHub(rpc, hub))
    const { networkId, symbol } = config.chain
    if (reading.type !== 'hub') {
      throw new CommandError([
        `there is no hub at ${hub} on ${networkId}: run \`bun run remit hub deploy --chain ${networkId}\` first`,
      ])
    }
    const wanted = { ...setupOf(config), operators: [address] }
    const state = await query(({ rpc }) => readHubState(rpc, hub, reading.roles, wanted))
    const ownership = { hub, owner: reading.roles.owner, delay: state.delays.owner }
    const missing = state.operators.has(address) ? [] : [operatorCall(hub, address, true)]
    const [step] = await carryOut(site, ownership, missing, input)
    const balance = await query(({ rpc }) => rpc.getBalance({ address }))
    const resumed = input.variables.DATABASE_URL
      ? await withLedger(input, (database) =>
          changeKeyStatus(database, { networkId, address }, ['draining'], 'active', null),
        )
      : false
    const text = columns([
      ['relayer', `${checksumAddress(address)} on ${networkId}`],
      ['operator', step === undefined ? 'is an operator' : stepText(step)],
      ['balance', `${formatEther(balance)} ${symbol}${balance === 0n ? ': fund it' : ''}`],
      ...(resumed ? [['draining', 'ended; workers use it again'] as const] : []),
    ])
    return {
      json: {
        networkId,
        hub: checksumAddress(hub),
        address: checksumAddress(address),
        balance,
        resumed,
        isOperator: step === undefined || step.state === 'done',
        step: step ?? null,
      },
      text,
    }
  },
}

const relayerDrain: CommandSpec = {
  words: ['relayer', 'drain'],
  about:
    'Drain a relayer: it gets no new work, and can be removed once its last transaction is done.',
  details: `Transactions in flight are completed. When \`relayer list\` shows no open transaction for the relayer, remove its
key from RELAYER_KEYS_<CHAIN>, and have the hub's owner send the printed call. \`relayer add\` reverses this.`,
  options: { chain: CHAIN, address: ACCOUNT },
  examples: [
    'relayer drain --chain base-sepolia --address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  async run(input) {
    const address = accountOption(input)
    const networkId = required(input, 'chain')
    return await withLedger(input, async (database) => {
      const known = await readRelayerKeys(database, networkId)
      const key = known.find((entry) => entry.address === address)
      if (!key) {
        throw new CommandError([
          `no worker has used ${checksumAddress(address)} on ${networkId}: see \`bun run remit relayer list\``,
        ])
      }
      if (key.status === 'quarantined') {
        throw new CommandError([
          `${checksumAddress(address)} is quarantined and already gets no work: ${key.note ?? ''}`,
        ])
      }
      const note = 'drained by an operator'
      const from = ['active', 'no_funds'] as const
      await changeKeyStatus(database, { networkId, address }, from, 'draining', note)
      const open = (await openTransactions(database)).get(`${networkId} ${address}`) ?? 0
      const hub = parseAddress(input.variables.HUB_ADDRESS ?? '')
      const dismissal = hub && operatorCall(hub, address, false)
      const call = dismissal && { to: dismissal.to, data: dismissal.data }
      const text = columns([
        ['relayer', `${checksumAddress(address)} on ${networkId}`],
        ['status', 'draining: gets no new work'],
        ['open', `${open} transactions`],
        ...(call ? [['then', `the owner sends ${call.to} the data ${call.data}`] as const] : []),
      ])
      const json = { networkId, address: checksumAddress(address), openTransactions: open, call }
      return { json: { ...json, status: 'draining' }, text }
    })
  },
}

const relayerReactivate: CommandSpec = {
  words: ['relayer', 'revive'],
  about: 'Reactivate a quarantined relayer, once you know that its key is safe.',
  details: `A relayer is quarantined when its account has sent transactions that are not in the ledger: a third party has
the key, or the database was restored from a backup. Nodes can't distinguish these: find out first. The command
checks that all nodes agree on the account's nonce, that it has not sent anything within the chain's
confirmations, and that all of its transactions in the ledger are decided and present on
the chain. The relayer then continues at the chain's nonce; the nonces below it are recorded as not ours.`,
  options: { chain: CHAIN, address: ACCOUNT },
  examples: [
    'relayer revive --chain base-sepolia --address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  async run(input) {
    const address = accountOption(input)
    const site = await hubSite(input)
    const { networkId } = site.config.chain
    const accountNonce = await site.query((client) => settledNonce(client, address))
    const name = `${checksumAddress(address)} on ${networkId}`
    if (accountNonce === null) {
      throw new CommandError([
        `${name} has sent transactions within the chain's confirmations, or its nodes disagree: wait, and find the sender`,
      ])
    }
    const revival = await withLedger(input, (database) =>
      reactivateKey(database, { networkId, address }, accountNonce),
    )
    if (!revival.ok) throw new CommandError([`${name} ${refusal(revival, accountNonce)}`])
    const text = columns([
      ['relayer', name],
      ['status', 'active; workers use it again'],
      ['next nonce', `${accountNonce}, reported by all nodes at the chain's confirmations`],
      ['not ours', `${revival.taken} account nonces that the ledger had no record of`],
      ['open', 'no transactions'],
    ])
    const json = { networkId, address: checksumAddress(address), status: 'active' }
    return { json: { ...json, nextNonce: accountNonce, foreignNonces: revival.taken }, text }
  },
}

export const RELAYER_COMMANDS: readonly CommandSpec[] = [
  relayerList,
  relayerAdd,
  relayerDrain,
  relayerReactivate,
]

/** Why a key was not reactivated, as the predicate of a sentence. */
function refusal(revival: Extract<Revival, { ok: false }>, accountNonce: bigint): string {
  switch (revival.reason) {
    case 'not_quarantined':
      return 'is not quarantined: see `bun run remit relayer list`'
    case 'undecided':
      return 'has undecided transactions: keep a worker running until they are decided'
    case 'behind':
      return `has account nonce ${accountNonce} on the chain, and the next one in the ledger is ${revival.nextNonce}: the nodes lag, or the chain lost transactions`
  }
}

function accountOption(input: CommandInput): Address {
  const text = required(input, 'address')
  const address = parseAddress(text)
  if (address) return address
  throw misused(
    input,
    `--address must be an EVM address in lower case or with its EIP-55 checksum, not ${text}`,
  )
}

/** A stolen key must compromise only one role, so a relayer has no other role. */
function refuseOtherRoles(
  address: Address,
  roles: { owner: Address; feeCollector: Address; configSigner: Address; refundSigner: Address },
): void {
  const { owner, feeCollector, configSigner, refundSigner } = roles
  const taken = Object.entries({ owner, feeCollector, configSigner, refundSigner })
  const role = taken.find(([, holder]) => holder === address)?.[0]
  if (role !== undefined) {
    throw new CommandError([
      `${checksumAddress(address)} is already the ${role}: use a separate account as relayer`,
    ])
  }
}

function balanceText(key: RelayerKey): string {
  return key.balance === null ? '-' : formatEther(key.balance)
}
