import { type OwnerCallRead, readOwnerCall } from '../../chain/hub/ownerCalls.ts'
import { proposalId, proposalReadyAt, proposeCall } from '../../chain/hub/proposals.ts'
import { readHubState } from '../../chain/hub/setup.ts'
import { durationText } from '../../core/base/duration.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { tokensOf } from '../../core/chain/registry.ts'
import { PROPOSAL_LIFETIME_S } from '../../core/hub/state.ts'
import {
  CommandError,
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
} from '../terminal/command.ts'
import { OWNER_CALLS, type OwnerCallSpec } from './calls.ts'
import { carry, ownerOf } from './carry.ts'
import { timeText } from './refusals.ts'
import { CHAIN_OPTION, type PowerSite, powerSite } from './site.ts'

const DETAILS = `A call that adds power is proposed, can be vetoed by the guardian during the owner's delay, and is then
executed by \`hub execute\`. A call that removes power, or any call on a hub without a delay, needs no
proposal: the call itself is sent at once. With HUB_OWNER_KEY it is sent; without it, it is printed for a multisig
to sign.`

/** A command for each call that the owner can propose. */
export const PROPOSE_COMMANDS: readonly CommandSpec[] = OWNER_CALLS.map((spec) => ({
  words: ['hub', 'propose', spec.name],
  about: `Owner: ${spec.about}`,
  details: DETAILS,
  ...(spec.argument === null ? {} : { argument: spec.argument }),
  options: {
    ...CHAIN_OPTION,
    ...spec.options,
    again: { about: 'Propose it again, which restarts its delay' },
  },
  examples: [`hub propose ${spec.name} ${spec.example} --chain base`],
  run: (input) => propose(input, spec),
}))

async function propose(input: CommandInput, spec: OwnerCallSpec): Promise<CommandOutcome> {
  const site = await powerSite(input)
  const { hub, client } = site
  const data = spec.build(input, client.chain)
  const call = readOwnerCall(data, tokensOf(client.chain))
  if (call === null) throw new Error(`${spec.name} is encoded as a call that can't be read back`)
  const { adds, ownerDelay } = await powerOf(site, call)
  if (!adds || ownerDelay === 0) {
    const why = adds ? 'the hub has no delay for its owner' : 'it removes power'
    const notes = [['at once', `without a proposal, because ${why}`]] as const
    const act = { holders: ownerOf(site), call: { to: hub, data }, words: call.words, notes }
    return carry(site, act, input)
  }
  const id = proposalId(data)
  if (!input.switches.has('again')) await refuseRepetition(site, id)
  const wait = ownerDelay * (call.replacesGuardian ? 7 : 1)
  const notes = [
    ['proposal', id],
    ['ripe', `${durationText(wait)} after it is mined: then run \`hub execute ${id}\``],
  ] as const
  const words = `propose "${call.words}"`
  return carry(site, { holders: ownerOf(site), call: proposeCall(hub, data), words, notes }, input)
}

/** Whether the call adds power in the hub's current state. */
async function powerOf({ client, hub, roles, query }: PowerSite, call: OwnerCallRead) {
  const tokens = call.token === null ? [] : [{ address: call.token }]
  const state = await query(() => readHubState(client.rpc, hub, roles, { operators: [], tokens }))
  const token = call.token === null ? undefined : state.tokens.get(call.token)
  const adds = call.adds({
    guardian: roles.guardian,
    ownerDelay: BigInt(state.delays.owner),
    configDelay: BigInt(state.delays.config),
    token: token ?? { listed: false, decimals: 0, refundLimit: 0n },
  })
  return { adds, ownerDelay: state.delays.owner }
}

/** Proposing again would restart the delay, which is rarely intended. */
async function refuseRepetition({ client, hub, head, query }: PowerSite, id: Hex): Promise<void> {
  const readyAt = await query(() => proposalReadyAt(client.rpc, hub, id))
  const now = BigInt(Math.floor(head.time.getTime() / 1_000))
  if (readyAt === 0n || now > readyAt + PROPOSAL_LIFETIME_S) return
  const state = now < readyAt ? `can be executed from ${timeText(readyAt)}` : 'can be executed now'
  throw new CommandError([
    `it was already proposed and ${state}: run \`hub execute ${id}\`, or restart its delay with --again`,
  ])
}
