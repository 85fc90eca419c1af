import { formatEther } from 'viem'
import { readHub } from '../chain/hub.ts'
import { operatorCall } from '../chain/hubDeployment.ts'
import { type Address, checksumAddress, parseAddress } from '../core/evm.ts'
import { openTransactions } from '../store/operators.ts'
import { changeKeyStatus, type RelayerKey, readRelayerKeys } from '../store/relayerKeys.ts'
import { CommandError, type CommandInput, type CommandSpec, misused, required } from './command.ts'
import { withLedger } from './environment.ts'
import { appoint, appointmentText } from './hub/deploy.ts'
import { checkNode, fromNode, hubSite } from './hub/settings.ts'
import { facts, orDash, table } from './output.ts'

/** The accounts that send transactions: who they are, what they hold, and taking them in and out. */

const CHAIN = { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true }
const ACCOUNT = { value: 'ADDRESS', about: "The relayer's account", required: true }

const relayerList: CommandSpec = {
  words: ['relayer', 'list'],
  about: 'List the relayers that workers have used, with their state and balance.',
  options: { chain: { value: 'ID', about: 'Only this chain' } },
  examples: ['relayer list', 'relayer list --chain base-sepolia --json'],
  async run(input) {
    return await withLedger(input, async (database) => {
      const chain = input.values.get('chain') ?? null
      const [keys, open] = await Promise.all([
        readRelayerKeys(database, chain),
        openTransactions(database),
      ])
      const openOf = (key: RelayerKey) => open.get(`${key.networkId} ${key.address}`) ?? 0
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
          { title: 'NOTE', cell: (key) => orDash(key.note) },
        ],
        chain === null
          ? 'No relayer has been used yet: workers take in the keys of RELAYER_KEYS_<CHAIN> when they start.'
          : `No relayer has been used on ${chain} yet.`,
      )
      const json = keys.map((key) => ({
        ...key,
        address: checksumAddress(key.address),
        openTransactions: openOf(key),
      }))
      return { json, text }
    })
  },
}

const relayerAdd: CommandSpec = {
  words: ['relayer', 'add'],
  about: 'Let an account sweep: make it an operator of the hub, and end its draining.',
  details: `With HUB_OWNER_KEY the owner's transaction is sent; without it, the call is printed for the owner's
wallet. Then give the account's private key to a worker in RELAYER_KEYS_<CHAIN>, and send it some coins.`,
  options: { chain: CHAIN, address: ACCOUNT },
  examples: [
    'relayer add --chain base-sepolia --address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  async run(input) {
    const address = accountOption(input)
    const site = await hubSite(input)
    const { config, client, predicted } = site
    refuseOtherRoles(address, config.roles)
    await checkNode(site)
    const hub = config.hub ?? predicted
    const roles = await fromNode(config, () => readHub(client.rpc, hub))
    const { networkId, symbol } = config.chain
    if (!roles) {
      throw new CommandError([
        `there is no hub at ${hub} on ${networkId}: run \`bun run remit hub deploy --chain ${networkId}\` first`,
      ])
    }
    const [appointment] = await appoint(site, hub, roles, [address], input)
    if (!appointment) throw new Error('one account was asked for and none came back')
    const balance = await fromNode(config, () => client.rpc.getBalance({ address }))
    const resumed = input.variables.DATABASE_URL
      ? await withLedger(input, (database) =>
          changeKeyStatus(database, { networkId, address }, ['draining'], 'active', null),
        )
      : false
    const text = facts([
      ['relayer', `${checksumAddress(address)} on ${networkId}`],
      ['operator', appointmentText(appointment)],
      ['balance', `${formatEther(balance)} ${symbol}${balance === 0n ? ': send it some' : ''}`],
      ...(resumed ? [['draining', 'ended; workers use it again'] as const] : []),
    ])
    return {
      json: { networkId, hub: checksumAddress(hub), balance, resumed, ...appointment },
      text,
    }
  },
}

const relayerDrain: CommandSpec = {
  words: ['relayer', 'drain'],
  about: 'Give a relayer no new work, so that it can be taken away when its last is done.',
  details: `What is on its way is finished. When \`relayer list\` shows no open transaction for it, take its key out
of RELAYER_KEYS_<CHAIN>, and let the hub's owner send the call that is printed. \`relayer add\` undoes it.`,
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
          `${checksumAddress(address)} is quarantined and gets no work anyway: ${key.note ?? ''}`,
        ])
      }
      const note = 'drained by an operator'
      const from = ['active', 'no_funds'] as const
      await changeKeyStatus(database, { networkId, address }, from, 'draining', note)
      const open = (await openTransactions(database)).get(`${networkId} ${address}`) ?? 0
      const hub = parseAddress(input.variables.HUB_ADDRESS ?? '')
      const call = hub && operatorCall(hub, address, false)
      const text = facts([
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

export const RELAYER_COMMANDS: readonly CommandSpec[] = [relayerList, relayerAdd, relayerDrain]

function accountOption(input: CommandInput): Address {
  const text = required(input, 'address')
  const address = parseAddress(text)
  if (address) return address
  throw misused(
    input,
    `--address must be an EVM address in lower case or with its EIP-55 checksum, not ${text}`,
  )
}

/** One stolen key must be one stolen role, so a relayer is nothing else. */
function refuseOtherRoles(
  address: Address,
  roles: { owner: Address; feeCollector: Address; configSigner: Address; refundSigner: Address },
): void {
  const { owner, feeCollector, configSigner, refundSigner } = roles
  const taken = Object.entries({ owner, feeCollector, configSigner, refundSigner })
  const role = taken.find(([, holder]) => holder === address)?.[0]
  if (role !== undefined) {
    throw new CommandError([
      `${checksumAddress(address)} is the ${role} already: use an account of its own as relayer`,
    ])
  }
}

function balanceText(key: RelayerKey): string {
  return key.balance === null ? '-' : formatEther(key.balance)
}
