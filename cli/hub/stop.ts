import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { isHash } from '../../core/chain/evm.ts'
import { HUB_PARTS, type HubPart, stopBits, stoppedParts } from '../../core/hub/stops.ts'
import {
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
  misused,
} from '../terminal/command.ts'
import { carry, guardsOf, ownerOf } from './carry.ts'
import { readTerms } from './open.ts'
import { CHAIN_OPTION, type PowerSite, powerSite } from './site.ts'

/** Stopping and resuming a hub, and approving a refund above its limit. */

const PARTS = {
  name: 'PARTS',
  about: `Some of ${HUB_PARTS.join(',')}, separated by commas (default: all)`,
  isOptional: true,
}

const hubStop: CommandSpec = {
  words: ['hub', 'stop'],
  about: 'Guardian or owner: stop parts of the hub immediately.',
  details: `Payments are still accepted. Stopped work stays pending, with the reason in its status, and continues
automatically once the owner resumes. With HUB_GUARDIAN_KEY or HUB_OWNER_KEY the call is sent; without these keys,
it is printed for signing.`,
  argument: PARTS,
  options: CHAIN_OPTION,
  examples: ['hub stop --chain base', 'hub stop refunds,registry --chain base'],
  async run(input) {
    const parts = partsIn(input) ?? HUB_PARTS
    const site = await powerSite(input)
    const stopped = stoppedParts((await readTerms(site)).state.stops)
    const left = parts.filter((part) => !stopped.includes(part))
    if (left.length === 0) return nothing(site, `${parts.join(', ')}: already stopped`)
    const args = [stopBits(parts)] as const
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'stop', args })
    const words = `stop ${left.join(', ')}`
    return carry(site, { holders: guardsOf(site), call: { to: site.hub, data }, words }, input)
  },
}

const hubResume: CommandSpec = {
  words: ['hub', 'resume'],
  about: 'Owner: resume stopped parts of the hub.',
  details: `The guardian can't resume. Find out first why the hub was stopped: \`hub status\`, and the runbooks in
docs/security.md. With HUB_OWNER_KEY the call is sent; without it, it is printed for a multisig to sign.`,
  argument: {
    ...PARTS,
    about: `Some of ${HUB_PARTS.join(',')}, separated by commas (default: all stopped parts)`,
  },
  options: CHAIN_OPTION,
  examples: ['hub resume --chain base', 'hub resume sweeps --chain base'],
  async run(input) {
    const requested = partsIn(input)
    const site = await powerSite(input)
    const stopped = stoppedParts((await readTerms(site)).state.stops)
    const parts = stopped.filter((part) => requested === null || requested.includes(part))
    if (parts.length === 0)
      return nothing(site, `${(requested ?? ['anything']).join(', ')}: not stopped`)
    const args = [stopBits(parts)] as const
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'resume', args })
    const words = `resume ${parts.join(', ')}`
    return carry(site, { holders: ownerOf(site), call: { to: site.hub, data }, words }, input)
  },
}

const hubApprove: CommandSpec = {
  words: ['hub', 'approve'],
  about: 'Owner: approve one refund above the limit.',
  details: `The refund is identified by the digest of its order, which \`/ready\` and the worker's log show. It still needs the
refund signer's signature, so two keys are required. With HUB_OWNER_KEY the call is sent; without it, it is printed
for a multisig to sign.`,
  argument: { name: 'DIGEST', about: "The order's EIP-712 digest: 0x and 64 digits" },
  options: CHAIN_OPTION,
  examples: [`hub approve 0x${'2e'.repeat(32)} --chain base`],
  async run(input) {
    const digest = input.argument ?? ''
    if (!isHash(digest)) throw misused(input, `DIGEST must be 0x and 64 digits, not ${digest}`)
    const site = await powerSite(input)
    const { client, hub } = site
    const read = { address: hub, abi: HUB_ABI, functionName: 'isRefundApproved' } as const
    const isApproved = await site.query(() => client.rpc.readContract({ ...read, args: [digest] }))
    if (isApproved) return nothing(site, `${digest}: already approved`)
    const data = encodeFunctionData({ abi: HUB_ABI, functionName: 'approveRefund', args: [digest] })
    const words = `approve the refund with digest ${digest} regardless of the limit`
    return carry(site, { holders: ownerOf(site), call: { to: hub, data }, words }, input)
  },
}

/** Null if none are given. */
function partsIn(input: CommandInput): readonly HubPart[] | null {
  const { argument } = input
  if (argument === undefined) return null
  const words = argument.split(',')
  const parts = HUB_PARTS.filter((part) => words.includes(part))
  if (parts.length === new Set(words).size) return parts
  throw misused(input, `PARTS must be some of ${HUB_PARTS.join(',')}, not ${argument}`)
}

/** The outcome if the hub is already in the requested state. */
function nothing({ client, hub }: PowerSite, why: string): CommandOutcome {
  const { networkId, chainId } = client.chain
  return {
    json: { networkId, chainId, hub, does: null, sent: false, transaction: null, why },
    text: `nothing to do: ${why}`,
  }
}

export const STOP_COMMANDS = [hubStop, hubResume, hubApprove]
