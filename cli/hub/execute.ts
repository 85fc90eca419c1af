import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { isUuid } from '../../core/base/ids.ts'
import { type Hex, isHash, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { Proposal } from '../../core/hub/state.ts'
import { CommandError, type CommandInput, type CommandSpec, misused } from '../terminal/command.ts'
import { carry, guardsOf, ownerOf } from './carry.ts'
import { readTerms, searchOpenMatters } from './open.ts'
import { CHAIN_OPTION, type PowerSite, powerSite } from './site.ts'

/** Executing and vetoing proposals, vetoing treasury changes, and accepting the ownership. */

const PROPOSAL = { name: 'ID', about: 'The proposal, as shown by `hub status`' }
const EXAMPLE_ID = `0x${'1f'.repeat(32)}`

const hubExecute: CommandSpec = {
  words: ['hub', 'execute'],
  about: 'Owner: execute a proposal whose delay is over.',
  details: `A proposal can be executed within 14 days after its delay. With HUB_OWNER_KEY it is sent; without it, what a
multisig has to sign is printed.`,
  argument: PROPOSAL,
  options: CHAIN_OPTION,
  examples: [`hub execute ${EXAMPLE_ID} --chain base`],
  async run(input) {
    const id = proposalArgument(input)
    const site = await powerSite(input)
    const { call, summary } = await proposalOf(site, id)
    const act = { holders: ownerOf(site), call: { to: site.hub, data: call }, words: summary }
    return carry(site, act, input)
  },
}

const hubVeto: CommandSpec = {
  words: ['hub', 'veto'],
  about: "Guardian or owner: veto proposals, or a change of a merchant's treasury.",
  details: `A proposal is identified by its id, a change by the merchant's. --all vetoes all proposals in one call, regardless
of their number and of whether \`hub status\` shows them. Only the owner can veto a proposal that replaces the
guardian, by its id: --all excludes it. With HUB_GUARDIAN_KEY or HUB_OWNER_KEY the call is sent; without these keys,
it is printed for signing.`,
  argument: { name: 'ID', about: "The proposal's or the merchant's id", isOptional: true },
  options: {
    ...CHAIN_OPTION,
    all: { about: 'Veto all proposals except replacements of the guardian' },
  },
  examples: [
    `hub veto ${EXAMPLE_ID} --chain base`,
    'hub veto --all --chain base',
    'hub veto 0197fe12-0000-7000-8000-000000000001 --chain base',
  ],
  async run(input) {
    const { data, words } = vetoOf(input)
    const site = await powerSite(input)
    return carry(site, { holders: guardsOf(site), call: { to: site.hub, data }, words }, input)
  },
}

function vetoOf(input: CommandInput): { readonly data: Hex; readonly words: string } {
  const { argument: id, switches } = input
  if (switches.has('all') === (id !== undefined)) {
    throw misused(input, 'an ID or --all is required')
  }
  if (id === undefined) {
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'vetoProposals' })
    return { data, words: 'veto all proposals except replacements of the guardian' }
  }
  if (isHash(id)) {
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'vetoProposal', args: [id] })
    return { data, words: `veto proposal ${id}` }
  }
  if (isUuid(id)) {
    const args = [uuidToBytes16(id)] as const
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'veto', args })
    return { data, words: `veto the change of merchant ${id}'s treasury` }
  }
  throw misused(input, `ID must be a proposal (0x and 64 digits) or a merchant's id, not ${id}`)
}

const hubAccept: CommandSpec = {
  words: ['hub', 'accept'],
  about: 'New owner: accept the ownership that was offered.',
  details: `With the new owner's key in HUB_OWNER_KEY the call is sent; without it, it is printed for the new owner to sign.`,
  options: CHAIN_OPTION,
  examples: ['hub accept --chain base'],
  async run(input) {
    const site = await powerSite(input)
    const { pendingOwner } = (await readTerms(site)).state
    if (pendingOwner === ZERO_ADDRESS) {
      throw new CommandError([
        'the ownership is not offered: the owner must run `hub propose transfer-ownership` first',
      ])
    }
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'acceptOwnership' })
    const holders = [{ role: 'new owner', account: pendingOwner } as const]
    const words = 'accept the ownership'
    return carry(site, { holders, call: { to: site.hub, data }, words }, input)
  },
}

async function proposalOf(site: PowerSite, id: Hex): Promise<Proposal> {
  const { proposals } = await searchOpenMatters(site)
  const found = proposals.find((one) => one.id === id)
  if (found !== undefined) return found
  throw new CommandError([
    `there is no proposal ${id}: it was vetoed, executed, or never made; see \`hub status\``,
  ])
}

function proposalArgument(input: CommandInput): Hex {
  const text = input.argument ?? ''
  if (isHash(text)) return text
  throw misused(input, `ID must be 0x and 64 digits, as shown by \`hub status\`, not ${text}`)
}

export const PROPOSAL_COMMANDS = [hubExecute, hubVeto, hubAccept]
